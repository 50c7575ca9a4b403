#!/usr/bin/env python3
"""Measures the images for the Cortex-M3, and compares them with sizes.txt and its budgets. Build them first: build.sh.

    sizes.py                    the table; fails if a figure has risen, or a budget is exceeded
    sizes.py --bless            writes the figures into sizes.txt
    sizes.py --symbols IMAGE    the 30 largest symbols
    sizes.py --profile IMAGE    the 30 functions with the most instructions for the call that is counted

How, all on the very image that the tests run:
- flash: the bytes that the ELF file loads: vectors, code, constants, initial values.
- static: the bytes of RAM with an address, less the 2048 of the frame buffer.
- stack: what RAM is left for it is filled with a pattern before the start; then come all lines of tests/data and what nests deepest; what
  is no longer the pattern afterwards was stack.
  Besides, the deepest messages that are accepted must take no more of it than flat ones.
- cost: what the flash of one image has more than that of another.
- panics: symbols of core::panicking, floats: symbols of arithmetic with floats, their parser and printer.
- instructions: those executed for one tools/call of about 100 bytes, without the driver of the UART, which waits. The
  emulator logs every one of them. The driver returns single bytes, so they are the same at each run.
"""

import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from json import dumps, loads
from pathlib import Path

HERE = Path(__file__).resolve().parent
IMAGES = HERE / "target/thumbv7m-none-eabi/release"
DATA = HERE.parent / "data"
FIGURES = HERE / "sizes.txt"

FRAME = 2048
FLASH_SIZE = 256 * 1024
RAM, RAM_SIZE = 0x2000_0000, 64 * 1024
PATTERN = b"\xa5\x5a\xc3\x3c"
PATIENCE = 60

COLUMNS = ["flash", "static", "stack", "panics", "floats", "instructions"]
# What costs so much flash, the image with it, and the one without.
COSTS = {
    "one-more-tool": ("three-tools", "two-tools"),
    "second-capacity": ("two-capacities", "reservo"),
    **{
        name: ("with-" + name, "two-tools")
        for name in (
            "resource", "template", "subscription", "prompt", "json", "progress", "log", "cancellation", "question", "waiting"
        )
    },
}
# By how much a figure may rise unnoticed.
TOLERANCE = {"cost": 16, "flash": 64, "static": 0, "stack": 16, "panics": 0, "floats": 0, "instructions": 200}

BRACKETS = [("[", "]"), ('{"x":', "}")]
ARGUMENTS = [("led_set", "level"), ("get_quote", "room"), ("echo", "text"), ("create_task", "input")]

# The deepest message that is accepted, a flat one of the same kind, and how much more stack the deep one may take.
DEEP, FLAT, DEEPER = 64, 4, 64

# The call that is counted.
CALLS = {
    "board": {"name": "led_set", "arguments": {"on": True, "level": 50}},
    "reservo": {"name": "get_quote", "arguments": {"room": "Studio", "tier": "pro", "hours": 3}},
    "calc": {"name": "add", "arguments": {"a": 12.25, "b": 0.1}},
    "tasks": {"name": "create_task", "arguments": {"input": {"title": "Comprar pan", "priority": "high"}}},
}


