#!/usr/bin/env python3
"""Takes barriers, waits and checks out of the CUDA side, one at a time, in a copy of the tree, and looks whether the
tests on the double of its runtime fail (preset cuda-double). Prints a table; ends with 1 where no test fails, or where
a mutation names text that is not there any more.

    tests/cuda_double/mutations.py [WORDS ...]    only mutations whose names have one of these words
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutations"
BUILD = TREE / "build" / "cuda-double"  # as deep as the preset's, so that the compiler cache knows most of it
ENVIRONMENT = dict(os.environ, CCACHE_BASEDIR=str(TREE), CCACHE_NOHASHDIR="1")
SECONDS = 600  # of one run; a test that hangs has failed

# Name, file, text that is there once (or with its number: text, n), what takes its place.
WAIT = "check(cudaEventSynchronize(static_cast<cudaEvent_t>({})), \"published frame\");"
MUTATIONS = [
    ("barrier of a cluster after its rows are there", "cuda/resident.cuh", ("  cluster.sync();\n", 0), ""),
    ("barrier of a cluster after an iteration", "cuda/resident.cuh", ("    cluster.sync();\n", 0), ""),
    ("barrier of a block after its rows are there", "cuda/resident.cuh", ("\n  __syncthreads();\n", 0), "\n"),
    ("barrier of a block after an iteration", "cuda/resident.cuh", ("    __syncthreads();\n", 0), ""),
    (
        "barrier of the grid between iterations",
        "cuda/launch.cuh",
        "    if (k > 0) grid.sync();\n",
        "    (void)grid;\n",
    ),
    ("barrier after a tile is there", "cuda/block.cuh", ("\n  __syncthreads();\n", 0), "\n"),
    ("barrier after a phase", "cuda/block.cuh", ("    __syncthreads();\n", 0), ""),
    (
        "half of pinned memory is free before an upload",
        "cuda/staging.cpp",
        "    check(cudaEventSynchronize(half.passed), \"upload\");\n",
        "",
    ),
    (
        "bytes are there before a download returns",
        "cuda/staging.cpp",
        "      check(cudaEventSynchronize(half.passed), \"download\");\n",
        "",
    ),
    (
        "event after an upload",
        "cuda/staging.cpp",
        "    check(cudaEventRecord(half.passed, stream), \"upload\");\n",
        "",
    ),
    (
        "event after a download",
        "cuda/staging.cpp",
        "      check(cudaEventRecord(half.passed, stream), \"download\");\n",
        "",
    ),
    (
        "frame is written before its memory grows",
        "cuda/frame_slot.cpp",
        "    " + WAIT.format("ready") + "\n",
        "",
    ),
    (
        "frame is read before its memory grows",
        "cuda/frame_slot.cpp",
        "    " + WAIT.format("consumed") + "\n",
        "",
    ),
    (
        "frame is written before it goes",
        "cuda/frame_slot.cpp",
        "    cudaEventSynchronize(static_cast<cudaEvent_t>(ready));\n",
        "",
    ),
    (
        "frame is read before it goes",
        "cuda/frame_slot.cpp",
        "    cudaEventSynchronize(static_cast<cudaEvent_t>(consumed));\n",
        "",
    ),
    (
        "frame is read before it is written anew",
        "cuda/frame_slot.cpp",
        "  check(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(slot.consumed), 0), \"published frame\");\n",
        "",
    ),
    (
        "event after a frame is written",
        "cuda/frame_slot.cpp",
        "  check(cudaEventRecord(static_cast<cudaEvent_t>(slot.ready), stream), \"published frame\");\n",
        "",
    ),
    (
        "frame is there before it is copied out",
        "cuda/frame_slot.cpp",
        "  check(cudaStreamSynchronize(stream), \"published frame\");\n",
        "",
    ),
    (
        "frame is asked whether it is ready",
        "cuda/frame_slot.cpp",
        "return has_passed(static_cast<cudaEvent_t>(slot.ready), \"published frame\");",
        "return slot.ready != nullptr;",
    ),
    (
        "stream has run dry before memory is given back",
        "cuda/cuda_device.cpp",
        "  // Called by destructors: an error that is pending here shows at the next call that can throw.\n"
        "  cudaStreamSynchronize(stream_.get());\n",
        "",
    ),
    (
        "stream has run dry before memory of a recorded step is given back",
        "cuda/cuda_device.cpp",
        "    if (released_.empty()) return;\n    cudaStreamSynchronize(stream_.get());\n",
        "    if (released_.empty()) return;\n",
    ),
    (
        "stream has run dry before the device goes",
        "cuda/cuda_device.cpp",
        "  cudaSetDevice(ordinal_);\n  cudaStreamSynchronize(stream_.get());\n",
        "  cudaSetDevice(ordinal_);\n",
    ),
    (
        "synchronize waits",
        "cuda/cuda_device.cpp",
        "  check(cudaStreamSynchronize(stream_.get()), \"synchronize\");\n",
        "",
    ),
    (
        "memory given back while a step is recorded is kept",
        "cuda/cuda_device.cpp",
        "  if (recording_) return released_.push_back(memory);\n",
        "",
    ),
    (
        "no memory while a step is recorded",
        "cuda/cuda_device.cpp",
        "  must_not_record(\"new memory\");\n",
        "",
    ),
    ("no upload while a step is recorded", "cuda/cuda_device.cpp", "  must_not_record(\"an upload\");\n", ""),
    (
        "no download while a step is recorded",
        "cuda/cuda_device.cpp",
        "  must_not_record(\"a download\");\n",
        "",
    ),
    ("no wait while a step is recorded", "cuda/cuda_device.cpp", "  must_not_record(\"a wait\");\n", ""),
    (
        "work memory that has moved makes a recording void",
        "cuda/cuda_device.cpp",
        "hash_combine(signature, uint64_t(scratch_moves_))",
        "signature",
    ),
    (
        "work memory does not grow while a step is recorded",
        "cuda/cuda_device.cpp",
        "    if (capturing()) throw ScratchTooSmall{wanted};\n",
        "",
    ),
    (
        "a graph is made anew, not updated",
        "cuda/step_graph.cpp",
        "  drop();\n  source_ = graph;\n",
        "  if (graph_) {\n"
        "    cudaGraphExecUpdateResultInfo info;\n"
        "    if (cudaGraphExecUpdate(graph_, graph, &info) == cudaSuccess) {\n"
        "      recorded_ = signature;\n"
        "      cudaGraphDestroy(graph);\n"
        "      return;\n"
        "    }\n"
        "    cudaGetLastError();\n"
        "  }\n  drop();\n  source_ = graph;\n",
    ),
    (
        "loop looks at its condition after each round",
        "cuda/conditional.cu",
        "      check(start(inner, 1, 1, set_condition, handle, flag), \"conditional step\");\n",
        "",
    ),
    (
        "part without a launch has a node",
        "cuda/conditional.cu",
        "      check(start(inner, 1, 1, do_nothing), \"conditional step\");\n",
        "",
    ),
    (
        "error of a refused event is forgotten",
        "cuda/check.cpp",
        "    cudaGetLastError();  // no error, but the next launch would report it as its own\n",
        "",
    ),
    ("the GPU that is lost is told as such", "cuda/check.cpp", "    case cudaErrorIllegalAddress:\n", ""),
    (
        "cooperative launches in parts ask the driver's age",
        "cuda/cuda_device.h",
        "cooperative_iterations && (depth_ == 0 || cooperative_in_parts_)",
        "cooperative_iterations",
    ),
    (
        "clusters ask the GPU for room",
        "cuda/resident.cuh",
        "if (config.numAttrs && !scope.has_room(reinterpret_cast<const void*>(function), config)) share_out(1);",
        "",
    ),
]
# Without effect that any test could see, for the reasons given.
HARMLESS = {
    "stream has run dry before the device goes": "destructors of what it owns wait too",
}


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def build():
    return run(["nice", "ninja", "-C", str(BUILD), "-j", "2", "weft-double-device-tests"], env=ENVIRONMENT)


def tests():
    """Whether all hold, and what ended the run."""
    try:
        result = run([str(BUILD / "bin" / "weft-double-device-tests"), "-m"], timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False, "hangs"
    if result.returncode == 0:
        return True, ""
    case = ""
    for line in result.stdout.splitlines():
        if line.startswith("TEST CASE:"):
            case = line[10:].strip()
        elif "ERROR:" in line:
            return False, case
        elif line.startswith(("double of the CUDA", "FAILED:")):
            return False, f"{line.strip()} ({case})"
    return False, f"ends with {result.returncode}"


def replaced(text, old, new):
    """`text` with one place of `old` changed; None where it is not there once."""
    number = None
    if isinstance(old, tuple):
        old, number = old
    parts = text.split(old)
    if len(parts) < 2 or (number is None and len(parts) > 2):
        return None
    at = (number or 0) + 1
    return old.join(parts[:at]) + new + old.join(parts[at:])


def prepare():
    for name in run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    ).stdout.splitlines():
        if name.startswith(("assets/", "docs/")) or not (ROOT / name).is_file():
            continue
        (TREE / name).parent.mkdir(parents=True, exist_ok=True)
        if not (TREE / name).is_file() or (TREE / name).read_bytes() != (ROOT / name).read_bytes():
            shutil.copy(ROOT / name, TREE / name)
    made = run(["cmake", "--preset", "cuda-double"], cwd=TREE, env=ENVIRONMENT)
    if made.returncode != 0:
        sys.exit(made.stdout)


def try_one(name, file, old, new):
    path = TREE / file
    text = path.read_text()
    changed = replaced(text, old, new)
    if changed is None:
        return "IS NOT THERE ANY MORE", False
    path.write_text(changed)
    try:
        made = build()
        if made.returncode != 0:
            return "DOES NOT COMPILE: " + made.stdout[-300:], False
        holds, how = tests()
        if holds and name in HARMLESS:
            return "none: " + HARMLESS[name], True
        return ("NO TEST FAILS", False) if holds else (how, True)
    finally:
        path.write_text(text)
        os.utime(path)


def main():
    words = sys.argv[1:]
    chosen = [m for m in MUTATIONS if not words or any(w in m[0] for w in words)]
    prepare()
    made = build()
    if made.returncode != 0:
        sys.exit(made.stdout[-3000:])
    holds, how = tests()
    if not holds:
        sys.exit("the tests fail as it is: " + how)
    all_found = True
    print("| what was taken out | what fails |\n|---|---|", flush=True)
    for mutation in chosen:
        began = time.time()
        outcome, found = try_one(*mutation)
        all_found &= found
        print(f"| {mutation[0]} | {outcome} |", flush=True)
        print(f"{time.time() - began:.0f} s", file=sys.stderr, flush=True)
    sys.exit(0 if all_found else 1)


if __name__ == "__main__":
    main()
