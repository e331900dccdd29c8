"""Lines of the vectors and of a running server follow docs/protocol.schema.json, and so do bodies of `configure`."""

import copy
import json
import re
import socket
import sys
import unittest

from glyphwire_program import PROGRAM, ROOT, SIGN
from jsonschema import Draft202012Validator

sys.path.insert(0, str(ROOT / "clients/conformance"))
from kit import server_check, wire  # noqa: E402

SCHEMA = json.loads((ROOT / "docs/protocol.schema.json").read_text("utf-8"))
BODIES = {"$ref": "#/$defs/configure", "$defs": SCHEMA["$defs"]}
#: Errors that depend on the server, or on more than the values of a body.
BEYOND_A_SCHEMA = {"bad_configuration", "unsupported_language", "level_unavailable"}
#: Bodies in which only a server finds a fault: another may have that level; sums, ranges and expressions are beyond a schema.
ALLOWED_BY_THE_SCHEMA = {
    b'{"level": "turbo"}',
    b'{"characterSet": "9-0"}',
    b'{"report": "changes", "temporal": false}',
    b'{"recognize": false, "report": "changes"}',
    b'{"recognize": false, "find": ["EXIT"]}',
    b'{"regionOfInterest": [0.5, 0, 0.75, 1]}',
    b'{"regions": [{"name": "a", "regionOfInterest": [0, 0, 1, 1]}, {"name": "a", "regionOfInterest": [0, 0, 1, 1]}]}',
    b'{"regions": [{"name": "a", "regionOfInterest": [0, 0, 1, 1], "characterSet": "9-0"}]}',
    b'{"regions": [{"name": "a", "polygon": [0, 0, 0.5, 0, 1, 0]}]}',
    b'{"regions": [{"name": "a", "polygon": [0, 0, 1, 0, 1, 1, 0]}]}',
    b'{"regions": [{"name": "a", "regionOfInterest": [0, 0, 1, 1]}, {"name": "b", "regionOfInterest": [0, 0, 1, 1]}, {"name": "c", "regionOfInterest": [0, 0, 1, 1]}]}',
    b'{"regions": [{"name": "a", "regionOfInterest": [0, 0, 1, 1]}], "regionOfInterest": [0, 0, 1, 0.5]}',
    b'{"find": ["/a(b/"]}',
    rb'{"find": ["ok", "/(a)\\1/"]}',
}


