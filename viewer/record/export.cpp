#include "viewer/record/export.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/base/error.h"

namespace weft {

static_assert(std::endian::native == std::endian::little, "the header below says little-endian float32");

void write_npy(const std::string& path, const std::vector<vec3>& rows) {
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 3), }}", rows.size());
  // Magic, version and length take 10 bytes; the format asks for a total that is a multiple of 64, ended by a newline.
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  const uint16_t length = uint16_t(header.size());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  const auto put = [&](const void* data, size_t bytes) { return bytes == 0 || std::fwrite(data, 1, bytes, file.get()) == bytes; };
  if (!file || !put("\x93NUMPY\x01\x00", 8) || !put(&length, 2) || !put(header.data(), header.size()) ||
      !put(rows.data(), rows.size() * sizeof(vec3)) || std::fflush(file.get()) != 0)
    throw Error(std::string("cannot be written: ") + std::strerror(errno), path, "check the folder and the free space");
}

}  // namespace weft
