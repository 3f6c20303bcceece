// Sizes of types, and names of what a kernel is given.
#include "tests/house/types.h"

#include <doctest/doctest.h>

namespace weft::house {
namespace {

constexpr int kMostMembers = 15;
constexpr int kMostPositional = 5;

/// Types of a text with more members than one should have; tables of parameters may have any number.
void add_large(const std::string& path, const std::string& text, Findings& found) {
  const Code code = code_of(text);
  for (const Type& type : types_of(code.tokens))
    if (type.members > kMostMembers && !type.parameters)
      found[path + " " + type.name] = {type.members, "line " + std::to_string(type.line)};
}

/// Last names of the kernels of a text.
void add_kernels(const std::string& text, std::set<std::string>& kernels) {
  const Code code = code_of(text);
  for (const Type& type : types_of(code.tokens))
    if (type.kernel) kernels.insert(type.name.substr(type.name.rfind(':') + 1));
}

/// Kernels of many values that are made without their names, counted per file.
void add_positional(const std::string& path, const std::string& text, const std::set<std::string>& kernels,
                    Findings& found) {
  const Code code = code_of(text);
  for (const Braces& braces : braces_of(code.tokens, kernels)) {
    if (braces.positional <= kMostPositional) continue;
    Found& f = found.emplace(path, Found{0, ""}).first->second;
    ++f.count;
    f.where += (f.where.empty() ? "" : ", ") + braces.type + " in line " + std::to_string(braces.line);
  }
}

int members(const std::string& body) {
  const std::string text = "struct A {" + body + "};";
  const Code code = code_of(text);
  const std::vector<Type> types = types_of(code.tokens);
  REQUIRE(!types.empty());
  return types[0].members;
}

}  // namespace

TEST_CASE("types have few data members") {
  Findings found;
  for (const std::string& path : tree())
    if (is_code(path)) add_large(path, text_of(path), found);
  check_list({"members.txt", true, "data members",
              "at most 15: put those that belong together into a type of their own, or divide the class"},
             found);
}

TEST_CASE("kernels of six values and more are made with names") {
  std::set<std::string> kernels;
  for (const std::string& path : tree())
    if (is_code(path)) add_kernels(text_of(path), kernels);
  CHECK(kernels.size() > 300);
  Findings found;
  for (const std::string& path : tree())
    if (is_code(path)) add_positional(path, text_of(path), kernels, found);
  check_list({"designated.txt", true, "kernels of six values and more without names",
              "name the values: Kernel{.x = x, .d = d}"},
             found);
}

TEST_CASE("data members are counted one by one") {
  CHECK(members("int a; float b, c = 2, d{3}; vec3 e[4];") == 5);
  CHECK(members("std::map<int, float> a, b; std::function<void(int, int)> c = [] { int x, y; };") == 3);
  CHECK(members("public: int a = f(1, 2); private: [[maybe_unused]] alignas(16) float b[2] = {1, 2};") == 2);
  CHECK(members("void (*f)(int, int); int bits : 3, more : 4; mutable bool c = 1 < 2;") == 4);
  CHECK(members("const Foo& a; Foo *b, *c; std::unique_ptr<struct Impl> d; struct Other* e;") == 5);
}

TEST_CASE("what is no data member is not counted") {
  CHECK(members("static constexpr int a = 1, b = 2; inline static int c; using X = int; typedef int Y;") ==
        0);
  CHECK(members("void f(int a, int b) const; int g() { int x, y; return x; } auto h() -> int;") == 0);
  CHECK(members("A(int a) : a_(a), b_{a} { int c; } ~A() = default; explicit A(B b) noexcept; int a_, b_;") ==
        2);
  CHECK(members("bool operator<(const A& o) const { return true; } bool operator()(int i) const; int a;") ==
        1);
  CHECK(
      members(
          "template <class T, int N> void f(T t) { int a; } friend class B; friend int g() { return 1; }") ==
      0);
  CHECK(
      members("enum class E { a, b, c }; struct B { int x, y; }; struct C; static_assert(1, \"x\"); E e;") ==
      1);
  CHECK(members("/* int a; */ // int b;\n const char* c = \"int d; int e;\";") == 1);
}

TEST_CASE("members of unnamed types count and so do variables of types within") {
  CHECK(members("union { float a; int b; }; int c;") == 3);
  CHECK(members("struct B { int x, y, z; } one, two;") == 2);
  CHECK(members("enum class Kind { a, b } kind = Kind::a; bool c;") == 2);
}

TEST_CASE("types are named with those around them") {
  const std::string text =
      "template <class T, class U = int> struct X : public Base<T> { int a; struct Y { int b, c; }; };\n"
      "class Runner::Impl final { int a; }; enum class E { a }; class F; struct G f(struct H* h) {}\n";
  const Code code = code_of(text);
  const std::vector<Type> types = types_of(code.tokens);
  REQUIRE(types.size() == 3);
  CHECK(types[0].name == "X");
  CHECK(types[0].members == 1);
  CHECK(types[1].name == "X::Y");
  CHECK(types[2].name == "Runner::Impl");
  CHECK(types[2].line == 2);
}

TEST_CASE("a large type is found and tables of parameters may be large") {
  const std::string many = "int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o";
  Findings found;
  add_large("x.h", "struct A {" + many + "; };", found);
  add_large("x.h", "struct P {" + many + ", p; template <class V> void visit(V& v) { v(a); } };", found);
  CHECK(found.empty());
  add_large("x.h", "struct A {" + many + ", p; };", found);
  CHECK(found.at("x.h A").count == 16);
}

TEST_CASE("a kernel of six values without names is found") {
  const std::string text =
      "struct Move { int a, b, c, d, e, f; HD void operator()(int i) const { a; } };\n"
      "struct Other { int a, b, c, d, e, f; HD void sixteen(int i) const {} };\n"
      "template <int N> struct Turn : Move { void operator()(int i, int k) {} };\n";
  std::set<std::string> kernels;
  add_kernels(text, kernels);
  CHECK(kernels == std::set<std::string>{"Move", "Turn"});
  Findings found;
  const auto scan = [&](const std::string& line) {
    found.clear();
    add_positional("x.cpp", text + line, kernels, found);
    return found.empty() ? 0 : found.at("x.cpp").count;
  };
  CHECK(scan("") == 0);
  CHECK(scan("launch(d, \"move\", n, ns::Move{1, 2, f(3, 4), {5, 6}, g<7, 8>(9)});") == 0);
  CHECK(scan("launch(d, \"move\", n, ns::Move{1, 2, f(3, 4), {5, 6}, g<7, 8>(9), 10});") == 1);
  CHECK(scan("launch(d, \"move\", n, Move{.a = 1, .b = 2, .c = 3, .d = 4, .e = 5, .f = 6});") == 0);
  CHECK(scan("Move k{1, 2, 3, 4, 5, 6}; const Turn<4> t = {1, 2, 3, 4, 5, 6}; Other o{1, 2, 3, 4, 5, 6};") ==
        2);
  CHECK(found.at("x.cpp").where == "Move in line 4, Turn in line 4");
  CHECK(scan("Move f() { a, b, c, d, e, f; }") == 0);
}

}  // namespace weft::house
