"""The page of results (HTML, one file), and its tables as Markdown and CSV."""

import csv
import html
import io
import statistics

from measures import frontier, profile
from plots import Axes, data_uri, number, widened

GOOD = 0.2  # error over the motion's size that the profile asks for
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1180px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.7em } h2 { margin-top: 2em; border-bottom: 1px solid #ccc } h3 { margin-bottom: .3em }
table { border-collapse: collapse; font-size: 13px; margin: .6em 0 } th { background: #f0f0f0 }
td, th { border: 1px solid #ddd; padding: 3px 7px; text-align: right }
td:first-child, th:first-child { text-align: left }
.bad { color: #b00020 } .none { color: #999 } .wide { overflow-x: auto }
svg text { font: 12px system-ui, sans-serif }
figure { display: inline-block; margin: 0 6px 8px 0; font-size: 12px; width: 178px; vertical-align: top }
figure img, figure video { display: block; border: 1px solid #ddd } .turned th { font-size: 12px }
td.words, .left td { text-align: left; max-width: 640px } p { max-width: 860px }
"""


class Field:
    """All results of a run: `scenes`, `references` by name, `rows` (dictionaries of methods.Results),
    methods in order."""

    def __init__(self, scenes, references, methods, rows, about):
        self.scenes, self.references, self.methods = scenes, references, methods
        self.rows, self.about = rows, about
        self.pictures, self.videos, self.precision = {}, {}, []

    def of(self, scene, method=None):
        return [r for r in self.rows if r["scene"] == scene and (method is None or r["method"] == method)]

    def first(self, scene, method):
        """The row of a method with the least effort."""
        return min(self.of(scene, method), key=lambda r: r["effort"], default=None)

    def measured(self, row):
        """The row's error by the scene's measure, or nothing."""
        measure = self.references[row["scene"]].measure
        return row.get(measure) if measure else None

    def crosses(self, row):
        return row["crossings"]["all"] > 0

    def solved_time(self, scene, method, limit):
        """Least processor time of the method's runs that reach the error without a crossing."""
        times = [
            r["seconds"]
            for r in self.of(scene, method)
            if r["status"] == "done" and not self.crosses(r) and self.measured(r)["relative"] <= limit
        ]
        return min(times, default=None)

    def judged(self):
        """Scenes whose reference is known."""
        return [s for s in self.scenes if self.references[s.name].measure]


def summary_rows(field):
    """One row a method over all scenes, at the least effort."""
    table = []
    for method in field.methods:
        firsts = [r for s in field.scenes if (r := field.first(s.name, method.name))]
        done = [r for r in firsts if r["status"] == "done"]
        errors = [m["relative"] for r in done if (m := field.measured(r))]
        solved = [
            t for s in field.judged() if (t := field.solved_time(s.name, method.name, GOOD)) is not None
        ]
        table.append(
            {
                "method": method.label,
                "ran": len(done),
                "refused": sum(r["status"] in ("refused", "cannot") for r in firsts),
                "failed": sum(r["status"] == "failed" for r in firsts),
                "not run": len(field.scenes) - sum(r["status"] != "not run" for r in firsts),
                "with crossings": sum(field.crosses(r) for r in done),
                "error, median %": f"{100 * statistics.median(errors):.1f}" if errors else "",
                "time, median s": f"{statistics.median([r['seconds'] for r in done]):.2f}" if done else "",
                f"within {100 * GOOD:.0f} % and no crossing": len(solved),
            }
        )
    return sorted(table, key=lambda row: -list(row.values())[-1])


def better_words(field, peer):
    """What a peer does better than Newton's method with the scene's contact, both at effort 1; and worse."""
    nearer, faster, clean, shared = [], [], [], 0
    for scene in field.judged():
        theirs, ours = field.first(scene.name, peer.name), field.first(scene.name, f"newton+{scene.contact}")
        if not theirs or not ours or theirs["status"] != "done" or ours["status"] != "done":
            continue
        shared += 1
        if field.measured(theirs)["relative"] < field.measured(ours)["relative"]:
            nearer.append(scene.name)
        if theirs["seconds"] < ours["seconds"]:
            faster.append(scene.name)
        if field.crosses(ours) and not field.crosses(theirs):
            clean.append(scene.name)
    listed = lambda names: f"{len(names)} ({', '.join(names)})" if names else "none"
    return {
        "program": peer.label,
        "judged scenes of both": shared,
        "nearer to the reference": listed(nearer),
        "faster": listed(faster),
        "no crossing where Weft's crosses": listed(clean),
    }


def html_table(rows, classes=""):
    if not rows:
        return ""
    head = "".join(f"<th>{html.escape(k)}</th>" for k in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(v))}</td>" for v in r.values()) + "</tr>" for r in rows
    )
    return f'<div class="wide"><table class="{classes}"><tr>{head}</tr>{body}</table></div>'


def markdown_table(rows):
    if not rows:
        return ""
    lines = ["| " + " | ".join(rows[0]) + " |", "|" + "---|" * len(rows[0])]
    return "\n".join(lines + ["| " + " | ".join(str(v) for v in r.values()) + " |" for r in rows]) + "\n"


def profile_plot(field, most=10):
    """Share of scenes within a factor of the fastest time, for the methods that solve most."""
    times = {
        m.name: {s.name: field.solved_time(s.name, m.name, GOOD) for s in field.judged()}
        for m in field.methods
    }
    curves = profile(times)
    labels = {m.name: m.label for m in field.methods}
    ranked = sorted((n for n in curves if curves[n]), key=lambda n: -sum(1 / f for f, _ in curves[n]))
    peers = [m.name for m in field.methods if m.kind == "peer" and curves[m.name]]
    chosen = ranked[:most] + [p for p in peers if p not in ranked[:most]]
    if not chosen:
        return ""
    largest = max(f for n in chosen for f, _ in curves[n])
    axes = Axes(
        (1, max(2, largest * 1.2)), (0, 1), "time over that of the fastest", "share of scenes", log_y=False
    )
    for k, name in enumerate(chosen):
        points = [(1, 0)] + curves[name]
        axes.line(points, f"{labels[name]} ({len(curves[name])})", k, steps=True)
    return axes.svg()


def scatter_plot(field, scene):
    """Error against time of all runs of one scene, and the reference's own uncertainty."""
    measure = field.references[scene.name].measure or "positions"
    rows = [r for r in field.of(scene.name) if r["status"] == "done" and r[measure]["rms_mm"] > 0]
    if not rows:
        return ""
    groups = {}
    for r in rows:
        groups.setdefault(r["label"] if r["kind"] == "peer" else r["method"].split("+")[0], []).append(r)
    level = 1e3 * field.references[scene.name].uncertainty[measure]
    errors = [r[measure]["rms_mm"] for r in rows]
    axes = Axes(
        widened([r["seconds"] for r in rows]),
        widened(errors + [max(level, min(errors) / 3)]),
        "processor time, s",
        f"error of {measure}, mm",
        height=330,
    )
    if level >= min(errors) / 3:
        axes.level(level, "uncertainty of the reference")
    for k, (label, found) in enumerate(groups.items()):
        points = [(r["seconds"], r[measure]["rms_mm"]) for r in found]
        notes = [
            f"{r['label']}, effort {r['effort']}: {number(round(p[1], 3))} mm, {p[0]:.2f} s"
            + (", crosses" if field.crosses(r) else "")
            for r, p in zip(found, points)
        ]
        axes.line(frontier(points), label.replace("_", " "), k, marks=points, notes=notes)
    return axes.svg()


def cell(field, row):
    """A result in few letters: error in per cent of the motion; x where it crosses."""
    if row is None:
        return '<td class="none"></td>'
    why = html.escape(row.get("why", ""), quote=True)
    if row["status"] in ("refused", "cannot"):
        return f'<td class="none" title="{why}">–</td>'
    if row["status"] != "done":
        words = "failed" if row["status"] == "failed" else "not run"
        return f'<td class="none" title="{why}">{words}</td>'
    found = field.measured(row)
    crossed = row["crossings"]
    told = f"{crossed['all']} states with crossings, {crossed['bodies']} with those of bodies"
    mark = f'<span class="bad" title="{told}, of {crossed["states"]}">×</span>'
    cross = mark if field.crosses(row) else ""
    if not found:
        return f"<td>{cross or '✓'}</td>"
    share = min(found["relative"] / 0.5, 1)
    colour = f"hsl({120 - 120 * share:.0f} 60% 92%)"
    tip = f"{found['rms_mm']:.2f} mm, at most {found['worst_mm']:.1f} mm; {row['seconds']:.2f} s"
    return f'<td style="background:{colour}" title="{tip}">{100 * found["relative"]:.1f}{cross}</td>'


def matrix(field):
    """Methods by scenes."""
    head = "".join(f"<th>{html.escape(s.name.replace('_', ' '))}</th>" for s in field.scenes)
    rows = ""
    for m in field.methods:
        cells = "".join(cell(field, field.first(s.name, m.name)) for s in field.scenes)
        rows += f"<tr><td>{html.escape(m.label)}</td>{cells}</tr>"
    return f'<div class="wide"><table class="turned"><tr><th>method</th>{head}</tr>{rows}</table></div>'


def reference_words(reference):
    known = {m: 1e3 * u for m, u in reference.uncertainty.items()}
    sizes = {m: 1e3 * reference.size(m) for m in known}
    words = ", ".join(f"{m} {known[m]:.2f} of {sizes[m]:.0f} mm" for m in known)
    judged = (
        f"judged by {reference.measure}" if reference.measure else "not judged: folds differ with any change"
    )
    return f"Known to: {words}; {judged}."


def scene_part(field, scene):
    reference = field.references[scene.name]
    text = f"<h3 id='{scene.name}'>{html.escape(scene.title)} ({scene.name}, {scene.group})</h3>"
    text += f"<p>{len(reference.start)} vertices, {scene.seconds:g} s. {reference_words(reference)}</p>"
    if scene.name in field.videos:
        source = data_uri("video/mp4", field.videos[scene.name])
        text += f'<figure><video src="{source}" width="178" controls loop muted></video>'
        text += "Newton's method, a step a frame</figure>"
    for label, data in field.pictures.get(scene.name, []):
        image = f'<img src="{data_uri("image/png", data)}" width="178" alt="">'
        text += f"<figure>{image}{html.escape(label)}</figure>"
    return text + "<div>" + scatter_plot(field, scene) + "</div>"


def precision_part(field):
    text = (
        "<p>Steps from six states of a scene, by each solver at several efforts; error: distance to the same "
        "step solved to its end by Newton's method, root of the mean square by mass, median of the states. "
        "Block descent has hinges of another tessellation, so its error ends at what these differ.</p>"
    )
    for entry in field.precision:
        text += f"<h3>{html.escape(entry['title'])}</h3>{entry['svg']}{html_table(entry['rows'])}"
    return text


def peers_part(field):
    rows = [
        f"<tr><td>{html.escape(m.label)}</td><td>{html.escape(' '.join(m.packages))}</td>"
        f"<td>{html.escape(m.adapter.LICENCE)}</td>"
        f"<td class='words'>{html.escape(m.adapter.SETTINGS)}</td></tr>"
        for m in field.methods
        if m.kind == "peer"
    ]
    head = "<tr><th>program</th><th>packages</th><th>licence</th><th>settings</th></tr>"
    if not rows:
        return "<p>None was asked for.</p>"
    better = html_table([better_words(field, m) for m in field.methods if m.kind == "peer"], "left")
    words = "<p>What each does better than Newton's method with the scene's contact, both at effort 1:</p>"
    return f"{words}{better}<table>{head}{''.join(rows)}</table>"


INTRODUCTION = """
<p>Each scene is run at 60 states a second by every solver of Weft with every collision method, and by other
programs through adapters. <b>Error</b>: root of the mean square of the distance to a reference at four
instants a second; in the table in per cent of how far the reference moves. The reference is Newton's method
with eight steps a frame, each solved to a thousandth, or what eight and four steps extrapolate to; its
uncertainty is its change between two step lengths. Folds differ with any change: where positions are known
to no better than 10 % of the motion, quantiles of the height are compared instead, and where these are not
either the scene is not judged. <b>×</b>: weft-check found a crossing of cloth with itself or a body in a
state. –: refused, with the reason under the pointer. <b>Time</b>: processor time of the process on one
thread, without its start. Weft takes one step a frame at effort 1, as many as the effort says
otherwise.</p>
<p>The reference is Weft's: its springs, plate bending and rest distance. Others solve other equations for
the same fabric, so their error has a part that no effort removes.</p>
"""


def overview(field):
    """Methods over all scenes."""
    return [
        "<h2>Methods</h2>",
        html_table(summary_rows(field)),
        f"<h2>Performance profile</h2><p>Share of the {len(field.judged())} judged scenes in which a method "
        f"reaches an error of {100 * GOOD:.0f} % of the motion without a crossing, within a factor of the "
        "fastest method's time; in brackets, how many.</p>",
        profile_plot(field),
        "<h2>Error, per cent of the motion</h2>",
        matrix(field),
    ]


def to_html(field):
    about = "".join(
        f"<tr><td>{html.escape(k)}</td><td class='words'>{html.escape(v)}</td></tr>"
        for k, v in field.about.items()
    )
    count = f"{len(field.scenes)} scene{'s' * (len(field.scenes) > 1)}"
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Weft: the field</title>",
        f"<style>{STYLE}</style><h1>Cloth solvers over {count}</h1>",
        f"<table>{about}</table>{INTRODUCTION}",
    ]
    if field.rows:
        parts += overview(field)
    if field.precision:
        parts += ["<h2>Error of a step against its time</h2>", precision_part(field)]
    if field.rows:
        parts += ["<h2>Scenes</h2>"] + [scene_part(field, s) for s in field.scenes]
        parts += ["<h2>Other programs</h2>", peers_part(field)]
    return "\n".join(parts + ["</html>"])


def to_csv(field):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "scene",
            "method",
            "effort",
            "status",
            "judged by",
            "error mm",
            "largest mm",
            "error %",
            "states",
            "crossing",
            "crossing bodies",
            "s",
            "start s",
            "why",
        ]
    )
    for r in field.rows:
        start = [
            r["scene"],
            r["method"],
            r["effort"],
            r["status"],
            field.references[r["scene"]].measure or "",
        ]
        if r["status"] != "done":
            writer.writerow(start + [""] * 8 + [r["why"]])
            continue
        m = field.measured(r) or r["positions"]
        c = r["crossings"]
        writer.writerow(
            start
            + [
                f"{m['rms_mm']:.3f}",
                f"{m['worst_mm']:.2f}",
                f"{100 * m['relative']:.2f}",
                c["states"],
                c["all"],
                c["bodies"],
                f"{r['seconds']:.2f}",
                f"{r['start_seconds']:.2f}",
                "",
            ]
        )
    return out.getvalue()
