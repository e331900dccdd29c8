"""Tests/Vectors/http/read.json, sent to a running server by curl."""

import gzip
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from glyphwire_program import ROOT, SIGN, server
from jsonschema import Draft202012Validator

VECTORS = json.loads((ROOT / "Tests/Vectors/http/read.json").read_text("utf-8"))
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/protocol.schema.json").read_text("utf-8")))


def curl(url, *arguments):
    """Status, content type and body of a response."""
    command = ["curl", "--silent", "--show-error", "--write-out", "\n%{http_code} %{content_type}", *arguments, url]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace")
    body, _, rest = output.rpartition("\n")
    status, _, content_type = rest.partition(" ")
    return int(status), content_type, body


def arguments(vector, folder):
    """The arguments of curl for a vector."""
    found = [part for header in vector.get("headers", []) for part in ("--header", header)]
    found += ["--request", vector["method"]] if "method" in vector else []
    found += [part for field in vector.get("fields", []) for part in ("--form", field)]
    found += [part for file in vector.get("files", []) for part in ("--form", f"file=@{ROOT / file}")]
    if "body" in vector:
        body = ROOT / vector["body"]
        if vector.get("gzip"):
            packed = Path(folder) / "packed"
            packed.write_bytes(gzip.compress(body.read_bytes()))
            body, found = packed, found + ["--header", "Content-Encoding: gzip"]
        found += ["--data-binary", f"@{body}"]
    return found


class ReadHTTP(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = cls.enterClassContext(server())

    def test_vectors(self):
        with tempfile.TemporaryDirectory() as folder:
            for vector in VECTORS:
                with self.subTest(f"{vector['rule']}: {vector['title']}"):
                    url = f"{self.address}/v1/read?{vector.get('query', '')}".rstrip("?")
                    self.check(vector, *curl(url, *arguments(vector, folder)))

    def check(self, vector, status, content_type, body):
        self.assertEqual(status, vector["status"], body)
        self.assertEqual(content_type, vector.get("content_type", content_type))
        self.assertIn(vector.get("contains", ""), body)
        if "json" not in content_type:
            return
        lines = [json.loads(line) for line in body.splitlines()]
        for line in lines:
            SCHEMA.validate(line)
        for line, text in zip(lines, vector.get("texts", []), strict="texts" in vector):
            self.assertEqual(line["status"], "error" if text is None else "ok")
            self.assertIn(text or "", line.get("text", ""))
        if "pictures" in vector:
            self.assertEqual([line["picture"] for line in lines], vector["pictures"])
            self.assertEqual([line["sequence"] for line in lines], list(range(len(lines))))
        for name, value in vector.get("members", {}).items():
            self.assertEqual(lines[0][name], value)
        for name in vector.get("absent", []):
            self.assertNotIn(name, lines[0])
        if "code" in vector:
            self.assertEqual(lines[0]["code"], vector["code"])
            self.assertIn(vector.get("message", ""), lines[0]["message"])

    def test_each_rule_has_a_vector(self):
        document = (ROOT / "docs/read-http.md").read_text("utf-8")
        self.assertEqual(set(re.findall(r"\*\*(H\d+)\.\*\*", document)), {vector["rule"] for vector in VECTORS})

    def test_a_token_is_required_where_there_is_one(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("s3cret")
            file.flush()
            with server("--token-file", file.name) as address:
                picture = ["--data-binary", f"@{SIGN}"]
                status, _, body = curl(f"{address}/v1/read", *picture)
                self.assertEqual((status, json.loads(body)["code"]), (401, "auth_required"))
                self.assertEqual(curl(f"{address}/v1/read", *picture, "--header", "Authorization: Bearer s3cret")[0], 200)

    def test_a_body_past_the_limit_is_refused_before_it_is_sent(self):
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(41 << 20)
            status, _, body = curl(f"{self.address}/v1/read", "--data-binary", f"@{file.name}")
            self.assertEqual((status, json.loads(body)["code"]), (413, "message_too_large"))


if __name__ == "__main__":
    unittest.main()
