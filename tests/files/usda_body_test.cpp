// Bodies from USD text, against what our own writer was given and transforms made by hand.
#include "sim/files/usda_body.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/files/frame_source.h"
#include "sim/files/usda_writer.h"
#include "sim/mesh/import/weld.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/model/deformation.h"
#include "tests/support/folder.h"

using namespace weft;
using namespace weft::testing;

namespace {

const char* const kStage =
    "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n    timeCodesPerSecond = 10\n)\n";
const char* const kSquare =
    "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]\nuniform token subdivisionScheme = "
    "\"none\"\n";
const std::vector<vec3> kCorners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const char* const kPoints = "point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n";

std::string mesh(const std::string& more) {
  return std::string("def Mesh \"m\"\n{\n") + kSquare + more + "}\n";
}

std::vector<vec3> at(const UsdaBody& body, double time) {
  std::vector<vec3> out;
  body.positions(time, out);
  return out;
}

float off(const std::vector<vec3>& a, const mat4& m, const std::vector<vec3>& b = kCorners) {
  REQUIRE(a.size() == b.size());
  float most = 0;
  for (size_t v = 0; v < a.size(); ++v) most = std::max(most, glm::length(a[v] - vec3(m * vec4(b[v], 1))));
  return most;
}

mat4 turned(float degrees, const vec3& axis) { return glm::rotate(mat4(1), glm::radians(degrees), axis); }

std::string refusal(const Folder& folder, const std::string& text) {
  try {
    UsdaBody(folder.write("bad.usda", text), 0);
    return "";
  } catch (const Error& e) {
    CHECK(e.where.find("bad.usda") != std::string::npos);
    CHECK_FALSE(e.what_to_do.empty());
    return e.what();
  }
}

}  // namespace

TEST_CASE("what our own USD writer has written is read back bit for bit, at its times, resting groups too") {
  const Folder folder;
  const TriMesh ball = make_sphere(0.3f, 1), sheet = make_plane_quad(1);
  RunInfo info;
  info.dt = 0.005, info.fps = 200;
  info.groups.push_back({"sheet", false, 0, sheet.vertex_count(), sheet.triangles, sheet.uv, {}});
  info.groups.push_back({"ball", true, sheet.vertex_count(), ball.vertex_count(), ball.triangles, {}, {}});
  std::vector<RunFrame> frames;
  for (int f = 0; f < 5; ++f) {
    RunFrame frame{f, 0.005 * f, sheet.positions};
    for (const vec3& p : ball.positions)
      frame.positions.push_back(p * (1 + 0.1f * float(f)) + vec3(0, 0.01234567f * float(f * f), 1e-7f));
    frames.push_back(frame);
  }
  {
    UsdaWriter writer(folder / "run.usda", info);
    for (const RunFrame& f : frames) writer.frame(f);
    writer.finish();
  }
  const auto source = open_frame_source(folder / "run.usda");
  REQUIRE(source->frame_count() == 5);
  CHECK(source->notices().empty());
  REQUIRE(source->info().groups.size() == 2);
  CHECK(source->info().groups[1].name == "ball");
  CHECK(source->info().groups[0].triangles == sheet.triangles);
  CHECK(source->info().groups[1].triangles == ball.triangles);
  for (int f = 0; f < 5; ++f) {
    RunFrame frame;
    source->read(f, frame);
    CHECK(frame.step == f);
    CHECK(std::abs(frame.time - 0.005 * f) < 1e-12);
    CHECK(frame.positions == frames[size_t(f)].positions);
  }
  // and as a body: in between, vertices move in straight lines, and the last state stays
  Obstacle o;
  o.shape = ObstacleShape::mesh, o.sequence = "run.usda", o.placement.scale = 2;
  TriMesh read;
  std::vector<std::string> notices;
  const auto body = make_deformation(o, folder.path(), read, notices);
  std::vector<vec3> x;
  for (const auto& [time, a, b, s] : std::vector<std::tuple<double, size_t, size_t, float>>{
           {0.0, 0, 0, 0}, {0.0075, 1, 2, 0.5f}, {9.0, 4, 4, 0}}) {
    body->positions(time, x);
    REQUIRE(x.size() == frames[0].positions.size());
    float most = 0;
    for (size_t v = 0; v < x.size(); ++v)
      most = std::max(most,
                      glm::length(x[v] - 2.0f * glm::mix(frames[a].positions[v], frames[b].positions[v], s)));
    CHECK(most < 1e-6f);
  }
}

