"""What every Python client is asked to do, and how it is judged.

A client's program passes `run` a function `connect(command, user=None)`: an asynchronous context manager over a session with
`version`, `list()` (tools), `call(name, arguments)` (a result), `ping()` and `Refused`, the SDK's exception for a
protocol error; for the board also `resources()`, `templates()`, `read(uri)`, `prompts()`, `prompt(name, arguments)`,
`complete_prompt(name, argument, value)`, `complete_address(uri, variable, value)` (values), `call_logged(name, arguments,
level)`, which asks for the log from that level on, `logs`, where that is kept as pairs of level and data, and a third
argument of `call`, which is told of progress. `user(message, schema)` gives the action and the content for a form; without
it the client cannot show any. Tools and results are dictionaries with the names of the protocol.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
MODERN = "2026-07-28"
META_VERSION = "io.modelcontextprotocol/protocolVersion"

ADD_SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
QUOTE_SCHEMA = {
    "type": "object",
    "properties": {
        "room": {"type": "string", "enum": ["Focus", "Studio", "Boardroom"]},
        "tier": {"type": "string", "enum": ["basic", "pro"]},
        "hours": {"type": "integer"},
    },
    "required": ["room", "tier", "hours"],
}
# Letters with and without combining marks, both directions, beyond the basic plane, and what JSON and lines give a meaning.
UNICODE = 'ñ n\u0303 ß 漢字 עברית 🦀 👩‍👩‍👧 \U0010ffff "\\/ \t\r\n\x00\x1f\x7f\u0085\u2028\u2029\ufeff end'
BIG = "0123456789 áβ🦀\n" * (200 * 1024 // 20)


class Checks:
    def __init__(self, client):
        self.client = client
        self.failed = 0

    def that(self, what, holds, got):
        if holds:
            print(f"ok   {self.client}: {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {self.client}: {what}: got {str(got)[:400]!r}", flush=True)

    def equal(self, what, got, expected):
        self.that(what, got == expected, got)

    def answer(self, what, result, text):
        self.equal(what, (bool(result.get("isError")), texts(result)), (False, [text]))

    def argument_error(self, what, result, *names):
        text = "".join(texts(result))
        self.that(what, result.get("isError") is True and all(f"{name}: " in text for name in names), result)


def texts(result):
    return [block.get("text") for block in result["content"]]


def run(client, server, records, connect, version):
    checks = Checks(client)
    record = Path(records) / client.replace(" ", "-")

    async def sessions():
        await calc(checks, connect([server, "serve", "calc"]), version)
        await reservo(checks, connect([server, "serve", "reservo"]))
        await tasks(checks, connect([server, "serve", "tasks"]))
        await board(checks, connect([server, "serve", "board"]), version)
        await calibration(checks, lambda user=None: connect([server, "serve", "board"], user), version)
        async with connect(["bash", str(HERE / "witness.sh"), str(record), server, "serve", "calc"]) as session:
            await session.list()
            await session.call("echo", {"text": "witnessed"})

    asyncio.run(sessions())
    witnessed(checks, record, version)
    no_child_left(checks)
    sys.exit(1 if checks.failed else 0)


async def calc(checks, connection, version):
    async with connection as session:
        checks.equal("negotiated version", session.version, version)
        # Before any list: a client may know the tools already.
        result = await session.call("add", {"a": 0.1, "b": 0.2})
        checks.answer("calc add before the list", result, "0.30000000000000004")
        tools = await session.list()
        checks.equal("calc tools", [tool["name"] for tool in tools], ["add", "echo"])
        checks.equal("calc schema of add", tools[0]["inputSchema"], ADD_SCHEMA)
        checks.argument_error("calc argument error", await session.call("add", {"a": "x"}), "a", "b")
        await unknown_tool(checks, session)
        checks.answer("calc echo of Unicode", await session.call("echo", {"text": UNICODE}), UNICODE)
        checks.answer("calc echo of 200 KiB", await session.call("echo", {"text": BIG}), BIG)
        sent = [f"call {number}" for number in range(20)]
        results = await asyncio.gather(*(session.call("echo", {"text": text}) for text in sent))
        checks.equal("calc 20 calls in flight", [texts(result) for result in results], [[text] for text in sent])
        big = await asyncio.gather(*(session.call("echo", {"text": f"{number}{BIG}"}) for number in range(4)))
        checks.equal("calc 4 big calls in flight", [texts(r) for r in big], [[f"{n}{BIG}"] for n in range(4)])
        if version != MODERN:
            await session.ping()
            checks.that("ping", True, None)


async def unknown_tool(checks, session):
    what = "unknown tool is error -32602"
    try:
        checks.that(what, False, await session.call("nope", {}))
    except session.Refused as refused:
        checks.that(what, refused.error.code == -32602 and "nope" in refused.error.message, refused.error)


async def reservo(checks, connection):
    async with connection as session:
        tools = await session.list()
        names = [tool["name"] for tool in tools]
        checks.equal("reservo tools", names, ["list_rooms", "get_quote", "book_room", "cancel_booking"])
        checks.equal("reservo schema of get_quote", tools[1]["inputSchema"], QUOTE_SCHEMA)
        result = await session.call("get_quote", {"room": "Studio", "tier": "pro", "hours": 3})
        checks.that("reservo get_quote", not result.get("isError") and "6000" in texts(result)[0], result)
        result = await session.call("get_quote", {"room": "Studio", "tier": "gold", "hours": 2.5})
        checks.argument_error("reservo argument error", result, "tier", "hours")


async def tasks(checks, connection):
    async with connection as session:
        names = [tool["name"] for tool in await session.list()]
        expected = ["create_task", "complete_task", "list_tasks", "get_weather", "set_status", "withdraw"]
        checks.equal("tasks tools", names, expected)
        result = await session.call("create_task", {"input": {"title": "Comprar café", "priority": "high"}})
        checks.answer("tasks create_task", result, "Tarea creada 1: Comprar café (prioridad: high)")
        result = await session.call("create_task", {"input": {"title": "Comprar té", "priority": "urgent"}})
        checks.argument_error("tasks nested argument error", result, "input.priority")


async def board(checks, connection, version):
    async with connection as session:
        names = [tool["name"] for tool in await session.list()]
        checks.equal("board tools", names, ["led_set", "blink", "temp_read", "calibrate"])
        await resources(checks, session, version)
        await prompts(checks, session)
        values = await session.complete_prompt("diagnose", "symptom", "too")
        checks.equal("board completion of an argument", values, ["too dark", "too hot"])
        values = await session.complete_address("sensor://{id}/latest", "id", "t")
        checks.equal("board completion of a variable", values, ["t0", "t1"])
        values = await session.complete_prompt("diagnose", "detail", "")
        checks.equal("board without suggestions", values, [])
        completion = session.complete_prompt("diagnose", "nope", "")
        await refusal(checks, session, "board unknown argument is error -32602", completion, -32602)
        await progress(checks, session)
        await logs(checks, session, version)


async def resources(checks, session, version):
    listed = {resource["uri"]: resource for resource in await session.resources()}
    checks.equal("board resources", list(listed), ["device://info", "device://log"])
    templates = [template["uriTemplate"] for template in await session.templates()]
    checks.equal("board templates", templates, ["sensor://{id}/latest"])
    info = "A simulated board with one LED and two thermometers, t0 and t1."
    checks.equal("board size of a constant", listed["device://info"].get("size"), len(info))
    log = ["The LED was switched 0 times. The LED is off.", "The LED was switched 1 times. The LED is on at 40 %."]
    for what, uri, text in [
        ("a constant", "device://info", info),
        ("the log", "device://log", log[0]),
        ("a thermometer", "sensor://t0/latest", "21.5 °C"),
        ("the other thermometer", "sensor://t1/latest", "20.8 °C"),
    ]:
        contents = [{"uri": uri, "mimeType": "text/plain", "text": text}]
        checks.equal(f"board read of {what}", await session.read(uri), contents)
    await session.call("led_set", {"on": True, "level": 40})
    checks.equal("board second read of the log", [part["text"] for part in await session.read("device://log")], [log[1]])
    code = -32602 if version == MODERN else -32002
    for uri in ["sensor://t2/latest", "device://nope"]:
        error = await refusal(checks, session, f"board has no {uri}", session.read(uri), code)
        checks.equal(f"board names the missing {uri}", error and error.data, {"uri": uri})


async def prompts(checks, session):
    listed = await session.prompts()
    arguments = [[(a["name"], a["required"]) for a in prompt["arguments"]] for prompt in listed]
    checks.equal("board prompts", [prompt["name"] for prompt in listed], ["diagnose"])
    checks.equal("board arguments of a prompt", arguments, [[("symptom", True), ("detail", False)]])
    end = " The LED is on at 40 %. Read device://log and both thermometers, and tell me what to do."
    for given, text in [
        ({"symptom": "no light", "detail": "Since noon"}, f"My board has a fault: no light. Since noon.{end}"),
        ({"symptom": UNICODE}, f"My board has a fault: {UNICODE}.{end}"),
    ]:
        messages = [{"role": "user", "content": {"type": "text", "text": text}}]
        checks.equal(f"board prompt with {len(given)} arguments", await session.prompt("diagnose", given), messages)
    await refusal(checks, session, "board unknown prompt is error -32602", session.prompt("nope", {}), -32602)
    missing = session.prompt("diagnose", {"detail": "x"})
    await refusal(checks, session, "board missing argument is error -32602", missing, -32602)


async def progress(checks, session):
    told = []

    async def tell(progress, total, message):
        told.append((progress, total, message))

    checks.answer("board blink", await session.call("blink", {"times": 3}, tell), "The LED has blinked 3 times.")
    checks.equal("board progress", told, [(1, 3, None), (2, 3, None), (3, 3, None)])


async def logs(checks, session, version):
    dark = ("warning", "the LED is on and gives no light: its level is 0 %")
    await session.call("led_set", {"on": True, "level": 0})
    # Warnings come unasked in older revisions.
    expected = [] if version == MODERN else [dark]
    checks.equal("board log, unasked", await told(session.logs, expected), expected)
    await session.call_logged("blink", {"times": 2}, "info")
    await session.call_logged("led_set", {"on": True}, "warning")
    expected += [("info", "the LED blinks 2 times"), dark]
    checks.equal("board log", await told(session.logs, expected), expected)


async def told(kept, expected):
    """What is kept, as soon as it is as much as expected: clients may hand notifications on late."""
    for _ in range(100):
        if len(kept) >= len(expected):
            break
        await asyncio.sleep(0.01)
    return kept


async def calibration(checks, connect, version):
    async with connect() as session:
        if version == MODERN:
            error = await refusal(checks, session, "board cannot ask", session.call("calibrate", {}), -32021)
            needed = error and error.data["requiredCapabilities"]
            checks.equal("board says what it needs to ask", needed, {"elicitation": {"form": {}}})
        else:
            result = await session.call("calibrate", {})
            checks.that("board cannot ask", result.get("isError") is True and "question" in texts(result)[0], result)
            return
    asked = []
    answers = [("decline", None), ("accept", {"tenths": 220, "confirm": True})]

    async def user(message, schema):
        asked.append((message, list(schema["properties"])))
        return answers[len(asked) - 1]

    async with connect(user) as session:
        declined = await session.call("calibrate", {})
        checks.that("board heeds a no", declined.get("isError") is True and "declined" in texts(declined)[0], declined)
        result = await session.call("calibrate", {})
        checks.answer("board is calibrated", result, "The thermometer now shows 22.0 °C.")
        checks.answer("board has been calibrated", await session.call("temp_read", {}), "{\"celsius\":22}")
    question = ("Hold a thermometer beside the LED. What does it show?", ["tenths", "confirm"])
    checks.equal("board asks", asked, [question, question])


async def refusal(checks, session, what, request, code):
    """The error that a request is refused with."""
    try:
        checks.that(what, False, await request)
    except session.Refused as refused:
        checks.equal(what, refused.error.code, code)
        return refused.error


def witnessed(checks, record, version):
    requests = messages(record.with_suffix(".in"))
    replies = messages(record.with_suffix(".out"))
    all_messages = bool(replies) and all(isinstance(r, dict) and r.get("jsonrpc") == "2.0" for r in replies)
    checks.that("every line of the server is a message", all_messages, replies)
    if version == MODERN:
        spoken = {request["params"]["_meta"][META_VERSION] for request in requests if "id" in request}
        checks.equal("version on the wire", spoken, {MODERN})
    else:
        agreed = replies[0]["result"]["protocolVersion"] if all_messages else None
        spoken = (requests[0]["method"], requests[0]["params"]["protocolVersion"], agreed)
        checks.equal("version on the wire", spoken, ("initialize", version, version))
    ended = record.with_suffix(".exit")
    checks.equal("server exits with 0", ended.read_text().strip() if ended.exists() else "not at all", "0")


def messages(path):
    return [message(line) for line in path.read_bytes().split(b"\n") if line]


def message(line):
    """A line that is no JSON stays what it is, and is seen in the failure."""
    try:
        return json.loads(line)
    except ValueError:
        return line


def no_child_left(checks):
    """Neither a running server nor a zombie."""
    try:
        checks.that("no process is left", False, os.waitpid(-1, os.WNOHANG))
    except ChildProcessError:
        checks.that("no process is left", True, None)
