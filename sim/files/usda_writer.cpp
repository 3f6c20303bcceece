#include "sim/files/usda_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/files/text_numbers.h"
#include "sim/mesh/mesh.h"

namespace weft {
namespace {

void append_point(fmt::memory_buffer& to, const vec3& p) {
  to.push_back('(');
  for (int k = 0; k < 3; ++k) {
    if (k) to.append(std::string_view(", "));
    append_float(to, p[k]);
  }
  to.push_back(')');
}

std::string points_text(const vec3* points, int count) {
  fmt::memory_buffer out;
  out.push_back('[');
  for (int v = 0; v < count; ++v) {
    if (v) out.append(std::string_view(", "));
    append_point(out, points[v]);
  }
  out.push_back(']');
  return fmt::to_string(out);
}

/// Rows as USD has them: a point is a row to the left of them.
std::string matrix_text(const glm::dmat4& m) {
  fmt::memory_buffer out;
  for (int c = 0; c < 4; ++c)
    fmt::format_to(std::back_inserter(out), "{}({}, {}, {}, {})", c ? ", " : "( ", m[c].x, m[c].y, m[c].z,
                   m[c].w);
  out.append(std::string_view(" )"));
  return fmt::to_string(out);
}

void append_textures(fmt::memory_buffer& to, const std::vector<vec2>& values, const vec2& scale,
                     const char* interpolation) {
  const auto put = [&](std::string_view text) { to.append(text); };
  put("        texCoord2f[] primvars:st = [");
  for (size_t v = 0; v < values.size(); ++v) {
    const vec2 t = values[v] / scale;
    put(v ? ", (" : "(");
    append_float(to, t.x), put(", "), append_float(to, t.y), put(")");
  }
  put(fmt::format("] (\n            interpolation = \"{}\"\n        )\n", interpolation));
}

/// One value per vertex, or one per corner of each face if seams or faces without values require that. USD
/// has no corner without a value: those get (0, 0).
void append_textures(fmt::memory_buffer& to, const RunGroup& group) {
  if (group.corners.empty()) {
    if (!group.uv.empty()) append_textures(to, group.uv, group.uv_scale, "vertex");
    return;
  }
  const bool faces = group.input.has_faces();
  std::vector<vec2> values = faces ? group.input.textures : group.corners.values;
  const int none = int(values.size());
  values.push_back(vec2(0));
  append_textures(to, values, vec2(1), "faceVarying");
  to.append(std::string_view("        int[] primvars:st:indices = ["));
  for (size_t c = 0; faces && c < group.input.texture.size(); ++c)
    fmt::format_to(std::back_inserter(to), "{}{}", c ? ", " : "",
                   group.input.texture[c] >= 0 ? group.input.texture[c] : none);
  for (size_t t = 0; !faces && t < group.corners.of_triangle.size(); ++t) {
    const ivec3& own = group.corners.of_triangle[t];
    const auto place = [&](int k) { return own[k] >= 0 ? own[k] : none; };
    fmt::format_to(std::back_inserter(to), "{}{}, {}, {}", t ? ", " : "", place(0), place(1), place(2));
  }
  to.append(std::string_view("]\n"));
}

/// "int[] faceVertexCounts", "int[] faceVertexIndices".
void append_faces(fmt::memory_buffer& to, const RunGroup& group) {
  const auto put = [&](std::string_view text) { to.append(text); };
  const InputMesh& input = group.input;
  const size_t faces = input.has_faces() ? size_t(input.face_count()) : group.triangles.size();
  put("        int[] faceVertexCounts = [");
  for (size_t f = 0; f < faces; ++f)
    fmt::format_to(std::back_inserter(to), "{}{}", f ? ", " : "",
                   input.has_faces() ? input.face_starts[f + 1] - input.face_starts[f] : 3);
  put("]\n        int[] faceVertexIndices = [");
  for (size_t c = 0; input.has_faces() && c < input.corners.size(); ++c)
    fmt::format_to(std::back_inserter(to), "{}{}", c ? ", " : "", input.corners[c]);
  for (size_t t = 0; !input.has_faces() && t < group.triangles.size(); ++t)
    fmt::format_to(std::back_inserter(to), "{}{}, {}, {}", t ? ", " : "", group.triangles[t].x,
                   group.triangles[t].y, group.triangles[t].z);
  put("]\n");
}

/// Curves of straight pieces. Where some are closed and some are not, closed ones repeat their first point.
void append_curves(fmt::memory_buffer& to, const std::vector<Polyline>& strands, bool loops, float width) {
  const auto put = [&](std::string_view text) { to.append(text); };
  put("        uniform token type = \"linear\"\n        uniform token wrap = ");
  put(loops ? "\"periodic\"" : "\"nonperiodic\"");
  put("\n        int[] curveVertexCounts = [");
  for (size_t c = 0; c < strands.size(); ++c)
    fmt::format_to(std::back_inserter(to), "{}{}", c ? ", " : "",
                   strands[c].points.size() + (strands[c].closed && !loops ? 1 : 0));
  put(fmt::format("]\n        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
                  width));
}

bool all_closed(const std::vector<Polyline>& strands) {
  return std::all_of(strands.begin(), strands.end(), [](const Polyline& s) { return s.closed; });
}

/// The tetrahedra of a solid, over the points of its mesh `of`, and their outer sides.
std::string cells_text(const RunGroup& group, const std::string& name, const std::string& of) {
  fmt::memory_buffer to;
  const auto put = [&](std::string_view text) { to.append(text); };
  put(fmt::format(
      "\n    def TetMesh \"{}\" (\n        prepend references = </run/{}>\n    )\n    {{\n        "
      "uniform token purpose = \"guide\"\n        int4[] tetVertexIndices = [",
      name, of));
  for (size_t c = 0; c < group.cells.size(); ++c) {
    const ivec4& v = group.cells[c];
    fmt::format_to(std::back_inserter(to), "{}({}, {}, {}, {})", c ? ", " : "", v.x, v.y, v.z, v.w);
  }
  put("]\n        int3[] surfaceFaceVertexIndices = [");
  for (size_t t = 0; t < group.triangles.size(); ++t) {
    const ivec3& v = group.triangles[t];
    fmt::format_to(std::back_inserter(to), "{}({}, {}, {})", t ? ", " : "", v.x, v.y, v.z);
  }
  put("]\n    }\n");
  return fmt::to_string(to);
}

/// A string in quotes as USD reads it back.
std::string usd_text(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else if (static_cast<unsigned char>(c) >= 32) out += c;
  }
  return out + "\"";
}

/// `rate` per second of simulated time; "step x dt x rate" is rounded where that makes it a whole number.
std::string time_code(double time, double rate) {
  const double code = time * rate, whole = std::round(code);
  return std::abs(code - whole) < 1e-6 * std::max(1.0, std::abs(whole)) ? fmt::format("{:.0f}", whole + 0.0)
                                                                        : fmt::format("{}", code);
}

/// Light from all around. The middle of its picture is towards -z, turned by `turn`; that of a DomeLight is
/// towards +z (latitude 0, longitude 0), with the same handedness.
std::string sky_text(const RunSky& sky) {
  return fmt::format(
      "\n    def DomeLight \"sky\"\n    {{\n        float inputs:intensity = {}\n        asset "
      "inputs:texture:file = @{}@\n        token inputs:texture:format = \"latlong\"\n        float "
      "xformOp:rotateY = {}\n        uniform token[] xformOpOrder = [\"xformOp:rotateY\"]\n    }}\n",
      sky.strength, sky.file, sky.turn > 0 ? sky.turn - 180 : sky.turn + 180);
}

/// A UsdPreviewSurface; `at`: path of the material.
std::string material_text(const RunLook& look, const std::string& name, const std::string& at) {
  const auto pair = [](const vec2& v) { return fmt::format("({}, {})", v.x, v.y); };
  std::string text = fmt::format(
      "\n    def Material \"{0}\"\n    {{\n        token outputs:surface.connect = "
      "<{1}/surface.outputs:surface>\n"
      "        def Shader \"surface\"\n        {{\n            uniform token info:id = "
      "\"UsdPreviewSurface\"\n"
      "            float inputs:roughness = {2}\n",
      name, at, look.roughness);
  if (look.print.empty())
    text += fmt::format("            color3f inputs:diffuseColor = ({}, {}, {})\n", look.color.x,
                        look.color.y, look.color.z);
  else text += fmt::format("            color3f inputs:diffuseColor.connect = <{}/print.outputs:rgb>\n", at);
  text += "            token outputs:surface\n        }\n";
  if (!look.print.empty())
    text += fmt::format(
        "        def Shader \"st\"\n        {{\n            uniform token info:id = "
        "\"UsdPrimvarReader_float2\"\n"
        "            string inputs:varname = \"st\"\n            float2 outputs:result\n        }}\n"
        "        def Shader \"place\"\n        {{\n            uniform token info:id = \"UsdTransform2d\"\n"
        "            float2 inputs:in.connect = <{0}/st.outputs:result>\n"
        "            float2 inputs:scale = {1}\n            float2 inputs:translation = {2}\n"
        "            float2 outputs:result\n        }}\n"
        "        def Shader \"print\"\n        {{\n            uniform token info:id = \"UsdUVTexture\"\n"
        "            asset inputs:file = @{3}@\n            float2 inputs:st.connect = "
        "<{0}/place.outputs:result>\n"
        "            token inputs:sourceColorSpace = \"sRGB\"\n            token inputs:wrapS = \"repeat\"\n"
        "            token inputs:wrapT = \"repeat\"\n            float3 outputs:rgb\n        }}\n",
        at, pair(look.scale), pair(look.offset), look.print);
  return text + "    }\n";
}

}  // namespace

