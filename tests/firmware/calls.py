#!/usr/bin/env python3
"""Sees to it that nothing in the images for the Cortex-M3 calls itself, at once or over others. Build them first: build.sh.

    calls.py            the number of functions and calls of each image; fails on a cycle

How: the image is disassembled. A branch from one function to another is a call: `bl`, and a plain branch as the last thing
that a function does. Calls through a register are counted and not followed: they go to the function of a tool, to a
`Display` or to a writer, so that they nest as deep as types do, never as deep as a message. What that takes of the stack is
measured by sizes.py, which also compares the deepest message with a flat one.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

IMAGES = Path(__file__).resolve().parent / "target/thumbv7m-none-eabi/release"
NAMES = ["board", "reservo", "calc", "tasks"]

FUNCTION = re.compile(r"^([0-9a-f]+) <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+([a-z0-9.]+)\s*(.*)$")
TARGET = re.compile(r"<([^+>]+)(\+0x[0-9a-f]+)?>")
BRANCH = re.compile(r"^(bl|b|b[a-z]{2}|cbn?z)$")


def binutils(tool, *arguments):
    name = "arm-none-eabi-" + tool
    if not shutil.which(name):
        sys.exit(f"there is no {name}: apt-get install binutils-arm-none-eabi")
    return subprocess.run([name, *arguments], check=True, text=True, capture_output=True).stdout


def sizes(image):
    """The size of each function, where the image says it: what is behind its end is padding, and no instruction."""
    found = [line.split() for line in binutils("nm", "-S", str(image)).splitlines()]
    return {words[3]: int(words[1], 16) for words in found if len(words) == 4 and words[2] in "tTwW"}


def calls(text, sizes):
    """Which functions each function calls, and how many calls go through a register."""
    graph, indirect, function, end = {}, 0, None, 0
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            function = match[2]
            end = int(match[1], 16) + sizes.get(function, 1 << 32)
            graph.setdefault(function, set())
        elif function and (match := INSTRUCTION.match(line)) and int(match[1], 16) < end:
            name, operands = match[2].split(".")[0], match[3]
            if name in ("blx", "bx"):
                indirect += operands.split()[0] != "lr"
            elif BRANCH.match(name) and (target := TARGET.search(operands)):
                # Within a function a branch is a loop or an `if`; `bl` to its own start is a call.
                if target[1] != function or name == "bl":
                    graph[function].add(target[1])
    return graph, indirect


def cycle(graph):
    """A cycle, if there is one."""
    done = set()
    for start in graph:
        path, stack = [], [(start, iter(graph[start]))]
        while stack:
            function, rest = stack[-1]
            if not path or path[-1] != function:
                path.append(function)
            for callee in rest:
                if callee in path:
                    return [*path[path.index(callee) :], callee]
                if callee not in done:
                    stack.append((callee, iter(graph.get(callee, ()))))
                    break
            else:
                done.add(function)
                stack.pop()
                path.pop()
    return None


def test():
    """That a cycle is found, and a loop is none."""
    text = """
00000400 <a>:
     400:\tbl\t500 <b>
     404:\tb.n\t402 <a+0x2>
     406:\tbls.n\t400 <a>
     408:\tblx\tr3
     40a:\tbx\tlr

00000500 <b>:
     500:\tb.w\t600 <c>

00000600 <c>:
     600:\tbx\tlr
     602:\tbmi.n\t510 <b+0x10>
"""
    lengths = {"a": 12, "c": 2}
    assert calls(text, lengths) == ({"a": {"b"}, "b": {"c"}, "c": set()}, 1)
    assert cycle(calls(text, lengths)[0]) is None
    for callee, expected in [("400 <a>", ["a", "b", "c", "a"]), ("600 <c>", ["c", "c"])]:
        assert cycle(calls(text.replace("600:\tbx\tlr", f"600:\tbl\t{callee}"), lengths)[0]) == expected


def main():
    test()
    wrong = []
    for name in NAMES:
        image = IMAGES / name
        graph, indirect = calls(binutils("objdump", "-d", "--no-show-raw-insn", str(image)), sizes(image))
        direct = sum(map(len, graph.values()))
        print(f"{name:8} {len(graph):4} functions, {direct:4} direct calls, {indirect:3} through a register")
        if not any("toolwire" in function for function in graph) or direct < 100:
            wrong.append(f"{name}: this is no disassembly of it")
        if found := cycle(graph):
            wrong.append(f"{name}: calls itself: {' -> '.join(found)}")
    if wrong:
        sys.exit("\n".join(wrong))


main()