TEST_CASE("a rigid body is written as one mesh that a matrix moves and is read back where its points were") {
  const Folder folder;
  const TriMesh ball = make_sphere(0.3f, 1);
  RunInfo info;
  info.dt = 0.01, info.fps = 100;
  info.groups.push_back({"die", false, 0, ball.vertex_count(), ball.triangles, {}, {}});
  info.groups[0].filling = Filling::rigid;
  std::vector<RunFrame> frames;
  for (int f = 0; f < 6; ++f) {
    RunFrame& frame = frames.emplace_back(RunFrame{f, 0.01 * f, {}});
    // at rest for two frames, then it turns, flies and is pressed a little out of shape
    const double a = 0.4 * std::max(f - 1, 0), c = std::cos(a), s = std::sin(a);
    for (const vec3& q : ball.positions) {
      const dvec3 p(q);
      frame.positions.push_back(
          vec3(dvec3(c * p.x - s * p.y, s * p.x + c * p.y, (1 - 1e-4 * a) * p.z) + a * dvec3(2, 1, -3)));
    }
  }
  {
    UsdaWriter writer(folder / "run.usda", info);
    for (const RunFrame& f : frames) writer.frame(f);
    writer.finish();
  }
  const std::string text = read_text_file(folder / "run.usda", "the export");
  CHECK(text.find("matrix4d xformOp:transform.timeSamples") != text.npos);
  CHECK(text.find("points.timeSamples") == text.npos);
  const auto source = open_frame_source(folder / "run.usda");
  REQUIRE(source->frame_count() == 6);
  for (int f = 0; f < 6; ++f) {
    RunFrame frame;
    source->read(f, frame);
    float most = 0;
    for (size_t v = 0; v < frame.positions.size(); ++v)
      most = std::max(most, glm::length(frame.positions[v] - frames[size_t(f)].positions[v]));
    MESSAGE("frame ", f, ": ", most);
    CHECK(most < 2e-6f);  // two roundings of floats below 8 m in each coordinate
  }
}

TEST_CASE(
    "colours, prints and the sky become preview surfaces and a dome light, which readers of meshes pass "
    "over") {
  const Folder folder;
  const TriMesh sheet = make_plane_quad(1);
  RunInfo info;
  info.groups.push_back({"sheet", false, 0, sheet.vertex_count(), sheet.triangles, sheet.uv, {}});
  info.groups.push_back(
      {"plain", false, sheet.vertex_count(), sheet.vertex_count(), sheet.triangles, {}, {}});
  info.groups[0].look.color = {0.1f, 0.2f, 0.3f};
  info.groups[0].look.print = "/prints/flowers.png";
  info.groups[0].look.scale = {2, 4};
  info.sky = {"/skies/noon.hdr", 1.5f, 30};
  RunFrame frame{0, 0, sheet.positions};
  frame.positions.insert(frame.positions.end(), sheet.positions.begin(), sheet.positions.end());
  {
    UsdaWriter writer(folder / "run.usda", info);
    writer.frame(frame);
    writer.finish();
  }
  const std::string text = read_text_file(folder / "run.usda", "the export");
  const auto has = [&](const char* words) { return text.find(words) != text.npos; };
  CHECK(has("rel material:binding = </run/sheet_look>"));
  CHECK(has("asset inputs:file = @/prints/flowers.png@"));
  CHECK(has("float2 inputs:scale = (2, 4)"));
  CHECK(has("color3f inputs:diffuseColor.connect = </run/sheet_look/print.outputs:rgb>"));
  CHECK_FALSE(has("plain_look"));
  CHECK(has("def DomeLight \"sky\""));
  CHECK(has("asset inputs:texture:file = @/skies/noon.hdr@"));
  CHECK(has("float inputs:intensity = 1.5"));
  CHECK(has("token inputs:texture:format = \"latlong\""));
  const std::string turned = "float xformOp:rotateY = ";
  const double turn = glm::radians(std::stod(text.substr(text.find(turned) + turned.size())));
  for (const double u : {0.0, 0.2, 0.5, 0.9}) {
    // A column of the picture: of a DomeLight at longitude pi to -pi, from +z towards +x; in the window from
    // -z in the middle towards +x on its right, then turned by 30 degrees about y.
    const double longitude = kPi * (1 - 2 * u), shown = 2 * kPi * (u - 0.5), own = glm::radians(30.0);
    const dvec2 there(std::sin(longitude), std::cos(longitude)), here(std::sin(shown), -std::cos(shown));
    const auto about_y = [](const dvec2& xz, double angle) {
      return dvec2(std::cos(angle) * xz.x + std::sin(angle) * xz.y,
                   -std::sin(angle) * xz.x + std::cos(angle) * xz.y);
    };
    CHECK(glm::length(about_y(there, turn) - about_y(here, own)) < 1e-5);
  }
  const auto source = open_frame_source(folder / "run.usda");
  CHECK(source->notices().empty());
  REQUIRE(source->info().groups.size() == 2);
  RunFrame back;
  source->read(0, back);
  CHECK(back.positions == frame.positions);
}

