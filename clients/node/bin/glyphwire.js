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

async function connected({ host, port, level, token, reconnect }) {
  const options = { characters: false };
  if (level) options.level = level;
  if (token) options.token = (await readFile(token, "utf8")).trim();
  const connection = await connect({ host, port: Number(port), reconnect, options });
  // A server that passes over frames for the sake of newer ones is told that these are files and not a camera's.
  if (connection.hello.features?.includes("delivery")) await connection.configure({ ...options, delivery: "every" });
  return connection;
}

async function sendAll(connection, pictures) {
  for (const [sequence, picture] of pictures.entries()) {
    await connection.send({ payload: await readFile(picture), sequence });
  }
  await connection.finish();
}

/** Prints what stands in the pictures; whether all of them were read. */
async function printAll(connection, { pictures, json }) {
  let allRead = true;
  for await (const result of connection.results()) {
    print(pictures[result.sequence], result, json);
    allRead &&= result.status === "ok";
  }
  return allRead;
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
  const connection = await connected(settings);
  const [allRead] = await Promise.all([printAll(connection, settings), sendAll(connection, settings.pictures)]);
  if (!allRead) process.exitCode = failures.error;
} catch (error) {
  const isExpected = error instanceof GlyphwireError || error.syscall !== undefined;
  console.error(isExpected ? `glyphwire: ${error.message}` : error);
  process.exit(failures.error);
}
