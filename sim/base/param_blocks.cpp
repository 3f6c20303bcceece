#include "sim/base/param_blocks.h"

#include <algorithm>

namespace weft {

ParamBlocks::ParamBlocks(const ParamBlocks& other) {
  for (const Named& b : other.blocks_) blocks_.push_back({b.name, b.block->copy()});
}

ParamBlocks& ParamBlocks::operator=(const ParamBlocks& other) {
  if (this == &other) return *this;
  const bool alike = std::equal(
      blocks_.begin(), blocks_.end(), other.blocks_.begin(), other.blocks_.end(),
      [](const Named& a, const Named& b) { return a.name == b.name && a.block->type() == b.block->type(); });
  if (alike) {
    for (size_t i = 0; i < blocks_.size(); ++i) blocks_[i].block->assign(*other.blocks_[i].block);
    return *this;
  }
  blocks_.clear();
  for (const Named& b : other.blocks_) blocks_.push_back({b.name, b.block->copy()});
  return *this;
}

bool ParamBlocks::operator==(const ParamBlocks& other) const {
  return std::equal(
      blocks_.begin(), blocks_.end(), other.blocks_.begin(), other.blocks_.end(),
      [](const Named& a, const Named& b) { return a.name == b.name && a.block->equals(*b.block); });
}

std::vector<std::string> ParamBlocks::names() const {
  std::vector<std::string> names;
  for (const Named& b : blocks_) names.push_back(b.name);
  return names;
}

void ParamBlocks::describe(const std::string& name, ParamTable& table) {
  for (const Named& b : blocks_)
    if (b.name == name) b.block->describe(table, name);
}

void ParamBlocks::describe(ParamTable& table) {
  for (const Named& b : blocks_) b.block->describe(table, b.name);
}

}  // namespace weft
