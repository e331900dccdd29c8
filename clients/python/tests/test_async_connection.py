import asyncio
import socket
import threading
from unittest import mock

import glyphwire
from glyphwire import Frame, GlyphwireError, ReconnectPolicy

from .support import (
    PATIENCE,
    TestCase,
    answer_at_the_end,
    answer_late,
    cross_the_end,
    deaf_address,
    stop_silently,
    stub,
    wire,
)

QUICK = ReconnectPolicy(initial_delay=0.001, max_attempts=3)


def run(main):
    """Runs a test's coroutine; what the event loop has to complain about fails the test."""

    async def watched():
        complaints = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        await asyncio.wait_for(main, PATIENCE)
        await asyncio.sleep(0)
        assert not complaints, complaints
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others, f"tasks were left behind: {others}"

    asyncio.run(watched())


class AsyncConnectionTests(TestCase):
    def test_read_yields_one_result_for_each_frame(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                self.assertEqual(connection.hello.protocol, 1)
                results = [result async for result in connection.read([Frame(b"x")] * 5)]
            self.assertEqual([result.sequence for result in results], [1, 2, 3, 4, 5])

        with stub() as server:
            run(main())

    def test_frames_may_come_from_an_asynchronous_iterable(self):
        async def camera():
            for _ in range(3):
                await asyncio.sleep(0)
                yield Frame(b"x")

        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                self.assertEqual(len([result async for result in connection.read(camera())]), 3)

        with stub() as server:
            run(main())

    def test_of_the_latest_frames_two_are_unanswered_and_one_waits_that_a_newer_one_replaces(self):
        come, may_answer = threading.Semaphore(0), threading.Event()

        async def camera():
            for number in range(2):
                yield Frame(bytes([number]))
                await asyncio.to_thread(come.acquire)
            for number in range(2, 100):
                yield Frame(bytes([number]))
            may_answer.set()

        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                results = [result async for result in connection.read(camera(), latest=True)]
            self.assertEqual([result.sequence for result in results], [1, 2, 3])

        with stub(answer_late(come, may_answer)) as server:
            run(main())
        self.assertEqual([frame.payload[0] for frame in server.connections[0].frames], [0, 1, 99])

    def test_the_latest_frame_that_is_sent_is_the_newest_when_its_turn_comes(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:

                def camera():
                    for number in range(10):
                        yield Frame(bytes([number]))
                    connection._sending.release()

                await connection._sending.acquire()
                self.assertEqual(len([result async for result in connection.read(camera(), latest=True)]), 1)

        with stub() as server:
            run(main())
        self.assertEqual([frame.payload[0] for frame in server.connections[0].frames], [9])

    def test_results_that_nobody_reads_hold_up_no_latest_frame(self):
        come, are_sent = threading.Semaphore(0), threading.Event()

        def count(connection):
            connection.greet()
            while (message := connection.receive()) is not None:
                come.release()
                connection.answer(message)

        async def camera():
            for _ in range(6):
                yield Frame(b"x")
                await asyncio.to_thread(come.acquire)
            are_sent.set()

        async def main():
            async with await glyphwire.connect_async("localhost", server.port, line_buffer=1) as connection:
                results = connection.read(camera(), latest=True)
                self.assertEqual((await results.__anext__()).sequence, 1)
                await asyncio.to_thread(are_sent.wait)
                self.assertEqual([result.sequence async for result in results], [2, 3, 4, 5, 6])

        with stub(count) as server:
            run(main())

    def test_a_finish_that_is_cancelled_before_its_end_is_sent_leaves_reading_to_pause(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                await connection._sending.acquire()
                finishing = asyncio.create_task(connection.finish())
                await asyncio.sleep(0)
                self.assertEqual(connection._lines.finishers, 1)
                finishing.cancel()
                await asyncio.wait([finishing])
                connection._sending.release()
                self.assertEqual(connection._lines.finishers, 0)
                await connection.finish()

        with stub() as server:
            run(main())

    def test_leaving_the_loop_ends_the_task_that_takes_the_latest_frames(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                results = connection.read((Frame(b"x") for _ in iter(int, 1)), latest=True)
                async for _ in results:
                    break
                await results.aclose()

        with stub(may_break=True) as server:
            run(main())

    def test_what_the_latest_frames_raise_is_raised_behind_the_results_of_those_that_were_sent(self):
        def broken():
            yield Frame(b"x")
            raise KeyError("no more film")

        async def main():
            results = []
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                with self.assertRaises(KeyError):
                    async for result in connection.read(broken(), latest=True):
                        results.append(result.status)
            self.assertEqual(results, ["ok"])

        with stub() as server:
            run(main())

    def test_leaving_the_loop_early_closes_the_connection(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                results = connection.read(Frame(b"x") for _ in iter(int, 1))
                async for _ in results:
                    break
                await results.aclose()
                with self.assertRaises(GlyphwireError) as raised:
                    await connection.send(Frame(b"x"))
                self.assertEqual(raised.exception.code, "closed")

        with stub(may_break=True) as server:
            run(main())

    def test_closing_ends_a_loop_whose_frames_do_not_come(self):
        async def camera():
            yield Frame(b"x")
            await asyncio.get_running_loop().create_future()

        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                async for _ in connection.read(camera()):
                    closing = asyncio.create_task(connection.close())
                await closing

        with stub(may_break=True) as server:
            run(main())

    def test_what_the_frames_raise_is_raised_behind_the_results_of_those_that_were_sent(self):
        def broken():
            yield from [Frame(b"x")] * 6
            raise KeyError("no more film")

        async def too_large():
            for size in [1] * 6 + [200]:
                yield Frame(bytes(size))

        async def main(source, failure):
            results = []
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                with self.assertRaises(failure):
                    async for result in connection.read(source()):
                        results.append(result.status)
            self.assertEqual(results, ["ok"] * 6)

        for source, failure in ((broken, KeyError), (too_large, GlyphwireError)):
            with stub(answer_at_the_end) as server:
                run(main(source, failure))

    def test_one_task_may_finish_first_and_read_then(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port, line_buffer=1) as connection:
                for _ in range(20):
                    await connection.send(Frame(b"x"))
                self.assertEqual((await connection.finish()).frames, 20)
                self.assertEqual(len([result async for result in connection.results()]), 20)

        with stub() as server:
            run(main())

    def test_an_end_that_crosses_a_goaway_is_one_since_every_frame_has_its_result(self):
        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                self.assertEqual([result.status async for result in connection.read([Frame(b"x")])], ["ok"])

        with stub(cross_the_end) as server:
            run(main())

    def test_requests_are_answered_and_refusals_raised(self):
        def refuse(connection):
            connection.greet()
            connection.answer(connection.receive())
            connection.send_line(wire.error(connection.receive().sequence, "bad_option", False))
            connection.serve()

        async def main():
            options = {"level": "accurate"}
            async with await glyphwire.connect_async("localhost", server.port, options=options) as connection:
                with self.assertRaises(GlyphwireError) as raised:
                    await connection.configure({"level": "turbo"})
                self.assertEqual(raised.exception.wire_code, "bad_option")
                pongs = await asyncio.gather(*(connection.ping(captured_us=number) for number in range(8)))
                self.assertEqual([pong.captured_us for pong in pongs], list(range(8)))
                self.assertEqual((await connection.stats()).connection["frames"]["ok"], 0)
                self.assertEqual((await connection.configure({"candidates": 3}))["candidates"], 3)

        with stub(refuse) as server:
            run(main())

    def test_a_request_that_is_cancelled_leaves_the_stream_as_it_is(self):
        answer = threading.Event()

        def late(connection):
            connection.greet()
            received = connection.receive()
            answer.wait()
            connection.answer(received)
            connection.serve()

        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(connection.ping(), 0.05)
                answer.set()
                self.assertEqual((await connection.ping(captured_us=5)).captured_us, 5)

        with stub(late) as server:
            run(main())

    def test_a_lost_connection_is_made_again_and_no_frame_is_unaccounted_for(self):
        def restart(connection):
            connection.greet()
            if connection.number == 1:
                connection.serve(frames=2)
                connection.reset()
            else:
                connection.serve()

        async def main():
            async with await glyphwire.connect_async("localhost", server.port, reconnect=QUICK) as connection:
                results = [result async for result in connection.read([Frame(bytes(1 << 20))] * 40)]
            self.assertEqual([result.sequence for result in results], list(range(1, 41)))
            self.assertEqual({result.code for result in results}, {None, "connection_lost"})
            self.assertTrue(results[-1].is_ok)

        with stub(restart, receive_buffer=1 << 14) as server:
            run(main())

    def test_closing_ends_whoever_waits(self):
        def silence(connection):
            connection.greet()
            connection.drain()

        async def main():
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                asyncio.get_running_loop().call_later(0.05, lambda: asyncio.ensure_future(connection.close()))
                with self.assertRaises(GlyphwireError) as raised:
                    await connection.ping()
                self.assertEqual(raised.exception.code, "closed")
                self.assertEqual([line.type async for line in connection.lines()], ["hello"])

        with stub(silence) as server:
            run(main())

    def test_what_cannot_be_connected_to_is_told(self):
        async def main():
            for settings, code in (
                ({"port": 1}, "cannot_connect"),
                ({"port": server.port, "connect_timeout": 0.1}, "timed_out"),
            ):
                with self.assertRaises(GlyphwireError) as raised:
                    await glyphwire.connect_async("127.0.0.1", **settings)
                self.assertEqual(raised.exception.code, code)

        with stub(lambda connection: connection.drain()) as server:
            run(main())

    def test_a_port_that_does_not_greet_may_be_the_one_for_http(self):
        async def main():
            with self.assertRaisesRegex(GlyphwireError, r"one for HTTP\? If it is, the server's log says why$") as raised:
                await glyphwire.connect_async("localhost", server.port)
            self.assertEqual(raised.exception.code, "connection_lost")

        with stub(lambda connection: None) as server:
            run(main())

    def test_a_frame_whose_sending_is_cancelled_is_not_sent(self):
        release = threading.Event()

        def deaf(connection):
            connection.greet()
            release.wait(PATIENCE)
            connection.serve()

        async def main():
            sent = 0
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                for _ in range(40):
                    try:
                        await asyncio.wait_for(connection.send(Frame(bytes(1 << 20))), 0.02)
                        sent += 1
                    except asyncio.TimeoutError:
                        pass
                release.set()
                self.assertEqual((await connection.finish()).frames, sent)
            self.assertLess(sent, 40)

        with stub(deaf, receive_buffer=1 << 14) as server:
            run(main())

    def test_a_picture_may_change_once_it_is_sent(self):
        release = threading.Event()

        def deaf(connection):
            connection.greet()
            release.wait(PATIENCE)
            connection.serve()

        async def main():
            pixels = bytearray(16 << 20)
            async with await glyphwire.connect_async("localhost", server.port) as connection:
                await connection.send(Frame(pixels))
                pixels[-1] = 1
                release.set()
                await connection.finish()

        with stub(deaf, receive_buffer=1 << 14) as server:
            run(main())
        self.assertEqual(server.connections[0].frames[0].payload[-1], 0)

    def test_a_server_that_stops_and_does_not_close_is_left(self):
        async def main():
            settings = {"reconnect": QUICK, "answer_timeout": 0.1}
            async with await glyphwire.connect_async("localhost", server.port, **settings) as connection:
                async for line in connection.lines():
                    if line.type == "goaway":
                        break
                await connection.ping()
                await connection.finish()
            self.assertEqual(len(server.connections), 2)

        with stub(stop_silently) as server:
            run(main())

    def test_closing_ends_an_attempt_to_connect_again(self):
        is_tried, is_over = threading.Event(), threading.Event()

        def restart(connection):
            if connection.number == 1:
                connection.greet()
                return connection.finish()
            is_tried.set()
            is_over.wait(PATIENCE)

        async def main():
            connection = await glyphwire.connect_async("localhost", server.port, reconnect=QUICK, connect_timeout=3600)
            while not is_tried.is_set():
                await asyncio.sleep(0.001)
            await asyncio.wait_for(connection.close(), 2)
            is_over.set()

        with stub(restart, may_break=True) as server:
            run(main())

    def test_the_next_address_is_tried_where_the_first_does_not_answer(self):
        async def main(found):
            loop = asyncio.get_running_loop()
            with mock.patch.object(loop, "getaddrinfo", return_value=found):
                connection = await glyphwire.connect_async("two", server.port, connect_timeout=4)
            await connection.finish()
            await connection.close()

        with stub() as server, deaf_address() as deaf:
            addresses = deaf, ("127.0.0.1", server.port)
            run(main([(socket.AF_INET, socket.SOCK_STREAM, 0, "", address) for address in addresses]))

    def test_an_address_that_does_not_answer_cannot_be_connected_to(self):
        async def main():
            with self.assertRaises(GlyphwireError) as raised:
                await glyphwire.connect_async(*deaf, connect_timeout=0.2)
            self.assertEqual(raised.exception.code, "cannot_connect")
            self.assertIn("timed out", str(raised.exception))

        with deaf_address() as deaf:
            run(main())

    def test_a_scope_is_a_part_of_an_address(self):
        scoped = ("fe80::1", 7411, 0, 3)
        tried = []

        async def refuse(plain, address):
            tried.append(address)
            raise ConnectionRefusedError("refused")

        async def main():
            loop = asyncio.get_running_loop()
            found = [(socket.AF_INET6, socket.SOCK_STREAM, 0, "", scoped)]
            with mock.patch.object(loop, "getaddrinfo", return_value=found):
                with mock.patch.object(loop, "sock_connect", refuse), self.assertRaises(GlyphwireError):
                    await glyphwire.connect_async("fe80::1%eth0")

        run(main())
        self.assertEqual(tried, [scoped])
