import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { connect } from "glyphwire";
import { hello, ok, stub } from "./stub.js";

const jpeg = { payload: Buffer.from("a picture") };
const quick = { initialDelay: 1, maxDelay: 5 };

async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** What is read until the connection ends, and how it ends. */
async function outcome(connection) {
  const results = [];
  try {
    for await (const result of connection.results()) results.push(result);
    return { results };
  } catch (error) {
    return { results, error };
  }
}

function refusal(code, wireCode) {
  return (error) => error.name === "GlyphwireError" && error.code === code && error.wireCode === wireCode;
}

test("every field of a frame is in its header", async (t) => {
  let received;
  const server = await stub(t, (peer) => peer.serve({ result: (message) => ((received = message), ok(0x0102)) }));
  const connection = await connect(server);
  await connection.send({
    payload: Buffer.from("rows"),
    format: "gray",
    width: 0x0304,
    height: 0x0506,
    bytesPerRow: 0x0708090a,
    orientation: "left",
    capturedUs: 0x0b0c0d0e0f101112n,
    sequence: 0x0102,
  });
  await connection.finish();
  const header = "00000020010508000000000000000102" + "0b0c0d0e0f101112030405060708090a";
  assert.equal(received.header.toString("hex"), header);
  assert.equal(received.payload.toString(), "rows");
});

test("a frame is a JPEG whose own tag says how it stands, unless it says otherwise", async (t) => {
  let received;
  const server = await stub(t, (peer) => peer.serve({ result: (message) => ((received = message), ok(1)) }));
  const connection = await connect(server);
  assert.equal(await connection.send(jpeg), 1);
  await connection.finish();
  assert.equal(received.header.toString("hex"), "0000002501010000" + "0000000000000001" + "00".repeat(16));
});

test("what cannot be in a header is an error before anything is sent", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const connection = await connect(server);
  const wrong = [
    { payload: "text" },
    { ...jpeg, width: 65536 },
    { ...jpeg, height: -1 },
    { ...jpeg, bytesPerRow: 1.5 },
    { ...jpeg, format: "png" },
    { ...jpeg, orientation: "askew" },
    { ...jpeg, sequence: -1 },
    { ...jpeg, capturedUs: 2 ** 53 },
  ];
  for (const frame of wrong) await assert.rejects(connection.send(frame), /TypeError|RangeError/);
  assert.equal(await connection.send(jpeg), 1);
  assert.equal((await connection.finish()).frames, 1);
});

test("results come in order, each with the line as it was received", async (t) => {
  const text = '{ "type":"result","status":"ok", "sequence":1,"text":"caf\\u00e9 é","lines":[] }';
  const server = await stub(t, (peer) => peer.serve({ result: ({ sequence }) => (sequence === 1 ? text + "\n" : ok(2)) }));
  const connection = await connect(server);
  await connection.send(jpeg);
  await connection.send(jpeg);
  const [[first, second]] = await Promise.all([collect(connection.results()), connection.finish()]);
  assert.equal(first.line, text);
  assert.equal(first.text, "café é");
  assert.equal(second.sequence, 2);
  assert.deepEqual(Object.keys(first), ["type", "status", "sequence", "text", "lines"]);
});

test("whole numbers of 64 bits are exact, and nothing else is taken for one", async (t) => {
  const largest = 2n ** 64n - 1n;
  const text = String.raw`{"type":"result","sequence":${largest},"captured_us":9007199254740993,"status":"ok",
    "text":"\"18446744073709551615\\","age_ms":-9007199254740993,"small":9007199254740991,
    "fraction":0.18446744073709551615,"exponent":18446744073709551615e1}`.replaceAll("\n", "");
  const server = await stub(t, (peer) => peer.serve({ result: () => text + "\n" }));
  const connection = await connect(server);
  assert.equal(await connection.send({ ...jpeg, sequence: largest }), largest);
  await connection.finish();
  const [result] = await collect(connection.results());
  assert.equal(result.sequence, largest);
  assert.equal(result.captured_us, 9007199254740993n);
  assert.equal(result.age_ms, -9007199254740993n);
  assert.equal(result.small, 9007199254740991);
  assert.equal(result.text, '"18446744073709551615\\');
  assert.equal(result.fraction, 0.18446744073709551615);
  assert.equal(result.exponent, 18446744073709551615e1);
});

