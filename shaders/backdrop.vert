// One triangle over the whole picture, at the far plane.
void main() { gl_Position = vec4(vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1), 1, 1); }
