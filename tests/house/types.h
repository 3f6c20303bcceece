// Types of C++ as far as tokens tell: definitions, their data members, values in braces.
#pragma once
#include <set>

#include "tests/house/sources.h"

namespace weft::house {

struct Type {
  std::string name;  // with those around it, "Runner::Impl"; "(unnamed)"
  int line = 0;
  int members = 0;          // data members that are not static
  bool parameters = false;  // describes itself with `visit` or `describe`
  bool kernel = false;      // has operator()(int ...)
};

/// Classes, structs and unions that are defined in a text, also in functions. Members of an unnamed one
/// without a variable count for the type around it.
std::vector<Type> types_of(const std::vector<Token>& tokens);

/// Values in braces of one of these types.
struct Braces {
  std::string type;
  int line = 0;
  int positional = 0;  // values without a name
};

/// `Type{...}`, `Type name{...}` and `Type name = {...}` of types whose last name is one of these.
std::vector<Braces> braces_of(const std::vector<Token>& tokens, const std::set<std::string>& types);

}  // namespace weft::house
