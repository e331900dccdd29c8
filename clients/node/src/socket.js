import net from "node:net";
import tls from "node:tls";

/**
 * A socket that goes on reading when writing fails.
 *
 * A server that gives up on a client says why before it closes. A socket that ends at the first failed write would
 * discard what was received and not yet read; this one leaves it to reading to find the end.
 */
export class ReadingSocket extends net.Socket {
  /** Whether writing has failed. */
  isBroken = false;

  _write(chunk, encoding, callback) {
    super._write(chunk, encoding, this.#tolerant(callback));
  }

  _writev(chunks, callback) {
    super._writev(chunks, this.#tolerant(callback));
  }

  #tolerant(callback) {
    return (error) => {
      if (error) this.isBroken = true;
      callback();
    };
  }
}

/** TLS over a socket that is about to connect; the server's certificate must be good, and for `host`. */
export function secured(socket, host, options) {
  const name = net.isIP(host) ? {} : { servername: host };
  return tls.connect({ minVersion: "TLSv1.2", ...name, host, ...(options === true ? {} : options), socket });
}

/** How much of a long message is sent at once: enough for a fast network, and soon told from none for a slow one. */
export const pieceBytes = 1 << 18;

/** Resolves when the socket has taken the bytes, or has failed. */
export function written(socket, bytes) {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

/**
 * What is wrong with TLS, and what to do, where another attempt would fail the same way; nothing for other errors.
 *
 * @param {Error & {library?: string, reason?: string}} [error] Why the socket was closed.
 * @param {boolean} isRefused Whether the certificate was.
 */
export function handshakeAdvice(error, isRefused) {
  if (isRefused) {
    return (
      `its certificate is refused (${error?.message}); trust the certificate or its authority (--tls-ca FILE), ` +
      "and check that the host name is in it"
    );
  }
  if (error?.library !== "SSL routines") return undefined;
  return `TLS fails (${error.reason}); check that the server speaks TLS, and whether it requires a client certificate`;
}
