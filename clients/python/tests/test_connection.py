import socket
import threading
import time
from unittest import mock

import glyphwire
from glyphwire import Frame, GlyphwireError, Hello, ReconnectPolicy

from .support import TestCase, answer_at_the_end, answer_late, cross_the_end, deaf_address, stop_silently, stub, wire

QUICK = ReconnectPolicy(initial_delay=0.001, max_attempts=3)


def frames(count):
    return [Frame(b"\xff\xd8 picture") for _ in range(count)]


class StreamTests(TestCase):
    def test_read_yields_one_result_for_each_frame(self):
        with stub() as server, glyphwire.connect("localhost", server.port) as connection:
            results = list(connection.read(frames(5)))
        self.assertEqual([result.sequence for result in results], [1, 2, 3, 4, 5])
        self.assertTrue(all(result.is_ok and result.round_trip >= 0 for result in results))
        (only,) = server.connections
        self.assertEqual([one.type for one in only.received], [wire.FRAME] * 5 + [wire.END])

    def test_one_thread_may_finish_first_and_read_then(self):
        with stub() as server, glyphwire.connect("localhost", server.port, line_buffer=1) as connection:
            for frame in frames(20):
                connection.send(frame)
            self.assertEqual(connection.finish().frames, 20)
            self.assertEqual(len(list(connection.results())), 20)
            self.assertEqual(list(connection.results()), [])

    def test_frames_keep_their_own_numbers(self):
        with stub() as server, glyphwire.connect("localhost", server.port) as connection:
            sent = [connection.send(Frame(b"x", sequence=sequence)) for sequence in (7, None, 2**64 - 1, None)]
            connection.finish()
            self.assertEqual(sent, [7, 8, 2**64 - 1, 0])
            self.assertEqual([result.sequence for result in connection.results()], sent)

    def test_the_greeting_is_kept_and_is_the_first_line(self):
        with stub() as server, glyphwire.connect("localhost", server.port) as connection:
            self.assertEqual((connection.hello.protocol, connection.hello.levels), (1, ["fast", "accurate"]))
            self.assertIsInstance(next(connection.lines()), Hello)

    def test_options_are_sent_first_and_can_be_changed(self):
        options = {"level": "accurate"}
        with stub() as server, glyphwire.connect("localhost", server.port, options=options) as connection:
            in_force = connection.configure({"characters": False})
            connection.finish()
        self.assertEqual((in_force["level"], in_force["characters"]), ("fast", False))
        bodies = [one.payload for one in server.connections[0].received]
        self.assertEqual(bodies, [b'{"level": "accurate"}', b'{"characters": false}', b""])

    def test_ping_and_stats_are_answered(self):
        with stub() as server, glyphwire.connect("localhost", server.port) as connection:
            self.assertEqual(connection.ping(captured_us=77).captured_us, 77)
            self.assertEqual(connection.stats().connection["frames"], {"ok": 0, "error": 0})

    def test_requests_of_many_threads_each_get_their_answer(self):
        answers = {}
        with stub() as server, glyphwire.connect("localhost", server.port) as connection:

            def ask(number):
                answers[number] = connection.ping(captured_us=number).captured_us

            threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(answers, {number: number for number in range(16)})

    def test_options_that_are_refused_leave_those_of_before(self):
        def refuse(connection):
            connection.greet()
            connection.send_line(wire.error(connection.receive().sequence, "bad_option", False))
            connection.serve()

        with stub(refuse) as server, glyphwire.connect("localhost", server.port) as connection:
            with self.assertRaises(GlyphwireError) as raised:
                connection.configure({"level": "turbo"})
            self.assertEqual((raised.exception.code, raised.exception.wire_code), ("refused", "bad_option"))
            self.assertEqual(len(list(connection.read(frames(1)))), 1)

    def test_a_message_above_the_limit_is_not_sent_and_costs_nothing(self):
        def little(connection):
            connection.greet(limits={**wire.HELLO["limits"], "max_message_bytes": 100})
            connection.serve()

        with stub(little) as server, glyphwire.connect("localhost", server.port) as connection:
            with self.assertRaises(GlyphwireError) as raised:
                connection.send(Frame(bytes(73)))
            self.assertEqual(raised.exception.code, "message_too_large")
            connection.send(Frame(bytes(72)))
            self.assertEqual(connection.finish().frames, 1)

    def test_reading_pauses_while_nobody_takes_lines(self):
        with stub() as server, glyphwire.connect("localhost", server.port, line_buffer=3) as connection:
            for frame in frames(50):
                connection.send(frame)
            reached = threading.Event()

            def ping():
                connection.ping()
                reached.set()

            pinging = threading.Thread(target=ping)
            pinging.start()
            results = connection.results()
            for _ in range(40):
                next(results)
                # Behind the hello and the frames that were taken, at most three lines and what one read brought wait.
                self.assertFalse(reached.is_set())
            for _ in range(10):
                next(results)
            pinging.join()


