// Depth alone: for the shadow map and for ambient occlusion.
layout(location = 0) in vec3 in_position;
uniform mat4 transform, place;  // from the world, into the world
uniform vec4 viewpoint;         // xyz: place of the camera; with w = 0 the direction of a parallel light
uniform float behind;           // m: depth as if it were so much further away
void main() {
  vec3 position = (place * vec4(in_position, 1)).xyz;
  gl_Position = transform * vec4(position, 1);
  vec3 away = viewpoint.w > 0 ? normalize(position - viewpoint.xyz) : viewpoint.xyz;
  vec4 further = transform * vec4(position + behind * away, 1);
  gl_Position.z = further.z / further.w * gl_Position.w;
}
