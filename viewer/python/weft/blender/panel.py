"""Properties, operators and the panel in the sidebar of the 3D viewport."""

import os
import threading

import bpy
from bpy.app.handlers import persistent

from . import cache, run, scene_of

FABRICS = ("cotton", "denim", "denim_11oz", "leather", "silk", "trouser_twill", "wool")

_live = None  # run.Recorded while Live is on
_message = ""  # last words of Live, for the panel


class WeftPin(bpy.types.PropertyGroup):
    """One group of pinned vertices."""

    group: bpy.props.StringProperty(name="Vertex group",
                                    description="Vertices with a weight above 0.5 are pinned")
    follows: bpy.props.PointerProperty(
        name="Follows", type=bpy.types.Object,
        description="Object whose motion the pinned vertices take. Without one they move as the modifiers "
                    "before Weft, such as an armature, move them")


class WeftMap(bpy.types.PropertyGroup):
    """A map that is painted on a cloth: a factor on a parameter of its fabric."""

    parameter: bpy.props.EnumProperty(
        name="Parameter", description="What the map scales from point to point",
        items=[("stretch_stiffness", "Stiffness", "How much it resists being stretched"),
               ("bending_rigidity", "Bending", "How much it resists being bent"),
               ("areal_density", "Density", "Weight per area"),
               ("friction", "Friction", "Friction on colliders"),
               ("self_friction", "Self friction", "Friction of cloth on cloth"),
               ("internal_damping", "Damping", "How fast its own motion dies down")])
    source: bpy.props.StringProperty(
        name="Painted", description="A vertex group, or a colour attribute, of which the brightness counts")
    start: bpy.props.FloatProperty(name="At 0", default=1.0, min=0.0, max=1000.0,
                                   description="Factor where nothing is painted (weight 0, or black)")
    end: bpy.props.FloatProperty(name="At 1", default=2.0, min=0.0, max=1000.0,
                                 description="Factor where all is painted (weight 1, or white)")


class WeftObject(bpy.types.PropertyGroup):
    """What an object is in the simulation."""

    cloth: bpy.props.BoolProperty(name="Cloth", description="This mesh is simulated as cloth")
    collider: bpy.props.BoolProperty(
        name="Collider", description="Cloth does not pass through this mesh. It moves as it is animated")
    fabric: bpy.props.EnumProperty(
        name="Fabric", description="Weight, stiffness and thickness of the cloth",
        items=[(f, f.replace("_", " ").capitalize(), "") for f in FABRICS])
    use_friction: bpy.props.BoolProperty(
        name="Own friction",
        description="Friction of cloth on colliders is this object's, or the geometric mean where both "
                    "have their own. Without any it is the fabric's, or 0.4")
    friction: bpy.props.FloatProperty(
        name="Friction", default=0.4, min=0.0, max=5.0,
        description="Friction coefficient. More slides less; 0 is none")
    pins: bpy.props.CollectionProperty(type=WeftPin)
    maps: bpy.props.CollectionProperty(type=WeftMap)


class WeftScene(bpy.types.PropertyGroup):
    """How the scene is simulated."""

    steps: bpy.props.IntProperty(
        name="Steps per frame", default=4, min=1, max=100,
        description="Time steps in a frame. More follow fast motion better and take longer")
    device: bpy.props.EnumProperty(
        name="Device", description="What computes", items=[("auto", "Automatic", "A GPU where there is one"),
                                                            ("cpu", "CPU", ""), ("cuda", "CUDA", "")])
    folder: bpy.props.StringProperty(
        name="Cache", subtype="DIR_PATH", default="//weft",
        description="Folder of simulated frames; a temporary one while the file was never saved")
    baked: bpy.props.StringProperty(name="Bake to", subtype="DIR_PATH", default="//baked",
                                    description="Folder of baked frames")
    format: bpy.props.EnumProperty(name="Format", description="Kind of baked file",
                                   items=[("PC2", "PC2", "Point cache"), ("USD", "USD", "Text (.usda)")])


