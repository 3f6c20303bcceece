#include "sim/files/gltf_accessors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/shorten.h"
#include "sim/files/file_kind.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = uint64_t(1) << 32;  // of a file or a buffer
constexpr uint64_t kMostNumbers = 300'000'000;      // of an accessor
constexpr double kMostValue = 1e9;
constexpr int kMostDepth = 64;  // of brackets in the JSON

/// Extensions that a file may require: what they add is not about shapes, or is read in any case.
bool may_be_required(const std::string& name) {
  static const std::array<const char*, 12> known{"KHR_mesh_quantization",
                                                 "KHR_texture_transform",
                                                 "KHR_texture_basisu",
                                                 "KHR_lights_punctual",
                                                 "KHR_xmp_json_ld",
                                                 "KHR_materials_variants",
                                                 "EXT_texture_webp",
                                                 "EXT_texture_avif",
                                                 "MSFT_texture_dds",
                                                 "KHR_techniques_webgl",
                                                 "KHR_xmp",
                                                 "EXT_lights_image_based"};
  return name.starts_with("KHR_materials_") || std::find(known.begin(), known.end(), name) != known.end();
}

/// Nesting of brackets outside of strings. The parser of extras calls itself for each level.
int depth_of(std::string_view json) {
  int depth = 0, most = 0;
  bool text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (text && c == '\\') ++i;
    else if (c == '"') text = !text;
    else if (!text && (c == '{' || c == '[')) most = std::max(most, ++depth);
    else if (!text && (c == '}' || c == ']')) --depth;
  }
  return most;
}

int bytes_of(int component) {
  switch (component) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return 2;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
    case TINYGLTF_COMPONENT_TYPE_FLOAT: return 4;
    default: return 0;
  }
}

template <class T>
T as(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// One number; integers as fractions of their range where `normalized` says so.
double number(const unsigned char* at, int component, bool normalized) {
  const auto scaled = [&](double value, double range) {
    return normalized ? std::max(value / range, -1.0) : value;
  };
  switch (component) {
    case TINYGLTF_COMPONENT_TYPE_BYTE: return scaled(as<int8_t>(at), 127);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return scaled(as<uint8_t>(at), 255);
    case TINYGLTF_COMPONENT_TYPE_SHORT: return scaled(as<int16_t>(at), 32767);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return scaled(as<uint16_t>(at), 65535);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT: return as<uint32_t>(at);
    default: return double(as<float>(at));
  }
}

bool no_image(tinygltf::Image*, const int, std::string*, std::string*, int, int, const unsigned char*, int,
              void*) {
  return true;
}

/// Only buffers are searched for; images are none of a body's business.
bool is_there(const std::string& name, void*) {
  const std::string ending = file_ending(name);
  for (const char* image :
       {".png", ".jpg", ".jpeg", ".webp", ".ktx2", ".dds", ".avif", ".bmp", ".gif", ".tga"})
    if (ending == image) return false;
  std::error_code ignored;
  return fs::is_regular_file(name, ignored);
}
std::string as_it_is(const std::string& name, void*) { return name; }
bool read_whole(std::vector<unsigned char>* out, std::string* err, const std::string& name, void*) {
  try {
    const std::string bytes = read_text_file(name, "a buffer of glTF");
    out->assign(bytes.begin(), bytes.end());
    return true;
  } catch (const Error& e) {
    if (err) *err += e.what();
    return false;
  }
}

/// The reader's words without those about parts that the format lets be missing, in one line.
std::string faults_in(const std::string& words) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find('\n', at), words.size());
    const std::string line = words.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line.find("'inverseBindMatrices' property is missing") != line.npos) continue;
    out += (out.empty() ? "" : "; ") + line;
  }
  return shortened(out, 300);
}

}  // namespace

void GltfAccessors::fail(const std::string& what, const std::string& todo) const {
  throw Error(what, path_, todo);
}