test("a sequence goes on from the one before, and begins anew behind the largest", async (t) => {
  const sequences = [41, 42, 18446744073709551615n, 0];
  const answer = (_, n) => `{"type":"result","status":"ok","sequence":${sequences[n - 1]}}\n`;
  const server = await stub(t, (peer) => peer.serve({ result: answer }));
  const connection = await connect(server);
  assert.equal(await connection.send({ ...jpeg, sequence: 41 }), 41);
  assert.equal(await connection.send(jpeg), 42);
  await connection.send({ ...jpeg, sequence: 2n ** 64n - 1n });
  assert.equal(await connection.send(jpeg), 0);
  await connection.finish();
  assert.deepEqual((await collect(connection.results())).map((result) => result.sequence), sequences);
});

test("what a newer server says is passed on or passed over", async (t) => {
  const server = await stub(t, (peer) => {
    peer.send({ type: "weather", text: "fine" });
    return peer.serve({ result: ({ sequence }) => ok(sequence, { status: "dropped", reason: "superseded", by: 2 }) });
  }, async (peer) => {
    await peer.send(hello);
    const { sequence } = await peer.message();
    await peer.send({ type: "weather", text: "fine" });
    await peer.send(ok(sequence, { status: "dropped", reason: "superseded", by: 2 }));
    await peer.end({ type: "end", sequence: (await peer.message()).sequence, frames: 1 });
  });
  // Before the greeting nothing else is understood.
  await assert.rejects(connect(server), refusal("not_glyphwire"));
  const connection = await connect(server);
  await connection.send(jpeg);
  await connection.finish();
  const lines = await collect(connection.lines());
  assert.deepEqual(lines.map(({ type }) => type), ["hello", "weather", "result", "end"]);
  assert.deepEqual([lines[2].status, lines[2].reason, lines[2].by], ["dropped", "superseded", 2]);
});

test("lines may be cut anywhere", async (t) => {
  const server = await stub(t, async (peer) => {
    peer.socket.setNoDelay(true);
    await peer.send(hello);
    await peer.message();
    for (const byte of Buffer.from(JSON.stringify(ok(1, { text: "梧桐里街" })) + "\n")) {
      await peer.send(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    const { sequence } = await peer.message();
    await peer.end(`${JSON.stringify({ type: "news" })}\n${JSON.stringify({ type: "end", sequence, frames: 1 })}\n`);
  });
  const connection = await connect(server);
  await connection.send(jpeg);
  const [[result]] = await Promise.all([collect(connection.results()), connection.finish()]);
  assert.equal(result.text, "梧桐里街");
});

test("frames and lines larger than any buffer pass while both sides send", async (t) => {
  const text = "x".repeat(1 << 20);
  const server = await stub(t, (peer) => peer.serve({ result: ({ sequence }) => ok(sequence, { text }) }));
  const connection = await connect(server);
  const send = async () => {
    for (let i = 0; i < 24; i++) await connection.send({ payload: Buffer.alloc(1 << 20) });
    await connection.finish();
  };
  const [results] = await Promise.all([collect(connection.results()), send()]);
  assert.deepEqual(results.map((result) => result.text.length), Array(24).fill(text.length));
});

test("reading pauses while lines wait that nobody takes", async (t) => {
  let written = 0;
  let behind;
  const isBehind = new Promise((resolve) => (behind = resolve));
  const line = `${JSON.stringify({ type: "news", text: "x".repeat(1 << 20) })}\n`;
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    for (; written < 80; written++) {
      peer.socket.write(line);
      if (peer.socket.writableLength > 32 << 20) behind();
    }
    await peer.serve({ greeting: { type: "news" } });
  });
  const connection = await connect({ ...server, lineBuffer: 4 });
  await isBehind;
  const [lines] = await Promise.all([collect(connection.lines()), connection.finish()]);
  assert.equal(lines.length, 83);
});

