import re
import unittest

from kit.scenarios import SCENARIOS
from kit.wire import VECTORS

ROOT = VECTORS.parents[1]


class DocumentTests(unittest.TestCase):
    def test_the_protocol_names_every_vector_and_no_other(self):
        text = (ROOT / "Protocol.md").read_text("utf-8")
        linked = re.findall(r"\[(\d{3})\]\(Tests/Vectors/([^)]+)\.jsonl\)", text)
        for number, name in linked:
            self.assertEqual(name[:3], number)
        vectors = {path.stem for path in VECTORS.glob("[0-9]*.bin")}
        self.assertEqual({name for _, name in linked}, vectors, "see 'Every rule and its vector' in Protocol.md")

    def test_every_error_code_of_the_protocol_has_a_vector(self):
        text = (ROOT / "Protocol.md").read_text("utf-8")
        table = text[text.index("| code | fatal |") :].split("\n\n")[0]
        codes = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
        told = "".join(path.read_text("utf-8") for path in VECTORS.glob("[0-9]*.jsonl"))
        without = {code for code in codes if f'"{code}"' not in told}
        elsewhere = {"wrong_protocol"}  # behind a proxy, or where TLS is spoken
        timing = {"internal_error", "overloaded", "slow_reader", "timeout", "too_many_connections", "too_many_guesses"}
        self.assertLessEqual(without, timing | elsewhere)  # none can be caused by bytes alone
        self.assertGreater(len(codes), 15)

    def test_scenarios_have_names_of_their_own(self):
        names = [one.name for one in SCENARIOS]
        self.assertEqual(len(set(names)), len(names))
