import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const maxPort = 65535;
const maxOrientation = 8;
const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const flags = {
  host: { type: "string", default: "localhost" },
  port: { type: "string", default: "7411" },
  tls: { type: "boolean" },
  "tls-ca": { type: "string" },
  "token-file": { type: "string" },
  level: { type: "string" },
  find: { type: "string", multiple: true, default: [] },
  option: { type: "string", multiple: true, default: [] },
  orientation: { type: "string", default: "0" },
  "no-wait": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

/**
 * What a command line asks for.
 *
 * @param {string[]} given The arguments.
 * @throws {Error} Where they are wrong; the message says why.
 */
export function commandLine(given) {
  const { values, positionals: pictures } = parseArgs({ args: joined(given), options: flags, allowPositionals: true });
  if (values.help) return { help: true };
  [values.level, ...values.find, ...values.option].forEach(checkText);
  if (pictures.length === 0) throw new TypeError("no pictures; name at least one JPEG file");
  return {
    server: {
      host: values.host.replace(/^\[(.*)\]$/, "$1"),
      port: number("port", values.port, 1, maxPort),
      tls: values["tls-ca"] === undefined ? values.tls : { ca: authorities(values["tls-ca"]) },
    },
    options: configuration(values),
    orientation: number("orientation", values.orientation, 0, maxOrientation),
    isPatient: !values["no-wait"],
    json: values.json,
    isSearch: values.find.length > 0,
    pictures,
  };
}

/** Arguments with each value in one word with its option: a value of its own must not begin with a dash for `parseArgs`. */
function joined(given) {
  const words = [];
  for (let i = 0; i < given.length; i++) {
    if (given[i] === "--") return [...words, ...given.slice(i)];
    const takesValue = flags[given[i].slice(2)]?.type === "string" && given[i].startsWith("--");
    words.push(takesValue && i + 1 < given.length ? `${given[i]}=${given[++i]}` : given[i]);
  }
  return words;
}

/** Node has replaced what was no UTF-8. */
function checkText(text) {
  if (text?.includes("\ufffd")) throw new TypeError(`${text} is not UTF-8`);
}

function number(name, text, least, most) {
  if (!/^\d{1,5}$/.test(text) || Number(text) < least || Number(text) > most) {
    throw new TypeError(`--${name} is a number from ${least} to ${most}, not ${text}`);
  }
  return Number(text);
}

function configuration(values) {
  // Words are enough for printing; without the characters a line is a quarter as long.
  const options = values.json ? {} : { characters: false };
  if (values.level !== undefined) options.level = values.level;
  const tokenFile = values["token-file"] ?? (process.env.GLYPHWIRE_TOKEN_FILE || undefined);
  if (tokenFile !== undefined) options.token = token(tokenFile);
  if (values.find.length > 0) options.find = values.find;
  Object.assign(options, Object.fromEntries(values.option.map(option)));
  if (options.recognize === false && !values.json) {
    throw new TypeError("with recognize=false there are no words to print; add --json");
  }
  return options;
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

/** What a file holds. */
function contents(path) {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}

/** The token in a file; of several, in JSON as a server takes them, the first. */
function token(path) {
  const text = contents(path);
  const first = text.startsWith("{") ? firstToken(text) : text;
  if (typeof first !== "string" || first === "") throw new Error(`there is no token in ${path}`);
  return first;
}

function firstToken(text) {
  try {
    return JSON.parse(text).tokens?.[0]?.token;
  } catch {
    return undefined;
  }
}

/** The certificates in a PEM file. */
function authorities(path) {
  const found = contents(path).match(certificate) ?? [];
  if (found.length === 0) throw new Error(`--tls-ca: there is no certificate in ${path}`);
  for (const one of found) checkCertificate(one, path);
  return found;
}

function checkCertificate(pem, path) {
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new Error(`--tls-ca: a certificate in ${path} cannot be read: ${error.message}`, { cause: error });
  }
}
