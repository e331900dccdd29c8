// Plays a session through the client and prints what comes back; see ../conformance/README.md.
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect } from "./index.js";

const [frame, configure, ping, end, stats] = [1, 2, 3, 4, 5];

/** The messages of a session, as their fields. */
function* messages(session) {
  for (let at = 0; at < session.length; at += 4 + session.readUInt32BE(at)) {
    const message = session.subarray(at, at + 4 + session.readUInt32BE(at));
    yield {
      type: message[4],
      format: message[5],
      orientation: message[6],
      sequence: message.readBigUInt64BE(8),
      capturedUs: message.readBigUInt64BE(16),
      width: message.readUInt16BE(24),
      height: message.readUInt16BE(26),
      bytesPerRow: message.readUInt32BE(28),
      payload: message.subarray(32),
    };
  }
}

function options({ payload }) {
  return payload.length === 0 ? {} : JSON.parse(payload.toString());
}

/** Sends the messages; the results of those that were sent are waited for, also when one of them fails. */
async function play(connection, session) {
  try {
    await send(connection, session);
  } catch (error) {
    await connection.finish().catch(() => {});
    throw error;
  }
  await connection.finish();
}

async function send(connection, session) {
  for (const { type, ...fields } of session) {
    if (type === frame) await connection.send(fields);
    if (type === configure) await connection.configure(options(fields));
    if (type === ping) await connection.ping(fields.capturedUs);
    if (type === stats) await connection.stats();
    if (type === end) break;
  }
}

function understood({ sequence, status, code = "", lines = [] }) {
  const words = lines.flatMap((line) => line.words).map((word) => word.text);
  return [sequence, status, code, ...words].join("\t");
}

function received(result) {
  if (result.line !== "") return result.line;
  return JSON.stringify(result, (_, value) => (typeof value === "bigint" ? `\0${value}` : value)).replace(
    /"\\u0000(\d+)"/g,
    "$1",
  );
}

async function print(results, format) {
  for await (const result of results) {
    const text = `${format(result)}\n`;
    // What nobody takes has to wait in the client, where it counts.
    await new Promise((resolve) => process.stdout.write(text, resolve));
  }
}

function parsedArguments() {
  try {
    const options = {
      reconnect: { type: "boolean" },
      words: { type: "boolean" },
      "connect-timeout": { type: "string", default: "10" },
      "answer-timeout": { type: "string", default: "30" },
      "ping-interval": { type: "string", default: "240" },
      pause: { type: "string", default: "0" },
      "finish-first": { type: "boolean" },
    };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length === 3) return [values, positionals];
  } catch (error) {
    console.error(error.message);
  }
  console.error(
    "usage: conformance-driver HOST PORT SESSION.gws [--reconnect] [--words] [--connect-timeout SECONDS] " +
      "[--answer-timeout SECONDS] [--ping-interval SECONDS] [--pause SECONDS] [--finish-first]",
  );
  process.exit(2);
}

const [flags, [host, port, path]] = parsedArguments();

try {
  const session = [...messages(await readFile(path))];
  const connection = await connect({
    host,
    port: Number(port),
    options: session[0]?.type === configure ? options(session.shift()) : undefined,
    connectTimeout: Number(flags["connect-timeout"]) * 1000,
    answerTimeout: Number(flags["answer-timeout"]) * 1000,
    pingInterval: Number(flags["ping-interval"]) * 1000,
    reconnect: flags.reconnect,
  });
  await pause(Number(flags.pause) * 1000);
  const format = flags.words ? understood : received;
  const playing = play(connection, session);
  if (flags["finish-first"]) await playing.catch(() => {});
  const outcomes = await Promise.allSettled([print(connection.results(), format), playing]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
} catch (error) {
  const wireCode = error.wireCode ? ` ${error.wireCode}` : "";
  console.error(`client-error: ${error.code}${wireCode}: ${error.message}`);
  process.exitCode = 1;
}
