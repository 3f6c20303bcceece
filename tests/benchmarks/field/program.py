"""Runs of weft, weft-check and adapters, with processor time; states as arrays."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

from scenes import FRAME, ROOT


class Refused(Exception):
    """A program says why it does not do what it was asked for."""


def processor_run(command, env=None, timeout=None):
    """Runs a command. Returns its exit status, its output and error text, and the processor time of its
    process, user and system, in seconds."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, text=True, env=env)
        try:
            _, status, usage = wait_for(process, timeout)
        finally:
            if process.returncode is None and process.poll() is None:
                process.kill()
        out.seek(0)
        err.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), err.read(), usage.ru_utime + usage.ru_stime


def wait_for(process, timeout):
    """The child's status and resource usage; it is stopped after `timeout` seconds of its own processor
    time."""
    if timeout:
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(timeout), int(timeout) + 5))
    result = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(result[1])
    return result


class Weft:
    """The program and its checker, from a build's folder."""

    def __init__(self, folder, threads=1):
        folder = pathlib.Path(folder).resolve()
        self.program, self.checker, self.threads = folder / "weft", folder / "weft-check", threads
        for path in (self.program, self.checker):
            if not path.exists():
                raise SystemExit(
                    f"there is no program {path}: build it (./test.sh --quick), or name its folder with --bin"
                )
        self.identity = hashlib.sha256(self.program.read_bytes()).hexdigest()[:16]
        self.env = os.environ | {"WEFT_ASSETS": str(ROOT / "assets")}

    def version(self):
        return subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout

    def run(self, scene_file, settings, seconds, more=(), timeout=None):
        """One run without a window; its processor time. Raises Refused with the program's own words."""
        command = [self.program, scene_file, "--headless", "--quiet", "--device", "cpu"]
        command += ["--threads", str(self.threads), "--seconds", repr(seconds)]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        status, _, err, time = processor_run([str(c) for c in command + list(more)], self.env, timeout)
        if status not in (0, 3):
            lines = [line for line in err.splitlines() if "error" in line] or err.splitlines()[-1:]
            words = lines[0] if lines else f"ended with status {status}"
            raise Refused(words.replace("weft: error: ", ""))
        return time

    def check(self, folder):
        """Exact crossings of a folder of states: states checked, with any crossing, and of cloth with
        bodies."""
        status, out, err, _ = processor_run([str(self.checker), str(folder), "--json", "--quiet", "-j", "1"])
        if status == 2:
            raise Refused("weft-check: " + err.strip())
        states = json.loads(out)["runs"][0]["states"]
        return {
            "states": len(states),
            "all": sum(s["crossings"] > 0 for s in states),
            "bodies": sum(s["crossings_with_bodies"] > 0 for s in states),
        }


def simulated_vertices(mesh):
    """Vertices before the first body of a mesh.obj of `weft --states`, and all."""
    count, simulated = 0, None
    with open(mesh) as file:
        for line in file:
            if line.startswith("# body") and simulated is None:
                simulated = count
            count += line.startswith("v ")
    return (count if simulated is None else simulated), count


def keep_frames(folder, per_frame):
    """Keeps the states of whole frames, numbered by frame."""
    folder = pathlib.Path(folder)
    for path in sorted(folder.glob("step_*.npy")):
        step = int(path.stem[5:])
        if step % per_frame:
            path.unlink()
        elif per_frame > 1:
            path.rename(folder / f"step_{step // per_frame:06d}.npy")


def states_at(folder, frames):
    """Simulated positions at some frames: (len(frames), vertices, 3), in double precision."""
    folder = pathlib.Path(folder)
    count, _ = simulated_vertices(folder / "mesh.obj")
    return np.array([np.load(folder / f"step_{k:06d}.npy")[:count] for k in frames], dtype=float)


class Scratch:
    """A temporary folder with the scene's file, removed at the end."""

    def __init__(self, scene):
        self.scene = scene

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-field-"))
        self.file = self.folder / "scene.toml"
        self.file.write_text(self.scene.text)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def states(self, weft, settings, per_frame=1, timeout=None):
        """Runs the scene with so many steps a frame. Returns the folder of its states at frames, and
        processor time."""
        out = self.folder / "states"
        shutil.rmtree(out, ignore_errors=True)
        settings = settings | {"step.dt": repr(FRAME / per_frame)}
        seconds = self.scene.frames * FRAME
        time = weft.run(self.file, settings, seconds, ["--states", out], timeout)
        keep_frames(out, per_frame)
        return out, time

    def start_time(self, weft, settings, per_frame=1):
        """Processor time of a run of one step: reading, meshing, structures."""
        settings = settings | {"step.dt": repr(FRAME / per_frame)}
        return weft.run(self.file, settings, FRAME / per_frame)
