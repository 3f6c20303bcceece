"""Plots as SVG and states as PNG, with nothing but NumPy."""

import base64
import html
import math
import struct
import zlib

import numpy as np

COLOURS = [
    "#0b62a4",
    "#d1495b",
    "#2e8b57",
    "#8e5ea2",
    "#e08e0b",
    "#3a3a3a",
    "#17a2b8",
    "#a0522d",
    "#6b8e23",
    "#c71585",
]
DASHES = ["", "6 3", "2 3"]


def style_of(index):
    """Colour and dash of the line with this number."""
    return COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]


def ticks_of(low, high):
    """Powers of ten in a range, with 2 and 5 between where there are few; linear text."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for multiples in ((1,), (1, 2, 5)):
        found = [m * 10.0**d for d in decades for m in multiples]
        found = [t for t in found if low * 0.999 <= t <= high * 1.001]
        if len(found) > 3:
            break
    return found


def number(value):
    return f"{value:.6g}"


class Axes:
    """A plot with a logarithmic horizontal axis and a logarithmic or linear vertical one."""

    def __init__(self, x_range, y_range, x_label, y_label, log_y=True, width=760, height=400):
        self.x_range, self.y_range, self.log_y = x_range, y_range, log_y
        self.width, self.height = width, height
        self.left, self.right, self.top, self.bottom = 70, 220, 14, 48
        self.parts, self.legend = [], []
        self.frame(x_label, y_label)

    def x(self, value):
        low, high = (math.log(v) for v in self.x_range)
        return self.left + (math.log(value) - low) / (high - low) * (self.width - self.left - self.right)

    def y(self, value):
        scale = math.log if self.log_y else float
        low, high = (scale(v) for v in self.y_range)
        share = (scale(value) - low) / (high - low)
        return self.height - self.bottom - share * (self.height - self.top - self.bottom)

    def frame(self, x_label, y_label):
        right, base = self.width - self.right, self.height - self.bottom
        for t in ticks_of(*self.x_range):
            self.parts.append(f'<path d="M{self.x(t):.1f} {self.top}V{base}" stroke="#e4e4e4"/>')
            self.text(self.x(t), base + 16, number(t), "middle")
        levels = ticks_of(*self.y_range) if self.log_y else [0, 0.2, 0.4, 0.6, 0.8, 1]
        for t in levels:
            self.parts.append(f'<path d="M{self.left} {self.y(t):.1f}H{right}" stroke="#e4e4e4"/>')
            self.text(self.left - 6, self.y(t) + 4, number(t), "end")
        self.parts.append(f'<path d="M{self.left} {self.top}V{base}H{right}" fill="none" stroke="#444"/>')
        self.text((self.left + right) / 2, self.height - 10, x_label, "middle")
        turn = f' transform="rotate(-90 16 {(self.top + base) / 2:.0f})"'
        self.text(16, (self.top + base) / 2, y_label, "middle", turn)

    def text(self, x, y, words, anchor="start", more=""):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{html.escape(words)}</text>'
        )

    def level(self, value, words):
        """A horizontal line with words."""
        y = self.y(value)
        self.parts.append(
            f'<path d="M{self.left} {y:.1f}H{self.width - self.right}" stroke="#999" stroke-dasharray="3 3"/>'
        )
        self.text(self.width - self.right + 4, y + 4, words)

    def line(self, points, label, index, marks=(), steps=False, notes=()):
        """A line through points, single marks with what they say under the pointer, and an entry of the
        legend."""
        colour, dash = style_of(index)
        places = [(self.x(a), self.y(b)) for a, b in points]
        path = ""
        for k, (a, b) in enumerate(places):
            path += f"M{a:.1f} {b:.1f}" if k == 0 else (f"H{a:.1f}V{b:.1f}" if steps else f"L{a:.1f} {b:.1f}")
        if steps and places:
            path += f"H{self.width - self.right}"
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        for k, (a, b) in enumerate(marks):
            note = f"<title>{html.escape(notes[k])}</title>" if notes else ""
            self.parts.append(
                f'<circle cx="{self.x(a):.1f}" cy="{self.y(b):.1f}" r="4" fill="{colour}">{note}</circle>'
            )
        self.legend.append((label, colour, dash))

    def svg(self):
        entries = ""
        for k, (label, colour, dash) in enumerate(self.legend):
            y, x = self.top + 12 + 17 * k, self.width - self.right + 18
            entries += (
                f'<path d="M{x} {y}h22" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"/>'
            )
            entries += f'<text x="{x + 28}" y="{y + 4}">{html.escape(label)}</text>'
        height = max(self.height, self.top + 24 + 17 * len(self.legend))
        return (
            f'<svg viewBox="0 0 {self.width} {height}" width="{self.width}" height="{height}">'
            + "".join(self.parts)
            + entries
            + "</svg>"
        )


def widened(values):
    """A range around positive values for a logarithmic axis."""
    low, high = min(values), max(values)
    return low / 1.3, high * 1.3


def png(pixels):
    """An image (height, width, 3) of bytes as PNG."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + pixels[y].tobytes() for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def data_uri(kind, data):
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


