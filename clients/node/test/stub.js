import { once } from "node:events";
import net from "node:net";

export const hello = {
  type: "hello",
  server: "glyphwire",
  version: "0",
  protocol: 1,
  auth: "none",
  limits: { max_message_bytes: 67108864, max_pixels: 37748736, max_side: 65535, max_configure_bytes: 65536 },
  levels: ["fast", "accurate"],
  features: [],
};

export function ok(sequence, members = {}) {
  return { type: "result", sequence, captured_us: 0, status: "ok", text: "", lines: [], timings_us: {}, ...members };
}

/** One connection, from the server's side. */
class Peer {
  #socket;
  #bytes = Buffer.alloc(0);
  #changed = () => {};

  constructor(socket) {
    this.#socket = socket;
    socket.on("error", () => {});
    for (const event of ["readable", "end", "close"]) socket.on(event, () => this.#changed());
  }

  /** Sends a line, or bytes as they are; resolves when the socket has taken them. */
  send(line) {
    const bytes = typeof line === "string" || Buffer.isBuffer(line) ? line : `${JSON.stringify(line)}\n`;
    return new Promise((resolve) => this.#socket.write(bytes, resolve));
  }

  /** Waits for the beginning of another message. */
  async beginning() {
    await this.#has(4);
  }

  /** The next message, `undefined` behind the last. */
  async message() {
    const length = (await this.#has(4)) ? 4 + this.#bytes.readUInt32BE(0) : 4;
    if (!(await this.#has(length))) return undefined;
    const message = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return {
      type: message[4],
      sequence: Number(message.readBigUInt64BE(8)),
      header: message.subarray(0, 32),
      payload: message.subarray(32),
    };
  }

  /** Greets, and answers every message until the client has ended the stream. */
  async serve({ greeting = hello, result = ({ sequence }) => ok(sequence) } = {}) {
    await this.send(greeting);
    for (let message, frames = 0; (message = await this.message()); ) {
      const { type, sequence, payload } = message;
      if (type === 1) await this.send(result(message, ++frames));
      if (type === 2) await this.send({ type: "configured", sequence, options: JSON.parse(payload || "{}") });
      if (type === 3) await this.send({ type: "pong", sequence, captured_us: 0, received_us: 1, sent_us: 2 });
      if (type === 4) return this.end({ type: "end", sequence, frames });
      if (type === 5) await this.send({ type: "stats", sequence, connection: {}, server: {} });
    }
  }

  /** Sends the last line and closes. */
  async end(line) {
    if (line) await this.send(line);
    this.#socket.end();
  }

  /** Breaks the connection. */
  reset() {
    this.#socket.resetAndDestroy();
  }

  get socket() {
    return this.#socket;
  }

  async #has(count) {
    while (this.#bytes.length < count) {
      const chunk = this.#socket.read();
      if (chunk) this.#bytes = Buffer.concat([this.#bytes, chunk]);
      else if (this.#socket.readableEnded || this.#socket.destroyed) return false;
      else await new Promise((resolve) => (this.#changed = resolve));
    }
    return true;
  }
}

/**
 * A server on a free port for the length of a test.
 *
 * @param {import("node:test").TestContext} test
 * @param {...((peer: Peer) => unknown)} scripts What is done with each connection in a row; the last for all that follow.
 */
export async function stub(test, ...scripts) {
  let connections = 0;
  const sockets = new Set();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    const script = scripts[Math.min(connections++, scripts.length - 1)];
    script(new Peer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  test.after(stop);
  return {
    host: "127.0.0.1",
    port: server.address().port,
    stop,
    get connections() {
      return connections;
    },
  };
}
