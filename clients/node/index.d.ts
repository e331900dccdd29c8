import type { ConnectionOptions } from "node:tls";

/** How a payload holds the pixels. */
export declare const Format: {
  readonly jpeg: 1;
  readonly bgraLZ4Block: 2;
  readonly bgra: 3;
  readonly bgraLZ4Frame: 4;
  readonly gray: 5;
  readonly grayLZ4Block: 6;
};

/** How a picture must be turned to stand upright, numbered as in EXIF; `none` takes a JPEG's own tag, else `up`. */
export declare const Orientation: {
  readonly none: 0;
  readonly up: 1;
  readonly upMirrored: 2;
  readonly down: 3;
  readonly downMirrored: 4;
  readonly leftMirrored: 5;
  readonly right: 6;
  readonly rightMirrored: 7;
  readonly left: 8;
};

/** A whole number of 64 bits: a bigint where a number would not hold it exactly, which is above 2^53 - 1. */
export type Integer = number | bigint;

/** A picture to have read. */
export interface Frame {
  /** The JPEG file, or the rows as they are or packed with LZ4; not to be changed until `send()` has resolved. */
  payload: Uint8Array;
  /** How `payload` holds the pixels; `"jpeg"` by default. */
  format?: keyof typeof Format | number;
  /** In pixels; 0, the default, for a JPEG, which says itself. */
  width?: number;
  /** In pixels; 0, the default, for a JPEG, which says itself. */
  height?: number;
  /** From the start of one row to the start of the next; 0, the default, for rows without padding, and for a JPEG. */
  bytesPerRow?: number;
  /** How the picture must be turned to stand upright; `"none"` by default. */
  orientation?: keyof typeof Orientation | number;
  /** When it was taken, in microseconds of a clock of yours, echoed in the result; 0, the default, if unknown. */
  capturedUs?: Integer;
  /** Your own number for it, echoed in the result; by default one more than that of the frame before. */
  sequence?: Integer;
}

/** A named part of the upright picture, with a rectangle or a polygon; what is left out is as the stream has it. */
export interface Region {
  /** Told with the lines of the region. */
  name: string;
  /** x, y, width and height as fractions. */
  regionOfInterest?: readonly [number, number, number, number];
  /** Corners x0, y0, x1, y1, ... as fractions. */
  polygon?: readonly number[];
  /** Texts, and regular expressions between slashes, to look for. */
  find?: readonly string[];
  /** The characters and ranges to read alone. */
  characterSet?: string;
  /** Leaves out lines lower than this fraction of the upright picture's height. */
  minimumTextHeight?: number;
}

/** The options of a stream, by their names on the wire; those that are not listed here are sent as they are given. */
export interface Options {
  /** Shown to a server whose `hello` says `"auth":"token"`. */
  token?: string;
  /** A name for the server's logs. */
  client?: string;
  /** Small models for live video, or larger ones for text that is small, blurred or must be right. */
  level?: "fast" | "accurate" | (string & {});
  /** `false`: say where text is and do not read it. */
  recognize?: boolean;
  /** `false`: words come without their characters. */
  characters?: boolean;
  /** What the numbers of a `box` mean. */
  coordinates?: "sent" | "upright" | "vision" | (string & {});
  /** Leaves out lines lower than this fraction of the upright picture's height. */
  minimumTextHeight?: number;
  /** x, y, width and height of the only part of the upright picture that is looked at, as fractions. */
  regionOfInterest?: readonly [number, number, number, number];
  /** Named parts of the upright picture that are read instead of the rest, each with options of its own. */
  regions?: readonly Region[];
  /** Languages to expect, as codes of BCP 47. */
  languages?: readonly string[];
  /** Who says which way up the pictures are: their header or EXIF tag, or the text in them. */
  upright?: "given" | "auto" | (string & {});
  /** Words to expect, which are told where a reading is nearly as likely one of them. */
  customWords?: readonly string[];
  /** `"changes"`: results have `changes` alone, what appeared, changed or is gone; `"all"` by default. */
  report?: "all" | "changes" | (string & {});
  /** The characters and ranges to read alone, such as `"0-9."` or `"A-Z0-9-"`. */
  characterSet?: string;
  /** `false`: misread words are not corrected by a dictionary. */
  languageCorrection?: boolean;
  /** What becomes of lines in scripts that the server cannot read: their boxes are told, or nothing; `"report"` by default. */
  unreadable?: "report" | "omit" | (string & {});
  /** What becomes of a JPEG that is damaged: an error, or what lies above the damage is read; `"refuse"` by default. */
  damaged?: "refuse" | "read" | (string & {});
  /** Texts, and regular expressions between slashes, to look for in what is read; results tell `matches`. */
  find?: readonly string[];
  /** How many readings of each line are told, the best first. */
  candidates?: number;
  /** Of frames that come faster than they are read: newer ones take their place, or all are read. */
  delivery?: "live" | "every" | (string & {});
  /** Frames that are older than so many milliseconds when their turn comes are not read. */
  deadline_ms?: number;
  /** By how many microseconds the server's clock is ahead of yours, as `ping()` tells; results then tell `age_ms`. */
  clock_offset_us?: number;
  /** Whether frames are compared with those before them, so that words have ids. */
  temporal?: boolean;
  /** With `temporal`: after how many milliseconds a whole frame is looked at again. */
  refresh_ms?: number;
  [option: string]: unknown;
}