class Camera:
    """Looks at a box of points from a direction; the same for all pictures of a scene."""

    def __init__(self, low, high, size=(200, 160), yaw=30, pitch=30):
        a, b = math.radians(yaw), math.radians(pitch)
        right = np.array([math.cos(a), 0, -math.sin(a)])
        back = np.array([math.sin(a) * math.cos(b), math.sin(b), math.cos(a) * math.cos(b)])
        self.axes = np.array([right, np.cross(back, right), back])
        self.centre, self.size = (low + high) / 2, size
        corners = np.array(
            [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        )
        seen = np.abs((corners - self.centre) @ self.axes.T)
        self.scale = 0.47 * min(size[0] / seen[:, 0].max(), size[1] / seen[:, 1].max()) * 1.06

    def project(self, points):
        """Columns, rows and nearness of points in pixels."""
        seen = (points - self.centre) @ self.axes.T
        return np.stack(
            [
                self.size[0] / 2 + self.scale * seen[:, 0],
                self.size[1] / 2 - self.scale * seen[:, 1],
                self.scale * seen[:, 2],
            ],
            axis=1,
        )


def draw(pixels, depth, seen, triangles, colour):
    """Shaded triangles with a depth buffer; both sides alike."""
    for corners in seen[triangles]:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            continue
        x0, x1 = max(int(min(ax, bx, cx)), 0), min(int(max(ax, bx, cx)) + 2, pixels.shape[1])
        y0, y1 = max(int(min(ay, by, cy)), 0), min(int(max(ay, by, cy)) + 2, pixels.shape[0])
        if x0 >= x1 or y0 >= y1:
            continue
        x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
        u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        z = az + u * (bz - az) + v * (cz - az)
        inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (z > depth[y0:y1, x0:x1])
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= max(np.linalg.norm(normal), 1e-9)
        normal *= 1 if normal[2] > 0 else -1
        light = 0.42 + 0.58 * max(0.0, float(normal @ np.array([-0.35, -0.6, 0.72])))
        depth[y0:y1, x0:x1][inside] = z[inside]
        pixels[y0:y1, x0:x1][inside] = np.clip(light * np.array(colour), 0, 255)


def picture(camera, cloth, triangles, bodies, body_triangles):
    """A state as an image of bytes (height, width, 3): cloth in blue, bodies in grey."""
    width, height = camera.size
    big = Camera.__new__(Camera)
    big.__dict__.update(camera.__dict__, size=(2 * width, 2 * height), scale=2 * camera.scale)
    pixels = np.full((2 * height, 2 * width, 3), 250, np.uint8)
    depth = np.full((2 * height, 2 * width), -np.inf)
    if len(body_triangles):
        draw(pixels, depth, big.project(bodies), body_triangles, (196, 190, 182))
    if len(triangles):
        draw(pixels, depth, big.project(cloth), triangles, (92, 140, 196))
    small = pixels.reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
    return np.round(small / 4).astype(np.uint8) * 4
