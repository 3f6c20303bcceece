// Terms of parts with radii of their own: apart, so that all else is compiled as it would be without.
#include "sim/collision/contact_terms/make_terms.h"

namespace weft {

template void ContactTerms::make_pairs(const StepContext&, Span<const vec3>, const PartRadii&);

}  // namespace weft
