#include "common.glsl"
#include "lighting.glsl"
#include "studio.glsl"
layout(location = 0) out vec4 out_color;
void main() { out_color = vec4(backdrop(gl_FragCoord.xy), 1); }
