// Generic kernels of energies that solvers hold in fused rows.
#include "cuda/elements.cuh"
#include "sim/energies/thread_lock.h"
#include "tests/solvers/quadratic_hinge.h"

WEFT_ELEMENT(weft::Spring)
WEFT_ELEMENT(weft::ThreadLock)
WEFT_ELEMENT(weft::QuadraticHinge)
