#include "sim/files/usda_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/shorten.h"
#include "sim/mesh/import/polygon.h"
#include "sim/mesh/import/tidy.h"

namespace weft {
namespace {

constexpr double kMostBodyValue = 1e9;
constexpr size_t kMostBodyVertices = 20'000'000;

/// Where a code lies among ascending ones: between `a` and `b` at `s`; a == b outside of them.
struct Between {
  size_t a = 0, b = 0;
  double s = 0;
};
Between between(const std::vector<double>& codes, double code) {
  const size_t after = std::upper_bound(codes.begin(), codes.end(), code) - codes.begin();
  if (after == 0 || codes.empty()) return {};
  if (after == codes.size()) return {after - 1, after - 1, 0};
  return {after - 1, after, (code - codes[after - 1]) / (codes[after] - codes[after - 1])};
}

glm::dquat quaternion(const std::vector<double>& wxyz) {
  return glm::normalize(glm::dquat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]));
}

glm::dmat4 turn(char axis, double degrees) {
  return glm::rotate(glm::dmat4(1), degrees * 3.14159265358979323846 / 180,
                     dvec3(axis == 'X', axis == 'Y', axis == 'Z'));
}

/// The step's matrix for columns: p' = M p.
glm::dmat4 matrix_at(const UsdaTransformStep& step, double code) {
  const Between at = between(step.codes, code);
  std::vector<double> v = step.values[at.a];
  glm::dmat4 m(1);
  using Kind = UsdaTransformStep::Kind;
  if (step.kind == Kind::orient) {
    m = glm::mat4_cast(glm::slerp(quaternion(v), quaternion(step.values[at.b]), at.s));
  } else {
    for (size_t k = 0; k < v.size(); ++k) v[k] += at.s * (step.values[at.b][k] - v[k]);
    if (step.kind == Kind::translate) m = glm::translate(m, dvec3(v[0], v[1], v[2]));
    if (step.kind == Kind::scale) m = glm::scale(m, dvec3(v[0], v[1], v[2]));
    // the first axis turns first
    for (size_t k = 0; step.kind == Kind::rotate && k < step.axes.size(); ++k)
      m = turn(step.axes[k], v[k]) * m;
    // rows of a matrix that multiplies rows are columns of one that multiplies columns
    for (size_t k = 0; step.kind == Kind::matrix && k < 16; ++k) m[int(k / 4)][int(k % 4)] = v[k];
  }
  return step.inverse ? glm::inverse(m) : m;
}

std::string first_word(const UsdaPrim& prim, const char* name, const char* standard) {
  const auto at = prim.attributes.find(name);
  if (at == prim.attributes.end() || !at->second.value || at->second.value->words.empty()) return standard;
  return at->second.value->words[0];
}

}  // namespace

/// Fills a UsdaBody from the prims of a layer.
class UsdaBodyReader {
 public:
  /// `faces`: takes the meshes as they are, in place of the body's triangles.
  UsdaBodyReader(UsdaBody& body, float weld, const PartChoice& parts, FileFaces* faces = nullptr)
      : body_(body), weld_(weld), parts_(parts), faces_(faces) {}

  void run(const UsdaLayer& layer) {
    stage(layer);
    for (const UsdaPrim& p : layer.prims) visit(p, {}, false);
    for (const auto& [what, count] : skipped_) notice(fmt::format("{} {} skipped", count, what));
    if (!parts_.all()) parts_.check(names_, body_.path_);
    if (body_.meshes_.empty()) fail(1, "the file has no mesh", "export the body as a mesh");
    if (cages_ > 0)
      notice(
          fmt::format("{} of its meshes are subdivision surfaces, of which the control mesh is taken: export "
                      "them subdivided if they "
                      "are coarse",
                      cages_));
    times(layer);
  }

 private:
  using Codes = std::vector<double>;
  [[noreturn]] void fail(int line, const std::string& what,
                         const std::string& todo = "export the file again") const {
    throw Error(what, fmt::format("{}:{}", body_.path_, line), todo);
  }
  void notice(const std::string& words) { body_.notices_.push_back(body_.path_ + ": " + words); }