class IdleTests(TestCase):
    def test_pongs_of_the_clients_own_are_not_among_the_lines(self):
        was_pinged = threading.Event()

        def await_pings(connection):
            connection.greet()
            for _ in range(3):
                connection.answer(connection.receive())
            was_pinged.set()
            connection.serve()

        with stub(await_pings) as server:
            with glyphwire.connect("localhost", server.port, ping_interval=0.01) as connection:
                was_pinged.wait()
                connection.stats()
                connection.finish()
                self.assertEqual([line.type for line in connection.lines()], ["hello", "stats", "end"])
        self.assertEqual({one.type for one in server.connections[0].received[:3]}, {wire.PING})

    def test_a_ping_is_not_sent_behind_a_message_that_makes_it_needless(self):
        with stub() as server, glyphwire.connect("localhost", server.port, ping_interval=3600) as connection:
            connection.stats()
            connection._ping(connection._link)
            connection.finish()
        self.assertEqual([one.type for one in server.connections[0].received], [wire.STATS, wire.END])

    def test_an_interval_that_is_none_or_never_sends_no_pings(self):
        for interval in (None, 0, -1, float("inf"), float("nan")):
            with self.subTest(interval=interval), stub() as server:
                settings = {"ping_interval": interval, "answer_timeout": float("inf")}
                with glyphwire.connect("localhost", server.port, **settings) as connection:
                    connection.stats()
                    threading.Event().wait(0.05)
                    connection.finish()
                self.assertEqual([one.type for one in server.connections[0].received], [wire.STATS, wire.END])

    def test_a_server_that_asks_for_a_token_is_not_pinged_before_it_has_it(self):
        def await_token(connection):
            connection.greet(auth="token")
            connection.serve()

        with stub(await_token) as server:
            with glyphwire.connect("localhost", server.port, ping_interval=0.01, answer_timeout=0.1) as connection:
                threading.Event().wait(0.3)
                connection.configure({"token": "open sesame"})
                connection.finish()
        self.assertEqual(server.connections[0].received[0].type, wire.CONFIGURE)


    def test_a_missing_token_comes_with_how_to_give_it(self):
        def refuse(connection):
            connection.greet(auth="token")
            connection.send_line(wire.error(connection.receive().sequence, "auth_required", True))
            connection.finish()

        with stub(refuse) as server, glyphwire.connect("localhost", server.port) as connection:
            with self.assertRaisesRegex(GlyphwireError, r'\(auth_required\); give it as options={"token": …}, or with --token-file'):
                connection.configure({})


class LatestFrameTests(TestCase):
    def test_two_frames_are_unanswered_and_one_waits_that_a_newer_one_replaces(self):
        come, may_answer = threading.Semaphore(0), threading.Event()

        def camera():
            for number in range(2):
                yield Frame(bytes([number]))
                come.acquire()
            for number in range(2, 100):
                yield Frame(bytes([number]))
            may_answer.set()

        with stub(answer_late(come, may_answer)) as server, glyphwire.connect("localhost", server.port) as connection:
            results = list(connection.read(camera(), latest=True))
        self.assertEqual([result.sequence for result in results], [1, 2, 3])
        self.assertEqual([frame.payload[0] for frame in server.connections[0].frames], [0, 1, 99])

    def test_the_frame_that_is_sent_is_the_newest_when_its_turn_comes(self):
        def camera():
            for number in range(10):
                yield Frame(bytes([number]))
            connection._sending.release()

        with stub() as server, glyphwire.connect("localhost", server.port) as connection:
            connection._sending.acquire()
            self.assertEqual(len(list(connection.read(camera(), latest=True))), 1)
        self.assertEqual([frame.payload[0] for frame in server.connections[0].frames], [9])

    def test_results_that_nobody_reads_hold_up_no_frame(self):
        come, are_sent = threading.Semaphore(0), threading.Event()

        def camera():
            for _ in range(6):
                yield Frame(b"x")
                come.acquire()
            are_sent.set()

        def count(connection):
            connection.greet()
            while (message := connection.receive()) is not None:
                come.release()
                connection.answer(message)

        with stub(count) as server, glyphwire.connect("localhost", server.port, line_buffer=1) as connection:
            results = connection.read(camera(), latest=True)
            self.assertEqual(next(results).sequence, 1)
            are_sent.wait()
            self.assertEqual([result.sequence for result in results], [2, 3, 4, 5, 6])

    def test_what_the_frames_raise_is_raised_behind_the_results_of_those_that_were_sent(self):
        def broken():
            yield Frame(b"x")
            raise KeyError("no more film")

        with stub() as server, glyphwire.connect("localhost", server.port) as connection:
            results = []
            with self.assertRaises(KeyError):
                for result in connection.read(broken(), latest=True):
                    results.append(result.status)
            self.assertEqual(results, ["ok"])

    def test_leaving_the_loop_ends_the_thread_that_takes_the_frames(self):
        def endless():
            while True:
                yield Frame(b"x")

        with stub(may_break=True) as server, glyphwire.connect("localhost", server.port) as connection:
            for _ in connection.read(endless(), latest=True):
                break
            for thread in threading.enumerate():
                if thread.name.startswith("glyphwire camera"):
                    thread.join()


