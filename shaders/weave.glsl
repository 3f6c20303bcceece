// Threads at their physical size, from material coordinates in metres. Everything fades to its mean before a
// thread becomes thinner than about two pixels, so that nothing shimmers.
struct Surface {
  vec3 normal;
  vec3 warp;      // unit, in the sheet, along the warp threads
  float cavity;   // share of the light that the gaps between threads leave
};

const int PLAIN = 0, TWILL = 1, SATIN = 2, GRAIN = 3;

// 1 while a pattern of this many periods per pixel can be drawn, 0 when it cannot.
float detail(float periods_per_pixel) { return 1.0 - smoothstep(0.22, 0.5, periods_per_pixel); }

// Whether the warp lies on top at a crossing.
bool warp_on_top(vec2 cell, int kind) {
  if (kind == TWILL) return mod(cell.x + cell.y, 3.0) > 0.5;           // 2/1 twill: diagonal ribs
  if (kind == SATIN) return mod(cell.x * 3.0 + cell.y, 5.0) > 0.5;     // 4/1 satin: long floats
  return mod(cell.x + cell.y, 2.0) < 0.5;
}

Surface weave(vec2 uv, vec3 n, float threads, int kind, float strength) {
  Surface s = Surface(n, vec3(1, 0, 0), 1.0);
  vec2 dx = dFdx(uv), dy = dFdy(uv);
  // The directions of warp and weft in space, from the change of material coordinates between pixels.
  vec3 px = dFdx(vertex.position), py = dFdy(vertex.position);
  vec3 along_u = px * dy.y - py * dx.y, along_v = py * dx.x - px * dy.x;
  float turned = dx.x * dy.y - dx.y * dy.x;
  along_u *= sign(turned), along_v *= sign(turned);
  s.warp = normalize(along_v - n * dot(n, along_v) + 1e-12);
  vec3 weft = normalize(along_u - n * dot(n, along_u) + 1e-12);
  vec2 width = abs(dx) + abs(dy);
  if (kind == GRAIN) {  // leather: pebbles of a few millimetres
    float fine = detail(max(width.x, width.y) * 900.0), coarse = detail(max(width.x, width.y) * 350.0);
    vec2 p = uv * 350.0, e = vec2(0.15, 0);
    vec2 slope = coarse * (vec2(noise(p + e), noise(p + e.yx)) - noise(p)) / 0.15;
    p = uv * 900.0;
    slope += 0.6 * fine * (vec2(noise(p + e), noise(p + e.yx)) - noise(p)) / 0.15;
    s.normal = normalize(n - 0.16 * strength * (slope.x * weft + slope.y * s.warp));
    return s;
  }
  // Uneven yarn: streaks of two or three centimetres along the threads, visible from where the threads are
  // not.
  float streaks = 0.0, total = 0.0;
  const int OCTAVES = 3;
  float across = 420.0;
  for (int i = 0; i < OCTAVES; ++i, across *= 2.3) {
    vec2 visible = vec2(detail(width.x * across), detail(width.y * across));
    streaks += visible.x * (noise(vec2(uv.x * across, uv.y * 35.0 + 7.0 * float(i))) - 0.5);
    streaks += visible.y * (noise(vec2(uv.y * across + 31.0, uv.x * 35.0 + 5.0 * float(i))) - 0.5);
  }
  s.cavity = 1.0 + 0.075 * strength * streaks;
  vec2 q = uv * threads;
  // Gaps are a third of a thread, so threads fade earlier than a plain pattern of their width.
  float seen = (1.0 - smoothstep(0.10, 0.27, max(width.x, width.y) * threads)) * strength;
  if (seen > 0.0) {
    vec2 cell = floor(q), f = fract(q) - 0.5;
    bool up = warp_on_top(cell, kind);
    vec2 c = up ? f : f.yx;  // c.x across the upper thread, c.y along it
    // Where the upper thread goes on over the next crossing it neither dips nor shows a gap.
    vec2 next = sign(c.y) * (up ? vec2(0, 1) : vec2(1, 0));
    float dips = warp_on_top(cell + next, kind) == up ? 0.0 : 1.0;
    float across_slope = 2.4 * c.x, along_slope = 1.3 * c.y * dips;
    vec2 slope = up ? vec2(across_slope, along_slope) : vec2(along_slope, across_slope);
    s.normal = normalize(n + 0.55 * seen * (slope.x * weft + slope.y * s.warp));
    float gap = smoothstep(0.32, 0.5, abs(c.x)) + 0.6 * dips * smoothstep(0.3, 0.5, abs(c.y));
    float twist = sin((c.y + 0.55 * c.x) * 2.0 * PI * 2.0);
    float yarn = 0.85 + 0.3 * hash(up ? vec2(cell.x, 3.0) : vec2(cell.y, 17.0));
    float value = yarn * (1.0 - 0.42 * min(gap, 1.3)) * (1.0 + 0.06 * twist);
    s.cavity *= mix(1.0, value / 0.84, min(1.0, seen));
    s.warp = normalize(mix(s.warp, up ? s.warp : weft, min(1.0, seen)) + 1e-9);
  } else if (kind == TWILL) {
    // The ribs of a twill are wider than its threads and remain visible a little longer.
    float ribs = detail(max(width.x, width.y) * threads / 3.0) * strength;
    s.cavity *= 1.0 + 0.10 * ribs * sin((q.x + q.y) * 2.0 * PI / 3.0);
  }
  return s;
}

// A folded hem along the boundary: a groove where it ends, with stitches in it. Returns a factor on the
// light.
float hem(float distance_in, vec2 uv, float width) {
  if (width <= 0.0 || distance_in > 1.6 * width) return 1.0;
  float pixel = max(fwidth(distance_in), 1e-6);
  float groove_width = 0.0011 + 0.5 * pixel;
  float groove = exp(-pow((distance_in - width) / groove_width, 2.0)) * min(1.0, 0.0022 / groove_width);
  float along = (uv.x + uv.y) / 0.0045;  // stitches 3 mm long, 4.5 mm apart
  float seen = detail(fwidth(along));
  float stitch = smoothstep(0.30, 0.38, abs(fract(along) - 0.5));
  return (distance_in < width ? 0.965 : 1.0) * (1.0 - groove * (0.34 - 0.5 * seen * (1.0 - stitch)));
}