  double metadata(const UsdaLayer& layer, const char* key, double standard, double least, double most) const {
    const auto at = layer.metadata.find(key);
    if (at == layer.metadata.end() || at->second.numbers.empty()) return standard;
    const double value = at->second.numbers[0];
    if (!(value >= least && value <= most))
      fail(1, fmt::format("{} = {:g} is outside of its range", key, value));
    return value;
  }

  void stage(const UsdaLayer& layer) {
    body_.unit_ = metadata(layer, "metersPerUnit", 0.01, 1e-9, 1e9);
    // where only frames per second are given, a time code is a frame
    body_.rate_ =
        metadata(layer, "timeCodesPerSecond", metadata(layer, "framesPerSecond", 24, 1e-3, 1e6), 1e-3, 1e6);
    const auto up = layer.metadata.find("upAxis");
    const std::string axis =
        up == layer.metadata.end() || up->second.words.empty() ? "Y" : up->second.words[0];
    if (axis != "Y" && axis != "Z")
      fail(1, "upAxis is '" + shortened(axis, 20) + "'", "export it with Y or Z up");
    body_.z_up_ = axis == "Z";
  }

  void visit(const UsdaPrim& p, std::vector<std::vector<UsdaTransformStep>> above, bool hidden) {
    if (p.specifier == "class" || !p.active) return;
    if (p.specifier == "over") {
      ++skipped_["prims that only change others (over)"];
      return;
    }
    hidden = hidden || first_word(p, "visibility", "inherited") == "invisible";
    const std::string purpose = first_word(p, "purpose", "default");
    hidden = hidden || purpose == "guide" || purpose == "proxy";
    bool reset = false;
    std::vector<UsdaTransformStep> own = transform(p, reset);
    if (reset) above.clear();
    above.insert(above.begin(), std::move(own));
    if (p.type == "Mesh") {
      if (hidden) ++skipped_["meshes that are invisible, guides or proxies"];
      else if (chosen(p)) mesh(p, above);
    } else if (!p.type.empty() && p.attributes.count("points")) {
      ++skipped_["prims of type " + shortened(p.type, 40)];
    }
    for (const char* shape :
         {"Cube", "Sphere", "Cylinder", "Cone", "Capsule", "PointInstancer", "NurbsPatch"})
      if (p.type == shape) ++skipped_["prims of type " + p.type];
    for (const UsdaPrim& child : p.children) visit(child, above, hidden);
  }

  std::vector<UsdaTransformStep> transform(const UsdaPrim& p, bool& reset) const {
    std::vector<UsdaTransformStep> steps;
    const auto order = p.attributes.find("xformOpOrder");
    if (order == p.attributes.end() || !order->second.value) return steps;
    for (std::string name : order->second.value->words) {
      if (name == "!resetXformStack!") {
        reset = true, steps.clear();
        continue;
      }
      const bool inverse = name.starts_with("!invert!");
      if (inverse) name = name.substr(8);
      const auto at = p.attributes.find(name);
      if (!name.starts_with("xformOp:") || at == p.attributes.end())
        fail(order->second.line,
             fmt::format("{}: xformOpOrder names '{}', which is not there", p.path, shortened(name, 60)));
      steps.push_back(step(name.substr(8), at->second, p));
      steps.back().inverse = inverse;
    }
    return steps;
  }

  UsdaTransformStep step(const std::string& name, const UsdaAttribute& a, const UsdaPrim& p) const {
    UsdaTransformStep out;
    using Kind = UsdaTransformStep::Kind;
    const std::string kind = name.substr(0, name.find(':'));
    size_t width = 3;
    if (kind == "translate") out.kind = Kind::translate;
    else if (kind == "scale") out.kind = Kind::scale;
    else if (kind == "orient") out.kind = Kind::orient, width = 4;
    else if (kind == "transform") out.kind = Kind::matrix, width = 16;
    else if (kind.starts_with("rotate")) {
      out.kind = Kind::rotate, out.axes = kind.substr(6), width = out.axes.size();
      std::string sorted = out.axes;
      std::sort(sorted.begin(), sorted.end());
      if (sorted != "XYZ" && out.axes != "X" && out.axes != "Y" && out.axes != "Z")
        fail(a.line, "there is no xformOp:" + shortened(kind, 40));
    } else fail(a.line, "there is no xformOp:" + shortened(kind, 40));
    const auto take = [&](const UsdaValue& v) {
      if (v.numbers.size() != width)
        fail(a.line, fmt::format("{}: xformOp:{} has {} numbers in place of {}", p.path, shortened(name, 60),
                                 v.numbers.size(), width));
      for (const double n : v.numbers)
        if (!(std::abs(n) <= kMostBodyValue))
          fail(a.line, fmt::format("{}: xformOp:{} has a number that is not finite or too large", p.path,
                                   shortened(name, 60)));
      if (out.kind == Kind::orient && !(std::abs(v.numbers[0]) + std::abs(v.numbers[1]) +
                                            std::abs(v.numbers[2]) + std::abs(v.numbers[3]) >
                                        1e-6))
        fail(a.line, p.path + ": a rotation has length 0");
      out.values.push_back(v.numbers);
    };
    each_sample(a, out.codes, take);
    if (out.values.empty())
      fail(a.line, fmt::format("{}: xformOp:{} has no value", p.path, shortened(name, 60)));
    return out;
  }