/** How a connection that was lost is made again: after a pause that grows with every attempt in a row. */
export interface ReconnectPolicy {
  /** How many attempts in a row may fail before the connection is given up; 10 by default. */
  maxAttempts?: number;
  /** The pause before the first attempt, in milliseconds; 100 by default. */
  initialDelay?: number;
  /** By how much each pause is longer than the one before; 2 by default. */
  multiplier?: number;
  /** The longest pause, in milliseconds; 10,000 by default. */
  maxDelay?: number;
  /** Which part of a pause is left to chance, so that many clients do not come back at once; 0.2 by default. */
  jitter?: number;
}

/** How a connection is made and kept. */
export interface ConnectSettings {
  /** A name or an address; `"localhost"` by default. */
  host?: string;
  /** 7411 by default. */
  port?: number;
  /** Sent first, on every connection; none by default, which leaves the server's own in force. */
  options?: Options;
  /** How a lost connection is made again: `true` for the default policy; by default it is not. */
  reconnect?: boolean | ReconnectPolicy;
  /** TLS: `true` believes the system's authorities; else options of Node's `tls.connect`, such as `ca`, `cert` and `key`. */
  tls?: boolean | ConnectionOptions;
  /** How long it may take to connect, to be greeted and to have the options taken, in milliseconds; 10,000 by default. */
  connectTimeout?: number;
  /** Milliseconds in which the server may send nothing while messages are unanswered; 30,000 by default. */
  answerTimeout?: number;
  /**
   * Milliseconds without a message after which a ping is sent, so that the server keeps the connection; 240,000 by default.
   * Before the first message it is two seconds, since servers wait for five. `null`, 0 and `Infinity` send none.
   */
  pingInterval?: number | null;
  /** The longest line that is taken; 16 MiB by default. */
  maxLineBytes?: number;
  /**
   * How many lines may wait to be read before reading from the socket pauses; 64 by default. Greetings, and answers that
   * were given to their callers, do not count.
   */
  lineBuffer?: number;
}

/** Four corners x0, y0, ... y3, clockwise as a reader sees them, from where the text begins, at the top of its letters. */
export type Box = [number, number, number, number, number, number, number, number];

/** What a reader takes for one character; it may be more than one code point. */
export interface TextCharacter {
  text: string;
  confidence: number;
  box: Box;
}

/** What stands between spaces. */
export interface TextWord {
  text: string;
  confidence: number;
  box: Box;
  /** With `temporal`: the same for the same word in other frames. */
  id?: Integer;
  /** Where they were asked for and read. */
  characters?: TextCharacter[];
}

/** A line of text. */
export interface TextLine {
  text: string;
  confidence: number;
  box: Box;
  words: TextWord[];
  /** Readings of the line, the best first, where more than one was asked for. */
  candidates?: { text: string; confidence: number }[];
  /** The writing of most letters by its code in ISO 15924, where there are letters. */
  script?: string;
  /** Why the line was not read, so that its texts are empty. */
  reason?: "script_unavailable" | (string & {});
  /** How sure each network is by itself: that there is text, and of what it says, where it was read. */
  scores?: { detection: number; recognition?: number };
  /** With `temporal`: whether no earlier frame showed it, it is told from an earlier reading, or was read again. */
  state?: "new" | "kept" | "read" | (string & {});
  /** The name of the region that the line is in, if there are some. */
  region?: string;
}

/** A place where something was found that `find` asked for. */
export interface TextMatch {
  /** Which one of `find` it is, from 0. */
  pattern: number;
  text: string;
  /** Which one of the result's lines it is in, and which of that line's words, from 0. */
  line: number;
  words: number[];
  box: Box;
  /** The name of the region that the line is in, if there are some; `pattern` then counts in its `find`. */
  region?: string;
}

