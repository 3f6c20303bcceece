#include "sim/files/gltf_document.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/files/file_kind.h"

namespace weft {
namespace {

std::string with_padding(std::string bytes, char filler) {
  bytes.resize((bytes.size() + 3) / 4 * 4, filler);
  return bytes;
}

/// A file's name as a relative URI.
std::string uri(const std::string& name) {
  std::string out;
  for (char c : name) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// A .glb: a header and two chunks, each padded to 4 bytes.
std::string container(const std::string& json_text, const std::string& binary) {
  const std::string text = with_padding(json_text, ' '), data = with_padding(binary, '\0');
  const size_t size = 12 + 8 + text.size() + 8 + data.size();
  std::string out = "glTF";
  cache::put(out, uint32_t(2));
  cache::put(out, uint32_t(size));
  cache::put(out, uint32_t(text.size()));
  out += "JSON" + text;
  cache::put(out, uint32_t(data.size()));
  out.append("BIN\0", 4);
  return out + data;
}

}  // namespace

GltfDocument::GltfDocument() {
  json["asset"] = {{"version", "2.0"}, {"generator", "Weft"}};
  json["scene"] = 0;
}

int GltfDocument::describe(size_t begin, const char* type, int component, size_t count, int target) {
  Json view = {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", binary_.size() - begin}};
  if (target != kPlain) view["target"] = target;
  json["bufferViews"].push_back(std::move(view));
  json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                               {"componentType", component},
                               {"count", count},
                               {"type", type}});
  return int(json["accessors"].size()) - 1;
}

void GltfDocument::set_bounds(int accessor, const Json& least, const Json& most) {
  json["accessors"][accessor]["min"] = least;
  json["accessors"][accessor]["max"] = most;
}

void GltfDocument::write(const std::string& path) {
  namespace fs = std::filesystem;
  if (binary_.size() > 0xF0000000)
    throw Error("the frame is larger than the 4 GB that glTF allows", path, "export as USD (.usda)");
  json["buffers"] = {{{"byteLength", binary_.size()}}};
  const auto text = [&] { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (file_ending(path) == ".glb") return write_text_file(path, container(text(), binary_));
  const fs::path binary = fs::path(path).replace_extension(".bin");
  json["buffers"][0]["uri"] = uri(binary.filename().string());
  write_text_file(binary.string(), binary_);
  write_text_file(path, text());
}

}  // namespace weft
