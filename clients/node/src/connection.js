import { GlyphwireError } from "./error.js";
import { LineSplitter, parseLine, withText } from "./line.js";
import {
  MessageType,
  frameHeader,
  header,
  headerBytes,
  lengthFieldBytes,
  narrowed,
  setSequence,
  uint64,
} from "./message.js";
import { delayBefore, policyFrom } from "./reconnect.js";
import { after, longestTimer, withDefaults } from "./settings.js";
import { ReadingSocket, handshakeAdvice, pieceBytes, secured, written } from "./socket.js";

const protocolVersion = 1;
/** The lines that answer a message, by its type. */
const answers = new Map([
  [MessageType.configure, "configured"],
  [MessageType.ping, "pong"],
  [MessageType.stats, "stats"],
  [MessageType.end, "end"],
]);
const answerTypes = new Set([...answers.values(), "error"]);
/** Milliseconds until the first ping of a client that has sent nothing: servers wait for five seconds (Protocol.md, A9). */
const firstPing = 2_000;
const defaults = {
  connectTimeout: 10_000,
  answerTimeout: 30_000,
  pingInterval: 240_000,
  maxLineBytes: 16 << 20,
  lineBuffer: 64,
};
/** How many of a host's addresses are tried in the time for connecting. */
const addresses = 4;
/** How many frames may be unanswered for each that the server works on, so that the next ones are there in time. */
const framesPerWindow = 2;
/** How many frames of a camera are unanswered at most: two keep network and server busy (rule D9). */
const cameraFrames = 2;

/**
 * Connects, waits for the server's greeting and has it take the options.
 *
 * @param {import("../index.js").ConnectSettings} [settings]
 * @returns {Promise<Connection>}
 */
export function connect(settings = {}) {
  return new Promise((resolve, reject) => {
    const connection = new Connection(settings, {
      ready: () => resolve(connection),
      failed: reject,
    });
  });
}

/**
 * A connection to a server: frames go in, their text comes out.
 *
 * Every frame that was sent has exactly one result, in the order of the frames, unless `close()` is called: over one
 * socket or, where it may reconnect, several in a row.
 */
export class Connection {
  #settings;
  #policy;
  /** What the server last took, to be sent again on another socket; and the last token, which that may lack. */
  #bodies;
  #token;
  /** Tells `connect()` how it went, once. */
  #opening;

  /** "connecting", "greeting", "configuring", "open", "waiting" to reconnect, "ended". */
  #phase = "connecting";
  #socket;
  #splitter;
  #hello;
  /** Runs out when the server does not greet in time, when it is silent for too long, or when the next attempt is due. */
  #timer;
  /** Since when nothing has come, or since the first message was sent that has no answer, if that is later. */
  #silentSince = 0;
  #attempts = 0;
  #isFinishing = false;
  #isEndSent = false;
  /** Whether the server has said that it stops. */
  #isLeaving = false;
  /** How many frames the server works on at once, if it reads every frame. */
  #window;
  #isPumping = false;
  #failure;

  /** When a ping is due, if nothing is sent before. */
  #pingTimer;
  /** Whether anything was sent on this socket. */
  #hasSent = false;

  /** Messages that the socket was not handed yet. */
  #sends = [];
  /** Frames that were handed to the socket and have no result. */
  #unanswered = [];
  /** How many frames the server that is there now has answered. */
  #answered = 0;
  /** Other messages that were handed to the socket and have no answer. */
  #requests = [];
  #lastSequence = 0n;
  #lastRequest = 0n;

  /** Lines that nobody has taken yet, each with whether somebody knows what it says already. */
  #lines = [];
  /** How many of them are known: greetings, and answers that were given to their callers. */
  #known = 0;
  /** Those who wait for a line. */
  #takers = [];

  constructor({ host = "localhost", port = 7411, options, reconnect, ...settings }, opening) {
    this.#settings = withDefaults(defaults, { host, port, ...settings });
    this.#policy = policyFrom(reconnect);
    if (options) this.#taken(bodiesOf(options));
    this.#opening = opening;
    this.#openSocket();
  }

  /** What the server said of itself when it was last connected to. */
  get hello() {
    return this.#hello;
  }

  /** One result for each frame, in the order of the frames. */
  async *results() {
    for await (const line of this.lines()) {
      if (line.type === "result") yield line;
    }
  }

