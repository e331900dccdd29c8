import json
import os
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from kit import client_check, scenarios
from kit.client_check import Driver
from kit.program import Skipped
from kit.scenarios import SCENARIOS
from kit.server_check import program_path
from kit.stub import StubServer

KIT = Path(__file__).resolve().parents[1]
DRIVER = KIT.parent / "python" / "conformance-driver"


def connection(**facts):
    """What a connection of the stub server has seen."""
    return SimpleNamespace(**{"part": None, "is_reset": False, "was_reset_by_client": False, **facts})


class FaultyDriver(Driver):
    """The Python client's driver, of which a test changes something."""

    def __init__(self, path, change):
        super().__init__(path)
        self._change = change

    def run(self, *arguments, **settings):
        lines, status, errors = super().run(*arguments, **settings)
        return [changed for line in lines for changed in self._change(line)], status, errors


def flaws(driver, *only):
    found = {}
    client_check.check_with_stub([driver], only, 4, lambda name, flaw: found.__setitem__(name.split(": ")[1], flaw))
    return found


class ClientCheckTests(unittest.TestCase):
    def faulty(self, change=lambda line: [line], wrapper='exec "$driver" "$@"'):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "conformance-driver"
        path.write_text(f"#!/usr/bin/env bash\ndriver={DRIVER}\n{wrapper}\n")
        path.chmod(0o755)
        return FaultyDriver(path, change)

    def test_a_good_client_passes(self):
        found = flaws(self.faulty(), "no-frames", "unknown", "lost", "nobody")
        self.assertEqual(found, dict.fromkeys(found))
        self.assertEqual(len(found), 4)

    def test_lines_that_were_changed_are_told(self):
        changes = {
            "re-encoded": lambda line: [line.replace(b'":', b'": ')],
            "left out": lambda line: [] if b'"sequence":2,' in line else [line],
            "doubled": lambda line: [line, line],
            "lost though answered": lambda line: [
                b'{"type":"result","sequence":1,"captured_us":0,"status":"error","code":"connection_lost"}'
            ],
        }
        for what, change in changes.items():
            self.assertIsNotNone(flaws(self.faulty(change), "no-options")["no-options"], what)

    def test_a_line_that_is_left_out_is_named_by_its_frame(self):
        driver = self.faulty(lambda line: [] if b'"sequence":2,' in line else [line])
        self.assertIn("frame 2 has no line: line 2 is that of frame 3", flaws(driver, "session")["session"])

    def test_a_client_that_starts_its_pauses_over_with_each_greeting_is_reported(self):
        name = "too-many-connections"
        scenario = next(one for one in SCENARIOS if one.name == name)
        with client_check.session_file(scenario.session) as session:
            # Each refusal is met by a client of its own, so that no pause grows.
            again = f'for i in 1 2 3 4 5; do "$driver" "$1" "$2" {session.name} >/dev/null 2>&1; done; exec "$driver" "$@"'
            server = StubServer(scenario.script, receive_buffer=scenario.receive_buffer)
            driver = self.faulty(wrapper=again)
            driver.run(server.port, session.name, limit=client_check.STUB_LIMIT)
            server.stop()
        self.assertTrue(any("rule X2" in str(failure) for _, failure in server.failures), server.failures)

    def assert_told_of_a_client_that_never_waits(self, name, what):
        scenario = next(one for one in SCENARIOS if one.name == name)
        server = StubServer(scenario.script)
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(b"".join(one.bytes for one in scenario.session))
            client.shutdown(socket.SHUT_WR)
            while client.recv(1 << 16):
                pass
        server.stop()
        self.assertTrue(any(what in str(failure) for _, failure in server.failures), server.failures)

    def test_a_client_that_sends_behind_a_goaway_is_reported(self):
        self.assert_told_of_a_client_that_never_waits("goaway-before-a-frame", "rule G4")

    def test_a_client_that_does_not_begin_with_its_token_alone_is_reported(self):
        self.assert_told_of_a_client_that_never_waits("long-options-with-a-token", "rules A1, N1")

    def test_each_connection_begins_with_the_options_in_force(self):
        scenario = next(one for one in SCENARIOS if one.name == "restart-with-a-token")
        first, frame, later, *_ = scenario.session
        token = first._replace(payload=b'{"token":"open barley"}')
        before = connection(number=1, received=[first, frame, later], answers=[b"{}"])
        next_frame = scenario.session[3]
        for received, is_right in (
            ([token, later, next_frame], True),
            ([later._replace(payload=b'{"level":"accurate","token":"open barley"}'), next_frame], True),
            ([token, first, next_frame], False),
            ([token, next_frame], False),
            ([next_frame], False),
        ):
            after = connection(number=2, received=received, answers=[b"{}"])
            if is_right:
                answers, may_be_lost = client_check.frames_sent([before, after], scenario)
                self.assertEqual((sorted(answers), may_be_lost), ([0, 1], set()))
            else:
                with self.assertRaisesRegex(AssertionError, "connection 2 begins with .*, not with the options"):
                    client_check.frames_sent([before, after], scenario)

    def test_a_client_that_gives_up_frames_it_did_not_send_is_reported(self):
        scenario = next(one for one in SCENARIOS if one.name == "restart")
        options, *frames, _ = scenario.session
        for given_up, is_reset, is_right in ((0, False, True), (2, False, True), (3, False, False), (3, True, True)):
            before = connection(number=1, received=[options, frames[0]], answers=[b"{}"], is_reset=is_reset)
            later = [options, *frames[1 + given_up :]]
            after = connection(number=2, received=later, answers=[])
            if is_right:
                self.assertEqual(client_check.frames_sent([before, after], scenario)[1], {0} if is_reset else set())
            else:
                with self.assertRaisesRegex(AssertionError, "and 3 frames before it did not"):
                    client_check.frames_sent([before, after], scenario)

    def test_a_client_that_sends_a_frame_again_of_which_a_part_was_taken_is_reported(self):
        scenario = next(one for one in SCENARIOS if one.name == "restart-in-mid-frame")
        options, *frames, _ = scenario.session
        part = frames[1]._replace(payload=frames[1].payload[: 1 << 17])
        before = connection(number=1, received=[options, frames[0]], answers=[b"{}"], part=part, is_reset=True)
        for place, is_right in ((1, False), (2, True), (5, True)):
            after = connection(number=2, received=[options, frames[place]], answers=[b"{}"])
            if is_right:
                answers, _ = client_check.frames_sent([before, after], scenario)
                self.assertEqual(answers, {0: b"{}", 1: None, place: b"{}"})
            else:
                with self.assertRaisesRegex(AssertionError, "is not what comes next"):
                    client_check.frames_sent([before, after], scenario)

    def test_a_client_that_waits_for_no_answer_to_its_token_may_do_so(self):
        name = "goaway-behind-the-token"
        session = next(one.session for one in SCENARIOS if one.name == name)
        token = session[0]._replace(payload=b'{"token":"open barley"}')
        sent = [token, session[0], *session[3:5]]
        server = StubServer(scenarios.go_away_before_the_options)
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(b"".join(one.bytes for one in sent))
            lines = [json.loads(line) for line in client.makefile("rb")]
        server.stop()
        self.assertEqual(server.failures, [])
        self.assertEqual(
            [line["type"] for line in lines], ["hello", "configured", "configured", "result", "goaway", "stats"]
        )
        self.assertEqual(server.connections[0].received, sent)

    def test_where_no_socket_holds_data_back_every_frame_that_was_sent_is_seen(self):
        scenario = next(one for one in SCENARIOS if one.name == "goaway-before-a-frame")
        options, *messages, _ = scenario.session
        frames = [one for one in messages if one.type == client_check.FRAME]
        before = connection(number=1, received=[options, frames[0]], answers=[b"{}"])
        after = connection(number=2, received=[options, *frames[2:]], answers=[])
        with self.assertRaisesRegex(AssertionError, "and 1 frames before it did not"):
            client_check.frames_sent([before, after], scenario)

    def test_a_client_that_ends_the_stream_before_its_last_frames_is_reported(self):
        scenario = next(one for one in SCENARIOS if one.name == "restart")
        options, *frames, end = scenario.session
        every = dict.fromkeys(range(len(frames)))
        for received, answers, what in (
            ([options, end], {0: b"{}"}, "last frame"),
            ([options, frames[-1]], every, "was not ended"),
        ):
            connections = [SimpleNamespace(received=[options]), SimpleNamespace(received=received)]
            with self.assertRaisesRegex(AssertionError, what):
                client_check.check_completeness(connections, answers, scenario)

    def test_a_client_that_does_nothing_is_reported(self):
        # It connects, closes, and claims the end that is expected.
        connect = 'exec 3<>"/dev/tcp/$1/$2"; head -c 1 <&3 >/dev/null; exec 3>&-'
        ends = {one.name: one.ends for one in SCENARIOS if one.ends}
        # All that is to be done where these begin is to leave.
        begin_with_the_end = {
            "lost-before-the-greeting", "no-room", "not-glyphwire", "protocol-2", "options-too-large", "silent", "nobody"
        }  # fmt: skip
        for name in ends.keys() - begin_with_the_end:
            driver = self.faulty(wrapper=f"{connect}; echo 'client-error: {ends[name]}' >&2; exit 1")
            self.assertIsNotNone(flaws(driver, name)[name], name)

    def test_a_client_that_never_loses_its_patience_is_reported(self):
        with mock.patch("kit.stub.PATIENCE", 3):
            driver = self.faulty(wrapper='exec "$driver" "$1" "$2" "$3"')
            self.assertIn("timed out", flaws(driver, "falls-silent")["falls-silent"])

    def test_a_client_that_waits_for_a_greeting_for_longer_than_it_may_is_reported(self):
        with mock.patch("kit.scenarios.UNGREETED", 0.2):
            self.assertIn("for a greeting", flaws(self.faulty(), "silent")["silent"])

    def test_a_client_that_pings_more_often_than_it_should_is_reported(self):
        driver = self.faulty(wrapper='exec "$driver" "${@/0.5/0.1}"')
        self.assertIn("pings in", flaws(driver, "idle")["idle"])

    def test_a_frame_within_the_limit_is_missed(self):
        session = next(one.session for one in SCENARIOS if one.name == "message-too-large")
        with client_check.session_file([session[0], *session[2:]]) as other:
            driver = self.faulty(wrapper=f'exec "$driver" "$1" "$2" {other.name} "${{@:4}}"')
            self.assertIn("0 frames came", flaws(driver, "message-too-large")["message-too-large"])

    def test_a_client_that_keeps_no_window_is_reported(self):
        self.assert_told_of_a_client_that_never_waits("window", "not at most 8 frames")

    def test_a_client_that_is_slow_keeps_its_window(self):
        driver = self.faulty(wrapper='exec "$driver" "$@" --pause 0.8')
        self.assertEqual(flaws(driver, "window"), {"window": None})

    def test_a_client_that_does_not_ping_is_reported(self):
        driver = self.faulty(wrapper='exec "$driver" "$1" "$2" "$3" --pause 2')
        self.assertIn("0 pings", flaws(driver, "idle")["idle"])

    def test_programs_are_looked_up_in_path(self):
        self.assertEqual(program_path("sh"), os.path.abspath(shutil.which("sh")))
        self.assertEqual(program_path(str(DRIVER)), str(DRIVER))
        with self.assertRaisesRegex(FileNotFoundError, "nor in PATH"):
            program_path("no-such-program-anywhere")

    def test_the_stub_lists_its_scenarios(self):
        listed = subprocess.run([KIT / "conformance", "stub"], check=True, stdout=subprocess.PIPE, text=True).stdout
        for scenario in SCENARIOS:
            self.assertIn(scenario.about, listed)

    def test_words_that_were_not_understood_are_told(self):
        driver = self.faulty(lambda line: [line if line.startswith(b"{") else line.replace(b"dropped", b"error")])
        self.assertIn("--words", flaws(driver, "unknown")["unknown"])

    def test_frames_without_a_result_are_told(self):
        driver = self.faulty(lambda line: [] if b"connection_lost" in line else [line])
        self.assertIn("there is no line", flaws(driver, "lost")["lost"])

    def test_a_client_that_reconnects_against_the_rules_is_told(self):
        # Both connections fail in the same way, so that its error is the right one.
        driver = self.faulty(wrapper='"$driver" "$@" >/dev/null 2>&1; exec "$driver" "$@"')
        self.assertIn("2 connections instead of 1", flaws(driver, "auth-failed")["auth-failed"])

    def test_a_client_that_sends_frames_twice_is_told(self):
        driver = self.faulty(wrapper='"$driver" "$@" >/dev/null; exec "$driver" "$@"')
        self.assertIn("is not what comes next", flaws(driver, "frame-errors")["frame-errors"])

    def test_a_client_that_sends_something_else_is_told(self):
        session = next(one.session for one in SCENARIOS if one.name == "no-options")
        with client_check.session_file([session[0]._replace(orientation=7), *session[1:]]) as other:
            driver = self.faulty(wrapper=f'exec "$driver" "$1" "$2" {other.name} "${{@:4}}"')
            self.assertIn("is not what comes next", flaws(driver, "no-options")["no-options"])

    def test_the_wrong_end_is_told(self):
        for wrapper in (
            '"$driver" "$@" || exit 0',
            '"$driver" "$@" 2>/dev/null',
            '"$driver" "$@" 2>&1 | cat >&2; exit 2',
        ):
            self.assertIn("ended with", flaws(self.faulty(wrapper=wrapper), "nobody")["nobody"])

    def test_a_client_that_cannot_be_built_here_is_skipped_with_its_reason(self):
        with self.assertRaisesRegex(Skipped, "no rustc"):
            self.faulty(wrapper="echo no rustc; exit 77").prepare()
        with self.assertRaises(RuntimeError):
            self.faulty(wrapper="exit 3").prepare()