  /// Samples where there are any, else the value.
  template <class Take>
  static void each_sample(const UsdaAttribute& a, Codes& codes, const Take& take) {
    for (const auto& [code, value] : a.samples)
      if (!value.blocked) take(value), codes.push_back(code);
    if (codes.empty() && a.value && !a.value->blocked) take(*a.value);
  }

  /// Whole numbers of an attribute that does not change.
  std::vector<int> integers(const UsdaPrim& p, const char* name) const {
    const auto at = p.attributes.find(name);
    if (at == p.attributes.end()) return {};
    const UsdaAttribute& a = at->second;
    std::vector<std::vector<double>> all;
    Codes codes;
    each_sample(a, codes, [&](const UsdaValue& v) { all.push_back(v.numbers); });
    for (const auto& numbers : all)
      if (numbers != all[0])
        fail(a.line, fmt::format("{}: {} changes with time", p.path, name),
             "export a mesh whose faces stay the same");
    std::vector<int> out;
    for (const double n : all.empty() ? std::vector<double>() : all[0]) {
      if (!(n >= 0 && n <= 2e9 && n == std::floor(n)))
        fail(a.line, fmt::format("{}: {} has the entry {:g}", p.path, name, n));
      out.push_back(int(n));
    }
    return out;
  }

  void mesh(const UsdaPrim& p, const std::vector<std::vector<UsdaTransformStep>>& transforms) {
    for (const char* skin : {"primvars:skel:jointIndices", "skel:skeleton", "skel:blendShapes"})
      if (p.attributes.count(skin))
        fail(p.line, p.path + " is moved by a skeleton or blend shapes (UsdSkel), which is not read",
             "export its vertices' animation (point caches; in Blender without Armatures and Shape Keys), or "
             "export glTF");
    const auto points = p.attributes.find("points");
    if (points == p.attributes.end()) fail(p.line, p.path + " has no points");
    UsdaBody::Mesh out;
    out.name = p.path.substr(p.path.rfind('/') + 1);
    out.path = names_.back();
    out.transforms = transforms;
    const UsdaAttribute& a = points->second;
    each_sample(a, out.codes, [&](const UsdaValue& v) { out.points.push_back(vectors(v.numbers, a, p)); });
    if (out.points.empty() || out.points[0].empty()) fail(a.line, p.path + " has no points");
    for (size_t i = 0; i < out.points.size(); ++i)
      if (out.points[i].size() != out.points[0].size())
        fail(a.line,
             fmt::format("{}: {} points at time code {:g}, and {} at {:g}", p.path, out.points[i].size(),
                         out.codes[i], out.points[0].size(), out.codes[0]),
             "export a mesh whose vertices stay the same");
    if (total_ + out.points[0].size() > kMostBodyVertices)
      fail(p.line, "its meshes have more than 20 million vertices", "export fewer details");
    cages_ += first_word(p, "subdivisionScheme", "catmullClark") != "none";
    const bool turned = first_word(p, "orientation", "rightHanded") == "leftHanded";
    if (faces_) {
      keep_faces(p, out, turned);
      total_ += out.points[0].size();
      return body_.meshes_.push_back(std::move(out));
    }
    std::vector<ivec3> triangles = cut_faces(p, out);
    if (turned)
      for (ivec3& t : triangles) std::swap(t.y, t.z);
    const float weld = weld_ > 0 ? float(double(weld_) / body_.unit_) : weld_;
    const TidyMesh tidy = tidied(out.points, std::move(triangles), weld);
    for (const std::string& words : tidy.notices(body_.path_ + ": " + shortened(p.path, 80)))
      body_.notices_.push_back(words);
    if (tidy.triangles.empty()) return void(++skipped_["meshes without faces that have an area"]);
    for (const ivec3& t : tidy.triangles) body_.triangles_.push_back(t + int(total_));
    total_ += tidy.kept.size();
    body_.meshes_.push_back(std::move(out));
  }