test("a greeting does not count as a line that waits", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const connection = await connect({ ...server, options: { level: "fast" }, lineBuffer: 1, connectTimeout: 2000 });
  const [lines] = await Promise.all([collect(connection.lines()), connection.finish()]);
  assert.deepEqual(lines.map(({ type }) => type), ["hello", "configured", "end"]);
  const bare = await connect({ ...server, lineBuffer: 1 });
  assert.equal((await bare.ping(7)).captured_us, 0);
});

test("whoever finishes may read then, however many results there are", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const connection = await connect(server);
  for (let i = 0; i < 100; i++) await connection.send(jpeg);
  assert.equal((await connection.finish()).frames, 100);
  assert.equal((await collect(connection.results())).length, 100);
});

test("pongs of the client's own are not among the lines", async (t) => {
  let pinged;
  const isPinged = new Promise((resolve) => (pinged = resolve));
  const types = [];
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    while (types.length < 3) {
      const { type, sequence } = await peer.message();
      types.push(type);
      await peer.send({ type: "pong", sequence, captured_us: 0, received_us: 1, sent_us: 2 });
    }
    pinged();
    await peer.serve({ greeting: { type: "news" } });
  });
  const connection = await connect({ ...server, pingInterval: 5 });
  await isPinged;
  await connection.stats();
  await connection.finish();
  const lines = await collect(connection.lines());
  assert.deepEqual(lines.map(({ type }) => type), ["hello", "news", "stats", "end"]);
  assert.deepEqual(types, [3, 3, 3]);
});

test("a server that asks for a token is not pinged before it has it", async (t) => {
  let first;
  const server = await stub(t, async (peer) => {
    await peer.send({ ...hello, auth: "token" });
    first = await peer.message();
    await peer.send({ type: "configured", sequence: first.sequence, options: {} });
    await peer.serve({ greeting: { type: "news" } });
  });
  const connection = await connect({ ...server, pingInterval: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await connection.configure({ token: "open sesame" });
  await connection.finish();
  assert.equal(first.type, 2);
});

test("each address of a host has a share of the time for connecting", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const asked = t.mock.method(net.Socket.prototype, "connect");
  for (const connectTimeout of [8000, 1e6, Infinity, undefined]) {
    await (await connect({ ...server, connectTimeout })).finish();
  }
  const shares = asked.mock.calls.map(({ arguments: [settings] }) => settings.autoSelectFamilyAttemptTimeout);
  assert.deepEqual(shares, [2000, 250_000, 2 ** 29, 2500]);
});

test("settings that are undefined are at their defaults, and what no timer holds is never", async (t) => {
  let messages = 0;
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    while (await peer.message()) messages += 1;
  });
  for (const pingInterval of [undefined, null, 0, -1, NaN, Infinity, 2 ** 31]) {
    const never = { connectTimeout: Infinity, answerTimeout: Infinity };
    const connection = await connect({ ...server, ...never, maxLineBytes: undefined, pingInterval });
    const isAnswered = connection.ping();
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.close();
    await assert.rejects(isAnswered, refusal("closed"));
  }
  assert.equal(messages, 7);
});

test("results that nobody has read do not keep a server from being connected to again", async (t) => {
  const count = 100;
  const server = await stub(
    t,
    async (peer) => {
      await peer.send(hello);
      await peer.send({ type: "configured", sequence: (await peer.message()).sequence, options: {} });
      for (let i = 0; i <= count; i++) await peer.message();
      peer.reset();
    },
    (peer) => peer.serve(),
  );
  const settings = { options: {}, reconnect: quick, lineBuffer: 4, connectTimeout: 2000 };
  const connection = await connect({ ...server, ...settings });
  for (let i = 0; i < count; i++) await connection.send(jpeg);
  await assert.rejects(connection.ping(), refusal("connection_lost"));
  await connection.send(jpeg);
  const [results, end] = await Promise.all([collect(connection.results()), connection.finish()]);
  assert.deepEqual(results.map(({ code }) => code), [...Array(count).fill("connection_lost"), undefined]);
  assert.equal(end.frames, 1);
});

