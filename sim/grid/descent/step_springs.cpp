#include "sim/grid/descent/launch_step.h"

template void weft::block_descent::launch_step(weft::Device&, const char*, bool,
                                               const weft::block_descent::StepArguments&,
                                               const weft::block_descent::SpringSheet&);