TEST_CASE("transforms of a prim and its parents act in their order, with samples over time") {
  const Folder folder;
  const std::string text = std::string(kStage) + R"(
def Xform "root" (kind = "component")
{
    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (2, 0, 0), }
    float xformOp:rotateZ:tilt = 90
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ:tilt"]

    def Scope "scope"
    {
        def Mesh "m" {
            float3 xformOp:rotateXYZ = (10, 20, 30)
            double3 xformOp:translate:pivot = (1, 2, 3)
            float3 xformOp:scale = (1, 2, 3)
            quatf xformOp:orient = (0.8, 0.6, 0, 0)
            matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (5, 6, 7, 1) )
            uniform token[] xformOpOrder = ["xformOp:transform", "xformOp:translate:pivot", "xformOp:rotateXYZ", "xformOp:orient", "xformOp:scale", "!invert!xformOp:translate:pivot"]
)" + kSquare + kPoints + "        }\n    }\n}\n";
  const UsdaBody body(folder.write("t.usda", text), 0);
  const mat4 pivot = glm::translate(mat4(1), vec3(1, 2, 3));
  const mat4 own = glm::translate(mat4(1), vec3(5, 6, 7)) * pivot * turned(30, {0, 0, 1}) *
                   turned(20, {0, 1, 0}) * turned(10, {1, 0, 0}) * glm::mat4_cast(quat(0.8f, 0.6f, 0, 0)) *
                   glm::scale(mat4(1), vec3(1, 2, 3)) * glm::inverse(pivot);
  for (const float t : {0.0f, 0.25f, 1.0f, 3.0f}) {
    const mat4 root = glm::translate(mat4(1), vec3(2 * std::min(t, 1.0f), 0, 0)) * turned(90, {0, 0, 1});
    CHECK(off(at(body, double(t)), root * own) < 1e-5f);
  }
  CHECK(body.times() == std::vector<double>{0, 1});
}

TEST_CASE("a transform that resets the stack leaves its parents out") {
  const Folder folder;
  const std::string text = std::string(kStage) +
                           "def Xform \"a\" {\ndouble3 xformOp:translate = (9, 9, 9)\nuniform token[] "
                           "xformOpOrder = [\"xformOp:translate\"]\n" +
                           mesh(std::string(kPoints) +
                                "double3 xformOp:translate = (1, 0, 0)\nuniform token[] xformOpOrder = "
                                "[\"!resetXformStack!\", \"xformOp:translate\"]\n") +
                           "}\n";
  CHECK(off(at(UsdaBody(folder.write("r.usda", text), 0), 0), glm::translate(mat4(1), vec3(1, 0, 0))) <
        1e-6f);
}

TEST_CASE("unit, up axis, rate and start of the stage are obeyed, with USD's own defaults") {
  const Folder folder;
  const std::string samples =
      "point3f[] points.timeSamples = {\n 101: [(0, 0, 0), (100, 0, 0), (100, 100, 0), (0, 100, 0)],\n 125: "
      "[(0, 0, 50), (100, 0, 50), (100, 100, 50), (0, 100, 50)]\n}\n";
  const UsdaBody plain(folder.write("plain.usda", "#usda 1.0\n" + mesh(samples)), 0);
  CHECK(off(at(plain, 0), mat4(1)) < 1e-6f);  // centimetres
  CHECK(at(plain, 0.5)[0].z ==
        doctest::Approx(0.25).epsilon(1e-5));  // 24 codes a second, from the first sample on
  CHECK(plain.times() == std::vector<double>{0, 1});
  const UsdaBody told(folder.write("told.usda",
                                   "#usda 1.0\n(\n \"a comment\"\n metersPerUnit = 0.02\n upAxis = \"Z\"\n "
                                   "startTimeCode = 113\n framesPerSecond = 12\n)\n" +
                                       mesh(samples)),
                      0);
  const std::vector<vec3> x = at(told, 0);
  // half of the way, z up turned to y up: (x, y, z) becomes (x, z, -y)
  const std::vector<vec3> expected{{0, 0.5f, 0}, {2, 0.5f, 0}, {2, 0.5f, -2}, {0, 0.5f, -2}};
  CHECK(off(x, mat4(1), expected) < 1e-5f);
  CHECK(told.times().back() == 1);
}

