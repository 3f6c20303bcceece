#include "viewer/commands/mannequin.h"

#include <cstdio>

#include "sim/base/error.h"
#include "sim/files/body_gltf.h"
#include "sim/files/file_kind.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/uniform/uniformity.h"
#include "sim/scene/model/body_clips.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"

namespace weft {
namespace {

void write_pose(const MannequinRequest& request, const BodyMesh& body) {
  Mannequin mannequin;
  mannequin.params = request.params;
  for (const std::string& clip : request.clips) mannequin.clips.push_back({clip, 0});
  std::vector<vec3> positions;
  skin(body, forward_kinematics(body.skeleton, make_body_motion(mannequin, body.skeleton).pose(request.time)),
       positions);
  write_obj(request.to, {{"mannequin", &positions, &body.mesh.triangles, mat4(1), "body", nullptr}});
}

void write_gltf(const MannequinRequest& request, const BodyMesh& body) {
  if (request.time > 0)
    throw Error("glTF holds the whole motion: --time does not apply", request.to,
                "leave it out, or write an .obj");
  std::vector<NamedMotion> motions;
  for (const std::string& clip : request.clips) {
    Mannequin mannequin;
    mannequin.params = request.params;
    mannequin.clips = {{clip, 0}};
    motions.push_back({clip, make_body_motion(mannequin, body.skeleton)});
  }
  write_body_gltf(request.to, body, motions);
}

}  // namespace

int run_mannequin(const MannequinRequest& request) {
  const std::string ending = file_ending(request.to);
  if (ending != ".glb" && ending != ".gltf" && ending != ".obj")
    throw Error("a mannequin cannot be written as '" + ending + "'", request.to,
                "end the name in .glb, .gltf or .obj");
  check_file(request.to);
  const auto body = make_body_mesh(request.params);
  const MannequinParams& p = request.params;
  std::printf("mannequin: %d vertices, %d triangles, %s\n", body->mesh.vertex_count(),
              body->mesh.triangle_count(), in_words(uniformity_of(body->mesh)).c_str());
  const Bounds box = bounds_of(body->mesh.positions);
  std::printf("height %.3f m (%.3f), bust %.3f m (%.3f), waist %.3f m (%.3f), hips %.3f m (%.3f)\n",
              double(box.max.y - box.min.y), double(p.height), mesh_girth(body->mesh, body->heights.bust),
              double(p.bust), mesh_girth(body->mesh, body->heights.waist), double(p.waist),
              mesh_girth(body->mesh, body->heights.hips), double(p.hips));
  ending == ".obj" ? write_pose(request, *body) : write_gltf(request, *body);
  std::printf("written: %s\n", request.to.c_str());
  return ExitStatus::ok;
}

}  // namespace weft