std::string usd_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string base;
  for (char c : name) base += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0]))) base = "_" + base;
  std::string free = base;
  for (int n = 2; std::find(taken.begin(), taken.end(), free) != taken.end(); ++n)
    free = fmt::format("{}_{}", base, n);
  return free;
}

void RigidPlaces::begin(const vec3* points, int count) {
  for (int i = 0; i < count; ++i) centre_ += dvec3(points[i]) / double(count);
  dmat3 second(0);
  for (int i = 0; i < count; ++i) {
    first_.push_back(dvec3(points[i]) - centre_);
    second += glm::outerProduct(first_.back(), first_.back());
  }
  const double mean = (second[0][0] + second[1][1] + second[2][2]) / 3, det = glm::determinant(second);
  known_ = det > 1e-12 * mean * mean * mean;
  if (known_) inverse_ = glm::inverse(second);
}

glm::dmat4 RigidPlaces::place(const vec3* points) const {
  dvec3 centre(0);
  for (size_t i = 0; i < first_.size(); ++i) centre += dvec3(points[i]) / double(first_.size());
  dmat3 moment(0);
  for (size_t i = 0; i < first_.size(); ++i)
    moment += glm::outerProduct(dvec3(points[i]) - centre, first_[i]);
  const dmat3 a = moment * inverse_;
  glm::dmat4 out(a);
  out[3] = glm::dvec4(centre - a * centre_, 1);
  return out;
}

