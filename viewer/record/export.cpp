#include "viewer/record/export.h"

#include <fmt/format.h>

#include <bit>

#include "sim/base/file.h"

namespace weft {

static_assert(std::endian::native == std::endian::little, "the header below says little-endian float32");

void write_npy(const std::string& path, const std::vector<vec3>& rows) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 3), }}", rows.size());
  // Magic, version and length take 10 bytes; the format requires a total that is a multiple of 64 and ends
  // with a newline.
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  const uint16_t length = uint16_t(header.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(vec3));
  write_text_file(path, bytes);
}

}  // namespace weft