class EndingTests(TestCase):
    def test_closing_ends_a_loop_whose_frames_do_not_come(self):
        never = threading.Event()
        self.addCleanup(never.set)

        def camera():
            yield Frame(b"x")
            never.wait()

        with stub(may_break=True) as server, glyphwire.connect("localhost", server.port) as connection:
            results = connection.read(camera())
            self.assertEqual(next(results).sequence, 1)
            threading.Thread(target=connection.close).start()
            self.assertEqual(list(results), [])

    def test_leaving_the_loop_early_closes_the_connection(self):
        sent = []

        def endless():
            while True:
                sent.append(1)
                yield Frame(b"x")

        with stub(may_break=True) as server:
            with glyphwire.connect("localhost", server.port) as connection:
                for _ in connection.read(endless()):
                    break
            with self.assertRaises(GlyphwireError) as raised:
                connection.send(Frame(b"x"))
            self.assertEqual(raised.exception.code, "closed")

    def test_what_the_frames_raise_is_raised_behind_the_results_of_those_that_were_sent(self):
        def broken():
            yield from frames(6)
            raise KeyError("no more film")

        def too_large():
            yield from frames(6)
            yield Frame(bytes(200))

        for source, failure in ((broken, KeyError), (too_large, GlyphwireError)):
            with stub(answer_at_the_end) as server, glyphwire.connect("localhost", server.port) as connection:
                results = []
                with self.assertRaises(failure):
                    for result in connection.read(source()):
                        results.append(result.status)
                self.assertEqual(results, ["ok"] * 6)

    def test_closing_ends_whoever_waits(self):
        def silence(connection):
            connection.greet()
            connection.drain()

        with stub(silence) as server, glyphwire.connect("localhost", server.port) as connection:
            closer = threading.Timer(0.05, connection.close)
            closer.start()
            with self.assertRaises(GlyphwireError) as raised:
                connection.ping()
            self.assertEqual(raised.exception.code, "closed")
            self.assertEqual([line.type for line in connection.lines()], ["hello"])
            closer.join()

    def test_a_port_that_is_none_is_refused(self):
        with stub() as server:
            for port in (0, -1, 1 << 16, server.port + (1 << 16)):
                with self.subTest(port=port), self.assertRaisesRegex(ValueError, "port"):
                    glyphwire.connect("localhost", port).close()

    def test_times_without_end_are_taken(self):
        def answer_late(connection):
            connection.greet()
            connection.serve(answer=lambda received: (time.sleep(0.05), connection.answer(received)))

        for seconds in (float("inf"), 1e12):
            settings = dict.fromkeys(("connect_timeout", "answer_timeout", "ping_interval"), seconds)
            with self.subTest(seconds=seconds), stub(answer_late) as server:
                with glyphwire.connect("localhost", server.port, **settings) as connection:
                    self.assertTrue(all(result.is_ok for result in connection.read(frames(2))))

    def test_closing_ends_a_send_that_the_server_does_not_take(self):
        release = threading.Event()

        def deaf(connection):
            connection.greet()
            release.wait()

        with stub(deaf, receive_buffer=1 << 14) as server, glyphwire.connect("localhost", server.port) as connection:
            closer = threading.Timer(0.1, connection.close)
            closer.start()
            with self.assertRaises(GlyphwireError) as raised:
                while True:
                    connection.send(Frame(bytes(1 << 22)))
            self.assertEqual(raised.exception.code, "closed")
            closer.join()
            release.set()

    def test_frames_without_an_answer_are_told_before_the_loss(self):
        def lose(connection):
            connection.greet()
            connection.serve(frames=2)
            connection.finish()

        with stub(lose) as server, glyphwire.connect("localhost", server.port) as connection:
            for frame in frames(3):
                connection.send(frame)
            results = []
            with self.assertRaises(GlyphwireError) as raised:
                results.extend(connection.results())  # keeps nothing: the loss comes out of it
            self.assertEqual(raised.exception.code, "connection_lost")
            with self.assertRaises(GlyphwireError):
                connection.send(Frame(b"x"))

    def test_a_server_that_said_that_it_stops_is_not_blamed_for_it(self):
        def go_away(connection):
            connection.greet()
            connection.answer(connection.receive())
            connection.send_line({"type": "goaway", "grace_ms": 1000})
            connection.finish()

        with stub(go_away) as server, glyphwire.connect("localhost", server.port) as connection:
            connection.send(Frame(b"x"))
            with self.assertRaisesRegex(GlyphwireError, "the server stops, and took nothing more"):
                list(connection.results())

    def test_an_end_that_crosses_a_goaway_is_one_since_every_frame_has_its_result(self):
        for reconnect in (None, QUICK):
            with self.subTest(reconnect=reconnect), stub(cross_the_end) as server:
                with glyphwire.connect("localhost", server.port, reconnect=reconnect) as connection:
                    connection.send(Frame(b"x"))
                    end = connection.finish()
                    self.assertEqual((end.frames, end.line), (1, b""))
                    self.assertEqual([result.status for result in connection.results()], ["ok"])
                self.assertEqual(len(server.connections), 1)

    def test_a_flaw_of_the_client_ends_whoever_waits(self):
        def silence(connection):
            connection.greet()
            connection.receive()
            connection.send_line({"type": "weather"})
            connection.drain()

        with stub(silence) as server, glyphwire.connect("localhost", server.port) as connection:
            with mock.patch.object(connection._stream, "received", side_effect=MemoryError("no room")):
                with mock.patch("threading.excepthook"), self.assertRaisesRegex(GlyphwireError, "no room"):
                    connection.ping()