def is_told(fault):
    """True for faults that have words for the user."""
    return isinstance(fault, (scene_of.Refusal, OSError)) or type(fault).__module__.startswith("weft")


def stop_live(words=""):
    """Ends Live; what it wrote plays on."""
    global _live, _message
    if _live is not None:
        _live.close()
    _live, _message = None, words
    if on_frame in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(on_frame)


def on_frame(scene, *_):
    """Live: steps to the frame that is about to be shown."""
    if _live is None or scene.name != _live.scene_name:
        return
    try:
        if scene.frame_current == _live.setup.first and _live.run.frame != _live.setup.first:
            _live.restart()
        while _live.run.frame < min(scene.frame_current, _live.setup.last):
            _live.run.follow(bpy.data.objects)
            _live.advance()
    except Exception as fault:
        stop_live(str(fault))
        if not is_told(fault):
            raise


@persistent
def before_load(*_):
    """Another file is opened."""
    stop_live()


class WEFT_OT_simulate(bpy.types.Operator):
    """Simulates all frames of the scene into a cache that plays meanwhile. Esc stops"""

    bl_idname = "weft.simulate"
    bl_label = "Simulate"
    running = False  # of the one that is in work

    @classmethod
    def poll(cls, context):
        """One run at a time."""
        return not WEFT_OT_simulate.running

    def begin(self, context):
        """Starts the run; reports why not."""
        stop_live()
        try:
            self.recorded = run.Recorded(context)
        except Exception as fault:
            if not is_told(fault):
                raise
            self.report({"ERROR"}, str(fault))
            return False
        for words in self.recorded.run.warnings():
            self.report({"WARNING"}, words)
        WEFT_OT_simulate.running = True
        return True

    def execute(self, context):
        """All frames at once: of scripts and in the background."""
        if not self.begin(context):
            return {"CANCELLED"}
        try:
            while not self.recorded.run.done():
                self.recorded.advance()
        except Exception as fault:
            if not is_told(fault):
                raise
            self.report({"ERROR"}, str(fault))
            return {"CANCELLED"}
        finally:
            WEFT_OT_simulate.running = False
            self.recorded.close()
        return {"FINISHED"}

    def invoke(self, context, event):
        """Frame after frame, while Blender goes on."""
        if not self.begin(context):
            return {"CANCELLED"}
        manager, setup = context.window_manager, self.recorded.setup
        manager.progress_begin(setup.first, setup.last)
        self.timer = manager.event_timer_add(0.05, window=context.window)
        self.work()
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def work(self):
        """Computes the next frame in a thread, which uses nothing of Blender."""
        self.fault = None

        def advance():
            try:
                self.recorded.run.advance()
            except BaseException as fault:
                self.fault = fault

        self.thread = threading.Thread(target=advance)
        self.thread.start()

    def modal(self, context, event):
        """Esc ends; a frame that is done is written and shown, and the next one begun."""
        if event.type == "ESC":
            return self.end(context, {"CANCELLED"})
        if event.type != "TIMER" or self.thread.is_alive():
            return {"PASS_THROUGH"}
        if self.fault is not None:
            self.report({"ERROR"}, str(self.fault))
            return self.end(context, {"CANCELLED"})
        self.recorded.write()
        frame, last = self.recorded.run.frame, self.recorded.setup.last
        context.window_manager.progress_update(frame)
        context.workspace.status_text_set(f"Weft: frame {frame} of {last}, Esc stops")
        if not context.screen.is_animation_playing:
            context.scene.frame_set(frame)
        if self.recorded.run.done():
            return self.end(context, {"FINISHED"})
        self.work()
        return {"PASS_THROUGH"}

    def cancel(self, context):
        """Blender ends, or another file is opened."""
        self.end(context, {"CANCELLED"})

    def end(self, context, result):
        """Waits for the frame in work and closes the cache."""
        WEFT_OT_simulate.running = False
        self.thread.join()
        self.recorded.close()
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        return result


