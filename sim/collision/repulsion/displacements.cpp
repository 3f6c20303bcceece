#include "sim/collision/repulsion/displacements.h"

#include "sim/device/lanes.h"

namespace weft {

Displacements::Displacements(Device& device, int vertices) : device_(device), vertices_(vertices) {
  const int rows = padded_rows(vertices);
  for (auto& u : u_) u = Buffer<vec3>(device, "safe displacement", rows);
  for (auto* b : {&base_, &saved_}) *b = Buffer<vec3>(device, "collision vertices", rows);
}

void Displacements::begin(Span<const vec3> position) {
  move(base_, position);
  for (auto& u : u_) u.clear();
  now_ = 0;
  path_ = device_.kind() == DeviceKind::cpu && !device_.verify_replays ? KeepPath::now() : nullptr;
  if (!path_) return;
  path_->assign(1, {});
  for (const vec3& p : base_.download()) path_->front().push_back(dvec3(p));
  path_->front().resize(size_t(vertices_));
}

void Displacements::save(int number) {
  move(saved_, at(number));
  corners_ = path_ ? path_->size() : 0;
}

void Displacements::restore(int number) {
  move(at(number), saved_);
  if (path_) path_->resize(corners_);
}

void Displacements::corner(int number) {
  if (!path_) return;
  const std::vector<vec3> u = u_[number].download();
  std::vector<dvec3> x = path_->front();
  for (size_t i = 0; i < x.size(); ++i) x[i] += dvec3(u[i]);
  if (x != path_->back()) path_->push_back(std::move(x));
}

}  // namespace weft
