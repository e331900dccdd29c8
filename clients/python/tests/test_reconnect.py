import json
import unittest

from glyphwire import ReconnectPolicy, _wire
from glyphwire._errors import refused
from glyphwire._lines import parse
from glyphwire._stream import Stream


class ReconnectPolicyTests(unittest.TestCase):
    def test_pauses_double_up_to_the_longest(self):
        policy = ReconnectPolicy(jitter=0)
        pauses = [policy.delay(attempt) for attempt in range(1, 11)]
        self.assertEqual(pauses, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10, 10])

    def test_chance_only_shortens_a_pause(self):
        pauses = [ReconnectPolicy().delay(3) for _ in range(200)]
        self.assertTrue(all(0.32 <= pause <= 0.4 for pause in pauses))
        self.assertGreater(len(set(pauses)), 1)

    def test_huge_attempts_and_odd_values_do_no_harm(self):
        self.assertEqual(ReconnectPolicy(jitter=0).delay(10**6), 10)
        self.assertEqual(ReconnectPolicy(jitter=0, multiplier=0).delay(5), 0.1)
        self.assertGreaterEqual(ReconnectPolicy(jitter=7).delay(5), 0)

    def test_a_greeting_does_not_start_the_attempts_over_and_an_answer_does(self):
        stream = Stream("server", 7411, None, ReconnectPolicy(jitter=0))
        no_room = refused("too_many_connections", "")
        greeting = b'{"type":"hello","server":"glyphwire","version":"1","protocol":1,"auth":"none",'
        greeting += b'"limits":{},"levels":[],"features":[]}'
        pauses = []
        for attempt in range(4):
            stream.greeted(greeting)
            stream.opened()
            if attempt == 3:
                pong = b'{"type":"pong","sequence":1,"captured_us":0,"received_us":1,"sent_us":1}'
                stream.received(parse(pong, 0))
            pauses.append(stream.failed(no_room)[2])
        self.assertEqual(pauses, [0.1, 0.2, 0.4, 0.1])
        self.assertEqual(stream.failed(refused("too_many_guesses", ""))[2], 60)


class OpeningTests(unittest.TestCase):
    TOKEN = {"token": "secret"}
    OPTIONS = {"client": "camera 7"}

    def opening(self, stream, auth="token", limits=None):
        stream.greeted(json.dumps({"type": "hello", "protocol": 1, "auth": auth, "limits": limits or {}}).encode())
        return [json.loads(body) for body in stream.opening()]

    def test_without_options_nothing_is_sent(self):
        self.assertEqual(self.opening(Stream("server", 7411, None, None)), [])

    def test_a_token_that_later_options_lack_goes_alone_to_servers_that_ask_for_it(self):
        stream = Stream("server", 7411, _wire.configure_body(self.TOKEN), None)
        self.assertEqual(self.opening(stream), [self.TOKEN])
        stream.configured(_wire.configure_body(self.OPTIONS))
        self.assertEqual(self.opening(stream), [self.TOKEN, self.OPTIONS])
        self.assertEqual(self.opening(stream, auth="none"), [self.OPTIONS])
        stream.configured(_wire.configure_body({"token": "another"}))
        stream.configured(_wire.configure_body({}))
        self.assertEqual(self.opening(stream), [{"token": "another"}, {}])

    def test_a_token_goes_alone_before_options_that_are_too_long_without_it(self):
        body = _wire.configure_body({**self.TOKEN, **self.OPTIONS})
        length = _wire.length(len(body.options))
        for limit, alone in ((length, []), (length - 1, [self.TOKEN])):
            stream = Stream("server", 7411, body, None)
            limits = {"max_unauthenticated_bytes": limit}
            self.assertEqual(self.opening(stream, limits=limits), [*alone, {**self.TOKEN, **self.OPTIONS}])