def schemas(node):
    """A schema and all those in it."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from schemas(value)
    elif isinstance(node, list):
        for value in node:
            yield from schemas(value)


def strict(schema, is_partial=False):
    """The same schema, but only what it names is allowed; if `is_partial`, members may be missing."""
    schema = copy.deepcopy(schema)
    for one in schemas(schema):
        if one.get("type") == "object" and "$defs" not in one:
            one["additionalProperties"] = False
        if is_partial:
            # A rule such as {"$type": "string"} stands for any string.
            one.pop("enum", None)
            one.pop("required", None)
            # Of alternatives by what is required, nothing is left.
            one.pop("oneOf", None)
        if "x-known" in one:
            one["enum"] = one["x-known"]
    return schema


def flaws(schema, value):
    errors = Draft202012Validator(schema).iter_errors(value)
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


def example(expected):
    """What a vector expects, each rule replaced by a value that follows it; without the members that must be absent."""
    if isinstance(expected, list):
        return [example(value) for value in expected]
    if not isinstance(expected, dict):
        return expected
    if "$near" in expected:
        return expected["$near"]
    if "$prefix" in expected:
        return example(expected["$prefix"])
    if "$contains" in expected:
        return expected["$contains"]
    if "$type" in expected:
        return {"integer": 1, "number": 0.5, "string": "text"}[expected["$type"]]
    return {name: example(value) for name, value in expected.items() if value != {"$absent": True}}


def absent_names(expected, where=()):
    """Where a vector expects members to be absent, as paths of names."""
    if isinstance(expected, list):
        for value in expected:
            yield from absent_names(value, where)
    elif expected == {"$absent": True}:
        yield where
    elif isinstance(expected, dict):
        for name, value in expected.items():
            yield from absent_names(value, (*where, name))


def members(schema, names):
    """Schemas that `names` lead to from `schema`."""
    if schema is False:
        return
    if "$ref" in schema:
        yield from members(SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], names)
    if "items" in schema:
        yield from members(schema["items"], names)
    if not names:
        yield schema
    elif names[0] in schema.get("properties", {}):
        yield from members(schema["properties"][names[0]], names[1:])


def played(vectors):
    """Each vector with the lines that a server answers it with, `hello` first."""
    for arguments in sorted({tuple(one.arguments) for one in vectors}):
        with server_check.ServerProgram(PROGRAM, arguments) as server:
            for vector in vectors:
                if tuple(vector.arguments) == arguments:
                    yield vector, server_check.answers("127.0.0.1", server.port, [vector.data])


class ProtocolSchema(unittest.TestCase):
    def assert_valid(self, schema, value, of):
        self.assertEqual(flaws(schema, value), [], of)

    def test_it_is_a_schema(self):
        Draft202012Validator.check_schema(SCHEMA)

    def test_vectors_expect_members_that_it_names(self):
        schema = strict(SCHEMA, is_partial=True)
        for vector in server_check.vectors():
            for number, line in enumerate(vector.lines, 1):
                self.assert_valid(schema, example(line), f"{vector.name}, line {number}")
                for names in absent_names(line):
                    self.assertTrue(list(members(SCHEMA["$defs"][line["type"]], names)), f"{vector.name}: {names}")

    def test_a_server_follows_it_in_every_vector(self):
        types, bodies = {"hello"}, 0
        for vector, lines in played(server_check.vectors()):
            for line in lines:
                self.assert_valid(SCHEMA, line, vector.name)
                self.assert_valid(strict(SCHEMA), line, vector.name)
                types.add(line["type"])
            bodies += self.check_bodies(vector, lines)
        self.assertEqual(types, set(SCHEMA["properties"]["type"]["x-known"]) - {"goaway"})
        self.assertGreater(bodies, 50)

    def check_bodies(self, vector, lines):
        """Holds the bodies of `configure` to how they are answered; how many there were."""
        try:
            messages = wire.messages(vector.data)
        except ValueError:
            return 0  # it shows what becomes of bytes that are no message
        count = 0
        for message, answer in zip(messages, lines):
            if message.type != wire.CONFIGURE or answer.get("code") in BEYOND_A_SCHEMA:
                continue
            count += 1
            body, of = json.loads(message.payload or "{}"), f"{vector.name}: {message.payload[:200]!r}"
            if answer["type"] == "configured":
                self.assert_valid(BODIES, body, of)
            elif answer["code"] in ("unknown_option", "bad_option") and message.payload not in ALLOWED_BY_THE_SCHEMA:
                self.assertNotEqual(flaws(BODIES, body), [], of)
        return count

    def test_a_server_that_stops_follows_it(self):
        with server_check.ServerProgram(PROGRAM) as server:
            connection = socket.create_connection(("127.0.0.1", server.port), server_check.PATIENCE)
            lines = connection.makefile("rb")
            found = [json.loads(lines.readline())]
        with connection, lines:
            found += map(json.loads, lines)
        self.assertEqual([line["type"] for line in found], ["hello", "goaway"])
        for line in found:
            self.assert_valid(strict(SCHEMA), line, line["type"])

    def test_a_stream_with_many_options_follows_it(self):
        options = {"candidates": 3, "find": ["street", r"/\w+/"], "clock_offset_us": 5, "client": "schema"}
        frames = [wire.message(wire.FRAME, SIGN.read_bytes(), format=1, sequence=i, captured_us=1) for i in range(3)]
        every = wire.configure(delivery="every", temporal=True, **options)
        session = [every, *frames, wire.message(wire.STATS), wire.message(wire.END)]
        with server_check.ServerProgram(PROGRAM) as server:
            lines = server_check.answers("127.0.0.1", server.port, [one.bytes for one in session])
        for line in lines:
            self.assert_valid(strict(SCHEMA), line, line["type"])
        for name in ["matches", "age_ms", "reused"]:
            self.assertIn(name, lines[3])

    def test_what_a_newer_server_may_send_is_allowed(self):
        frame = wire.message(wire.FRAME, bytes(32), format=5, width=8, height=4)
        newer = wire.full_result(frame) | {"status": "ok", "mood": {"new": True}}
        newer["lines"][0]["words"][0]["new"] = 1
        for line in [newer, {"type": "weather", "sky": "blue"}, wire.failed(frame, "new_code")]:
            self.assert_valid(SCHEMA, line, line["type"])
            self.assertNotEqual(flaws(strict(SCHEMA), line), [])
        self.assertNotEqual(flaws(SCHEMA, wire.failed(frame, "new_code") | {"captured_us": -1}), [])
        self.assertNotEqual(flaws(BODIES, {"level": "fast", "colour": "blue"}), [])

    def test_it_names_what_the_document_lists(self):
        document = (ROOT / "Protocol.md").read_text("utf-8")

        def column(header):
            rows = document.split(f"\n| {header} |", 1)[1].split("\n\n")[0].splitlines()[2:]
            return {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}

        self.assertEqual(column("option | type | default"), set(SCHEMA["$defs"]["options"]["properties"]))
        self.assertEqual(column("code | fatal"), set(SCHEMA["$defs"]["error_code"]["x-known"]))
        warnings = SCHEMA["$defs"]["warning"]["properties"]["code"]["x-known"]
        self.assertEqual(column("code | further members"), set(warnings))
        for name in SCHEMA["properties"]["type"]["x-known"]:
            self.assertIn(f"\n### `{name}`\n", document)


if __name__ == "__main__":
    unittest.main()