UsdaWriter::UsdaWriter(const std::string& path, const RunInfo& info)
    : path_(path), info_(info), onward_(info.dt) {
  if (!(info_.usd_rate > 0)) info_.usd_rate = info_.fps;
  info_.scene.clear();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error("this is a folder", path, "name a file");
  std::vector<std::string> taken;
  for (const RunGroup& g : info_.groups) {
    Samples& s = groups_.emplace_back();
    s.prim = usd_name(g.name, taken);
    taken.push_back(s.prim);
    if (g.look.color.x >= 0) s.look = usd_name(g.name + "_look", taken), taken.push_back(s.look);
    if (!g.cells.empty()) s.cells = usd_name(g.name + "_cells", taken), taken.push_back(s.cells);
    s.strands = polylines_of(g.lines, g.count);
    for (const Polyline& strand : s.strands) {
      s.order.insert(s.order.end(), strand.points.begin(), strand.points.end());
      if (strand.closed && !all_closed(s.strands)) s.order.push_back(strand.points.front());
    }
    s.points = std::make_unique<OutputFile>(free_name_beside(path), true);
    s.extents = std::make_unique<OutputFile>(free_name_beside(path), true);
  }
}

void UsdaWriter::sample(Samples& to, const std::string& code, const std::string& points,
                        const std::string& extent) {
  to.points->write("            " + code + ": " + points + ",\n");
  to.extents->write("            " + code + ": " + extent + ",\n");
  to.ends.emplace_back(to.points->size(), to.extents->size());
}