class ReconnectTests(TestCase):
    def test_a_server_that_stops_behind_the_last_file_takes_the_stream_not_with_it(self):
        def stop_once(connection):
            connection.greet()
            if connection.number == 1:
                connection.serve(frames=3)
                for _ in range(3):
                    connection.receive()
                connection.finish()
            else:
                connection.serve()

        settings = {"options": {"delivery": "every"}, "reconnect": QUICK}
        with stub(stop_once) as server, glyphwire.connect("localhost", server.port, **settings) as connection:
            codes = [result.code for result in connection.read(frames(6))]
        self.assertEqual(codes, [None] * 3 + ["connection_lost"] * 3)

    def test_options_that_the_caller_changes_later_are_not_sent(self):
        def restart(connection):
            connection.greet()
            if connection.number == 1:
                connection.serve(frames=1)
                connection.finish()
            else:
                connection.serve()

        options = {"level": "accurate"}
        with stub(restart) as server:
            with glyphwire.connect("localhost", server.port, options=options, reconnect=QUICK) as connection:
                options["level"] = object()
                lines = connection.lines()
                connection.send(Frame(b"one"))
                while next(lines).type != "result":
                    pass
                while next(lines).type != "hello":
                    pass
                connection.finish()
        self.assertEqual([one.received[0].payload for one in server.connections], [b'{"level": "accurate"}'] * 2)

    def test_the_options_of_last_are_sent_first_on_the_next_connection(self):
        def restart(connection):
            connection.greet()
            connection.serve(frames=1)
            if connection.number == 1:
                connection.finish()
            else:
                connection.serve()

        settings = {"options": {"level": "accurate"}, "reconnect": QUICK}
        with stub(restart) as server, glyphwire.connect("localhost", server.port, **settings) as connection:
            connection.configure({"candidates": 2})
            connection.send(Frame(b"one"))
            lines = connection.lines()
            while next(lines).type != "result":
                pass
            while next(lines).type != "hello":
                pass
            connection.send(Frame(b"two"))
            connection.finish()
        first, second = ([one.payload for one in each.received] for each in server.connections)
        self.assertEqual(first, [b'{"level": "accurate"}', b'{"candidates": 2}', b"one"])
        self.assertEqual(second, [b'{"candidates": 2}', b"two", b""])

    def test_a_request_on_the_way_fails_and_the_stream_goes_on(self):
        def restart(connection):
            connection.greet()
            if connection.number == 1:
                connection.receive()
                connection.finish()
            else:
                connection.serve()

        with stub(restart) as server, glyphwire.connect("localhost", server.port, reconnect=QUICK) as connection:
            with self.assertRaises(GlyphwireError) as raised:
                connection.ping()
            self.assertEqual(raised.exception.code, "connection_lost")
            self.assertEqual(len(list(connection.read(frames(3)))), 3)

    def test_a_server_that_stops_and_does_not_close_is_left(self):
        settings = {"reconnect": QUICK, "answer_timeout": 0.1}
        with stub(stop_silently) as server, glyphwire.connect("localhost", server.port, **settings) as connection:
            lines = connection.lines()
            while next(lines).type != "goaway":
                pass
            connection.ping()
            connection.finish()
        self.assertEqual(len(server.connections), 2)

    def test_attempts_come_to_an_end(self):
        def leave(connection):
            connection.greet()
            connection.server.stop_listening()
            connection.finish()

        with stub(leave) as server, glyphwire.connect("localhost", server.port, reconnect=QUICK) as connection:
            with self.assertRaises(GlyphwireError) as raised:
                while True:
                    connection.send(Frame(b"x"))
            self.assertEqual(raised.exception.code, "cannot_connect")

    def test_a_port_that_has_greeted_is_not_asked_about(self):
        def greet_once(connection):
            if connection.number == 1:
                connection.greet()

        with stub(greet_once) as server, glyphwire.connect("localhost", server.port, reconnect=QUICK) as connection:
            with self.assertRaisesRegex(GlyphwireError, "closed by the server; the server may have stopped") as raised:
                list(connection.lines())
        self.assertEqual(raised.exception.code, "connection_lost")

    def test_closing_ends_the_wait_for_the_next_attempt(self):
        def leave(connection):
            connection.greet()
            connection.server.stop_listening()
            connection.finish()

        patient = ReconnectPolicy(initial_delay=3600, max_delay=3600)
        with stub(leave) as server, glyphwire.connect("localhost", server.port, reconnect=patient) as connection:
            closer = threading.Timer(0.1, connection.close)
            closer.start()
            with self.assertRaises(GlyphwireError) as raised:
                while True:
                    connection.ping()
                    connection.send(Frame(b"x"))
            self.assertIn(raised.exception.code, ("closed", "connection_lost"))
            closer.join()
            self.assertEqual([line.type for line in connection.lines()], ["hello"])


