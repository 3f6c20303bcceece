// How fine the default scene's cloth is: as a device simulates in real time.
#pragma once
#include <functional>
#include <string>

#include "viewer/session/window_options.h"
#include "viewer/session/window_settings.h"

namespace weft {

/// Vertices with which a step of a cloth takes no longer than it simulates (dt, s), with something left for
/// the picture, where one with `vertices` takes `seconds`: all of these where that holds, else a round number
/// below, at least 1,000. The cost is taken as proportional to the vertices.
int fitting_vertices(int vertices, double seconds, double dt);

/// What a step of the moving default scene takes, s, on that device: the mean over about a second.
double measure_first_scene(const Scene& scene, DeviceChoice device, int threads);

/// A name of the device and its threads; what was measured belongs to it.
std::string name_of_device(DeviceChoice device, int threads);

/// The options with the mesh that was measured for this device, now or by an earlier window (kept in
/// `settings`). Others than those of the default scene are returned as they are, and so are those of a
/// window that keeps nothing (WindowOptions::fresh), and where a number of vertices was asked for.
using MeasureScene = std::function<double(const Scene&, DeviceChoice, int threads)>;
WindowOptions with_fitting_mesh(WindowOptions options, WindowSettings& settings, int threads,
                                const MeasureScene& measure = measure_first_scene);

}  // namespace weft
