/* A spring along each edge: E = k/2 (|x_b - x_a| - l)^2, l being its length at rest.
 *   cc -O2 -shared -fPIC -I PREFIX/include springs.c -o springs.so -lm */
#include <math.h>
#include <stdlib.h>

#include "weft/plugin.h"

static void *create(const weft_mesh *mesh) {
  const weft_mesh **self = malloc(sizeof *self);
  if (self) *self = mesh;
  return self;
}

static int elements(void *self, int *vertex) {
  const weft_mesh *mesh = *(const weft_mesh **)self;
  for (int i = 0; vertex && i < 2 * mesh->edges; ++i) vertex[i] = mesh->edge[i];
  return mesh->edges;
}

static double length(const double *x, int a, int b, double *e) {
  for (int k = 0; k < 3; ++k) e[k] = x[3 * b + k] - x[3 * a + k];
  return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
}

static int evaluate(void *self, const double *x, const double *parameters, double *energy, double *gradient,
                    double *hessian) {
  const weft_mesh *mesh = *(const weft_mesh **)self;
  const double k = parameters[0];
  *energy = 0;
  for (int i = 0; i < mesh->edges; ++i) {
    const int a = mesh->edge[2 * i], b = mesh->edge[2 * i + 1];
    double e[3], at_rest[3];
    const double l = length(mesh->rest, a, b, at_rest), now = length(x, a, b, e);
    *energy += 0.5 * k * (now - l) * (now - l);
    for (int r = 0; gradient && r < 3; ++r) {
      const double pull = k * (1 - l / now) * e[r];
      gradient[3 * b + r] += pull, gradient[3 * a + r] -= pull;
    }
    for (int r = 0; hessian && r < 6; ++r)
      for (int c = 0; c < 6; ++c) {
        const double n = e[r % 3] * e[c % 3] / (now * now), same = r % 3 == c % 3;
        const double block = k * (n + (1 - l / now) * (same - n));
        hessian[36 * i + 6 * r + c] = r / 3 == c / 3 ? block : -block;
      }
  }
  return 0;
}

static const weft_parameter parameters[] = {
    {"stiffness", "Stiffness of a spring", "N/m", "Force per stretch. More: stretches less.", 100, 0, 1e6}};
static const weft_energy energy = {2, 0, elements, evaluate};
static const weft_plugin plugin = {WEFT_PLUGIN_VERSION, "springs", 1, parameters, create, free, &energy, 0};

const weft_plugin *weft_plugin_entry(void) { return &plugin; }
