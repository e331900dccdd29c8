#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { GlyphwireError, connect } from "../index.js";
import { defaultPolicy, delayBefore } from "../src/reconnect.js";

const usage = `usage: glyphwire [options] PICTURE.jpg ...

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

function number(name, text, least, most) {
  if (!/^\d{1,5}$/.test(text) || Number(text) < least || Number(text) > most) {
    throw new TypeError(`--${name} is a number from ${least} to ${most}, not ${text}`);
  }
  return Number(text);
}

/** What NAME=VALUE says; the value is JSON or else a string. */
function option(text) {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new TypeError(`${text} is not NAME=VALUE`);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

function commandLine() {
  const options = {
    host: { type: "string", default: "localhost" },
    port: { type: "string", default: "7411" },
    tls: { type: "boolean" },
    "tls-ca": { type: "string" },
    "token-file": { type: "string", default: process.env.GLYPHWIRE_TOKEN_FILE },
    level: { type: "string" },
    find: { type: "string", multiple: true, default: [] },
    option: { type: "string", multiple: true, default: [] },
    orientation: { type: "string", default: "0" },
    "no-wait": { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  // A default that is not there is none.
  if (options["token-file"].default === undefined) delete options["token-file"].default;
  const { values, positionals: pictures } = parseArgs({ options, allowPositionals: true });
  if (values.help) return { help: true };
  if (pictures.length === 0) throw new TypeError("no pictures; name at least one JPEG file");
  return {
    server: {
      host: values.host,
      port: number("port", values.port, 1, 65535),
      tls: values["tls-ca"] ? { ca: readFileSync(values["tls-ca"]) } : values.tls,
    },
    options: configuration(values),
    orientation: number("orientation", values.orientation, 0, 8),
    isPatient: !values["no-wait"],
    json: values.json,
    isSearch: values.find.length > 0,
    pictures,
  };
}

function configuration(values) {
  // Words are enough for printing; without the characters a line is a quarter as long.
  const options = values.json ? {} : { characters: false };
  if (values.level) options.level = values.level;
  if (values["token-file"]) options.token = readFileSync(values["token-file"], "utf8").trim();
  if (values.find.length > 0) options.find = values.find;
  return { ...options, ...Object.fromEntries(values.option.map(option)) };
}

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
      if (attempt === 1) console.error(`glyphwire: waiting for the server: ${error.message}`);
    }
    await pause(delayBefore(defaultPolicy, attempt));
  }
}

/** Sends the pictures, and ends the stream behind the last that could be sent. */
async function sendAll(connection, { pictures, orientation }) {
  try {
    for (const [sequence, picture] of pictures.entries()) {
      await connection.send({ payload: await readFile(picture), sequence, orientation });
    }
  } finally {
    await connection.finish();
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
      found += result.matches?.length ?? 0;
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

function rowsOf(picture, { line, lines = [], matches = [] }, { json, isSearch }) {
  if (json) return line ? [line] : [];
  if (isSearch) return matches.map(({ text }) => `${picture}\t${text}`);
  return lines.map(({ words }) => [picture, ...words.map(({ text }) => text)].join("\t"));
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
  return outcomes[0].value;
}

// Whoever writes is told what is wrong with it.
process.stdout.on("error", () => {});
let settings;
try {
  settings = commandLine();
} catch (error) {
  console.error(`glyphwire: ${error.message}; --help lists the options`);
  process.exit(failures.usage);
}
try {
  if (settings.help) await write(usage);
  else if (!(await stream(settings))) process.exitCode = failures.error;
} catch (error) {
  const isExpected = error instanceof GlyphwireError || error instanceof OutputLost || error.syscall !== undefined;
  console.error(isExpected ? `glyphwire: ${error.message}` : error);
  process.exitCode = failures.error;
}