  /** All lines, results among them; each goes to whoever asks next, here or in `results()`. */
  async *lines() {
    for (let line; (line = await this.#take()); ) yield line;
  }

  /** Sends a frame; resolves to its sequence when the socket has taken all of it. */
  send(frame) {
    return this.#sendFrame(frame, { isLatest: false });
  }

  /**
   * Sends a frame once fewer than two are unanswered; resolves to its sequence as `send()` does, or to `undefined` when a
   * newer one has taken its place. Where reading pauses, it does not wait.
   */
  sendLatest(frame) {
    return this.#sendFrame(frame, { isLatest: true });
  }

  /** Sets the options for the frames that follow; resolves to the `configured` line. */
  async configure(options = {}) {
    const bodies = bodiesOf(options);
    return this.#request(MessageType.configure, { payload: bodies.options, taken: () => this.#taken(bodies) });
  }

  /** Asks for a sign of life; resolves to the `pong` line. */
  async ping(capturedUs = 0) {
    return this.#request(MessageType.ping, { capturedUs: uint64("capturedUs", capturedUs) });
  }

  /** Asks how long the stages took so far; resolves to the `stats` line. */
  async stats() {
    return this.#request(MessageType.stats);
  }

  /** Ends the stream; resolves to the `end` line, when every frame has its result. Those not read yet still can be. */
  async finish() {
    // What is under way is bounded, and whoever finishes may be the one who reads then.
    this.#settings.lineBuffer = Infinity;
    this.#pace();
    return this.#request(MessageType.end);
  }

  /** Closes the connection at once; `results()` and `lines()` end behind what was received already. */
  close() {
    if (this.#phase !== "ended") this.#end(undefined);
  }

  // What callers ask for

  #sendFrame(frame, { isLatest }) {
    return new Promise((resolve, reject) => {
      this.#enqueue({
        type: MessageType.frame,
        sequence: frame.sequence === undefined ? undefined : uint64("sequence", frame.sequence),
        capturedUs: narrowed(uint64("capturedUs", frame.capturedUs ?? 0)),
        header: frameHeader(frame),
        payload: frame.payload,
        isLatest,
        written: resolve,
        reject,
      });
    });
  }

  #request(type, fields) {
    return new Promise((resolve, reject) => this.#enqueue(this.#requestMessage(type, { ...fields, resolve, reject })));
  }