  /// By the names in its path: "/root/shirt/mesh" answers to shirt and mesh.
  bool chosen(const UsdaPrim& p) {
    std::vector<std::string>& names = names_.emplace_back();
    for (size_t at = 0; at != p.path.npos && at < p.path.size();) {
      const size_t end = p.path.find('/', at + 1);
      names.push_back(p.path.substr(at + 1, end == p.path.npos ? end : end - at - 1));
      at = end;
    }
    return parts_.takes(names);
  }

  std::vector<vec3> vectors(const std::vector<double>& numbers, const UsdaAttribute& a,
                            const UsdaPrim& p) const {
    if (numbers.size() % 3 != 0)
      fail(a.line, p.path + ": its points have " + std::to_string(numbers.size()) +
                       " numbers, which is no multiple of 3");
    std::vector<vec3> out(numbers.size() / 3);
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (!(std::abs(numbers[i]) <= kMostBodyValue))
        fail(a.line, fmt::format("{}: point {} is not finite or too large", p.path, i / 3));
      out[i / 3][int(i % 3)] = float(numbers[i]);
    }
    return out;
  }

  struct Polygons {
    std::vector<int> counts, indices;  // corners of each face; points of all corners
    std::vector<char> hole;            // per face
  };

  Polygons polygons(const UsdaPrim& p, const UsdaBody::Mesh& mesh) const {
    Polygons out{integers(p, "faceVertexCounts"), integers(p, "faceVertexIndices"), {}};
    const size_t points = mesh.points[0].size();
    for (const int v : out.indices)
      if (size_t(v) >= points)
        fail(p.line,
             fmt::format("{}: a face names point {}, and there are {}, counted from 0", p.path, v, points));
    size_t sum = 0;
    for (const int c : out.counts) sum += c;
    if (sum != out.indices.size())
      fail(p.line, fmt::format("{}: faceVertexCounts add up to {}, and there are {} faceVertexIndices",
                               p.path, sum, out.indices.size()));
    out.hole.assign(out.counts.size(), 0);
    for (const int h : integers(p, "holeIndices"))
      if (size_t(h) < out.hole.size()) out.hole[h] = 1;
    return out;
  }

  /// The place of each corner in FileFaces::textures, -1: none. Empty where the mesh has no texture
  /// coordinates, or they do not fit.
  std::vector<int> textures(const UsdaPrim& p, const Polygons& faces, size_t points) {
    auto own = p.attributes.find("primvars:st");
    for (auto at = p.attributes.begin(); own == p.attributes.end() && at != p.attributes.end(); ++at)
      if (at->second.type.starts_with("texCoord2")) own = at;
    if (own == p.attributes.end()) return {};
    std::vector<std::vector<double>> values;
    Codes codes;
    each_sample(own->second, codes, [&](const UsdaValue& v) { values.push_back(v.numbers); });
    if (values.empty() || values[0].empty()) return {};
    const int count = int(values[0].size() / 2), first = int(faces_->textures.size());
    std::vector<int> place = integers(p, (own->first + ":indices").c_str());
    for (int i = 0; p.attributes.count(own->first + ":indices") == 0 && i < count; ++i) place.push_back(i);
    const std::string& kind = own->second.interpolation;
    const bool by_corner = place.size() == faces.indices.size() && (kind == "faceVarying" || kind.empty()),
               by_point = place.size() == points && (kind == "vertex" || kind == "varying" || kind.empty());
    const bool inside = std::all_of(place.begin(), place.end(), [&](int i) { return i < count; });
    if (values[0].size() % 2 != 0 || !inside || !(by_corner || by_point)) {
      notice(fmt::format("{}: its texture coordinates do not fit its faces and are not read", p.path));
      return {};
    }
    for (int i = 0; i < count; ++i)
      faces_->textures.emplace_back(float(values[0][2 * size_t(i)]), float(values[0][2 * size_t(i) + 1]));
    const auto at = [&](int i) {
      const vec2& t = faces_->textures[first + i];
      return std::abs(t.x) + std::abs(t.y) < 1e9f ? first + i : -1;  // else it is no number
    };
    std::vector<int> out;
    for (size_t c = 0; c < faces.indices.size(); ++c)
      out.push_back(at(place[by_point ? size_t(faces.indices[c]) : c]));
    return out;
  }

  /// Primvars of numbers or colours with a value for each point, at the first time.
  void keep_attributes(const UsdaPrim& p, size_t points) {
    std::vector<VertexAttribute> own;
    for (const auto& [name, a] : p.attributes) {
      constexpr std::string_view kPrimvars = "primvars:";
      const size_t width = a.type.starts_with("color3") ? 3 : a.type.starts_with("color4") ? 4 : 1;
      const bool number = a.type == "float[]" || a.type == "double[]" || a.type == "half[]";
      if (!name.starts_with(kPrimvars) || (width == 1 && !number)) continue;
      if (a.interpolation != "vertex" && a.interpolation != "varying") continue;
      std::vector<double> values;
      Codes codes;
      each_sample(a, codes, [&](const UsdaValue& v) { values = values.empty() ? v.numbers : values; });
      std::vector<int> place = integers(p, (name + ":indices").c_str());
      for (size_t i = 0; p.attributes.count(name + ":indices") == 0 && i < points; ++i)
        place.push_back(int(i));
      const auto inside = [&](int i) { return i >= 0 && (size_t(i) + 1) * width <= values.size(); };
      if (place.size() != points || !std::all_of(place.begin(), place.end(), inside)) continue;
      std::vector<vec3> colors;
      VertexAttribute numbers{name.substr(kPrimvars.size()), {}};
      for (const int i : place) {
        const double* at = &values[size_t(i) * width];
        if (width == 1) numbers.values.push_back(float(at[0]));
        else colors.push_back(vec3(dvec3(at[0], at[1], at[2])));
      }
      if (width == 1) own.push_back(std::move(numbers));
      else add_color(own, numbers.name, colors);
    }
    add_attributes(faces_->attributes, own, total_, points);
  }

  void keep_faces(const UsdaPrim& p, const UsdaBody::Mesh& mesh, bool turned) {
    const Polygons faces = polygons(p, mesh);
    keep_attributes(p, mesh.points[0].size());
    const std::vector<int> texture = textures(p, faces, mesh.points[0].size());
    for (size_t f = 0, at = 0; f < faces.counts.size(); at += size_t(faces.counts[f++])) {
      std::vector<int> corners, own;
      for (int k = 0; k < faces.counts[f]; ++k) {
        const size_t c = at + size_t(turned ? faces.counts[f] - 1 - k : k);
        corners.push_back(faces.indices[c] + int(total_));
        own.push_back(texture.empty() ? -1 : texture[c]);
      }
      if (!faces.hole[f]) faces_->add_face(corners, own);
    }
  }

  std::vector<ivec3> cut_faces(const UsdaPrim& p, const UsdaBody::Mesh& mesh) {
    const auto [counts, indices, hole] = polygons(p, mesh);
    const std::vector<vec3>& x = mesh.points[0];
    std::vector<ivec3> out;
    int crossing = 0, short_ones = 0;
    for (size_t f = 0, at = 0; f < counts.size(); at += size_t(counts[f++])) {
      std::vector<int> corners;  // a vertex named twice in a row counts once
      for (int k = 0; k < counts[f]; ++k)
        if (const int v = indices[at + k]; corners.empty() || corners.back() != v) corners.push_back(v);
      while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
      if (corners.size() < 3) ++short_ones;
      if (hole[f] || corners.size() < 3) continue;
      std::vector<dvec3> polygon;
      for (const int v : corners) polygon.emplace_back(x[v]);
      bool simple = true;
      const std::vector<ivec3> cut =
          corners.size() == 3 ? std::vector<ivec3>{{0, 1, 2}} : triangulate_polygon(polygon, simple);
      for (const ivec3& t : cut) out.push_back({corners[t.x], corners[t.y], corners[t.z]});
      crossing += !simple;
    }
    if (crossing > 0)
      notice(fmt::format("{}: {} faces cross themselves and are cut as fans", p.path, crossing));
    if (short_ones > 0)
      notice(fmt::format("{}: {} faces of fewer than three corners are skipped", p.path, short_ones));
    return out;
  }

  void times(const UsdaLayer& layer) {
    Codes codes;
    for (const UsdaBody::Mesh& m : body_.meshes_) {
      codes.insert(codes.end(), m.codes.begin(), m.codes.end());
      for (const auto& steps : m.transforms)
        for (const UsdaTransformStep& s : steps) codes.insert(codes.end(), s.codes.begin(), s.codes.end());
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    body_.start_ = metadata(layer, "startTimeCode", codes.empty() ? 0 : codes.front(), -1e12, 1e12);
    body_.times_ = {0};
    for (const double c : codes)
      if (c > body_.start_) body_.times_.push_back((c - body_.start_) / body_.rate_);
    for (const UsdaBody::Mesh& m : body_.meshes_)
      for (const double t : body_.times_) body_.world_at(m, body_.start_ + t * body_.rate_);
  }

  UsdaBody& body_;
  float weld_;
  const PartChoice& parts_;
  FileFaces* faces_;
  std::vector<std::vector<std::string>> names_;  // of the meshes
  size_t total_ = 0;
  int cages_ = 0;
  std::map<std::string, int> skipped_;
};

