#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { GlyphwireError, connect } from "../index.js";
import { commandLine } from "./arguments.js";
import { defaultPolicy, delayBefore } from "../src/reconnect.js";

const usage = `usage: glyphwire-client [options] PICTURE.jpg ...

Sends JPEG files to a Glyphwire server, and prints the words in each: one line
for each line of text, with the picture's name in front and tabs between.

  --host NAME          the server's name or address (default: localhost)
  --port NUMBER        its port (default: 7411)
  --tls                speak TLS, and trust the authorities of Node
  --tls-ca FILE        speak TLS, and trust the authorities of this PEM file
  --token-file FILE    a file with the token that the server requires;
                       GLYPHWIRE_TOKEN_FILE names one otherwise
  --level LEVEL        fast or accurate (default: the server's)
  --find TEXT          print only matches of this text or /expression/;
                       may be repeated
  --option NAME=VALUE  any other option of configure; may be repeated
  --orientation NUMBER how the camera was held, 1...8 as in EXIF (default: 0,
                       the JPEG's own)
  --no-wait            fail at once if no server answers, instead of waiting
  --json               print the server's lines
  --help               show this

The exit status is 0; 1 if a picture could not be read, the server was lost or
refused, the output could not be written, or --find found nothing; 2 for wrong
usage.
`;

const failures = { error: 1, usage: 2 };
/** That the output cannot be written. */
class OutputLost extends Error {
  constructor(cause) {
    super(`the output cannot be written: ${cause.message}`, { cause });
  }
}

/** Errors after which a server may be there later. */
const passing = new Set(["cannot_connect", "timed_out", "connection_lost"]);

/** Connects, and has every frame read. */
async function connected({ server, options, isPatient }) {
  for (let attempt = 1; ; attempt++) {
    try {
      const connection = await connect({ ...server, reconnect: true, options });
      // A server that leaves out frames for the sake of newer ones is told that these are files and not a camera's.
      const hasChoice = connection.hello.features?.includes("delivery") && options.delivery === undefined;
      if (hasChoice) await connection.configure({ ...options, delivery: "every" });
      return connection;
    } catch (error) {
      const isPassing = error instanceof GlyphwireError && passing.has(error.code) && !GlyphwireError.isPermanent(error);
      if (!isPatient || !isPassing) throw error;
      if (attempt === 1) console.error(`glyphwire-client: waiting for the server: ${error.message}`);
    }
    await pause(delayBefore(defaultPolicy, attempt));
  }
}

/** Sends the pictures that can be opened, and ends the stream behind the last that could be sent; whether those are all. */
async function sendAll(connection, { pictures, orientation }) {
  let allOpened = true;
  try {
    for (const [sequence, picture] of pictures.entries()) {
      const payload = await opened(picture);
      if (payload) await connection.send({ payload, sequence, orientation });
      else allOpened = false;
    }
  } finally {
    await connection.finish();
  }
  return allOpened;
}

/** What a picture's file holds; `undefined`, and says why, where it cannot be opened. */
async function opened(picture) {
  try {
    return await readFile(picture);
  } catch (error) {
    console.error(`${picture}: ${error.message}`);
    return undefined;
  }
}

/** Prints what stands in the pictures; whether all of them were read, and what was sought was found. */
async function printAll(connection, settings) {
  let allRead = true;
  let found = 0;
  try {
    for await (const result of connection.results()) {
      await print(settings.pictures[result.sequence], result, settings);
      allRead &&= result.status === "ok";
      found += (result.matches ?? []).length + changed(result).filter(({ pattern }) => pattern !== undefined).length;
    }
  } finally {
    connection.close();
  }
  return allRead && (found > 0 || !settings.isSearch);
}

async function print(picture, result, settings) {
  if (result.status !== "ok") {
    const reason = result.status === "error" ? `${result.message} (${result.code})` : result.status;
    console.error(`${picture}: ${reason}`);
  }
  const rows = rowsOf(picture, result, settings);
  if (rows.length > 0) await write(`${rows.join("\n")}\n`);
}

/** The line of a result, which the client's own of a lost frame has not, or a row for each text. */
function rowsOf(picture, result, { json, isSearch }) {
  if (json) return [result.line || JSON.stringify(result)];
  const come = changed(result).filter(({ type }) => type !== "lost").map(({ text }) => text);
  if (isSearch) return [...(result.matches ?? []).map(({ text }) => text), ...come].map((text) => `${picture}\t${text}`);
  const lines = (result.lines ?? []).map(({ words }) => (words ?? []).map(({ text }) => text));
  return [...lines, ...come.map((text) => text.split(" "))].map((words) => [picture, ...words].join("\t"));
}

/** What has changed, where a result tells no more than that. */
function changed({ changes }) {
  return changes ?? [];
}

/** Writes to standard output; rejects where that cannot be done. */
function write(text) {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputLost(error)) : resolve()));
  });
}

/** Streams the pictures; whether all of them were read, and what was sought was found. */
async function stream(settings) {
  const connection = await connected(settings);
  const outcomes = await Promise.allSettled([printAll(connection, settings), sendAll(connection, settings)]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  return outcomes.every(({ value }) => value);
}

// Whoever writes is told what is wrong with it.
process.stdout.on("error", () => {});
let settings;
try {
  settings = commandLine(process.argv.slice(2));
} catch (error) {
  console.error(`glyphwire-client: ${error.message}; --help lists the options`);
  process.exit(failures.usage);
}
try {
  if (settings.help) await write(usage);
  else if (!(await stream(settings))) process.exitCode = failures.error;
} catch (error) {
  const isExpected = error instanceof GlyphwireError || error instanceof OutputLost || error.syscall !== undefined;
  console.error(isExpected ? `glyphwire-client: ${error.message}` : error);
  process.exitCode = failures.error;
}