test("options go first, and what the server cannot honour leaves those before in force", async (t) => {
  const bodies = [];
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    for (const answer of ["configured", "error", "configured"]) {
      const { sequence, payload } = await peer.message();
      bodies.push(JSON.parse(payload));
      await peer.send({ type: answer, sequence, options: bodies.at(-1), code: "bad_option", message: "no", fatal: false });
    }
    peer.reset();
  }, async (peer) => {
    await peer.send(hello);
    bodies.push(JSON.parse((await peer.message()).payload));
    await peer.send({ type: "configured", sequence: 4, options: {} });
    await peer.end({ type: "end", sequence: (await peer.message()).sequence, frames: 0 });
  });
  const connection = await connect({ ...server, options: { token: "secret", delivery: "every" }, reconnect: quick });
  await assert.rejects(connection.configure({ level: "turbo" }), refusal("refused", "bad_option"));
  assert.deepEqual((await connection.configure({ level: "fast" })).options, { level: "fast" });
  for await (const line of connection.lines()) if (line.type === "configured" && line.sequence === 4) break;
  await connection.finish();
  assert.deepEqual(bodies, [{ token: "secret", delivery: "every" }, { level: "turbo" }, { level: "fast" }, { level: "fast" }]);
});

test("a token that later options lack, or that leaves them too long, goes before them alone", async (t) => {
  const greeting = { ...hello, auth: "token", limits: { ...hello.limits, max_unauthenticated_bytes: 66 } };
  const bodies = [];
  const take = async (peer, count) => {
    for (; count > 0; count--) {
      const { sequence, payload } = await peer.message();
      bodies.push(JSON.parse(payload));
      await peer.send({ type: "configured", sequence, options: {} });
    }
  };
  const server = await stub(t, async (peer) => {
    await peer.send(greeting);
    await take(peer, 2);
    peer.reset();
  }, async (peer) => {
    await peer.send(greeting);
    await take(peer, 3);
    peer.reset();
  }, async (peer) => {
    await peer.send(greeting);
    await take(peer, 2);
    await peer.end({ type: "end", sequence: (await peer.message()).sequence, frames: 0 });
  });
  // A length of 66 and of 67 bytes.
  const options = [{ token: "secret", client: "camera 7" }, { token: "secret", client: "camera 77" }];
  const connection = await connect({ ...server, options: options[0], reconnect: quick });
  const greeted = async () => {
    for await (const line of connection.lines()) if (line.type === "hello") break;
  };
  await greeted();
  await connection.configure({ level: "fast" });
  await greeted();
  await connection.configure(options[1]);
  await greeted();
  await connection.finish();
  const [token, fast] = [{ token: "secret" }, { level: "fast" }];
  assert.deepEqual(bodies, [options[0], fast, token, fast, options[1], token, options[1]]);
});

test("pings and statistics have their answers", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const connection = await connect(server);
  const [pong, stats] = await Promise.all([connection.ping(7), connection.stats()]);
  assert.deepEqual([pong.type, pong.sent_us, stats.type], ["pong", 2, "stats"]);
  assert.equal((await connection.finish()).frames, 0);
});

test("of the latest frames two are unanswered, and one waits that a newer one replaces", async (t) => {
  let answer;
  const mayAnswer = new Promise((resolve) => (answer = resolve));
  const received = [];
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    for (let i = 0; i < 2; i++) received.push(await peer.message());
    await mayAnswer;
    for (const { sequence } of received) await peer.send(ok(sequence));
    await peer.serve({ greeting: { type: "news" }, result: (message) => (received.push(message), ok(message.sequence)) });
  });
  const connection = await connect(server);
  const sent = [];
  const frame = (i) => ({ payload: Buffer.of(i) });
  for (let i = 0; i < 2; i++) sent.push(await connection.sendLatest(frame(i)));
  const waiting = [];
  for (let i = 2; i < 100; i++) waiting.push(connection.sendLatest(frame(i)));
  for (const left of waiting.slice(0, -1)) assert.equal(await left, undefined);
  answer();
  sent.push(await waiting.at(-1));
  const end = await connection.finish();
  assert.deepEqual(sent, [1, 2, 3]);
  assert.deepEqual(received.map(({ payload }) => payload[0]), [0, 1, 99]);
  assert.equal(end.frames, 1);
  assert.deepEqual((await collect(connection.results())).map(({ sequence }) => sequence), [1, 2, 3]);
});

