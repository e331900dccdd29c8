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
