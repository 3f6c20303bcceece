/* An energy, or a filter of positions, as a shared library that Weft loads (weft --plugin springs.so).
 *
 * The library has one function, weft_plugin_entry, which returns a description that lives as long as the
 * library. Lengths are in m, forces in N, energies in J; positions are x0 y0 z0 x1 ..., one per vertex.
 * Functions are called by one thread at a time. What they compute depends on their arguments alone: a step
 * may be made again, or taken back. A function that returns int returns 0, or something else for a fault,
 * which ends the step and leaves the state as it was.
 */
#ifndef WEFT_PLUGIN_H
#define WEFT_PLUGIN_H
#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_PLUGIN_VERSION 1

/* What is simulated, at rest; lives as long as what `create` made of it. */
typedef struct weft_mesh {
  int vertices, triangles, edges;
  const double* rest;  /* 3 per vertex */
  const double* mass;  /* kg, one per vertex */
  const int* triangle; /* 3 per triangle */
  const int* edge;     /* 2 per edge */
} weft_mesh;

/* A value that people set: plugin.NAME.KEY. */
typedef struct weft_parameter {
  const char *key, *label, *unit, *help;
  double fallback, min, max;
} weft_parameter;

/* E = sum over elements of 1 to 4 vertices. */
typedef struct weft_energy {
  int points;   /* vertices of an element, 1 to 4 */
  int definite; /* 1: Hessians have no negative eigenvalues; 0: Weft takes those out */
  /* Number of elements; writes their vertices if `vertex` is not null. Negative: a fault. */
  int (*elements)(void* self, int* vertex);
  /* The energy at x. `gradient` (3 per vertex, 0 before) is added to, unless it is null. `hessian` is null or
     has (3 points)^2 numbers per element, rows one after the other. The energy of an element of several
     vertices should not change when they all move alike: then Newton's method converges fast. */
  int (*evaluate)(void* self, const double* x, const double* parameters, double* energy, double* gradient,
                  double* hessian);
} weft_energy;

typedef struct weft_plugin {
  int version;      /* WEFT_PLUGIN_VERSION */
  const char* name; /* letters, digits, _ and - */
  int parameter_count;
  const weft_parameter* parameters;
  /* Null of `create`: a fault. Both may be null; `self` is then null. */
  void* (*create)(const weft_mesh* mesh);
  void (*destroy)(void* self);
  const weft_energy* energy; /* null: none */
  /* Null, or: moves the positions that the solver found, before contact. `from`: those at the start of the
     step. Pinned vertices stay where they are. */
  int (*filter)(void* self, const double* from, double* x, const double* parameters);
} weft_plugin;

const weft_plugin* weft_plugin_entry(void);

#ifdef __cplusplus
}
#endif
#endif