test("a latest frame goes behind the options that were set while the one before it waited", async (t) => {
  let answer;
  const mayAnswer = new Promise((resolve) => (answer = resolve));
  const types = [];
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    const first = [await peer.message(), await peer.message()];
    await mayAnswer;
    for (const { sequence } of first) await peer.send(ok(sequence));
    for (let message; (message = await peer.message()); ) {
      const { type, sequence } = message;
      types.push(type);
      if (type === 1) await peer.send(ok(sequence));
      if (type === 2) await peer.send({ type: "configured", sequence, options: {} });
      if (type === 4) return peer.end({ type: "end", sequence, frames: 3 });
    }
  });
  const connection = await connect(server);
  for (let i = 0; i < 2; i++) await connection.sendLatest(jpeg);
  const waiting = [connection.sendLatest(jpeg), connection.configure({ level: "accurate" })];
  waiting.push(connection.sendLatest(jpeg), connection.finish());
  answer();
  const [left, , sent] = await Promise.all(waiting);
  assert.deepEqual([left, sent, types], [undefined, 3, [2, 1, 4]]);
});

test("results that nobody reads hold up no latest frame", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const connection = await connect({ ...server, lineBuffer: 1 });
  for (let i = 1; i <= 6; i++) assert.equal(await connection.sendLatest(jpeg), i);
  await connection.finish();
  assert.equal((await collect(connection.results())).length, 6);
});

test("a latest frame that is too large does not take the place of the one that waits", async (t) => {
  let answer;
  const mayAnswer = new Promise((resolve) => (answer = resolve));
  const server = await stub(t, async (peer) => {
    await peer.send({ ...hello, limits: { ...hello.limits, max_message_bytes: 100 } });
    const first = [await peer.message(), await peer.message()];
    await mayAnswer;
    for (const { sequence } of first) await peer.send(ok(sequence));
    await peer.serve({ greeting: { type: "news" } });
  });
  const connection = await connect(server);
  for (let i = 0; i < 2; i++) await connection.sendLatest(jpeg);
  const waiting = connection.sendLatest(jpeg);
  await assert.rejects(connection.sendLatest({ payload: Buffer.alloc(73) }), refusal("message_too_large"));
  answer();
  assert.equal(await waiting, 3);
  await connection.finish();
});

test("closing rejects the latest frame that waits", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    while (await peer.message());
  });
  const connection = await connect(server);
  for (let i = 0; i < 2; i++) await connection.sendLatest(jpeg);
  const waiting = assert.rejects(connection.sendLatest(jpeg), refusal("closed"));
  connection.close();
  await waiting;
});

test("an end that crosses a goaway is one, since every frame has its result", async (t) => {
  for (const reconnect of [false, quick]) {
    const server = await stub(t, async (peer) => {
      await peer.send(hello);
      const messages = [await peer.message(), await peer.message(), await peer.message()];
      assert.equal(messages.at(-1).type, 4);
      await peer.send({ type: "goaway", grace_ms: 1000 });
      for (const { sequence } of messages.slice(0, 2)) await peer.send(ok(sequence));
      await peer.end();
    });
    const connection = await connect({ ...server, reconnect });
    await connection.send(jpeg);
    await connection.send(jpeg);
    const end = await connection.finish();
    assert.deepEqual([end.type, end.frames, end.line], ["end", 2, ""]);
    assert.deepEqual((await collect(connection.results())).map(({ status }) => status), ["ok", "ok"]);
    assert.equal(server.connections, 1);
  }
});