class WEFT_OT_live(bpy.types.Operator):
    """Simulates while the viewport plays: colliders that are not animated, and objects that pins follow, may
    be moved meanwhile. Press again to end"""

    bl_idname = "weft.live"
    bl_label = "Live"

    @classmethod
    def poll(cls, context):
        """Not while Simulate writes the caches."""
        return not WEFT_OT_simulate.running

    def execute(self, context):
        """Begins at the present frame, or ends."""
        global _live
        if _live is not None:
            stop_live()
            return {"FINISHED"}
        try:
            recorded = run.Recorded(context, live=True)
        except Exception as fault:
            if not is_told(fault):
                raise
            self.report({"ERROR"}, str(fault))
            return {"CANCELLED"}
        for words in recorded.run.warnings():
            self.report({"WARNING"}, words)
        stop_live()
        _live = recorded
        bpy.app.handlers.frame_change_pre.append(on_frame)
        return {"FINISHED"}


class WEFT_OT_bake(bpy.types.Operator):
    """Writes the simulated frames of all cloths to files, which then play instead of the cache"""

    bl_idname = "weft.bake"
    bl_label = "Bake"

    @classmethod
    def poll(cls, context):
        """Not while Simulate writes the caches."""
        return not WEFT_OT_simulate.running

    def execute(self, context):
        """Bakes each cloth."""
        stop_live()
        settings = context.scene.weft
        if settings.baked.startswith("//") and not bpy.data.filepath:
            self.report({"ERROR"}, "the folder is beside the .blend file, which was never saved: save it, or "
                                   "choose another folder")
            return {"CANCELLED"}
        cloths = [o for o in context.view_layer.objects if o.weft.cloth]
        try:
            for one in cloths:
                if cache.cache_path(one) is None:
                    raise scene_of.Refusal(f"'{one.name}' has no simulated frames: press Simulate first")
            for one in cloths:
                cache.bake(one, bpy.path.abspath(settings.baked), settings.format, context.scene,
                           *polygons_of(context, one))
        except (scene_of.Refusal, OSError) as fault:
            self.report({"ERROR"}, str(fault))
            return {"CANCELLED"}
        return {"FINISHED"}