GltfAccessors::GltfAccessors(const std::string& path) : path_(path) {
  const std::string bytes = read_text_file(path, "a glTF file");
  if (bytes.size() >= kMostBytes) fail("the file is larger than 4 GB", "export fewer details");
  try {
    load(bytes);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {  // the reader's own
    fail(fmt::format("the file cannot be read: {}", shortened(e.what(), 300)));
  }
  check_extensions();
}

void GltfAccessors::load(const std::string& bytes) {
  const bool binary = bytes.starts_with("glTF");
  if (!binary && file_ending(path_) == ".glb") fail("this is not a .glb file: it does not begin with glTF");
  std::string_view json = bytes;
  if (binary) {
    if (bytes.size() < 20) fail("the file ends within its header");
    const uint32_t version = as<uint32_t>(reinterpret_cast<const unsigned char*>(bytes.data()) + 4);
    const uint32_t length = as<uint32_t>(reinterpret_cast<const unsigned char*>(bytes.data()) + 8);
    const uint64_t text = as<uint32_t>(reinterpret_cast<const unsigned char*>(bytes.data()) + 12);
    if (version != 2) fail(fmt::format("it is glTF of version {}", version), "export it as glTF 2.0");
    if (length > bytes.size())
      fail(fmt::format("the file is truncated: it has {} bytes of {}", bytes.size(), length),
           "copy or export it again");
    json = json.substr(20, std::min<uint64_t>(text, bytes.size() - 20));
  }
  if (depth_of(json) > kMostDepth) fail(fmt::format("its brackets are nested more than {} deep", kMostDepth));
  tinygltf::TinyGLTF reader;
  reader.SetImageLoader(no_image, nullptr);
  reader.SetFsCallbacks({is_there, as_it_is, read_whole, nullptr, nullptr});
  std::string err, warn;
  const std::string folder = fs::path(path_).has_parent_path() ? fs::path(path_).parent_path().string() : ".";
  const bool read =
      binary ? reader.LoadBinaryFromMemory(&model_, &err, &warn,
                                           reinterpret_cast<const unsigned char*>(bytes.data()),
                                           unsigned(bytes.size()), folder)
             : reader.LoadASCIIFromString(&model_, &err, &warn, bytes.data(), unsigned(bytes.size()), folder);
  // it drops parts that it cannot parse with a word in its error text, so any is a refusal
  const std::string faults = faults_in(err);
  if (faults.find("File not found") != faults.npos)
    fail("a buffer is missing (" + faults + ")",
         "put the .bin beside the .gltf, or export a .glb, which has everything in one file");
  if (!read || !faults.empty())
    fail("the file cannot be read: " + (faults.empty() ? "it is damaged" : faults));
  if (!model_.asset.version.starts_with("2."))
    fail("it is glTF of version " + shortened(model_.asset.version, 20), "export it as glTF 2.0");
}

void GltfAccessors::check_extensions() const {
  for (const std::string& name : model_.extensionsRequired) {
    if (may_be_required(name)) continue;
    if (name == "KHR_draco_mesh_compression")
      fail("its meshes are compressed (KHR_draco_mesh_compression), which is not read",
           "export it without compression (in Blender: Data, Compression off)");
    if (name == "EXT_meshopt_compression" || name == "KHR_meshopt_compression")
      fail("its meshes are compressed (" + name + "), which is not read",
           "export it without compression (gltfpack without -c)");
    fail("it requires the extension '" + shortened(name, 60) + "', which is not read",
         "export it without this extension");
  }
}

const tinygltf::Accessor& GltfAccessors::accessor(int index, const std::string& owner) const {
  if (index < 0 || size_t(index) >= model_.accessors.size())
    fail(fmt::format("{} names accessor {}, and there are {}", owner, index, model_.accessors.size()));
  return model_.accessors[index];
}

size_t GltfAccessors::count(int index, const std::string& owner) const {
  return accessor(index, owner).count;
}

const unsigned char* GltfAccessors::range(int view, uint64_t offset, uint64_t bytes,
                                          const std::string& owner) const {
  if (view < 0 || size_t(view) >= model_.bufferViews.size())
    fail(fmt::format("{}: there is no buffer view {}", owner, view));
  const tinygltf::BufferView& v = model_.bufferViews[view];
  if (v.buffer < 0 || size_t(v.buffer) >= model_.buffers.size())
    fail(fmt::format("{}: there is no buffer {}", owner, v.buffer));
  const std::vector<unsigned char>& data = model_.buffers[v.buffer].data;
  const bool inside = v.byteOffset <= data.size() && v.byteLength <= data.size() - v.byteOffset &&
                      offset <= v.byteLength && bytes <= v.byteLength - offset;
  if (!inside) fail(fmt::format("{} reaches past the end of its buffer", owner));
  return data.data() + v.byteOffset + offset;
}

void GltfAccessors::read(const tinygltf::Accessor& a, int view, uint64_t offset, uint64_t count, int width,
                         int component, bool normalized, const std::string& owner,
                         std::vector<double>& out) const {
  const int bytes = bytes_of(component);
  if (bytes == 0) fail(fmt::format("{}: numbers of type {} are not part of glTF", owner, component));
  // columns of a matrix begin at multiples of 4 bytes, which only those of floats do without gaps
  if (a.type == TINYGLTF_TYPE_MAT4 && component != TINYGLTF_COMPONENT_TYPE_FLOAT)
    fail(owner + ": matrices are not floats");
  const uint64_t element = uint64_t(width) * uint64_t(bytes);
  range(view, 0, 0, owner);
  const uint64_t given = model_.bufferViews[view].byteStride, stride = given > 0 ? given : element;
  if (stride < element || stride > 1024)
    fail(fmt::format("{}: elements of {} bytes are {} bytes apart", owner, element, stride));
  out.resize(size_t(count) * width);
  if (count == 0) return;
  const unsigned char* data = range(view, offset, stride * (count - 1) + element, owner);
  for (uint64_t i = 0; i < count; ++i)
    for (int k = 0; k < width; ++k)
      out[size_t(i) * width + k] =
          number(data + i * stride + uint64_t(k) * uint64_t(bytes), component, normalized);
}

void GltfAccessors::replace_sparse(const tinygltf::Accessor& a, int width, const std::string& owner,
                                   std::vector<double>& out) const {
  const auto& s = a.sparse;
  if (s.count < 0 || uint64_t(s.count) > a.count || s.indices.byteOffset < 0 || s.values.byteOffset < 0)
    fail(owner + ": its sparse values do not fit it");
  tinygltf::Accessor scalar = a;
  scalar.type = TINYGLTF_TYPE_SCALAR;
  std::vector<double> at, values;
  read(scalar, s.indices.bufferView, uint64_t(s.indices.byteOffset), uint64_t(s.count), 1,
       s.indices.componentType, false, owner, at);
  read(a, s.values.bufferView, uint64_t(s.values.byteOffset), uint64_t(s.count), width, a.componentType,
       a.normalized, owner, values);
  for (size_t i = 0; i < at.size(); ++i) {
    if (!(at[i] >= 0 && at[i] < double(a.count)))
      fail(fmt::format("{}: a sparse value replaces element {:g} of {}", owner, at[i], a.count));
    std::copy_n(values.begin() + long(i * size_t(width)), width,
                out.begin() + long(size_t(at[i]) * size_t(width)));
  }
}

std::vector<double> GltfAccessors::numbers(int index, int width, const std::string& owner) const {
  const tinygltf::Accessor& a = accessor(index, owner);
  const int own = tinygltf::GetNumComponentsInType(uint32_t(a.type));
  if (own != width) fail(fmt::format("{} should have {} numbers for each, and has {}", owner, width, own));
  if (a.count > kMostNumbers / uint64_t(width))
    fail(fmt::format("{} has {} elements", owner, a.count), "export fewer details");
  std::vector<double> out;
  if (a.bufferView < 0) {
    // zeros, of which a damaged file could ask for any number
    constexpr uint64_t kMostZeros = 10'000'000;
    if (!a.sparse.isSparse || a.count > kMostZeros) fail(owner + " has no data");
    out.assign(a.count * size_t(width), 0.0);
  } else {
    read(a, a.bufferView, a.byteOffset, a.count, width, a.componentType, a.normalized, owner, out);
  }
  if (a.sparse.isSparse) replace_sparse(a, width, owner, out);
  for (const double value : out)
    if (!(std::abs(value) <= kMostValue))
      fail(fmt::format("{} has a value that is {}", owner,
                       std::isfinite(value) ? "too large" : "not a finite number"));
  return out;
}

std::vector<int> GltfAccessors::integers(int index, int width, const std::string& owner) const {
  if (accessor(index, owner).componentType == TINYGLTF_COMPONENT_TYPE_FLOAT)
    fail(owner + " are not whole numbers");
  std::vector<int> out;
  for (const double value : numbers(index, width, owner)) out.push_back(int(value));
  return out;
}

}  // namespace weft