test("a lost connection is made again, and every frame has one result in its place", async (t) => {
  const server = await stub(
    t,
    async (peer) => {
      await peer.send(hello);
      await peer.message();
      await peer.send(ok(1));
      // Frame 2 is received and 3 in part; neither is answered.
      await peer.message();
      await peer.beginning();
      peer.reset();
    },
    (peer) => peer.serve(),
  );
  const connection = await connect({ ...server, reconnect: quick });
  const send = async () => {
    for (let i = 0; i < 6; i++) await connection.send({ payload: Buffer.alloc(8 << 20) });
    return connection.finish();
  };
  const [results, end] = await Promise.all([collect(connection.results()), send()]);
  assert.deepEqual(results.map(({ sequence }) => sequence), [1, 2, 3, 4, 5, 6]);
  const lost = results.filter(({ code }) => code === "connection_lost");
  // The system's buffers may have held all of frame 3, and then 4 was begun.
  assert.match(lost.map(({ sequence }) => sequence).join(), /^2,3(,4)?$/);
  assert.ok(lost.every(({ status, line }) => status === "error" && line === ""));
  assert.equal(end.frames, 5 - lost.length);
  assert.equal(server.connections, 2);
});

test("without a policy a loss is final", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.message();
    await peer.message();
    await peer.end(ok(1));
  });
  const connection = await connect(server);
  await connection.send(jpeg);
  await connection.send({ ...jpeg, capturedUs: 5 });
  const { results, error } = await outcome(connection);
  assert.deepEqual(results.map(({ status, code, captured_us }) => [status, code, captured_us]), [
    ["ok", undefined, 0],
    ["error", "connection_lost", 5],
  ]);
  assert.ok(refusal("connection_lost")(error));
  await assert.rejects(connection.send(jpeg), refusal("connection_lost"));
  assert.equal(server.connections, 1);
});

test("a server that said that it stops is not blamed for it", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.send({ type: "goaway", grace_ms: 1000 });
    await peer.end();
  });
  const connection = await connect(server);
  const { error } = await outcome(connection);
  assert.match(error.message, /the server stops, and took nothing more/);
});

test("a server that stops and does not close is left", async (t) => {
  const stopSilently = async (peer) => {
    await peer.send(hello);
    await peer.send({ type: "goaway", grace_ms: 1000 });
  };
  const server = await stub(t, stopSilently, (peer) => peer.serve());
  const connection = await connect({ ...server, reconnect: quick, answerTimeout: 100 });
  for await (const { type } of connection.lines()) if (type === "goaway") break;
  await connection.ping();
  await connection.finish();
  assert.equal(server.connections, 2);
});

test("a server that stops behind the last file does not take the stream with it", async (t) => {
  const configured = { type: "configured", sequence: 1, window: 4, options: {} };
  const server = await stub(
    t,
    async (peer) => {
      await peer.send(hello);
      await peer.message();
      await peer.send(configured);
      for (let i = 1; i <= 6; i++) await peer.message();
      for (let i = 1; i <= 3; i++) await peer.send(ok(i));
      await peer.end();
    },
    (peer) => peer.serve(),
  );
  const connection = await connect({ ...server, options: { delivery: "every" }, reconnect: quick });
  for (let i = 0; i < 6; i++) await connection.send(jpeg);
  const [results, end] = await Promise.all([collect(connection.results()), connection.finish()]);
  const lost = Array(3).fill("connection_lost");
  assert.deepEqual(results.map(({ code }) => code), [undefined, undefined, undefined, ...lost]);
  assert.equal(end.frames, 0);
});

test("attempts to come back end at their number, with the reason of the last", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.message();
    server.stop();
  });
  const connection = await connect({ ...server, reconnect: { ...quick, maxAttempts: 3 } });
  await connection.send(jpeg);
  const { results, error } = await outcome(connection);
  assert.deepEqual(results.map(({ code }) => code), ["connection_lost"]);
  assert.ok(refusal("cannot_connect")(error), error);
});

test("a port that has greeted is not asked about", async (t) => {
  const server = await stub(t, (peer) => peer.end(hello), (peer) => peer.end());
  const connection = await connect({ ...server, reconnect: { ...quick, maxAttempts: 1 } });
  const { error } = await outcome(connection);
  assert.ok(refusal("connection_lost")(error), error);
  assert.match(error.message, /was closed by the server; the server may have stopped, its log says why$/);
});

