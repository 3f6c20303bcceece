/* Plug-ins that go wrong in a way each: -DFAULT=... */
#include <math.h>
#include <stdlib.h>

#include "weft/plugin.h"

enum { kVersion = 1, kNoMesh, kNaNGradient, kNaNHessian, kReturns, kVertex, kTwice, kRange, kName, kNothing, kNaNFilter };

static void *create(const weft_mesh *mesh) { return FAULT == kNoMesh ? 0 : (void *)mesh; }

static int elements(void *self, int *vertex) {
  (void)self;
  if (vertex) vertex[0] = 0, vertex[1] = FAULT == kVertex ? 1000000 : FAULT == kTwice ? 0 : 1;
  return 1;
}

static int evaluate(void *self, const double *x, const double *parameters, double *energy, double *gradient,
                    double *hessian) {
  (void)self, (void)x, (void)parameters;
  *energy = 0;
  if (gradient && FAULT == kNaNGradient) gradient[4] = NAN;
  for (int i = 0; hessian && i < 36; ++i) hessian[i] = FAULT == kNaNHessian ? NAN : 0;
  return FAULT == kReturns ? 7 : 0;
}

static int filter(void *self, const double *from, double *x, const double *parameters) {
  (void)self, (void)from, (void)parameters;
  if (FAULT == kNaNFilter) x[7] = NAN;
  return 0;
}

static const weft_parameter parameters[] = {{"size", "Size", "m", "Of it.", FAULT == kRange ? 5 : 0.5, 0, 1}};
static const weft_energy energy = {2, 0, elements, evaluate};
static const weft_plugin plugin = {FAULT == kVersion ? WEFT_PLUGIN_VERSION + 1 : WEFT_PLUGIN_VERSION,
                                   FAULT == kName ? "not a name" : "faulty",
                                   1,
                                   parameters,
                                   create,
                                   0,
                                   FAULT == kNothing ? 0 : &energy,
                                   FAULT == kNothing ? 0 : filter};

#ifndef NO_ENTRY
const weft_plugin *weft_plugin_entry(void) { return &plugin; }
#else
const weft_plugin *another_name(void) { return &plugin; }
#endif