class Elf:
    """What is of interest of an executable for 32 bits, little-endian."""

    def __init__(self, path):
        if not path.exists():
            sys.exit(f"no image {path}: run tests/firmware/build.sh")
        self.path = path
        data = path.read_bytes()
        header = struct.unpack_from("<HHIIIIIHHHHHH", data, 16)
        segments, sections, (seg_size, seg_count, size, count) = header[4], header[5], header[8:12]
        segments = [struct.unpack_from("<8I", data, segments + i * seg_size) for i in range(seg_count)]
        # Type 1 is loaded: (type, offset, address, physical address, bytes in the file, bytes in memory, …).
        self.flash = sum(s[4] for s in segments if s[0] == 1)
        self.ram = sum(s[5] for s in segments if s[0] == 1 and RAM <= s[2] < RAM + RAM_SIZE)
        self.symbols = []
        self.addresses = {}
        sections = [struct.unpack_from("<10I", data, sections + i * size) for i in range(count)]
        # Type 2 is a table of symbols: (name, type, flags, address, offset, size, link, …).
        for _, kind, _, _, offset, size, link, *_ in sections:
            if kind != 2:
                continue
            names = sections[link][4]
            for at in range(offset, offset + size, 16):
                name, value, length, info, _, _ = struct.unpack_from("<IIIBBH", data, at)
                name = data[names + name : data.index(b"\0", names + name)].decode()
                self.addresses[name] = value
                if info & 15 in (1, 2) and length:
                    # Bit 0 of a function's address is for its instruction set.
                    self.symbols.append((value & ~1 if info & 15 == 2 else value, length, name))
        self.symbols.sort()

    def largest(self):
        return sorted(((length, name) for _, length, name in self.symbols), reverse=True)[:30]

    def matching(self, pattern):
        return sorted(name for _, _, name in self.symbols if re.search(pattern, name))


def readable(names):
    """Without the mangling, where there is a tool for that."""
    filter_ = shutil.which("c++filt")
    if not filter_:
        return list(names)
    return subprocess.run([filter_], input="\n".join(names), text=True, capture_output=True).stdout.splitlines()


class Device:
    def __init__(self, image, *options):
        listener = socket.create_server(("127.0.0.1", 0))
        monitor = socket.create_server(("127.0.0.1", 0))
        address = ["tcp:127.0.0.1:%s,nodelay=on" % s.getsockname()[1] for s in (listener, monitor)]
        command = ["qemu-system-arm", "-machine", "lm3s6965evb", "-display", "none", "-kernel", str(image)]
        command += ["-serial", address[0], "-monitor", address[1], *options]
        command += ["-semihosting-config", "enable=on,target=native"]
        self.emulator = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for server in (listener, monitor):
            server.settimeout(PATIENCE)
        try:
            self.monitor = monitor.accept()[0]
            self.line = listener.accept()[0]
        except TimeoutError:
            self.emulator.kill()
            sys.exit(f"the emulator does not start: {self.emulator.stderr.read().decode()}")
        for peer in (self.monitor, self.line):
            peer.settimeout(PATIENCE)
        self.answers = self.line.makefile("rb")
        self.prompt()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.emulator.kill()
        self.emulator.communicate()

    def send(self, line):
        """Sends a line, and returns those that come back."""
        self.line.sendall(line + b'\n{"jsonrpc":"2.0","id":"last","method":"ping"}\n')
        answers = []
        while not (answer := self.answers.readline()).startswith(b'{"jsonrpc":"2.0","id":"last"'):
            if not answer:
                sys.exit(f"the device has ended at {line}: {self.emulator.stderr.read().decode()}")
            answers.append(answer)
        return answers

    def command(self, text):
        """Tells the emulator something, and waits until that is done."""
        self.monitor.sendall(text.encode() + b"\n")
        self.prompt()

    def prompt(self):
        # It comes after a newline, which ends the greeting or the echo of the command.
        printed = b""
        while b"\n" not in printed or not printed.endswith(b"(qemu) "):
            printed += self.monitor.recv(4096)


def workload():
    """All lines of tests/data, and nesting."""
    for path in sorted(DATA.glob("*.jsonl")):
        # They end with a newline only: some hold U+2028.
        for line in path.read_text().split("\n"):
            if not line:
                continue
            entry = loads(line)
            if "call" in entry:
                yield dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": entry["call"]}).encode()
            elif "raw_hex" in entry:
                yield bytes.fromhex(entry["raw_hex"])
            elif isinstance(message := entry.get("send", entry.get("raw", entry)), str):
                yield message.encode()
            else:
                yield dumps(message).encode()
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]:
        params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        yield dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
        yield b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    deep = [*range(1, 12), 63, 64, 65, 127, 128, 129]
    for tool, argument in ARGUMENTS:
        nested = [opening * depth + "0" + closing * depth for depth in deep for opening, closing in BRACKETS]
        for value in nested:
            params = f'{{"name":"{tool}","arguments":{{"{argument}":{value}}}}}'
            yield f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'.encode()


