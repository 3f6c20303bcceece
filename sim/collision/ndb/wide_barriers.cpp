// Contacts of parts with radii of their own: apart, so that all else is compiled as it would be without.
#include "sim/collision/ndb/make_barriers.h"

namespace weft {

template void NdbContacts::make_barriers(const contact::PairDirections&, const PartRadii&);

}  // namespace weft
