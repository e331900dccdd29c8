/** The types of messages, by their names in Protocol.md. */
export const MessageType = Object.freeze({ frame: 1, configure: 2, ping: 3, end: 4, stats: 5 });

/** How a payload holds the pixels. */
export const Format = Object.freeze({
  jpeg: 1,
  bgraLZ4Block: 2,
  bgra: 3,
  bgraLZ4Frame: 4,
  gray: 5,
  grayLZ4Block: 6,
});

/** How a picture must be turned to stand upright, numbered as in EXIF; `none` takes a JPEG's own tag, else `up`. */
export const Orientation = Object.freeze({
  none: 0,
  up: 1,
  upMirrored: 2,
  down: 3,
  downMirrored: 4,
  leftMirrored: 5,
  right: 6,
  rightMirrored: 7,
  left: 8,
});

/** Bytes before the payload. */
export const headerBytes = 32;
/** Bytes of the header that the length field does not count. */
export const lengthFieldBytes = 4;

const maxUint64 = 2n ** 64n - 1n;

/** The header of a message; `payloadBytes` is the length of what follows it. */
export function header(type, { sequence = 0n, capturedUs = 0n, frame = {}, payloadBytes = 0 } = {}) {
  const bytes = Buffer.alloc(headerBytes);
  bytes.writeUInt32BE(headerBytes - lengthFieldBytes + payloadBytes, 0);
  bytes.writeUInt8(type, 4);
  bytes.writeUInt8(named(Format, "format", frame.format ?? 0), 5);
  bytes.writeUInt8(named(Orientation, "orientation", frame.orientation ?? 0), 6);
  setSequence(bytes, uint64("sequence", sequence));
  bytes.writeBigUInt64BE(uint64("capturedUs", capturedUs), 16);
  bytes.writeUInt16BE(integer("width", frame.width ?? 0, 0xffff), 24);
  bytes.writeUInt16BE(integer("height", frame.height ?? 0, 0xffff), 26);
  bytes.writeUInt32BE(integer("bytesPerRow", frame.bytesPerRow ?? 0, 0xffff_ffff), 28);
  return bytes;
}

/** The header of a frame, which may be given another number when it is sent. */
export function frameHeader(frame) {
  const { payload, capturedUs = 0n, format = Format.jpeg } = frame;
  if (!(payload instanceof Uint8Array)) {
    throw new TypeError("a frame's payload must be a Buffer or Uint8Array, such as readFile() gives");
  }
  return header(MessageType.frame, {
    sequence: frame.sequence,
    capturedUs,
    frame: { ...frame, format },
    payloadBytes: payload.byteLength,
  });
}

/** Gives a message another number. */
export function setSequence(header, sequence) {
  header.writeBigUInt64BE(sequence, 8);
}

/** A whole number of 64 bits; numbers and bigints are taken. */
export function uint64(name, value) {
  if (typeof value === "number" && Number.isSafeInteger(value)) value = BigInt(value);
  if (typeof value === "bigint" && value >= 0n && value <= maxUint64) return value;
  throw new RangeError(`${name} is ${value}; give a whole number from 0 to 2^64 - 1, above 2^53 - 1 as a bigint`);
}

/** The value as a number where a number holds it exactly. */
export function narrowed(value) {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

function integer(name, value, max) {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new RangeError(`${name} is ${value}; give a whole number from 0 to ${max}`);
}

/** The number of a name; numbers pass, so that what a later protocol knows can be sent too. */
function named(names, what, value) {
  if (typeof value === "number") return integer(what, value, 0xff);
  if (Object.hasOwn(names, value)) return names[value];
  throw new RangeError(`${what} is ${JSON.stringify(value)}; give one of ${Object.keys(names).join(", ")}, or a number`);
}
