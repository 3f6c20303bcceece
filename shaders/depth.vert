// Depth alone: for the shadow map and for ambient occlusion.
layout(location = 0) in vec3 in_position;
uniform mat4 transform;
void main() { gl_Position = transform * vec4(in_position, 1); }