test("a loss after the end was sent is final", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.message();
    await peer.message();
    await peer.end();
  });
  const connection = await connect({ ...server, reconnect: quick });
  await connection.send(jpeg);
  const finished = assert.rejects(connection.finish(), refusal("connection_lost"));
  const { results, error } = await outcome(connection);
  await finished;
  assert.deepEqual([results.length, error.code, server.connections], [1, "connection_lost", 1]);
});

test("an end line before the last result is no end", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.message();
    await peer.end({ type: "end", sequence: (await peer.message()).sequence, frames: 0 });
  });
  const connection = await connect(server);
  await connection.send(jpeg);
  const finished = assert.rejects(connection.finish(), refusal("connection_lost"));
  assert.equal((await outcome(connection)).results[0].code, "connection_lost");
  await finished;
});

test("a fatal error says why, even while frames are on their way", async (t) => {
  const fatal = { type: "error", sequence: 1, code: "shutting_down", message: "going", fatal: true };
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.message();
    await peer.send(fatal);
    peer.socket.destroy();
  });
  for (let i = 0; i < 20; i++) {
    const connection = await connect(server);
    const send = async () => {
      for (;;) await connection.send({ payload: Buffer.alloc(1 << 18) });
    };
    const [{ results, error }] = await Promise.all([
      outcome(connection),
      assert.rejects(send(), refusal("refused", "shutting_down")),
    ]);
    assert.ok(refusal("refused", "shutting_down")(error), error);
    assert.ok(results.length >= 1 && results.every(({ code }) => code === "connection_lost"));
  }
});

test("a server that turns the client away is not asked again", async (t) => {
  for (const code of ["auth_required", "auth_failed", "message_too_large", "message_too_short"]) {
    const server = await stub(t, async (peer) => {
      await peer.send(hello);
      await peer.message();
      await peer.end({ type: "error", sequence: null, code, message: "no", fatal: true });
    });
    const connection = await connect({ ...server, reconnect: quick });
    await connection.send(jpeg);
    const { error } = await outcome(connection);
    assert.ok(refusal("refused", code)(error), error);
    assert.equal(server.connections, 1);
  }
});

test("a wrong token is known when connecting", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send({ ...hello, auth: "token" });
    const { sequence } = await peer.message();
    await peer.end({ type: "error", sequence, code: "auth_failed", message: "wrong token", fatal: true });
  });
  const connecting = connect({ ...server, options: { token: "guess" }, reconnect: quick });
  await assert.rejects(connecting, refusal("refused", "auth_failed"));
});

test("options that the server cannot honour are known when connecting", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    const { sequence } = await peer.message();
    await peer.send({ type: "error", sequence, code: "unknown_option", message: "no", fatal: false });
  });
  const connecting = connect({ ...server, options: { colour: "red" }, reconnect: quick });
  await assert.rejects(connecting, refusal("refused", "unknown_option"));
});

test("what is no server of this protocol is named", async (t) => {
  const greets = (line) => stub(t, (peer) => peer.end(line));
  await assert.rejects(connect(await greets("HTTP/1.1 400 Bad Request\r\n")), refusal("not_glyphwire"));
  await assert.rejects(connect(await greets({ type: "result" })), refusal("not_glyphwire"));
  await assert.rejects(connect(await greets({ ...hello, protocol: 2 })), refusal("unsupported_protocol"));
  const mute = await greets("");
  await assert.rejects(connect(mute), refusal("connection_lost"));
  await assert.rejects(connect(mute), /\(7411\), not the one for HTTP\? If it is, the server's log says why$/);
  const silent = await stub(t, () => {});
  await assert.rejects(connect({ ...silent, connectTimeout: 50 }), refusal("timed_out"));
  silent.stop();
  await assert.rejects(connect({ ...silent, reconnect: quick }), refusal("cannot_connect"));
});

test("a line that is not what it should be ends the connection", async (t) => {
  const lines = [
    "{",
    "[]",
    "null",
    '{"text":"no type"}',
    '{"type":"result","status":"ok"}',
    '{"type":"result","status":"ok","sequence":-1}',
    '{"type":"result","status":"ok","sequence":1.5}',
    '{"type":"result","sequence":1}',
    '{"type":"result","status":"ok","sequence":2}',
    Buffer.from('{"type":"news","text":"\xff"}', "latin1"),
  ];
  for (const line of lines) {
    const server = await stub(t, async (peer) => {
      await peer.send(hello);
      await peer.message();
      await peer.send(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
    });
    const connection = await connect({ ...server, reconnect: quick });
    await connection.send(jpeg);
    const { results, error } = await outcome(connection);
    assert.ok(refusal("bad_line")(error), `${line}: ${error}`);
    assert.deepEqual(results.map(({ code }) => code), ["connection_lost"]);
    assert.equal(server.connections, 1);
  }
});

test("a line above the limit ends the connection before it is complete", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.send("x".repeat(1001));
  });
  const connection = await connect({ ...server, maxLineBytes: 1000, reconnect: quick });
  assert.ok(refusal("line_too_long")((await outcome(connection)).error));
});