TEST_CASE(
    "polygons, holes, left-handed faces and split vertices become triangles that face outwards as told") {
  const Folder folder;
  const UsdaBody square(folder.write("a.usda", kStage + mesh(kPoints)), 0);
  REQUIRE(square.triangles().size() == 2);
  const auto normal = [](const UsdaBody& body) {
    const std::vector<vec3> x = at(body, 0);
    const ivec3 t = body.triangles()[0];
    return glm::cross(x[size_t(t.y)] - x[size_t(t.x)], x[size_t(t.z)] - x[size_t(t.x)]).z;
  };
  CHECK(normal(square) > 0);
  CHECK(normal(UsdaBody(folder.write("b.usda", kStage + mesh(std::string(kPoints) +
                                                             "uniform token orientation = \"leftHanded\"\n")),
                        0)) < 0);
  const std::string split = std::string(kStage) +
                            "def Mesh \"m\" {\nint[] faceVertexCounts = [3, 3, 3]\nint[] faceVertexIndices = "
                            "[0, 1, 2, 3, 4, 5, 0, 1, 5]\nint[] holeIndices = [2]\n"
                            "uniform token subdivisionScheme = \"none\"\npoint3f[] points.timeSamples = { 0: "
                            "[(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 1, 0), (0, 1, 0)], 10: [(0, 0, "
                            "0), (1, 0, 0), (1, 1, 0), (0, 0, %), (1, 1, 0), (0, 1, 0)] }\n}\n";
  std::string together = split, torn = split;
  together.replace(together.find('%'), 1, "0"), torn.replace(torn.find('%'), 1, "1");
  const UsdaBody joined(folder.write("c.usda", together), 0),
      apart(folder.write("c.usda", together), kNoWeld), opens(folder.write("d.usda", torn), 0);
  CHECK(joined.triangles().size() == 2);
  CHECK(at(joined, 0).size() == 4);
  CHECK(at(apart, 0).size() == 6);
  CHECK(at(opens, 0).size() == 5);  // one of the two pairs parts later
  CHECK(at(UsdaBody(folder.write("c.usda", together), 0.001f), 0).size() == 4);
}

TEST_CASE("what is invisible, inactive, a guide or a class is not part of the body, and is told") {
  const Folder folder;
  const std::string shown = mesh(kPoints);
  for (const std::string hide : {"token visibility = \"invisible\"\n", "uniform token purpose = \"guide\"\n",
                                 "uniform token purpose = \"proxy\"\n"}) {
    const UsdaBody body(folder.write("h.usda", kStage + std::string("def Xform \"a\" {\n") + hide +
                                                   mesh(kPoints) + "}\n" + shown),
                        0);
    CHECK(body.triangles().size() == 2);
    CHECK(body.notices().size() == 1);
  }
  const UsdaBody body(folder.write("h.usda", kStage + std::string("class \"a\" {\n") + mesh(kPoints) +
                                                 "}\ndef Xform \"off\" (\n active = false\n) {\n" +
                                                 mesh(kPoints) + "}\ndef Sphere \"s\" {\n}\n" + shown),
                      0);
  CHECK(body.triangles().size() == 2);
  CHECK(body.notices().size() == 1);  // of the sphere
}

TEST_CASE("other statements of USD text are passed over") {
  const Folder folder;
  const std::string text = R"(#usda 1.0
(
    "a comment"
    customLayerData = { string creator = "x { ( [", dictionary more = { int a = 1 } }
    defaultPrim = "m"
    metersPerUnit = 1
    subLayers = []
)
reorder rootPrims = ["m"]
def Material "mat" ( prepend references = @./wood.usda@</Wood> (offset = 10) )
{
    token outputs:surface.connect = </mat/s.outputs:surface>
    def Shader "s" { uniform token info:id = "UsdPreviewSurface"; float3 inputs:c = (1, 0.5, nan) (doc = """two
lines""") }
}
def Mesh "m" (
    prepend apiSchemas = ["MaterialBindingAPI"]
    doc = 'it\'s'
    assetInfo = { asset identifier = @m@ }
)
{
    rel material:binding = </mat> ( bindMaterialAs = "weaker" )
    custom prepend rel proxyPrim
    normal3f[] normals = [(0, 0, 1)] ( interpolation = "constant" )
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )
    double3 xformOp:translate:unused = (1, 2, 3)
    point3f[] points.timeSamples = { 1: None, 2: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)] }
    point3f[] points = None
    asset file = @@@a@b@@@
    string s = "a\"b" # a comment
)" + std::string(kSquare) + "}\n";
  const UsdaBody body(folder.write("o.usda", text), 0);
  CHECK(off(at(body, 0), mat4(1)) == 0);
  CHECK(body.notices().empty());
}

