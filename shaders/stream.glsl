// The simulated mesh, looked up by a vertex's number.
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly buffer Normals { float normals[]; };
layout(std430, binding = 2) readonly buffer Scalars { float scalars[]; };

vec3 position_of(int v) {
  int i = 3 * v;
  return vec3(positions[i], positions[i + 1], positions[i + 2]);
}
vec3 normal_of(int v) {
  int i = 3 * v;
  return vec3(normals[i], normals[i + 1], normals[i + 2]);
}
float scalar_of(int v) { return scalars[v]; }
