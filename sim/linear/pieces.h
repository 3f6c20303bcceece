// Connected pieces of cloth, as kernels sum over them: rows ordered by piece, in chunks that each lie within
// one.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/linear/transfer_kernels.h"

namespace weft {

struct Pieces {
  Buffer<int> chunk_start, row, piece_start, piece_of_row;
  int chunks() const { return chunk_start.size() - 1; }
  int count() const { return piece_start.size() - 1; }
  linear::PiecesView view() const { return {chunk_start, row, piece_start, piece_of_row}; }
};

/// `piece`: of each row, from 0 without gaps (Rows::pieces).
inline Pieces make_pieces(Device& device, const std::vector<int>& piece) {
  std::vector<int> order(piece.size()), chunk_start, piece_start;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return piece[a] < piece[b]; });
  for (int i = 0, in_chunk = 0; i < int(order.size()); ++i, ++in_chunk) {
    const bool next_piece = i == 0 || piece[order[i]] != piece[order[i - 1]];
    if (next_piece) piece_start.push_back(int(chunk_start.size()));
    if (next_piece || in_chunk == linear::kChunk) chunk_start.push_back(i), in_chunk = 0;
  }
  piece_start.push_back(int(chunk_start.size()));
  chunk_start.push_back(int(order.size()));
  return {Buffer<int>(device, "piece chunks", chunk_start), Buffer<int>(device, "piece rows", order),
          Buffer<int>(device, "pieces", piece_start), Buffer<int>(device, "piece of row", piece)};
}

}  // namespace weft