TEST_CASE("a USD file that cannot be taken is refused with its line and what to do") {
  const Folder folder;
  const std::map<std::string, std::string> faults = {
      {"binary USD", std::string("PXR-USDC\0\0", 10)},
      {"package of USD", "PK\x03\x04 etc"},
      {"does not begin with #usda", "solid cube"},
      {"no mesh", kStage},
      {"other files", "#usda 1.0\n(\n subLayers = [ @a.usda@ ]\n)\n" + mesh(kPoints)},
      {"has references", std::string(kStage) + "def Xform \"a\" (\n references = @b.usda@\n) {\n}\n"},
      {"has payload", std::string(kStage) + "def \"a\" (\n prepend payload = @b.usda@</x>\n) {\n}\n"},
      {"has variants", std::string(kStage) + "def Xform \"a\" {\nvariantSet \"v\" = { \"x\" { } }\n}\n"},
      {"UsdSkel", kStage + mesh(std::string(kPoints) + "int[] primvars:skel:jointIndices = [0]\n")},
      {"no points", kStage + mesh("")},
      {"names point 3", kStage + mesh("point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]\n")},
      {"no multiple of 3", kStage + mesh("point3f[] points = [(0, 0, 0, 1)]\n")},
      {"not finite", kStage + mesh("point3f[] points = [(0, 0, 0), (1, 0, 0), (1, nan, 0), (0, 1, 0)]\n")},
      {"too large", kStage + mesh("point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1e40, 0), (0, 1, 0)]\n")},
      {"points at time code", kStage + mesh("point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 0, 0), (1, "
                                            "1, 0), (0, 1, 0)], 1: [(0, 0, 0)] }\n")},
      {"two samples", kStage + mesh("point3f[] points.timeSamples = { 0: [], 0: [] }\n")},
      {"add up to 4",
       std::string(kStage) +
           "def Mesh \"m\" {\nint[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2]\n" + kPoints +
           "}\n"},
      {"changes with time", std::string(kStage) +
                                "def Mesh \"m\" {\nint[] faceVertexCounts = [3]\nint[] "
                                "faceVertexIndices.timeSamples = { 0: [0, 1, 2], 1: [0, 2, 1] }\n" +
                                kPoints + "}\n"},
      {"has the entry -1",
       std::string(kStage) +
           "def Mesh \"m\" {\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, -1]\n" +
           kPoints + "}\n"},
      {"which is not there",
       kStage + mesh(std::string(kPoints) + "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n")},
      {"no xformOp:shear",
       kStage +
           mesh(std::string(kPoints) +
                "float3 xformOp:shear = (1, 1, 1)\nuniform token[] xformOpOrder = [\"xformOp:shear\"]\n")},
      {"2 numbers in place of 3",
       kStage + mesh(std::string(kPoints) +
                     "float3 xformOp:scale = (1, 1)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n")},
      {"not finite or too large at",
       kStage + mesh(std::string(kPoints) + "float3 xformOp:scale = (1, 0, 1)\nuniform token[] xformOpOrder "
                                            "= [\"!invert!xformOp:scale\"]\n")},
      {"length 0",
       kStage +
           mesh(
               std::string(kPoints) +
               "quatf xformOp:orient = (0, 0, 0, 0)\nuniform token[] xformOpOrder = [\"xformOp:orient\"]\n")},
      {"metersPerUnit = 0", "#usda 1.0\n(\n metersPerUnit = 0\n)\n" + mesh(kPoints)},
      {"upAxis is 'X'", "#usda 1.0\n(\n upAxis = \"X\"\n)\n" + mesh(kPoints)},
      {"truncated", kStage + mesh(kPoints).substr(0, mesh(kPoints).size() - 2)},
      {"a value is missing before", kStage + mesh("point3f[] points = [(0, 0, 0), (1, ") + "x"},
      {"does not end in its line", std::string(kStage) + "def Mesh \"m\n{\n}\n"},
      {"not part of USD", std::string(kStage) + "defun Mesh \"m\" {\n}\n"},
  };
  for (const auto& [words, text] : faults) {
    CAPTURE(words);
    const std::string what = refusal(folder, text);
    CAPTURE(what);
    CHECK(what.find(words) != std::string::npos);
  }
  std::string deep = kStage;
  for (int k = 0; k < 300; ++k) deep += "def \"a\" {\n";
  CHECK(refusal(folder, deep).find("too deep") != std::string::npos);
  CHECK(refusal(folder, kStage + mesh("int[] points = " + std::string(300, '['))).find("too deep") !=
        std::string::npos);
}