void UsdaWriter::keep_samples(Samples& s, size_t count) {
  if (s.ends.size() > count) s.ends.resize(count);
  s.points->cut(s.ends.empty() ? 0 : s.ends.back().first);
  s.extents->cut(s.ends.empty() ? 0 : s.ends.back().second);
}

void UsdaWriter::make_room() {
  uint64_t around = 4 * (uint64_t(1) << 16);  // size of the pieces (OutputFile::take_over)
  for (const RunGroup& g : info_.groups)
    around += 1000 + 36 * g.triangles.size() + 30 * (g.uv.size() + g.corners.values.size()) +
              36 * g.corners.of_triangle.size() + 24 * g.input.corners.size() + 48 * g.cells.size() +
              (g.cells.empty() ? 0 : 36 * g.triangles.size()) + 12 * g.lines.size();
  std::error_code unknown;
  const auto folder = std::filesystem::absolute(path_, unknown).parent_path();
  while (codes_.size() > 1 && std::filesystem::space(folder, unknown).available < around && !unknown) {
    codes_.pop_back();
    for (Samples& s : groups_) keep_samples(s, codes_.size());
  }
}

void UsdaWriter::frame(const RunFrame& frame) {
  long long step = frame.step;
  double time = frame.time;
  onward_.take(step, time);
  const std::string code = time_code(time, info_.usd_rate);
  if (!codes_.empty() && std::stod(code) <= std::stod(codes_.back()))
    throw Error(
        fmt::format("frame {} (step {}) is not later than the one before it; USD requires increasing times",
                    codes_.size(), frame.step),
        path_, "give a smaller --fps");
  if (broken_) throw Error("nothing can be added: an earlier write failed", path_);
  try {
    sample_groups(frame, code);
  } catch (const Error& e) {
    broken_ = true;
    for (Samples& s : groups_) keep_samples(s, codes_.size());
    throw Error(
        fmt::format("{}; {} frames were complete; those that fit are kept", e.what_happened, codes_.size()),
        path_, e.what_to_do);
  }
  codes_.push_back(code);
}

void UsdaWriter::sample_groups(const RunFrame& frame, const std::string& code) {
  for (size_t g = 0; g < groups_.size(); ++g) {
    const RunGroup& group = info_.groups[g];
    Samples& s = groups_[g];
    const vec3* now = frame.positions.data() + group.first;
    const bool first = codes_.empty();
    if (group.rigid() && !first && s.places.known()) {
      sample_place(s, now, code, size_t(group.count));
      continue;
    }
    if (!first && !s.moves && std::memcmp(now, s.last.data(), size_t(group.count) * sizeof(vec3)) == 0)
      continue;
    std::vector<vec3> on_strands;
    for (const int v : s.order) on_strands.push_back(now[v]);
    const vec3* written = s.order.empty() ? now : on_strands.data();
    const int count = s.order.empty() ? group.count : int(on_strands.size());
    const std::string points = points_text(written, count);
    Bounds box;
    for (int v = 0; v < count; ++v) box.add(written[v]);
    if (box.empty()) box = {vec3(0), vec3(0)};
    const vec3 corners[2] = {box.min, box.max};
    const std::string extent = points_text(corners, 2);
    if (first) {
      s.first_points = points, s.first_extent = extent;
      s.last.assign(now, now + group.count);
      if (group.rigid()) s.places.begin(now, group.count);
      continue;
    }
    // USD interpolates between samples, so a group that rested until now needs one at every frame.
    if (!s.moves)
      for (const std::string& earlier : codes_) sample(s, earlier, s.first_points, s.first_extent);
    sample(s, code, points, extent);
    if (!s.moves) s.moves = true, s.first_points = {}, s.first_extent = {}, s.last = {};
  }
}

