import json
import re
import unittest

from kit.command_check import CHECKS
from kit.scenarios import SCENARIOS
from kit.wire import VECTORS

ROOT = VECTORS.parents[1]
CLIENTS = ROOT / "clients"
KIT = CLIENTS / "conformance"


def protocol():
    return (ROOT / "Protocol.md").read_text("utf-8")


def table(header):
    """The names in the first column of the table of Protocol.md that begins so, in the section that it is in."""
    rows = protocol().split(header, 1)[1].split("\n\n")[0]
    return [name for row in rows.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1]) if row[:1] == "|"]


def snake_case(name):
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def camel_case(name):
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name)


class DocumentTests(unittest.TestCase):
    def test_the_readme_names_every_vector_and_no_other(self):
        linked = re.findall(r"\[(\d{3})\]\(([^)]+)\.jsonl\)", (VECTORS / "README.md").read_text("utf-8"))
        for number, name in linked:
            self.assertEqual(name[:3], number)
        vectors = {path.stem for path in VECTORS.glob("[0-9]*.bin")}
        self.assertEqual({name for _, name in linked}, vectors, "see 'Every rule and its vector' in Tests/Vectors/README.md")

    def test_every_error_code_of_the_protocol_has_a_vector(self):
        codes = set(table("| code | fatal |"))
        told = "".join(path.read_text("utf-8") for path in VECTORS.glob("[0-9]*.jsonl"))
        without = {code for code in codes if f'"{code}"' not in told}
        elsewhere = {"wrong_protocol"}  # behind a proxy, or where TLS is spoken
        timing = {"internal_error", "overloaded", "slow_reader", "timeout", "too_many_connections", "too_many_guesses"}
        self.assertLessEqual(without, timing | elsewhere)  # none can be caused by bytes alone
        self.assertGreater(len(codes), 15)

    def test_every_client_has_every_option(self):
        options = table("| option | type | default |")
        self.assertGreater(len(options), 17)
        self.assert_declared(
            {
                "c/glyphwire.h": lambda name: rf"\b{snake_case(name)}\b.*;",
                "c/glyphwire.c": lambda name: rf'"{name}"',
                "java/src/glyphwire/Options.java": lambda name: rf'public Options {camel_case(name)}\([^}}]*\bset\("{name}"',
                "go/options.go": lambda name: rf'`json:"{name},omitempty"`',
                "node/index.d.ts": lambda name: rf"^  {name}\?: ",
                "python/glyphwire/_options.py": lambda name: rf"^    {name}: ",
                "rust/src/options.rs": lambda name: rf'pub fn {snake_case(name)}\([^)]*\) -> Self {{\s+self.set\("{name}"',
            },
            options,
        )

    def test_every_client_has_every_member_of_a_result(self):
        result = protocol().split("### `result`", 1)[1].split("### `pong`", 1)[0]
        tables = [rows for rows in result.split("\n\n") if rows.startswith("| member |")]
        listed = [name for rows in tables for name in re.findall(r"^\| (`.*?) \|", rows, re.MULTILINE)]
        in_text = ["code", "message", "reason", "by", "words", "scores", "script", "candidates", "characters", "confidence"]
        in_text += ["detection", "recognition", "state", "id", "matches_complete"]
        members = {name for names in listed for name in re.findall(r"`(\w+)`", names)} | set(in_text)
        for name in in_text:
            self.assertRegex(result, rf"`(\"{name}\"|{name}\b)", "Protocol.md names it no more")
        self.assertGreater(len(members), 30)
        # In C, these are told one by one, by callbacks.
        told = {"lines": "GW_LINE", "words": "GW_WORD", "characters": "GW_CHARACTER", "candidates": "GW_CANDIDATE"}
        told.update(matches="GW_MATCH", lost="on_lost", scores="detection", warnings="on_warning")
        self.assert_declared(
            {
                "c/glyphwire.h": lambda name: rf"\b{told.get(name, name)}\b.*[;,{{]|^    {told.get(name, name)}$",
                "java/src/glyphwire/Result.java": lambda name: rf"^ +public final [\w<>\[\]]+ {camel_case(name)};",
                "go/lines.go": lambda name: rf'`json:"{name}"`',
                "node/index.d.ts": lambda name: rf"\b{name}\??: ",
                "python/glyphwire/_lines.py": lambda name: rf"^    (def {name}\(self\)|{name}: )",
                "rust/src/result.rs": lambda name: rf"pub (r#)?{name}: ",
            },
            members,
        )

    def assert_declared(self, patterns, names):
        for file, pattern in patterns.items():
            text = (CLIENTS / file).read_text("utf-8")
            missing = [name for name in names if not re.search(pattern(name), text, re.MULTILINE)]
            self.assertEqual(missing, [], f"{file} has no field for what Protocol.md names")

    def test_the_readme_has_a_table_of_all_scenarios(self):
        rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \| (.*?) \|$", (KIT / "README.md").read_text("utf-8"), re.MULTILINE)
        expected = [(one.name, one.about, f"`{one.ends}`" if one.ends else "") for one in SCENARIOS]
        self.assertEqual(rows, expected)

    def test_the_readme_has_a_table_of_the_checks_of_command_lines(self):
        rows = re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|$", (KIT / "README.md").read_text("utf-8"), re.MULTILINE)
        for name, (about, _) in CHECKS.items():
            self.assertIn((name, about), rows)

    def test_no_client_installs_a_command_with_the_name_of_the_server(self):
        package = json.loads((CLIENTS / "node" / "package.json").read_text("utf-8"))
        project = (CLIENTS / "python" / "pyproject.toml").read_text("utf-8")
        scripts = re.findall(r"^([\w-]+) =", project.split("[project.scripts]\n", 1)[1].split("\n\n", 1)[0], re.MULTILINE)
        commands = [folder.name for folder in (CLIENTS / "go" / "cmd").iterdir()]
        self.assertEqual([*package["bin"], *scripts, *commands], ["glyphwire-client"] * 3)

    def test_the_checklist_cites_rules_that_exist(self):
        cited = set(re.findall(r"\b([A-Z]\d{1,2})\b", (KIT / "CHECKLIST.md").read_text("utf-8")))
        rules = set(re.findall(r"\*\*([A-Z]\d{1,2})\.", protocol()))
        self.assertLessEqual(cited, rules)
        self.assertGreater(len(cited), 25)

    def test_every_client_that_may_be_packed_has_the_licence(self):
        licence, notice = ((ROOT / name).read_text("utf-8") for name in ("LICENSE", "NOTICE"))
        packages = [path.parent for path in CLIENTS.glob("*/conformance-driver")]
        self.assertGreater(len(packages), 5)
        for folder in packages:
            self.assertEqual((folder / "LICENSE").read_text("utf-8"), licence, folder.name)
            # Of the notice, what concerns all of the project: a client has nothing of others.
            own = (folder / "NOTICE").read_text("utf-8")
            self.assertTrue(own.count("\n") == 4 and notice.startswith(own), folder.name)

    def test_scenarios_have_names_of_their_own(self):
        names = [one.name for one in SCENARIOS]
        self.assertEqual(len(set(names)), len(names))