class RealServerCheckTests(unittest.TestCase):
    def test_only_times_may_differ(self):
        lines = [b'{"a":1,"age_ms":-3,"timings_us":{"queue":1,"total":9}}', b'{"a":1,"timings_us":{"queue":2}}']
        self.assertEqual(client_check.without_times(lines), [b'{"a":1}', b'{"a":1}'])
        self.assertIn("line 2 is b'b'", client_check.first_difference([b"a", b"b"], [b"a", b"c"]))
        self.assertIn("line 2 is b'nothing'", client_check.first_difference([b"a"], [b"a", b"c"]))

    def test_after_a_restart_each_frame_has_one_result_and_the_last_are_read(self):
        def results(*codes):
            return [
                b'{"sequence":%d,"status":"%s","code":"%s"}' % (i, b"ok" if code == "ok" else b"error", code.encode())
                for i, code in enumerate(codes)
            ]

        good = ["ok"] * 5 + ["connection_lost"] * 3 + ["ok"] * 5
        self.assertIsNone(client_check.restart_flaw(results(*good), list(range(13)), 0, ""))
        self.assertIn("ended with 1", client_check.restart_flaw(results(*good), list(range(13)), 1, ""))
        flaw = client_check.restart_flaw(results(*good)[:4] + results(*good)[5:], list(range(13)), 0, "")
        self.assertEqual(flaw, "frame 4 has no result: that of frame 5 stands in its place")
        self.assertIn("frame 12 has no result", client_check.restart_flaw(results(*good[1:]), list(range(13)), 0, ""))
        for bad in (good[:10] + ["connection_lost"] * 3, ["ok"] * 5 + ["jpeg_corrupt"] * 3 + ["ok"] * 5):
            self.assertIn("became", client_check.restart_flaw(results(*bad), list(range(13)), 0, ""))
