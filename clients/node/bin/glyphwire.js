#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { GlyphwireError, connect } from "../index.js";

const usage = `usage: glyphwire [options] PICTURE.jpg ...

Streams JPEG files to a Glyphwire server and prints the words in each.

  --host NAME      where the server is; localhost by default
  --port NUMBER    7411 by default
  --level LEVEL    "fast" or "accurate"; the server's own by default
  --token FILE     a file with the secret that the server asks for
  --reconnect      come back when the connection is lost
  --json           print each result as the server sends it, a line of JSON
  --help           show this`;

const failures = { error: 1, usage: 2 };

function commandLine() {
  const options = {
    host: { type: "string" },
    port: { type: "string", default: "7411" },
    level: { type: "string" },
    token: { type: "string" },
    reconnect: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) {
    throw new TypeError(`--port is ${values.port}; give a number from 1 to 65535`);
  }
  if (positionals.length === 0 && !values.help) throw new TypeError("no pictures; name at least one JPEG file");
  return { ...values, pictures: positionals };
}

async function options({ level, token }) {
  const options = { characters: false };
  if (level) options.level = level;
  if (token) options.token = (await readFile(token, "utf8")).trim();
  return options;
}

/** Sends a picture as soon as the server has one left to read, so that none waits long and none is passed over. */
async function stream(connection, { pictures, json }) {
  const remaining = pictures.entries();
  let waiting = 0;
  let failed = false;
  const sendNext = async () => {
    const { value, done } = remaining.next();
    if (done) return;
    const [sequence, picture] = value;
    await connection.send({ payload: await readFile(picture), sequence });
    waiting += 1;
  };
  await sendNext();
  await sendNext();
  const results = connection.results();
  for (; waiting > 0; waiting -= 1) {
    const { value: result } = await results.next();
    print(pictures[result.sequence], result, json);
    failed ||= result.status === "error";
    await sendNext();
  }
  await connection.finish();
  return failed;
}

function print(picture, result, json) {
  if (json && result.line) return console.log(result.line);
  if (result.status !== "ok") return console.error(`${picture}: ${result.message ?? result.status}`);
  for (const line of result.lines) console.log([picture, ...line.words.map(({ text }) => text)].join("\t"));
}

let settings;
try {
  settings = commandLine();
} catch (error) {
  console.error(`${error.message}\n\n${usage}`);
  process.exit(failures.usage);
}
if (settings.help) {
  console.log(usage);
  process.exit();
}
try {
  const { host, port, reconnect } = settings;
  const connection = await connect({ host, port: Number(port), reconnect, options: await options(settings) });
  if (await stream(connection, settings)) process.exitCode = failures.error;
} catch (error) {
  const isExpected = error instanceof GlyphwireError || error.syscall !== undefined;
  console.error(isExpected ? `glyphwire: ${error.message}` : error);
  process.exit(failures.error);
}
