"""Code shared by the scripts that write tables of tests/benchmarks/results: runs of the program without a window, and tables as Markdown
and comma-separated values. Only the standard library is needed."""

import array, csv, json, os, subprocess, sys, tempfile


class Run:
    """One run: its table of steps, columns by name, and the process time that it took."""

    def __init__(self, rows, seconds):
        self.rows = rows
        self.seconds = seconds  # of process time, so that other programs on the machine count little
        self.states = (
            []
        )  # per step positions of the cloth's vertices, m, x y z x y z ...; only if they were asked for

    def column(self, name, begin=0.0, end=1e30):
        """Values of the steps that end within (begin, end], s."""
        return [float(r[name]) for r in self.rows if begin < float(r["time"]) <= end + 1e-6]

    def last(self, name):
        return float(self.rows[-1][name])

    def total(self, name):
        return int(sum(self.column(name)))

    def mean(self, name):
        values = self.column(name)
        return sum(values) / len(values)

    def mean_most(self, name):
        return f"{self.mean(name):.2f} ({max(self.column(name)):g})"

    def stage(self, *names):
        """ms per step in stages of these paths ("solve", "advance/impact zones"); what a run never did has no column."""
        return sum(self.mean(name + "_ms") for name in names if name + "_ms" in self.rows[0])

    def stages_named(self, *names):
        """ms per step in the outermost stages of these names."""
        paths = [c[:-3] for c in self.rows[0] if c.endswith("_ms") and "/" in c]
        inside = [p for p in paths if p.rsplit("/", 1)[-1] in names]
        outermost = [p for p in inside if not any(p.startswith(q + "/") for q in inside)]
        return self.stage(*outermost)


def read_positions(path, vertices=None):
    """A float32 array as NumPy stores it (format 1), flat; of so many vertices, or of all, bodies included."""
    with open(path, "rb") as file:
        head = file.read(10)
        file.read(int.from_bytes(head[8:10], "little"))
        values = array.array("f", file.read() if vertices is None else file.read(12 * vertices))
    if sys.byteorder == "big":
        values.byteswap()
    return values


def run(options, scene, settings, seconds=None, states=False, table=True, more=()):
    """Runs a scene (name or file) with parameters {"group.key": value}; without a table only its time is known. `more`: other arguments.
    options.seconds shortens every run. Ends the script if the program fails."""
    seconds = min(filter(None, (seconds, options.seconds)), default=None)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "steps.csv")
        command = [
            options.weft,
            str(scene),
            "--headless",
            "--quiet",
            "--device",
            "cpu",
            "--threads",
            str(options.threads),
        ]
        if table:
            command += ["--csv", out]
        if seconds:
            command += ["--seconds", str(seconds)]
        if states:
            command += [
                "--states",
                os.path.join(folder, "states"),
                "--stats",
                os.path.join(folder, "stats.json"),
            ]
        command += [str(m) for m in more]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        before = os.times()
        done = subprocess.run(command, capture_output=True, text=True)
        after = os.times()
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        rows = []
        if table:
            with open(out, newline="") as file:
                rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        result = Run(
            rows, after.children_user + after.children_system - before.children_user - before.children_system
        )
        if states:
            with open(os.path.join(folder, "stats.json")) as file:
                cloth = json.load(file)["vertices"]
            names = sorted(n for n in os.listdir(os.path.join(folder, "states")) if n.endswith(".npy"))
            result.states = [read_positions(os.path.join(folder, "states", n), cloth) for n in names]
        return result


def mean_distance(a, b):
    """Mean distance of vertices between the states of two runs, m."""
    total, count = 0.0, 0
    for p, q in zip(a.states, b.states):
        for i in range(0, len(p), 3):
            total += ((p[i] - q[i]) ** 2 + (p[i + 1] - q[i + 1]) ** 2 + (p[i + 2] - q[i + 2]) ** 2) ** 0.5
        count += len(p) // 3
    return total / count


class Tables:
    """Markdown on standard output, and the same cells in a CSV file: table, row, column, value."""

    def __init__(self, file=None, rows=None):
        self.out = open(file, "w", newline="") if file else None
        self.csv = csv.writer(self.out) if file else None
        self.title, self.columns = "", []
        self.rows = rows.split(",") if rows else None
        if file:
            self.csv.writerow(["table", "row", "column", "value"])

    def _line(self, cells):
        print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)

    def wants(self, label):
        """Whether the command line asks for the row of this first cell, or names none."""
        return not self.rows or label in self.rows

    def begin(self, title, *columns, note=""):
        self.title, self.columns = title, columns
        print(f"### {title}\n" + (f"\n{note}\n" if note else ""))
        self._line(columns)
        print("|" + "---|" * len(columns))

    def row(self, *cells):
        self._line(cells)
        if self.csv:
            for column, cell in zip(self.columns[1:], cells[1:]):
                self.csv.writerow([self.title, cells[0], column, cell])
            self.out.flush()

    def end(self):
        print(flush=True)


def main(description, tables, default_weft):
    """Runs the tables (functions of options and Tables) that the command line names."""
    import argparse
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(tables))
    parser.add_argument("--weft", default=str(default_weft))
    parser.add_argument("--threads", type=int, default=1, help="0: all cores")
    parser.add_argument("--csv", help="the same numbers in a file")
    parser.add_argument("--turns", type=int, default=2, help="runs of each side where times are compared")
    parser.add_argument("--seconds", type=float, help="simulated time of each run, at most")
    parser.add_argument(
        "--rows",
        help="first cells of the rows to measure, separated by commas (tables with a row per time step or scene)",
    )
    options = parser.parse_args()
    unknown = [name for name in options.tables if name not in tables]
    if unknown:
        parser.error(f"there is no table {unknown[0]}: {', '.join(tables)}")
    out = Tables(options.csv, options.rows)
    for name in options.tables or tables:
        tables[name](options, out)
        out.end()


def in_turns(options, sides):
    """Process seconds of each side (functions that make a Run), which take turns: the least of options.turns runs."""
    least = [float("inf")] * len(sides)
    for _ in range(options.turns):
        for i, side in enumerate(sides):
            least[i] = min(least[i], side().seconds)
    return least