/** A line, or with `find` a match, that appeared, reads differently or is gone. */
export interface TextChange {
  type: "appeared" | "changed" | "lost" | (string & {});
  /** The same for all changes of a text. */
  id: Integer;
  text: string;
  /** What the text was before it changed. */
  previous?: string;
  /** Of a line. */
  confidence?: number;
  box: Box;
  /** Which one of `find` it is, from 0. */
  pattern?: number;
  /** The name of the region that it is in, if there are some. */
  region?: string;
}

/** A line from the server. Members that are not listed here are there too. */
export interface ServerLine {
  type: string;
  /**
   * The line as it was received, without its line feed; neither loops over members nor JSON.stringify meet it.
   *
   * It is empty for a line that the client makes: the result of a lost frame, or the `end` that a server which stops does not
   * send.
   */
  readonly line: string;
  [member: string]: unknown;
}

/** What became of a frame; the members are those of the wire, described in Protocol.md. */
export interface Result extends ServerLine {
  type: "result";
  sequence: Integer;
  captured_us: Integer;
  /** `"ok"` if it was read, `"error"` if it could not be; any other, such as `"dropped"`, means that it was not. */
  status: "ok" | "error" | "dropped" | "expired" | (string & {});
  /** Of an error, as in Protocol.md; `"connection_lost"` if the connection was, and then `line` is empty. */
  code?: string;
  /** Of an error, for a person. */
  message?: string;
  width?: number;
  height?: number;
  orientation?: number;
  level?: string;
  coordinates?: string;
  /** The text of all lines, line feeds between them. */
  text?: string;
  lines?: TextLine[];
  /** With `temporal`, only if `true`: the frame shows what the one before it showed. */
  reused?: boolean;
  /** Only if `true`: there are more words than the server tells of one frame, and the last lines are left out. */
  truncated?: boolean;
  /** What was found, where `find` was given. */
  matches?: TextMatch[];
  /** Only if `false`: matches towards the end are missing. */
  matches_complete?: boolean;
  /** With `"report": "changes"`, instead of `text`, `lines`, `matches` and `lost`. */
  changes?: TextChange[];
  /** With `temporal`, if there are any: ids of words that the frame before had and this one has not. */
  lost?: Integer[];
  /** If there are any: what was odd about the frame. */
  warnings?: FrameWarning[];
  /** Of a frame that was dropped: why. */
  reason?: string;
  /** Of a frame that was dropped: the sequence of the one that took its place. */
  by?: Integer;
  /** How many milliseconds before its result the picture was taken, where the server can tell. */
  age_ms?: number;
  timings_us?: { queue: number; decode: number; detect: number; recognize: number; total: number };
}

/** Something about a frame that was odd and did not keep it from being read; which numbers it has depends on its code. */
export interface FrameWarning {
  /** As in Protocol.md; a newer server may have others. */
  code: "jpeg_stray_bytes" | "jpeg_no_end" | "jpeg_no_tables" | "jpeg_odd_header" | "jpeg_damaged" | (string & {});
  /** The first row of the picture as it was sent that cannot be trusted. */
  row?: number;
  /** By what the sides of the picture were multiplied. */
  scale?: number;
}

/** The server's greeting. */
export interface Hello extends ServerLine {
  type: "hello";
  server: string;
  version: string;
  protocol: number;
  auth: string;
  limits: {
    max_message_bytes: number;
    max_pixels: number;
    max_side: number;
    max_configure_bytes: number;
    max_unauthenticated_bytes?: number;
  };
  levels: string[];
  features: string[];
}

/** The options now in force. */
export interface Configured extends ServerLine {
  type: "configured";
  sequence: Integer;
  options: Options;
  /** With `"delivery":"every"`: how many frames may be without an answer before the server reads no more. */
  window?: number;
}

/** A sign of life. */
export interface Pong extends ServerLine {
  type: "pong";
  sequence: Integer;
  captured_us: Integer;
  received_us: Integer;
  sent_us: Integer;
}