  #requestMessage(type, { payload = Buffer.alloc(0), capturedUs, isOwn = false, taken, resolve, reject }) {
    const sequence = ++this.#lastRequest;
    return {
      type,
      sequence: narrowed(sequence),
      header: header(type, { sequence, capturedUs, payloadBytes: payload.length }),
      payload,
      isOwn,
      answered: (line) => {
        taken?.();
        resolve(line);
      },
      reject,
    };
  }

  #enqueue(send) {
    if (this.#phase === "ended" || this.#isFinishing) {
      const closed = new GlyphwireError("closed", "the connection was finished or closed; connect again to send more");
      return send.reject(this.#failure ?? closed);
    }
    if (send.type === MessageType.end) this.#isFinishing = true;
    if (send.isLatest) {
      // Of two frames the server gets the one that it takes.
      const error = this.#phase === "open" && !this.#isLeaving ? this.#tooLarge(send) : undefined;
      if (error) return send.reject(error);
      this.#leaveOutLatest();
    }
    this.#sends.push(send);
    this.#pump();
  }

  /** Leaves out the frame of `sendLatest()` that waits, if one does; the newer one goes behind the options set meanwhile. */
  #leaveOutLatest() {
    const index = this.#sends.findIndex(({ isLatest }) => isLatest);
    if (index >= 0) this.#sends.splice(index, 1)[0].written(undefined);
  }

  /** Hands messages to the socket, one after the other, as long as it takes them. */
  async #pump() {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#sends.length > 0 && this.#maySend(this.#sends[0])) {
      const send = this.#sends.shift();
      const error = this.#tooLarge(send);
      if (error) {
        send.reject(error);
        continue;
      }
      if (send.type === MessageType.frame) this.#number(send);
      await this.#write(send);
      send.written?.(send.sequence);
      // So that lines are read between messages, even if the socket takes all at once.
      await new Promise(setImmediate);
    }
    this.#isPumping = false;
  }

  /**
   * Whether a message may be sent now.
   *
   * Of files few are under way at a time, and their end follows the last answer, so that little is lost with a server.
   */
  #maySend({ type, isLatest }) {
    if (this.#phase !== "open" || this.#isLeaving || this.#socket.isBroken) return false;
    // Answers that nobody reads do not come in, so they cannot be waited for.
    if (!this.#hasRoom) return true;
    if (isLatest && this.#unanswered.length >= cameraFrames) return false;
    if (this.#window === undefined) return true;
    if (type === MessageType.end) return this.#unanswered.length === 0;
    return type !== MessageType.frame || this.#unanswered.length < framesPerWindow * this.#window;
  }

  /** Why the server that is there now does not take a message, if it does not: limits may differ (rule X3). */
  #tooLarge({ payload }) {
    const size = lengthOf(payload);
    const limit = this.#hello.limits?.max_message_bytes;
    if (size <= (limit ?? Infinity)) return undefined;
    return new GlyphwireError(
      "message_too_large",
      `a message of ${size} bytes, ${this.#address} takes at most ${limit}; send a smaller picture, or JPEG`,
    );
  }

  /** Gives a frame its number, now that it is sent. */
  #number(send) {
    this.#lastSequence = send.sequence ?? BigInt.asUintN(64, this.#lastSequence + 1n);
    setSequence(send.header, this.#lastSequence);
    send.sequence = narrowed(this.#lastSequence);
  }

  /** Resolves when the socket has taken the message, or has failed. */
  async #write(send) {
    if (!this.#isWaiting) this.#silentSince = performance.now();
    (send.type === MessageType.frame ? this.#unanswered : this.#requests).push(send);
    if (send.type === MessageType.end) this.#isEndSent = true;
    this.#hasSent = true;
    this.#keepAlive();
    if (this.#phase === "open") this.#watch();
    const socket = this.#socket;
    const { payload } = send;
    // What was sent is accounted for by its header.
    send.payload = undefined;
    socket.cork();
    socket.write(send.header);
    const beginning = written(socket, payload.subarray(0, pieceBytes));
    socket.uncork();
    await beginning;
    for (let at = pieceBytes; at < payload.length && !socket.destroyed; at += pieceBytes) {
      // A server that still takes a long message is not silent.
      if (socket === this.#socket) this.#silentSince = performance.now();
      await written(socket, payload.subarray(at, at + pieceBytes));
    }
  }

  // What the socket reports

  #openSocket() {
    const { host, port, connectTimeout, tls } = this.#settings;
    const plain = new ReadingSocket();
    const socket = tls ? secured(plain, host, tls) : plain;
    let cause;
    this.#phase = "connecting";
    this.#isLeaving = false;
    this.#socket = socket;
    this.#splitter = new LineSplitter();
    this.#timer = after(connectTimeout, () => this.#fail(this.#timedOut()));
    plain.setNoDelay(true).setKeepAlive(true);
    const current = (handler) => (value) => {
      if (this.#socket === socket) handler(value);
    };
    socket.on(tls ? "secureConnect" : "connect", current(() => (this.#phase = "greeting")));
    socket.on("data", current((chunk) => this.#received(chunk)));
    // "close" follows, behind the data that is still to be read.
    for (const layer of new Set([plain, socket])) layer.on("error", (error) => (cause ??= error));
    socket.on("close", current(() => this.#fail(this.#lost(cause, socket.authorizationError))));
    // By default a quarter of a second: less than a round trip over a satellite, or of a telephone.
    const autoSelectFamilyAttemptTimeout = Math.max(Math.ceil(Math.min(connectTimeout, longestTimer) / addresses), 1);
    plain.connect({ host, port, autoSelectFamily: true, autoSelectFamilyAttemptTimeout });
  }

  #received(chunk) {
    this.#silentSince = performance.now();
    const socket = this.#socket;
    const { maxLineBytes } = this.#settings;
    for (const bytes of this.#splitter.split(chunk)) {
      if (bytes.length > maxLineBytes) return this.#fail(this.#lineTooLong());
      this.#lineReceived(bytes);
      if (this.#socket !== socket) return;
    }
    if (this.#splitter.pendingBytes > maxLineBytes) this.#fail(this.#lineTooLong());
  }

  #lineReceived(bytes) {
    let line;
    try {
      line = parseLine(bytes);
    } catch (error) {
      return this.#fail(this.#unreadable(bytes, error));
    }
    if (line.type === "error" && line.fatal === true) {
      this.#push(line);
      this.#fail(refused(line));
    } else if (this.#phase === "greeting") {
      this.#greetingReceived(line);
    } else if (line.type === "result") {
      this.#attempts = 0;
      this.#resultReceived(line);
    } else {
      // Not by the greeting: the refusal of a server without room follows it.
      if (answerTypes.has(line.type)) this.#attempts = 0;
      if (line.type === "goaway") this.#leave();
      if (line.type === "configured") this.#window = line.window === undefined ? undefined : Math.max(line.window, 1);
      this.#answerReceived(line);
    }
  }

  /** The server stops. */
  #leave() {
    this.#isLeaving = true;
    if (this.#phase === "open") this.#watch();
  }

  #greetingReceived(line) {
    if (line.type !== "hello") {
      return this.#fail(new GlyphwireError("not_glyphwire", "the server's first line is no greeting; check the port"));
    }
    if (line.protocol !== protocolVersion) {
      return this.#fail(
        new GlyphwireError(
          "unsupported_protocol",
          `the server speaks version ${line.protocol} of the protocol, this client ${protocolVersion}; ` +
            "update the older of the two",
        ),
      );
    }
    this.#hello = line;
    this.#hasSent = false;
    this.#window = undefined;
    this.#answered = 0;
    this.#push(line, true);
    this.#phase = "configuring";
    this.#configure(this.#firstBodies());
  }

  /** Keeps options for other sockets, and their token also for options without one. */
  #taken(bodies) {
    this.#bodies = bodies;
    this.#token = bodies.token ?? this.#token;
  }

  /**
   * The options to send first on this socket, each when the one before is taken.
   *
   * The token goes alone where the options have none (rule A1), or are longer than it allows before (rule N1).
   */
  #firstBodies() {
    if (this.#bodies === undefined) return [];
    const { options, token } = this.#bodies;
    const { auth, limits } = this.#hello;
    const goesAlone = token === undefined || lengthOf(options) > (limits?.max_unauthenticated_bytes ?? Infinity);
    return auth === "token" && this.#token && goesAlone ? [this.#token, options] : [options];
  }

  /** Has the server take options, one after the other, and then opens the connection. */
  #configure([payload, ...others]) {
    if (payload === undefined) return this.#open();
    // Between the token and the options, which another server is to have (rule G4).
    if (this.#isLeaving) return this.#fail(this.#lost());
    const reject = (error) => {
      if (error.code === "refused" && this.#phase === "configuring") this.#end(error);
    };
    const settings = { payload, resolve: () => this.#configure(others), reject };
    const message = this.#requestMessage(MessageType.configure, settings);
    const error = this.#tooLarge(message);
    if (error) this.#fail(error);
    else this.#write(message);
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#phase = "open";
    this.#pace();
    this.#watch();
    this.#keepAlive();
    this.#opening?.ready();
    this.#opening = undefined;
    this.#pump();
  }

  /** Whether messages have no answer yet. */
  get #isWaiting() {
    return this.#unanswered.length + this.#requests.length > 0;
  }

  /** Whether something is to come: answers, or from a server that stops the end, for which everything else waits. */
  get #isDue() {
    return this.#isWaiting || this.#isLeaving;
  }

  /** Gives up a server that sends nothing for too long while something is due (rule A12). */
  #watch() {
    if (this.#timer !== undefined || !this.#isDue) return;
    const check = () => {
      this.#timer = undefined;
      // While nobody reads, nothing can have come.
      if (this.#socket.isPaused()) this.#silentSince = performance.now();
      if (this.#isDue && performance.now() - this.#silentSince >= this.#settings.answerTimeout) {
        return this.#fail(this.#silent());
      }
      this.#watch();
    };
    const left = this.#silentSince + this.#settings.answerTimeout - performance.now();
    this.#timer = after(Math.max(left, 0), check);
  }

  /** Has a ping sent when nothing else was for a while, so that the server keeps an idle connection (rule A10). */
  #keepAlive() {
    clearTimeout(this.#pingTimer);
    const { pingInterval } = this.#settings;
    // Where a token is asked for, the first message has to bring it.
    const mayPing = this.#hasSent || this.#hello.auth !== "token";
    const isWanted = pingInterval > 0 && pingInterval <= longestTimer;
    if (!isWanted || !mayPing || this.#isFinishing) return;
    const pause = this.#hasSent ? pingInterval : Math.min(pingInterval, firstPing);
    this.#pingTimer = setTimeout(() => this.#ping(), pause);
  }

  /** Sends a ping of which nobody is told, unless messages are on their way already. */
  #ping() {
    const isBusy = this.#sends.length > 0 || this.#requests.some(({ isOwn }) => isOwn);
    if (isBusy || this.#isLeaving || this.#phase !== "open") return this.#keepAlive();
    const ignore = () => {};
    this.#sends.push(this.#requestMessage(MessageType.ping, { isOwn: true, resolve: ignore, reject: ignore }));
    this.#pump();
  }

  #resultReceived(line) {
    const frame = this.#unanswered[0];
    if (frame === undefined || frame.sequence !== line.sequence) {
      const expected = frame === undefined ? "no frame waits for one" : `frame ${frame.sequence} is next`;
      return this.#fail(
        new GlyphwireError(
          "bad_line",
          `the server sent a result for frame ${line.sequence}, but ${expected}; results come in the order of frames`,
        ),
      );
    }
    this.#unanswered.shift();
    this.#answered += 1;
    this.#push(line);
    this.#pump();
  }

  #answerReceived(line) {
    const isAnswer = ({ type, sequence }) =>
      sequence === line.sequence && (line.type === "error" || line.type === answers.get(type));
    const index = this.#requests.findIndex(isAnswer);
    if (!this.#requests[index]?.isOwn) this.#push(line, index >= 0);
    // An end before the last result is none: the loss that follows is what is told.
    if (index < 0 || (line.type === "end" && this.#unanswered.length > 0)) return;
    const [request] = this.#requests.splice(index, 1);
    if (line.type === "error") return request.reject(refused(line));
    if (line.type === "end") this.#end(undefined);
    request.answered(line);
    this.#pump();
  }

  /** Gives the socket up, and the connection too unless it may reconnect. */
  #fail(error) {
    const end = error.code === "connection_lost" ? this.#crossedEnd : undefined;
    if (end) return this.#answerReceived(endLine(end.sequence, this.#answered));
    const mayReconnect =
      this.#policy !== undefined &&
      this.#opening === undefined &&
      !this.#isEndSent &&
      !GlyphwireError.isPermanent(error) &&
      this.#attempts < this.#policy.maxAttempts;
    if (!mayReconnect) return this.#end(error);
    // First, so that losing the options on the way is not taken for the server's answer to them.
    this.#phase = "waiting";
    this.#closeSocket(error);
    this.#attempts += 1;
    const pause = Math.max(delayBefore(this.#policy, this.#attempts), GlyphwireError.minimumPause(error));
    this.#timer = after(pause, () => this.#openSocket());
  }

  /** The `end` that crossed a `goaway`, if nothing else lacks an answer: the stream is complete (rule G4). */
  get #crossedEnd() {
    const [request, ...others] = this.#requests;
    const isLast = this.#isLeaving && this.#unanswered.length === 0 && others.length === 0;
    return isLast && request?.type === MessageType.end ? request : undefined;
  }

  /** Ends everything, because of `error` if there is one. */
  #end(error) {
    const reason = error ?? new GlyphwireError("closed", "the connection was closed before this was answered");
    this.#phase = "ended";
    this.#failure = error;
    this.#closeSocket(error);
    for (const send of this.#sends.splice(0)) send.reject(reason);
    for (const request of this.#requests.splice(0)) request.reject(reason);
    this.#opening?.failed(reason);
    this.#opening = undefined;
    for (const taker of this.#takers.splice(0)) this.#endTaker(taker);
  }

  /** Lets go of the socket; what was lost with it by `error` is told. */
  #closeSocket(error) {
    clearTimeout(this.#timer);
    clearTimeout(this.#pingTimer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
    const lost = this.#unanswered.splice(0);
    if (error === undefined) return;
    for (const frame of lost) this.#push(lostResult(frame));
    for (const request of this.#requests.splice(0)) request.reject(error);
  }

  // Lines on their way to the caller

  /** Hands a line to whoever waits for one. A known one takes no room; where many of those wait, it is left out. */
  #push(line, isKnown = false) {
    const taker = this.#takers.shift();
    if (taker) return taker.resolve(line);
    if (isKnown && this.#known > this.#settings.lineBuffer) return;
    this.#lines.push({ line, isKnown });
    this.#known += Number(isKnown);
    this.#pace();
  }

  get #hasRoom() {
    return this.#lines.length - this.#known < this.#settings.lineBuffer;
  }

  /** Reads from an open socket while few lines wait; a server that greets is heard however many there are. */
  #pace() {
    if (this.#phase !== "open") return;
    if (this.#hasRoom) return this.#socket.resume();
    this.#socket.pause();
    this.#pump();
  }

  #take() {
    return new Promise((resolve, reject) => {
      const taker = { resolve, reject };
      if (this.#lines.length > 0) {
        const { line, isKnown } = this.#lines.shift();
        this.#known -= Number(isKnown);
        this.#pace();
        resolve(line);
      } else if (this.#phase === "ended") {
        this.#endTaker(taker);
      } else {
        this.#takers.push(taker);
      }
    });
  }

  #endTaker(taker) {
    if (this.#failure) taker.reject(this.#failure);
    else taker.resolve(undefined);
  }

  // Errors

  get #address() {
    const { host, port } = this.#settings;
    return `${host}:${port}`;
  }

  #timedOut() {
    const { connectTimeout } = this.#settings;
    return new GlyphwireError(
      "timed_out",
      `${this.#address} did not greet within ${connectTimeout} ms; check that a Glyphwire server listens there`,
    );
  }

  #silent() {
    const { answerTimeout } = this.#settings;
    return new GlyphwireError(
      "connection_lost",
      `${this.#address} has sent nothing for ${answerTimeout} ms while messages were unanswered, or it was to close; the ` +
        "server or the network may be down, or answerTimeout too short for a server that many share",
    );
  }

  #lost(cause, authorizationError) {
    // Behind the handshake, whatever is wrong with the certificate was accepted.
    const isRefused = this.#phase === "connecting" && Boolean(authorizationError);
    const tls = this.#phase === "open" ? undefined : handshakeAdvice(cause, isRefused);
    if (tls) {
      const message = `cannot connect to ${this.#address}: ${tls}`;
      return new GlyphwireError("cannot_connect", message, { cause, isFinal: true });
    }
    if (this.#phase === "connecting") {
      return new GlyphwireError(
        "cannot_connect",
        `cannot connect to ${this.#address}: ${cause?.message || cause?.code}; ` +
          "check that a server listens there (glyphwire serve) and that host and port are right",
        { cause },
      );
    }
    const reason = cause ? `broke: ${cause.message}` : "was closed by the server";
    // A port that has greeted before is the right one.
    const silentAdvice = this.#hello
      ? "the server may have stopped, its log says why"
      : "is this the port for frames (7411), not the one for HTTP? If it is, the server's log says why";
    const advice = this.#isLeaving ? "the server stops, and took nothing more; connect again later" : silentAdvice;
    return new GlyphwireError("connection_lost", `the connection to ${this.#address} ${reason}; ${advice}`, { cause });
  }

  #lineTooLong() {
    const { maxLineBytes } = this.#settings;
    return new GlyphwireError(
      "line_too_long",
      `${this.#address} sent a line of more than ${maxLineBytes} bytes; raise maxLineBytes if pages are that full`,
    );
  }

  #unreadable(bytes, cause) {
    const start = JSON.stringify(bytes.subarray(0, 60).toString());
    if (this.#phase === "greeting") {
      return new GlyphwireError(
        "not_glyphwire",
        `${this.#address} answers ${start}, which is no Glyphwire greeting; check the port`,
        { cause },
      );
    }
    return new GlyphwireError(
      "bad_line",
      `${this.#address} sent a line that cannot be read (${cause.message}): ${start}`,
      { cause },
    );
  }
}

/** What the length field of a message with this payload says. */
function lengthOf(payload) {
  return headerBytes - lengthFieldBytes + payload.byteLength;
}

/** Options as the body of a `configure`, and their token as one of its own if they have one. */
function bodiesOf(options) {
  const { token } = options;
  return { options: body(options), token: token === undefined ? undefined : body({ token }) };
}

function body(options) {
  return Buffer.from(JSON.stringify(options));
}

/** That the server objects, as it says itself. */
function refused({ code, message }) {
  return new GlyphwireError("refused", `the server refused: ${message} (${code})`, { wireCode: code });
}

/** The last line of a complete stream, which a server that stops does not send. */
function endLine(sequence, frames) {
  return withText({ type: "end", sequence, frames }, "");
}

/** The result of a frame that will have none from a server. */
function lostResult({ sequence, capturedUs }) {
  const result = {
    type: "result",
    sequence,
    captured_us: capturedUs,
    status: "error",
    code: "connection_lost",
    message: "the connection was lost before the frame was answered; send it again",
  };
  return withText(result, "");
}