class ConnectTests(TestCase):
    def test_nobody_listening_is_told_at_once(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound, and not listening
            with self.assertRaises(GlyphwireError) as raised:
                glyphwire.connect("127.0.0.1", taken.getsockname()[1])
        self.assertEqual(raised.exception.code, "cannot_connect")
        self.assertIn("glyphwire serve", str(raised.exception))

    def test_a_port_that_does_not_greet_may_be_the_one_for_http(self):
        with stub(lambda connection: None) as server:
            with self.assertRaisesRegex(GlyphwireError, r"one for HTTP\? If it is, the server's log says why$") as raised:
                glyphwire.connect("localhost", server.port)
        self.assertEqual(raised.exception.code, "connection_lost")

    def test_a_name_that_nobody_has_is_told(self):
        with self.assertRaises(GlyphwireError) as raised:
            glyphwire.connect("no-such-host.invalid")
        self.assertEqual(raised.exception.code, "cannot_connect")

    def test_a_name_that_is_none_is_told(self):
        with self.assertRaisesRegex(GlyphwireError, "no host has this name"):
            glyphwire.connect("a" * 70)

    def test_the_next_address_is_tried_where_the_first_does_not_answer(self):
        with stub() as server, deaf_address() as deaf:
            found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", address) for address in (deaf, ("127.0.0.1", server.port))]
            with mock.patch("socket.getaddrinfo", return_value=found):
                with glyphwire.connect("two", server.port, connect_timeout=4) as connection:
                    self.assertEqual(len(list(connection.read(frames(1)))), 1)

    def test_an_address_of_a_family_that_the_system_lacks_is_passed_over(self):
        with stub() as server:
            families = 10_000, socket.AF_INET
            found = [(family, socket.SOCK_STREAM, 0, "", ("127.0.0.1", server.port)) for family in families]
            with mock.patch("socket.getaddrinfo", return_value=found):
                glyphwire.connect("two", server.port).close()

    def test_options_that_are_no_json_are_not_sent(self):
        with stub(lambda connection: connection.greet()) as server, self.assertRaises((TypeError, ValueError)):
            glyphwire.connect("localhost", server.port, options={"level": object()})


if __name__ == "__main__":
    import unittest

    unittest.main()