def polygons_of(context, cloth):
    """Lists of vertices of the faces that the cache moves; (c, 2) of corners in the UV map, or None."""
    with scene_of.WithoutCache([cloth]):
        evaluated = cloth.evaluated_get(context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        polygons, uv = [list(p.vertices) for p in mesh.polygons], scene_of.uv_of_corners(mesh)
        evaluated.to_mesh_clear()
    return polygons, uv


class WEFT_OT_forget(bpy.types.Operator):
    """Removes the simulated frames of all cloths. Baked files stay"""

    bl_idname = "weft.forget"
    bl_label = "Forget"

    @classmethod
    def poll(cls, context):
        """Not while Simulate writes the caches."""
        return not WEFT_OT_simulate.running

    def execute(self, context):
        """Forgets each cloth's cache."""
        stop_live()
        folder = cache.folder_of(context.scene)
        for one in context.view_layer.objects:
            if one.weft.cloth:
                cache.forget(one, folder)
        return {"FINISHED"}


class WEFT_OT_pin_add(bpy.types.Operator):
    """Adds a pin, of the active vertex group"""

    bl_idname = "weft.pin_add"
    bl_label = "Add pin"
    bl_options = {"UNDO"}

    def execute(self, context):
        """Adds it to the active object."""
        one = context.object
        pin = one.weft.pins.add()
        pin.group = one.vertex_groups.active.name if one.vertex_groups.active else ""
        return {"FINISHED"}


class WEFT_OT_pin_remove(bpy.types.Operator):
    """Removes this pin"""

    bl_idname = "weft.pin_remove"
    bl_label = "Remove pin"
    bl_options = {"UNDO"}

    index: bpy.props.IntProperty()

    def execute(self, context):
        """Removes it from the active object."""
        context.object.weft.pins.remove(self.index)
        return {"FINISHED"}


class WEFT_OT_map_add(bpy.types.Operator):
    """Adds a painted map, of the active vertex group"""

    bl_idname = "weft.map_add"
    bl_label = "Add map"
    bl_options = {"UNDO"}

    def execute(self, context):
        """Adds it to the active object, for a parameter that has none yet."""
        one = context.object
        taken = {m.parameter for m in one.weft.maps}
        made = one.weft.maps.add()
        kinds = WeftMap.bl_rna.properties["parameter"].enum_items.keys()
        made.parameter = next((k for k in kinds if k not in taken), kinds[0])
        made.source = one.vertex_groups.active.name if one.vertex_groups.active else ""
        return {"FINISHED"}


class WEFT_OT_map_remove(bpy.types.Operator):
    """Removes this map. What is painted stays"""

    bl_idname = "weft.map_remove"
    bl_label = "Remove map"
    bl_options = {"UNDO"}

    index: bpy.props.IntProperty()

    def execute(self, context):
        """Removes it from the active object."""
        context.object.weft.maps.remove(self.index)
        return {"FINISHED"}


def draw_map(layout, number, painted):
    """What is painted, and the factors at its ends."""
    row = layout.row(align=True)
    row.use_property_split = False
    row.prop(painted, "parameter", text="")
    row.prop(painted, "source", text="")
    row.operator("weft.map_remove", text="", icon="X").index = number
    row = layout.row(align=True)
    row.use_property_split = False
    row.prop(painted, "start")
    row.prop(painted, "end")


class WEFT_PT_panel(bpy.types.Panel):
    """The panel Weft."""

    bl_idname = "WEFT_PT_panel"
    bl_label = "Weft"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Weft"

    def draw(self, context):
        """The active object, then the scene."""
        layout = self.layout
        layout.use_property_split = True
        if context.object is not None and context.object.type == "MESH":
            self.draw_object(layout.box(), context.object)
        settings = context.scene.weft
        for name in ("steps", "device", "folder"):
            layout.prop(settings, name)
        row = layout.row()
        row.operator("weft.simulate", icon="PLAY")
        row.operator("weft.live", depress=_live is not None)
        layout.operator("weft.forget")
        for name in ("baked", "format"):
            layout.prop(settings, name)
        layout.operator("weft.bake")
        if _message:
            layout.label(text=_message, icon="ERROR")

    def draw_object(self, layout, one):
        """What the object is."""
        settings = one.weft
        layout.label(text=one.name)
        layout.prop(settings, "cloth")
        layout.prop(settings, "collider")
        if settings.cloth:
            layout.prop(settings, "fabric")
        if settings.cloth or settings.collider:
            layout.prop(settings, "use_friction")
            if settings.use_friction:
                layout.prop(settings, "friction")
        if settings.cloth:
            for number, pin in enumerate(settings.pins):
                row = layout.row(align=True)
                row.use_property_split = False
                row.prop_search(pin, "group", one, "vertex_groups", text="")
                row.prop(pin, "follows", text="")
                row.operator("weft.pin_remove", text="", icon="X").index = number
            layout.operator("weft.pin_add", icon="PINNED")
            for number, painted in enumerate(settings.maps):
                draw_map(layout.box(), number, painted)
            layout.operator("weft.map_add", icon="BRUSH_DATA")


CLASSES = (WeftPin, WeftMap, WeftObject, WeftScene, WEFT_OT_simulate, WEFT_OT_live, WEFT_OT_bake,
           WEFT_OT_forget, WEFT_OT_pin_add, WEFT_OT_pin_remove, WEFT_OT_map_add, WEFT_OT_map_remove,
           WEFT_PT_panel)


def register():
    """Adds all that this file describes."""
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.weft = bpy.props.PointerProperty(type=WeftObject)
    bpy.types.Scene.weft = bpy.props.PointerProperty(type=WeftScene)
    bpy.app.handlers.load_pre.append(before_load)


def unregister():
    """Takes it away again."""
    stop_live()
    bpy.app.handlers.load_pre.remove(before_load)
    del bpy.types.Scene.weft
    del bpy.types.Object.weft
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
