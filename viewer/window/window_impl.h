// Implementation of Window: its data and the parts of its main loop. Not part of the interface.
#pragma once
#include <chrono>
#include <functional>
#include <memory>

#include "sim/base/work_watch.h"
#include "viewer/interact/hand.h"
#include "viewer/session/autosave.h"
#include "viewer/session/garment_marks.h"
#include "viewer/session/light_choice.h"
#include "viewer/session/window_camera.h"
#include "viewer/session/window_state.h"
#include "viewer/window/drawn_lanes.h"
#include "viewer/window/recorded_picture.h"
#include "viewer/window/window.h"
#include "viewer/window/window_captions.h"
#include "viewer/window/window_glfw.h"

namespace weft {

struct Window::Impl {
  using Clock = std::chrono::steady_clock;
  static constexpr int kSettlingPictures = 3;  // ImGui lays out over several pictures after an event

  /// When pictures are drawn, and what they were drawn of.
  struct Pictures {
    ivec2 size{0};  // of the next one, pixels
    int settling = kSettlingPictures;
    bool stale = true, unthrottled = false, report_due = false;
    long count = 0, look_revision = -1, toast_revision = -1;
    Clock::time_point last = Clock::now(), last_report = last, last_file_look = last, rate_start = last,
                      last_advance = last;
    int rate_count = 0;  // pictures since rate_start
    struct {
      bool slow = false, gone = false;
      std::optional<CameraPose> seen_from;  // of the camera, when the cloth was last in the picture
    } told;                                 // about this scene
  };

  explicit Impl(const WindowOptions& o);
  ~Impl();

  void start();
  bool turn();
  void wait_for_events();
  // --- mouse and keyboard (window_input.cpp)
  // ----------------------------------------------------------------------
  void handle_events();
  void handle_event(const WindowEvent& event);
  void handle_mouse(const WindowEvent& event);
  MouseHand::Moment moment();
  void begin_stroke();
  void end_stroke();
  bool over_picture(float x, float y) const;
  vec2 picture_pixel(float x, float y) const;
  float pixel_ratio() const;
  /// Size of the picture of one run, which is that of the whole picture unless runs are compared.
  ivec2 run_size() const { return DrawnLanes::field_size(state, glm::max(pictures.size, ivec2(1))); }
  CameraView run_view() const { return camera.view(run_size()); }

  // --- the picture
  // ------------------------------------------------------------------------------------------------
  void draw();
  /// Progress of the first scene, in a window without panels: over what is seen of it, if anything.
  void splash(const Runner::Work& work);
  /// Draws what is seen of the first scene while it is made.
  void draw_first(const SeenWork& seen, Camera& from);
  /// Follows what is seen of a scene that is loaded; `work`: nothing once it is there. True if it changed.
  bool follow_work(const std::optional<Runner::Work>& work);
  void draw_gui();
  Overlay make_overlay();
  /// Triangles that cross, as lines.
  void outline_crossings(Overlay& o) const;
  void draw_picture(const CameraView& seen);
  /// The rectangle of vertices to pin that is being drawn.
  void draw_rectangle();
  /// Dots on the vertices that the brush has passed.
  void draw_painted();
  /// Gives the renderer the state to draw: the session's, the wrinkles on it, or that of a scene being made.
  void show();
  void report(const CameraView& seen);
  void take_pictures();
  /// What is recorded without panels, in the size that was chosen for it.
  const gl::Framebuffer& picture_to_record();
  void adopt_scene(bool reset_camera);
  void carry_out_requests();
  /// The scene's own view, as long as nobody has moved it, shows everything in any shape of picture.
  void widen_start_view();
  void tell_if_slow(bool new_scene);
  /// Once per scene, when nearly all of the cloth has left the picture by itself.
  void tell_if_gone(bool new_scene);
  void keep_layout();
  bool animated() const;
  /// Runs a part of the window's work. A failure is reported and ends only that part; the simulation
  /// continues.
  void guarded(const std::function<void()>& part);

  WindowOptions options;
  WindowSettings settings;
  Toasts toasts;
  DesktopWindow desktop;
  Renderer renderer;
  // until the first scene is there: closing the window or Ctrl-C ends its building (Interrupted)
  std::unique_ptr<WorkWatch> loading;
  Session session;
  Recording recording;
  Autosave autosave;
  Camera camera;
  ViewSettings view;
  WindowState state;
  MouseHand hand;
  CameraMover camera_mover;
  struct {
    WindowCaptions captions;
    RecordedPicture picture;
  } video;
  Overlay overlay;
  GarmentMarks garment_marks;
  struct {
    uint64_t model = 0;
    std::set<int> without;                           // layers of garments
    SeenWork seen;                                   // what a load makes before its scene is there
    CameraPose before;                               // of the camera, when that began
    DrawnLanes lanes;                                // runs that are compared
    const gl::Framebuffer* lanes_picture = nullptr;  // of them, in place of the renderer's
  } drawn;
  std::vector<WindowEvent> waiting;
  struct {
    std::optional<CameraPose> chosen, widened;  // of the scene's file; for the picture's shape
    ivec2 size{0};                              // of the picture for which it was widened
    LightChoice light;
  } start_view;

  Pictures pictures;
  int log_sink = 0;
};

}  // namespace weft
