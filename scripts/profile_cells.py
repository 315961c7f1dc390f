"""profile_cells.py - what profile_ncu and profile_nsys share: the cells of a descriptor, and one process for each

Under a profiler the program takes one warm-up run and one sample, without graph, flush, spinning kernel or clock probe
(--profile), and does not fill the memory that it allocates.
"""
import os
import subprocess
import sys


def fail(tool, status, text):
    print("%s: %s" % (tool, text), file=sys.stderr)
    sys.exit(status)


def prepare(tool, arguments, example):
    """The program, what its `env` says, and the GPU cells of the descriptor that the arguments begin with."""
    if not arguments or arguments[0].startswith("-"):
        fail(tool, 2, "expected a descriptor, as in: scripts/%s %s" % (tool, example))
    program = os.environ.get("DEPTHBENCH", "build/release/depthbench")
    facts, cells = facts_of(program), cells_of(program, arguments)
    if not cells:
        fail(tool, 77, "%s has no configuration of a GPU variant that this program can run" % arguments[0])
    return program, facts, cells


def run(tool, words, where, **how):
    """The profiler's process, or a sentence that says where it comes from."""
    try:
        return subprocess.run(words, **how)
    except FileNotFoundError:
        fail(tool, 5, "%s is not there; %s" % (words[0], where))
    except OSError as error:
        fail(tool, 5, "%s cannot be started: %s; %s" % (words[0], error.strerror, where))


def facts_of(program):
    """What `depthbench env` says, as a dictionary."""
    try:
        said = subprocess.run([program, "env"], stdout=subprocess.PIPE, universal_newlines=True)
    except OSError as error:
        fail("profile", 5, "%s: %s; run make first" % (program, error.strerror))
    if said.returncode != 0:
        sys.exit(said.returncode)
    return dict(line.split("=", 1) for line in said.stdout.splitlines() if "=" in line)


def cells_of(program, arguments, kind="/gpu-"):
    """(impl, {key: value}, {setting: value}) of each GPU cell, once; of the settings those that say what is run, and the first
    section that has it."""
    listed = subprocess.run([program, "list"] + arguments + ["--all"], stdout=subprocess.PIPE, universal_newlines=True)
    if listed.returncode not in (0, 77):
        sys.exit(listed.returncode)
    cells, known = [], set()
    for line in listed.stdout.splitlines():
        words = line.split()
        if len(words) < 3 or kind not in words[1] or "=" not in words[2]:  # SECTION IMPL KEY=VALUE;... SETTING=VALUE...
            continue
        params = dict(pair.split("=", 1) for pair in words[2].split(";") if "=" in pair)
        said = dict(word.split("=", 1) for word in words[3:] if "=" in word)
        settings = {"input": said.get("input", ""), "frame_pick": said.get("frame_pick", "all"), "batch": said.get("batch", "1"),
                    "transfer": said.get("transfer", "copy"), "sms": said.get("sms", "")}
        if settings["frame_pick"] == "all" and settings["batch"] == "1":
            settings["frames"] = "1"  # the first of a set stands for it
        elif "frames" in said:
            settings["frames"] = said["frames"]
        cell = (words[1], words[2], tuple(settings.items()))
        if cell not in known:
            known.add(cell)
            cells.append((words[1], params, dict(settings, section=words[0])))
    return cells


def text_of(params):
    return ";".join("%s=%s" % pair for pair in sorted(params.items()))


def command_of(program, experiment, cell, results):
    """The run of one configuration: one timed range, of one launch of the variant after another."""
    impl, params, settings = cell
    # without its section the same configuration would come once from each
    command = [program, "run", experiment, "-g", settings["section"], "-i", impl, "--profile", "-q", "--results", results]
    for key, value in sorted(params.items()):
        command += ["-S", "%s=%s" % (key, value)]
    for key in ("input", "frame_pick", "batch", "transfer", "sms", "frames"):
        if settings.get(key):
            command += ["-S", "%s=%s" % (key, settings[key])]
    return command + ["-S", "mode=any", "-S", "energy=0", "-S", "series=hot", "-S", "scope=kernel", "-S", "stages=0"]
