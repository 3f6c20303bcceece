/* A filter that keeps vertices above a height, whatever the solver found.
 *   cc -O2 -shared -fPIC -I PREFIX/include floor.c -o floor.so */
#include <stdlib.h>

#include "weft/plugin.h"

static void *create(const weft_mesh *mesh) {
  int *vertices = malloc(sizeof *vertices);
  if (vertices) *vertices = mesh->vertices;
  return vertices;
}

static int filter(void *self, const double *from, double *x, const double *parameters) {
  (void)from;
  for (int v = 0; v < *(const int *)self; ++v)
    if (x[3 * v + 1] < parameters[0]) x[3 * v + 1] = parameters[0];
  return 0;
}

static const weft_parameter parameters[] = {
    {"height", "Height of the floor", "m", "Vertices stay above it. More: higher.", 0, -100, 100}};
static const weft_plugin plugin = {WEFT_PLUGIN_VERSION, "floor", 1, parameters, create, free, 0, filter};

const weft_plugin *weft_plugin_entry(void) { return &plugin; }
