// Parameter structs of different types, kept by name.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/params.h"

namespace weft {

/// A value: copies and comparisons reach the structs. Names and types are unique. Assignment keeps the
/// structs where they are as long as names and types are the same, so that tables of parameters stay valid.
class ParamBlocks {
 public:
  ParamBlocks() = default;
  ParamBlocks(const ParamBlocks& other);
  ParamBlocks(ParamBlocks&&) noexcept = default;
  ParamBlocks& operator=(const ParamBlocks& other);
  ParamBlocks& operator=(ParamBlocks&& other) { return *this = std::as_const(other); }
  bool operator==(const ParamBlocks& other) const;

  /// Adds a struct with its defaults, described by its `describe` (params.h).
  template <class P>
  void add(const std::string& name) {
    blocks_.push_back({name, std::make_unique<Of<P>>()});
  }
  /// The struct of this type. Throws Error where none was added.
  template <class P>
  P& of() {
    return const_cast<P&>(std::as_const(*this).of<P>());
  }
  template <class P>
  const P& of() const {
    for (const Named& b : blocks_)
      if (b.block->type() == &kType<P>) return static_cast<const Of<P>&>(*b.block).params;
    throw Error("no method has these parameters", "scene");
  }
  std::vector<std::string> names() const;
  /// Adds the parameters of one struct to `table`, which refers to this object from then on.
  void describe(const std::string& name, ParamTable& table);
  /// The same of all structs, in the order in which they were added.
  void describe(ParamTable& table);

 private:
  struct Block {
    virtual ~Block() = default;
    virtual std::unique_ptr<Block> copy() const = 0;
    virtual bool equals(const Block&) const = 0;
    virtual void assign(const Block&) = 0;  // of the same type
    virtual void describe(ParamTable&, const std::string& name) = 0;
    virtual const char* type() const = 0;
  };
  template <class P>
  static constexpr char kType = 0;  // its address stands for the type P
  template <class P>
  struct Of final : Block {
    P params;
    std::unique_ptr<Block> copy() const override { return std::make_unique<Of>(*this); }
    bool equals(const Block& b) const override {
      return b.type() == type() && static_cast<const Of&>(b).params == params;
    }
    void assign(const Block& b) override { params = static_cast<const Of&>(b).params; }
    void describe(ParamTable& table, const std::string& name) override { table.add(name, params); }
    const char* type() const override { return &kType<P>; }
  };
  struct Named {
    std::string name;
    std::unique_ptr<Block> block;
  };
  std::vector<Named> blocks_;
};

}  // namespace weft
