// Races between the threads of a launch, reported by the thread sanitizer (build with WEFT_DOUBLE_RACES; else
// nothing).
//
// The sanitizer sees threads of a launch as threads of its own, between which nothing is ordered but by
// barriers, in whichever order they run here. Kernels alone are compiled for it. Every report is counted.
#pragma once

namespace cuda_double::races {

#if WEFT_DOUBLE_RACES
constexpr unsigned kThreads =
    61;  // of the sanitizer, each for some of a launch; prime, so that equal lanes differ
void begin_launch();
void end_launch();
/// What runs from now on is thread `thread` of the launch. Those of one remainder by kThreads are one to the
/// sanitizer.
void go_on_with(unsigned thread);
/// And from now on it is not.
void go_home();
void begin_thread();
void end_thread();
/// At a barrier that orders memory, before and after all have come.
void arrive(void* barrier);
void leave(void* barrier);
/// So far.
long reports();
/// What the host does on several threads is not compiled for the sanitizer, which would not see how they
/// wait.
void stay_on_one_processor();
#else
constexpr unsigned kThreads = 1;
inline void begin_launch() {}
inline void end_launch() {}
inline void go_on_with(unsigned) {}
inline void go_home() {}
inline void begin_thread() {}
inline void end_thread() {}
inline void arrive(void*) {}
inline void leave(void*) {}
inline void stay_on_one_processor() {}
#endif

}  // namespace cuda_double::races