test("a message above the server's limit is not sent, and the connection lives", async (t) => {
  const received = [];
  const server = await stub(t, (peer) =>
    peer.serve({
      greeting: { ...hello, limits: { ...hello.limits, max_message_bytes: 100 } },
      result: ({ sequence, payload }) => (received.push(payload.length), ok(sequence)),
    }),
  );
  const connection = await connect(server);
  await assert.rejects(connection.send({ payload: Buffer.alloc(73) }), refusal("message_too_large"));
  assert.equal(await connection.send({ payload: Buffer.alloc(72) }), 1);
  await connection.finish();
  assert.deepEqual(received, [72]);
});

test("the limit of the server that is there now counts, also for what waited for it", async (t) => {
  const greetings = [100, 50, 1000].map((max_message_bytes) => ({ ...hello, limits: { max_message_bytes } }));
  const lose = (greeting) => async (peer) => {
    await peer.send(greeting);
    for (let i = 0; i < 2; i++) await peer.message();
    peer.reset();
  };
  const serve = (peer) => peer.serve({ greeting: greetings[2] });
  const server = await stub(t, lose(greetings[0]), lose(greetings[1]), serve);
  const connection = await connect({ ...server, reconnect: quick });
  const frame = (bytes) => ({ payload: Buffer.alloc(bytes) });
  const results = collect(connection.results());
  assert.equal(await connection.send(frame(70)), 1);
  await assert.rejects(connection.ping(), refusal("connection_lost"));
  // Taken by the first server, not by the second.
  await assert.rejects(connection.send(frame(70)), refusal("message_too_large"));
  assert.equal(await connection.send(frame(20)), 2);
  await assert.rejects(connection.ping(), refusal("connection_lost"));
  // Taken by the third only.
  assert.equal(await connection.send(frame(900)), 3);
  await connection.finish();
  assert.deepEqual((await results).map(({ code }) => code), ["connection_lost", "connection_lost", undefined]);
});

test("nothing can be asked of a connection that was finished or closed", async (t) => {
  const server = await stub(t, (peer) => peer.serve());
  const finished = await connect(server);
  await finished.finish();
  await assert.rejects(finished.send(jpeg), refusal("closed"));
  await assert.rejects(finished.finish(), refusal("closed"));

  const closed = await connect(server);
  const [line] = [closed.lines().next(), closed.close()];
  assert.equal((await line).value.type, "hello");
  assert.deepEqual(await collect(closed.lines()), []);
  await assert.rejects(closed.ping(), refusal("closed"));
});

test("closing ends a wait for the next attempt", async (t) => {
  const server = await stub(t, async (peer) => {
    await peer.send(hello);
    await peer.message();
    peer.reset();
  });
  const connection = await connect({ ...server, reconnect: { initialDelay: 3_600_000, maxDelay: 3_600_000 } });
  await connection.send(jpeg);
  for await (const result of connection.results()) {
    assert.equal(result.code, "connection_lost");
    const waiting = assert.rejects(connection.send(jpeg), refusal("closed"));
    connection.close();
    await waiting;
  }
});