/** Of so many frames, in microseconds, what half, 90 % and 99 % of them did not exceed, and what none did. */
export interface StageStats {
  count: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

/** Counts of frames by their status, and how long the stages took. */
export interface StatsScope {
  frames: Record<string, number>;
  timings_us: Record<"queue" | "decode" | "detect" | "recognize" | "total", StageStats>;
  /** Frames with `temporal` that were read, by their largest scan for text, and the lines they read. */
  tracking?: Record<"verified" | "regions" | "coarse" | "full" | "lines", number>;
}

/** How long the stages took so far. */
export interface Stats extends ServerLine {
  type: "stats";
  sequence: Integer;
  connection: StatsScope;
  server: StatsScope;
}

/** That this was all. */
export interface End extends ServerLine {
  type: "end";
  sequence: Integer;
  frames: number;
}

/** Among `lines()`: a message that could not be honoured and is no frame, or why the server gives up the connection. */
export interface ErrorLine extends ServerLine {
  type: "error";
  /** Of the message; `null` if its header could not be read. */
  sequence: Integer | null;
  /** As in Protocol.md. */
  code: string;
  /** For a person. */
  message: string;
  /** Whether this is the last line. */
  fatal: boolean;
}

/** Among `lines()`: the server is being stopped. What it has taken is answered; then it closes. */
export interface Goaway extends ServerLine {
  type: "goaway";
  /** How long lines still come, in milliseconds. */
  grace_ms: number;
}

/** Connects, waits for the server's greeting and has it take the options; rejects with a `GlyphwireError`. */
export declare function connect(settings?: ConnectSettings): Promise<Connection>;

/**
 * A connection to a server: frames go in, their text comes out.
 *
 * Send and read side by side: results that nobody reads stop everything that is behind them. Every frame that was sent
 * has exactly one result, in the order of the frames, unless `close()` is called. All that is asked of a connection rejects
 * with a `GlyphwireError`.
 */
export declare class Connection {
  private constructor();

  /** What the server said of itself when it was last connected to. */
  get hello(): Hello;

  /** One result for each frame; throws when the connection is lost, after the results of the frames lost with it. */
  results(): AsyncGenerator<Result, void, undefined>;

  /** All lines, results among them; each goes to whoever asks next, here or in `results()`. */
  lines(): AsyncGenerator<ServerLine, void, undefined>;

  /**
   * Sends a frame; resolves to its sequence when the socket has taken all of it.
   *
   * Await it: frames that were not awaited wait in memory, however many they are. For a camera there is `sendLatest()`.
   */
  send(frame: Frame): Promise<Integer>;

  /**
   * Sends a frame of a camera once fewer than two are unanswered. One frame waits at most.
   *
   * Resolves to its sequence as `send()` does, or to `undefined` when a newer one has taken its place; it has no result then.
   * It need not be awaited, but a rejection has to be caught: leave the loop of the camera at the first one. Read the results
   * meanwhile: while `lineBuffer` of them are unread no answer comes in, and it does not wait.
   */
  sendLatest(frame: Frame): Promise<Integer | undefined>;

  /** Sets the options for the frames that follow; those left out are back at their defaults. */
  configure(options?: Options): Promise<Configured>;

  /** Asks for a sign of life; `capturedUs` is echoed. */
  ping(capturedUs?: Integer): Promise<Pong>;

  /** Asks how long the stages took so far, on this connection and on the whole server. */
  stats(): Promise<Stats>;

  /** Ends the stream; resolves when every frame has its result. Those that were not read yet still can be. */
  finish(): Promise<End>;

  /** Closes the connection at once; `results()` and `lines()` end behind what was received already. */
  close(): void;
}

/** What kind of trouble a `GlyphwireError` is. */
export type ErrorCode =
  /** Nobody answers at that address. */
  | "cannot_connect"
  /** Somebody answers, but does not greet in time. */
  | "timed_out"
  /** What answers is no Glyphwire server. */
  | "not_glyphwire"
  /** The server speaks another version of the protocol. */
  | "unsupported_protocol"
  /** The connection broke, or the server closed it before the stream was ended. */
  | "connection_lost"
  /** The server refused a message; `wireCode` says why. */
  | "refused"
  /** The server sent a line that is not what Protocol.md says. */
  | "bad_line"
  /** The server sent a line longer than `maxLineBytes`. */
  | "line_too_long"
  /** A message is larger than the server takes; it was not sent, and the connection lives. */
  | "message_too_large"
  /** The connection was used after it was finished or closed. */
  | "closed";

/** Why a connection could not be made, or cannot be used any more. */
export declare class GlyphwireError extends Error {
  /** What kind of trouble it is. */
  readonly code: ErrorCode;
  /** Of an error of the server, its code as in Protocol.md. */
  readonly wireCode?: string;
  /** What the system said, where it is the system that failed. */
  readonly cause?: unknown;
}