def nested(depth):
    """Messages whose values nest so deep, the message itself included: ignored, refused by a tool, and a batch."""
    for opening, closing in BRACKETS:
        value = lambda above: opening * (depth - above) + "0" + closing * (depth - above)
        yield f'{{"jsonrpc":"2.0","id":1,"method":"ping","x":{value(1)}}}'.encode()
        for tool, argument in ARGUMENTS:
            params = f'{{"name":"{tool}","arguments":{{"{argument}":{value(3)}}}}}'
            yield f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'.encode()
        yield ("[" + value(1) + "]").encode()


def stack(elf, lines):
    """The bytes of stack that lines take."""
    low, top = elf.addresses["_stack_end"], elf.addresses["_stack_start"]
    with tempfile.TemporaryDirectory() as folder:
        paint, dump = Path(folder) / "paint", Path(folder) / "dump"
        paint.write_bytes(PATTERN * ((top - low) // 4))
        with Device(elf.path, "-device", f"loader,file={paint},addr={low:#x},force-raw=on") as device:
            for line in lines:
                device.send(line)
            device.command(f"pmemsave {low:#x} {top - low} \"{dump}\"")
        memory = dump.read_bytes()
    if not memory.startswith(PATTERN * 64):
        sys.exit(f"{elf.path.name}: the stack has reached the statics, or RAM was not painted")
    return top - low - next(at for at in range(0, top - low, 4) if memory[at : at + 4] != PATTERN)


def one_instruction():
    """The option that makes the emulator take the instructions one by one; newer ones spell it otherwise."""
    version = subprocess.run(["qemu-system-arm", "--version"], capture_output=True, text=True).stdout
    major, minor = map(int, re.search(r"version (\d+)\.(\d+)", version).groups())
    return ["-accel", "tcg,one-insn-per-tb=on"] if (major, minor) >= (8, 1) else ["-singlestep"]


def trace(elf):
    """The addresses of the instructions that the call takes."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALLS[elf.path.name]}
    call = dumps(call, separators=(",", ":")).encode() + b"\n"
    # All but the driver, which waits.
    driver = [s for s in elf.symbols if "toolwire_firmware" in s[2] and re.search(r"Uart.*(4read|5write)", s[2])]
    if len(driver) != 2:
        sys.exit(f"{elf.path.name}: the functions of the driver were not found")
    starts = [0] + [address + length for address, length, _ in driver]
    ends = [address for address, _, _ in driver] + [FLASH_SIZE]
    ranges = [f"{start:#x}..{end - 1:#x}" for start, end in zip(starts, ends) if start < end]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        options = [*one_instruction(), "-d", "exec,nochain", "-D", str(log), "-dfilter", ",".join(ranges)]
        with Device(elf.path, *options) as device:
            size = 0
            # The first puts to rest what happens once.
            for _ in range(2):
                before = size
                device.line.sendall(call)
                answer = device.answers.readline()
                if b'"isError":false' not in answer:
                    sys.exit(f"{elf.path.name}: not the call that was meant: {answer}")
                # Until it waits for the next byte.
                while (now := log.stat().st_size) != size:
                    size = now
                    time.sleep(0.2)
        lines = log.read_bytes()[before:size].splitlines()
    # "Trace 0: 0x7f… [flags/address/flags/flags] …"
    return len(call), [int(line.split(b"[")[1].split(b"/")[1], 16) for line in lines if line.startswith(b"Trace")]


def measure(name):
    elf = Elf(IMAGES / name)
    return {
        "flash": elf.flash,
        "static": elf.ram - FRAME,
        "stack": stack(elf, workload()),
        "panics": len(elf.matching("4core9panicking")),
        "floats": len(elf.matching(r"__aeabi_[df]|__(add|sub|mul|div)[ds]f3|[ds]fcmp|dec2flt|flt2dec|zmij")),
        "instructions": len(trace(elf)[1]),
    }


def cost(name):
    with_it, without = COSTS[name]
    return Elf(IMAGES / with_it).flash - Elf(IMAGES / without).flash


def kept():
    """The figures, the costs and the budgets of sizes.txt."""
    figures, costs, budgets = {}, {}, []
    for line in FIGURES.read_text().splitlines():
        words = line.split()
        if not words or words[0] in ("#", "image"):
            continue
        if words[0] == "cost":
            costs[words[1]] = int(words[2])
        elif words[0] == "budget":
            image, column, limit, *state = words[1:]
            budgets.append((image, column, int(limit), state == ["open"]))
        else:
            figures[words[0]] = dict(zip(COLUMNS, map(int, words[1:])))
    return figures, costs, budgets


HEAD = """\
# The images for the Cortex-M3 as sizes.py measures them. After a change that is meant: sizes.py --bless
# A budget that is exceeded must be marked as open, and one that is marked must be exceeded.
"""


def row(cells):
    return "{:8}".format(cells[0]) + "".join(f"{cell:>14}" for cell in cells[1:])


def table(measured):
    return [row(["image", *COLUMNS])] + [row([name, *figures.values()]) for name, figures in measured.items()]


def main():
    if sys.argv[1:2] == ["--symbols"]:
        largest = Elf(IMAGES / sys.argv[2]).largest()
        for (length, _), name in zip(largest, readable(name for _, name in largest)):
            print(f"{length:6}  {name}")
        return
    if sys.argv[1:2] == ["--profile"]:
        elf = Elf(IMAGES / sys.argv[2])
        length, addresses = trace(elf)
        counts = {}
        for address in addresses:
            found = [name for start, size, name in elf.symbols if start <= address < start + size]
            counts[(found or ["?"])[0]] = counts.get((found or ["?"])[0], 0) + 1
        most = sorted(counts.items(), key=lambda item: -item[1])[:30]
        print(f"{len(addresses):6}  all, for {length} bytes")
        for (_, count), name in zip(most, readable(name for name, _ in most)):
            print(f"{count:6}  {name}")
        return

    figures, costs, budgets = kept()
    measured = {name: measure(name) for name in CALLS}
    costs_now = {name: cost(name) for name in COSTS}
    cost_lines = [f"cost {name} {value}" for name, value in costs_now.items()]
    print(*table(measured), *cost_lines, sep="\n")
    if sys.argv[1:] == ["--bless"]:
        lines = [
            f"budget {image} {column} {limit}" + (" open" if is_open and measured[image][column] > limit else "")
            for image, column, limit, is_open in budgets
        ]
        FIGURES.write_text(HEAD + "\n".join([*table(measured), "", *cost_lines, "", *lines]) + "\n")
        return
    wrong = []
    now = [(name, column, value, figures.get(name, {})) for name in measured for column, value in measured[name].items()]
    now += [(name, "cost", value, {"cost": costs.get(name, -1)}) for name, value in costs_now.items()]
    for name, column, value, before in now:
        before = before.get(column, -1)
        if value > before + TOLERANCE[column]:
            wrong.append(f"{name}: {column} has risen from {before} to {value}")
        elif value < before - TOLERANCE[column]:
            print(f"{name}: {column} has fallen from {before} to {value}: keep that with --bless")
    for name in measured:
        flat, deep = (stack(Elf(IMAGES / name), nested(depth)) for depth in (FLAT, DEEP))
        print(f"{name}: {flat} bytes of stack for {FLAT} levels, {deep} for {DEEP}")
        if deep > flat + DEEPER:
            wrong.append(f"{name}: messages of {DEEP} levels take {deep} bytes of stack, those of {FLAT} take {flat}")
    for image, column, limit, is_open in budgets:
        value = measured[image][column]
        if value > limit and not is_open:
            wrong.append(f"{image}: {column} is {value}, and the budget is {limit}")
        elif value <= limit and is_open:
            wrong.append(f"{image}: {column} is {value}, within the budget of {limit}: it is no longer open")
        elif is_open:
            print(f"{image}: {column} is {value}: {value - limit} over the budget of {limit}, which is open")
    if wrong:
        sys.exit("\n".join(wrong))


main()