UsdaBody::UsdaBody(const std::string& path, float weld, const PartChoice& parts) : path_(path) {
  UsdaBodyReader(*this, weld, parts).run(parse_usda(read_text_file(path, "a USD file"), path));
}

FileFaces UsdaBody::faces(const std::string& path, const PartChoice& parts) {
  FileFaces out;
  UsdaBody body(path);
  UsdaBodyReader(body, -1, parts, &out).run(parse_usda(read_text_file(path, "a USD file"), path));
  body.positions(0, out.positions);
  for (VertexAttribute& a : out.attributes) a.values.resize(out.positions.size(), NAN);
  out.notices = body.notices_;
  return out;
}

FileFaces usda_faces(const std::string& path, const PartChoice& parts) {
  return UsdaBody::faces(path, parts);
}

std::vector<UsdaBody::Part> UsdaBody::parts() const {
  std::vector<Part> out;
  int first = 0;
  for (const Mesh& m : meshes_) {
    out.push_back({m.name, first, int(m.points[0].size()), m.path});
    first += out.back().count;
  }
  return out;
}

glm::dmat4 UsdaBody::world_at(const Mesh& mesh, double code) const {
  glm::dmat4 world(1);
  for (const auto& steps : mesh.transforms) {  // from the mesh upwards
    glm::dmat4 own(1);
    for (const UsdaTransformStep& s : steps) own = own * matrix_at(s, code);
    world = own * world;
  }
  for (int k = 0; k < 16; ++k)
    if (!(std::abs(world[k / 4][k % 4]) <= kMostBodyValue))
      throw Error(fmt::format("the transform of {} is not finite or too large at time code {:g}",
                              shortened(mesh.name, 60), code),
                  path_, "export the file again");
  return world;
}

void UsdaBody::positions(double time, std::vector<vec3>& out) const {
  const double code = start_ + std::max(0.0, time) * rate_;
  out.clear();
  for (const Mesh& mesh : meshes_) {
    const glm::dmat4 world = world_at(mesh, code);
    const Between at = between(mesh.codes, code);
    const std::vector<vec3>&a = mesh.points[at.a], &b = mesh.points[at.b];
    for (size_t v = 0; v < a.size(); ++v) {
      const dvec3 local = dvec3(a[v]) + at.s * (dvec3(b[v]) - dvec3(a[v]));
      const dvec3 p = unit_ * dvec3(world * glm::dvec4(local, 1));
      out.push_back(vec3(z_up_ ? dvec3(p.x, p.z, -p.y) : p));
    }
  }
}

}  // namespace weft
