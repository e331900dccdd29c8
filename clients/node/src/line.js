import { randomUUID } from "node:crypto";
import { narrowed } from "./message.js";

// Unknown to any server, so that no string of a line can pass for a number.
const mark = `${randomUUID()}:`;
// From 2^53 = 9007199254740992 on.
const mayHaveLongInteger = /9\d{15}|\d{17}/;
const stringOrLongInteger = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+])-?[1-9]\d{15,}(?![\d.eE])/g;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * One line from a server as an object; `line` is the text that was received.
 *
 * Whole numbers that a number does not hold exactly become bigints.
 *
 * @param {Uint8Array} bytes Without the line feed.
 * @throws {SyntaxError | TypeError} Where the line is not what Protocol.md says.
 */
export function parseLine(bytes) {
  const text = decoder.decode(bytes);
  let line = JSON.parse(text);
  if (mayHaveLongInteger.test(text)) line = parseExactly(text);
  if (typeof line !== "object" || line === null || typeof line.type !== "string") {
    throw new SyntaxError('no JSON object with a "type"');
  }
  if (line.type === "result") checkResult(line);
  return withText(line, text);
}

/** Adds the text of a line, where neither loops nor JSON.stringify meet it. */
export function withText(line, text) {
  return Object.defineProperty(line, "line", { value: text });
}

/** What JSON.parse has found to be JSON, with its long integers as they stand there. */
function parseExactly(text) {
  const marked = text.replace(stringOrLongInteger, (token) => (token[0] === '"' ? token : `"${mark}${token}"`));
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? narrowed(BigInt(value.slice(mark.length))) : value,
  );
}

function checkResult({ sequence, status }) {
  const isWhole = typeof sequence === "bigint" || Number.isSafeInteger(sequence);
  if (!isWhole || sequence < 0) throw new SyntaxError('a result without a whole number as its "sequence"');
  if (typeof status !== "string") throw new SyntaxError('a result without a string as its "status"');
}

/** Cuts what is received into lines. */
export class LineSplitter {
  #parts = [];
  #length = 0;

  /** How many bytes of a line that is not complete are kept. */
  get pendingBytes() {
    return this.#length;
  }

  /** The lines that `chunk` completes, without their line feeds, one at a time. */
  *split(chunk) {
    let start = 0;
    for (let end; (end = chunk.indexOf(0x0a, start)) >= 0; start = end + 1) {
      this.#keep(chunk.subarray(start, end));
      const line = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#length = 0;
      yield line;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part) {
    this.#parts.push(part);
    this.#length += part.length;
  }
}