/// A frame of a rigid body: a sample of its matrix, once it moves.
void UsdaWriter::sample_place(Samples& s, const vec3* now, const std::string& code, size_t count) {
  if (!s.moves && std::memcmp(now, s.last.data(), count * sizeof(vec3)) == 0) return;
  if (!s.moves)
    for (const std::string& earlier : codes_) sample(s, earlier, matrix_text(glm::dmat4(1)), "");
  sample(s, code, matrix_text(s.places.place(now)), "");
  s.moves = true, s.last = {};
}

void UsdaWriter::write_group(OutputFile& file, const RunGroup& group, const Samples& s) const {
  fmt::memory_buffer out;
  const auto put = [&](std::string_view text) { out.append(text); };
  const bool looks = group.look.color.x >= 0;
  if (looks) put(material_text(group.look, s.look, "/run/" + s.look));
  const bool strands = !s.order.empty();
  put(fmt::format("\n    def {} \"{}\"{}\n    {{\n",
                  strands          ? "BasisCurves"
                  : group.grains() ? "Points"
                                   : "Mesh",
                  s.prim, looks ? " (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )" : ""));
  if (looks) put(fmt::format("        rel material:binding = </run/{}>\n", s.look));
  if (strands) {
    append_curves(out, s.strands, all_closed(s.strands), group.width);
  } else if (group.grains()) {
    put(fmt::format("        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
                    group.width));
  } else {
    put(fmt::format(
        "        uniform bool doubleSided = {}\n        uniform token subdivisionScheme = \"none\"\n"
        "        uniform token orientation = \"rightHanded\"\n",
        group.body || !group.cells.empty() ? 0 : 1));
    append_faces(out, group);
    append_textures(out, group);
  }
  file.write(out.data(), out.size());
  if (s.moves && s.places.known()) {
    file.write("        float3[] extent = " + s.first_extent + "\n        point3f[] points = " +
               s.first_points + "\n        matrix4d xformOp:transform.timeSamples = {\n");
    file.take_over(*s.points);
    file.write("        }\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n");
  } else if (s.moves) {
    file.write("        float3[] extent.timeSamples = {\n");
    file.take_over(*s.extents);
    file.write("        }\n        point3f[] points.timeSamples = {\n");
    file.take_over(*s.points);
    file.write("        }\n    }\n");
  } else {
    file.write("        float3[] extent = " + s.first_extent +
               "\n        point3f[] points = " + s.first_points + "\n    }\n");
  }
  if (!s.cells.empty()) file.write(cells_text(group, s.cells, s.prim));
}

void UsdaWriter::finish() {
  if (codes_.empty() || written_) return;
  if (broken_) make_room();
  try {
    TemporaryFile part(path_);
    OutputFile file(part.name());
    file.write(fmt::format(
        "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = {}\n    startTimeCode = {}\n    endTimeCode = "
        "{}\n    "
        "timeCodesPerSecond = {}\n"
        "    framesPerSecond = {}\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\ndef Xform \"run\"\n{{",
        usd_text(info_.origin.empty() ? info_.title : info_.title + "\n" + info_.origin), codes_.front(),
        codes_.back(), info_.usd_rate, info_.usd_rate));
    for (size_t g = 0; g < groups_.size(); ++g) write_group(file, info_.groups[g], groups_[g]);
    if (!info_.sky.file.empty()) file.write(sky_text(info_.sky));
    file.write("}\n");
    file.close();
    if (const int code = part.put_in_place())
      throw Error(std::string("the file cannot be renamed: ") + std::strerror(code), path_);
    written_ = true;
  } catch (const Error& fault) {
    throw Error(fault.what_happened, path_, fault.what_to_do);
  }
}

std::string UsdaWriter::summary() const {
  if (!written_) return "USD: no file was written";
  return fmt::format("USD: {} frames (time codes {:g} to {:g}, {:g} per second) in {}", codes_.size(),
                     std::stod(codes_.front()), std::stod(codes_.back()), info_.usd_rate, path_) +
         onward_.words();
}

}  // namespace weft
