// Under the thread sanitizer oneTBB works on the calling thread alone: Debian's libtbb is built without it,
// so that it would take every loop of oneTBB (in the building of a scene) for unordered. What the simulator
// runs in parallel, it runs on ThreadTeam's threads.
#ifdef __SANITIZE_THREAD__
#include <oneapi/tbb/global_control.h>

static const oneapi::tbb::global_control one_thread(oneapi::tbb::global_control::max_allowed_parallelism, 1);
#endif
