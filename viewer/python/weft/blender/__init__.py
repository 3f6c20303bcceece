"""Weft's add-on for Blender: cloth meshes, colliders and pins of a Blender scene; see docs/blender.md.

It is the package weft.blender of the wheel, and the folder weft_blender of the zip that
`python -m weft.blender FILE` makes. Both need the module `weft` in Blender's Python.
"""

bl_info = {
    "name": "Weft cloth",
    "author": "Weft",
    "version": (0, 1, 0),
    "blender": (4, 2, 0),
    "location": "3D Viewport > Sidebar > Weft",
    "description": "Simulates cloth that stays free of crossings, and keeps it as a mesh cache",
    "category": "Physics",
}


def register():
    """Adds the properties, operators and the panel. Blender calls it."""
    from . import panel
    panel.register()


def unregister():
    """Takes them away again; what was simulated stays."""
    from . import panel
    panel.unregister()
