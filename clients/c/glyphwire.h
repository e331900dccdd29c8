/*
 * Glyphwire for C: sends pictures to a server and tells what stands in them.
 *
 * Protocol.md says what goes over the wire; this client needs POSIX sockets and nothing else. It allocates no memory:
 * what it keeps is in gw_connection, which is the caller's and may be static. It starts no thread and is used from one.
 *
 * Blocking use is connect, send, ..., finish:
 *
 *     gw_connect(&connection, &settings);
 *     gw_send(&connection, &frame);
 *     gw_finish(&connection);
 *
 * In a loop of one's own it is start, then for ever poll, work and offer:
 *
 *     gw_start(&connection, &settings);
 *     for (;;) {
 *         struct pollfd wait = {gw_poll_fd(&connection), gw_poll_events(&connection), 0};
 *         poll(&wait, 1, gw_timeout(&connection));
 *         if (gw_work(&connection) != 0) break;
 *         if (a picture is there) gw_offer(&connection, &frame);
 *     }
 *
 * Either way results come through the callbacks in gw_settings. A callback may call gw_offer and gw_close, but none of the
 * functions that wait or work.
 */
#ifndef GLYPHWIRE_H
#define GLYPHWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ Sizes */

/* These shape gw_connection: give another value, where wanted, to the compiler for all sources alike (-DGW_...=). Boards have
   smaller ones by default. */
#if defined(ESP_PLATFORM) || defined(ARDUINO)
#define GW_DEFAULT_(host, board) board
#else
#define GW_DEFAULT_(host, board) host
#endif

/** Bytes of the text of a line, word or character that are kept; longer texts are cut, and `is_cut` says so. */
#ifndef GW_TEXT_BYTES
#define GW_TEXT_BYTES GW_DEFAULT_(1024, 128)
#endif

/** Messages that may be without an answer; more wait until one is answered. 24 bytes each. */
#ifndef GW_MAX_UNANSWERED
#define GW_MAX_UNANSWERED GW_DEFAULT_(256, 8)
#endif

/** Bytes taken from the socket at a time. */
#ifndef GW_INPUT_BYTES
#define GW_INPUT_BYTES GW_DEFAULT_(4096, 1024)
#endif

enum {
    GW_PORT = 7411,
    /** Bytes of a sentence, the server's or the client's own; longer ones are cut. */
    GW_MESSAGE_BYTES = 512,
    /** Bytes of a name on the wire, such as a status or a code, and of one in a gw_text; longer ones are cut. */
    GW_NAME_BYTES = 48,
    GW_SHORT_NAME_BYTES = 16,
    /** The 64 characters that the name of a region may have. */
    GW_REGION_BYTES = 257,
    /** Levels of nesting in a line; a deeper one is GW_ERROR_BAD_LINE. */
    GW_MAX_DEPTH = 64,
    /** Addresses of a host that are tried. */
    GW_MAX_ADDRESSES = 4
};

/* ------------------------------------------------------------------------------------------------ Errors */

/** What goes wrong. Functions return 0 if nothing did. */
enum {
    /** Nobody answers at that address. */
    GW_ERROR_CANNOT_CONNECT = -1,
    /** Somebody answers, but does not greet in time. */
    GW_ERROR_TIMED_OUT = -2,
    /** What answers is no Glyphwire server. */
    GW_ERROR_NOT_GLYPHWIRE = -3,
    /** The server speaks another version of the protocol. */
    GW_ERROR_UNSUPPORTED_PROTOCOL = -4,
    /** The connection broke, or the server closed it before the stream was ended. */
    GW_ERROR_CONNECTION_LOST = -5,
    /** The server refused a message; `wire_code` of the connection says why. */
    GW_ERROR_REFUSED = -6,
    /** The server sent a line that is not what Protocol.md says. */
    GW_ERROR_BAD_LINE = -7,
    /** The server sent a line longer than `max_line_bytes`. */
    GW_ERROR_LINE_TOO_LONG = -8,
    /** A message is larger than the server takes; it was not sent, and the connection lives. */
    GW_ERROR_MESSAGE_TOO_LARGE = -9,
    /** The connection was used after it was finished or closed. */
    GW_ERROR_CLOSED = -10
};

/** What is no error, but not plain success either. */
enum {
    /** The stream has ended as it should: the server has answered everything, and said so. */
    GW_FINISHED = 1,
    /** Not now: another message waits. Try again after gw_work(). */
    GW_BUSY = 2
};

/** The name of an error, such as "connection_lost"; the same in every client. */
const char *gw_error_name(int error);

/* ------------------------------------------------------------------------------------------------ Frames */

/** How a payload holds its picture. */
typedef enum gw_format {
    GW_JPEG = 1,
    GW_BGRA_LZ4_BLOCK = 2,
    GW_BGRA = 3,
    GW_BGRA_LZ4_FRAME = 4,
    GW_GRAY = 5,
    GW_GRAY_LZ4_BLOCK = 6
} gw_format;

/** How to turn a picture upright, as in EXIF: "right" was stored with its top at the right, and is turned clockwise. */
typedef enum gw_orientation {
    /** The JPEG's own EXIF tag, or else up. */
    GW_ORIENTATION_NONE = 0,
    GW_UP = 1,
    GW_UP_MIRRORED = 2,
    GW_DOWN = 3,
    GW_DOWN_MIRRORED = 4,
    GW_LEFT_MIRRORED = 5,
    GW_RIGHT = 6,
    GW_RIGHT_MIRRORED = 7,
    GW_LEFT = 8
} gw_orientation;

/** A picture to be read. All zero but `format`, `payload` and `length` is a complete JPEG frame. */
typedef struct gw_frame {
    gw_format format;
    gw_orientation orientation;
    /** The picture's bytes. They stay the caller's, and must stay as they are until the frame is released. */
    const void *payload;
    size_t length;
    /** In pixels as sent; 0 for JPEG. */
    uint16_t width, height;
    /** From the start of one row to the start of the next; 0 for rows without padding. */
    uint32_t bytes_per_row;
    /** When it was taken, by any clock of the caller's; comes back with the result. */
    uint64_t captured_us;
    /** Whether `sequence` is the caller's; otherwise the client gives it the number after the frame before. */
    bool is_numbered;
    uint64_t sequence;
    /** Whatever the caller wants to find again when the frame is released. */
    void *owner;
} gw_frame;

/** Why a payload is the caller's again. */
typedef enum gw_fate {
    /** All of it was handed to the system. Its result follows, or has come. */
    GW_SENT,
    /** Part of it had been sent when the connection broke. Its result says "connection_lost". */
    GW_LOST,
    /** A newer frame took its place, the connection ended first, or the server that it waited for takes none so large.
        No byte of it was sent, and it has no result. */
    GW_NOT_SENT
} gw_fate;

/* ------------------------------------------------------------------------------------------------ Options */

typedef enum gw_choice { GW_DEFAULT, GW_NO, GW_YES } gw_choice;

/** A named part of the upright picture; whatever is 0 or NULL is as the stream has it. */
typedef struct gw_region {
    /** Told with the lines of the region. */
    const char *name;
    /** x, y, width, height. */
    double region_of_interest[4];
    /** Or x and y of this many corners. */
    const double *polygon;
    size_t corner_count;
    /** Ends with a NULL. */
    const char *const *find;
    const char *character_set;
    double minimum_text_height;
} gw_region;

/** What is asked of the server, by the names of Protocol.md, which says what each means. Whatever is 0 or NULL is at the
    server's default. */
typedef struct gw_options {
    const char *token, *client;
    /** "fast" or "accurate". */
    const char *level;
    gw_choice recognize, characters;
    /** "sent", "upright" or "vision". */
    const char *coordinates;
    double minimum_text_height;
    /** x, y, width, height. */
    double region_of_interest[4];
    /** Parts that are read instead of the rest of the picture. */
    const gw_region *regions;
    size_t region_count;
    /** "given" or "auto". */
    const char *upright;
    /** What becomes of a JPEG that is damaged: "refuse" or "read". */
    const char *damaged;
    /** These three end with a NULL. */
    const char *const *languages, *const *custom_words, *const *find;
    /** The only characters to read, such as "0-9." or "A-Z0-9-". */
    const char *character_set;
    /** GW_NO: misread words are not corrected by a dictionary. */
    gw_choice language_correction;
    /** What becomes of lines in scripts that the server cannot read: "report" or "omit". */
    const char *unreadable;
    uint32_t candidates;
    /** "live" or "every". */
    const char *delivery;
    uint32_t deadline_ms;
    /** Told if `has_clock_offset_us`. */
    bool has_clock_offset_us;
    int64_t clock_offset_us;
    gw_choice temporal;
    uint32_t refresh_ms;
    /** "all", or "changes": then texts come as GW_CHANGE, and only those that changed. */
    const char *report;
} gw_options;

/** Writes options as the JSON object that gw_settings and gw_configure() take.
    @return Whether they fitted, with the zero at the end, and all fractions are from 0 to 1. */
bool gw_write_options(const gw_options *options, char *buffer, size_t buffer_bytes);

/* ------------------------------------------------------------------------------------------------ Results */

typedef enum gw_kind {
    GW_LINE,
    GW_WORD,
    GW_CHARACTER,
    /** One of several readings of a line, the best first, where the options ask for `candidates`. It has no box. */
    GW_CANDIDATE,
    /** What the options ask to `find`. It has no confidence. */
    GW_MATCH,
    /** A line or match that is there now, reads differently or is gone, by its `state`, where the options ask to `report`
        changes. */
    GW_CHANGE
} gw_kind;

/** A line, a word, a character, a candidate, a match or a change. */
typedef struct gw_text {
    gw_kind kind;
    /** UTF-8, ends with a zero that does not count in `length`. Empty where the server was asked not to read. */
    char text[GW_TEXT_BYTES];
    size_t length;
    /** Whether the text was longer than this client keeps; cut between two code points. */
    bool is_cut;
    double confidence;
    /** x and y of four corners, clockwise as a reader sees them, from the top of the text's beginning. */
    double box[8];
    /** Stays the same while the word, or the text that a change is of, stays in view (`has_id`). */
    bool has_id;
    uint64_t id;
    /** Its place in the result: lines, words of the line, and characters of the word or candidates of the line, each from 0.
        Of a match: its line, and the first word of which it has a part. */
    uint32_t line, word, character, candidate;
    /** Of a match: of how many words it has a part, and which one of `find` it is, from 0; the latter of a change, too. */
    uint32_t word_count, pattern;
    /** Of a change: the text before it changed; NULL if it did not. */
    const char *previous;
    /** Of a line: "new", "kept" or "read", where the server compares frames. Of a change: "appeared", "changed" or "lost". */
    char state[GW_SHORT_NAME_BYTES];
    /** Of a line: the writing of most letters by its code in ISO 15924, if it has letters. */
    char script[GW_SHORT_NAME_BYTES];
    /** Of a line: why it was not read, such as "script_unavailable"; its texts are empty then. */
    char reason[GW_NAME_BYTES];
    /** Of a line, match or change: the name of its region, if there are some; else empty. */
    const char *region;
    /** Of a line: how sure each network is by itself that there is text, and of what it says; 0 where it was not read. */
    double detection, recognition;
} gw_text;

/** Something about a frame that was odd and did not keep it from being read. */
typedef struct gw_warning {
    /** As in Protocol.md, such as "jpeg_no_end". */
    char code[GW_NAME_BYTES];
    /** The first row of the picture as it was sent that cannot be trusted, of a code that is about rows. */
    bool has_row;
    uint64_t row;
    /** By what the sides of the picture were multiplied, of a code that is about that; else 0. */
    double scale;
} gw_warning;

/** Microseconds that the server took, as in Protocol.md. */
typedef struct gw_timings {
    uint64_t queue, decode, detect, recognize, total;
} gw_timings;

/** What became of a frame. Members that the line does not have are 0 or empty. */
typedef struct gw_result {
    uint64_t sequence, captured_us;
    /** "ok", "error", or another: then the frame was not read. */
    char status[GW_NAME_BYTES];
    /** Of an error. "connection_lost" is the client's own: the frame was sent, and its answer will never come. */
    char code[GW_NAME_BYTES];
    char message[GW_MESSAGE_BYTES];
    /** Why a frame was dropped, and the sequence of the frame that took its place (`has_by`). */
    char reason[GW_NAME_BYTES];
    bool has_by;
    uint64_t by;
    uint32_t width, height;
    gw_orientation orientation;
    char level[GW_NAME_BYTES];
    char coordinates[GW_NAME_BYTES];
    uint32_t line_count, word_count, match_count, change_count;
    /** Whether the frame shows what the one before it showed, where the server compares frames. */
    bool reused;
    /** Whether there are more words than the server tells of one frame, so that the last lines are left out. */
    bool truncated;
    /** Whether there are all matches of what the options ask to find; if not, some towards the end are missing. */
    bool matches_complete;
    /** How many milliseconds before its result the picture was taken, where the server can tell. */
    bool has_age_ms;
    int64_t age_ms;
    gw_timings timings_us;
    /** The line as received, without its line feed, ended by a zero; NULL if there is no buffer, it is too small, or the
        answer is the client's own. */
    const char *line;
    /** Bytes of the line, whether they fitted or not. */
    size_t line_length;
} gw_result;

/** A line that is no result: "hello", "configured", "pong", "stats", "error", "end", "goaway", or a type of a later server.
    Members that the line does not have are 0 or empty. */
typedef struct gw_answer {
    char type[GW_NAME_BYTES];
    uint64_t sequence, captured_us;
    /** Of a pong: the server's clock, in microseconds since 1970. */
    uint64_t received_us, sent_us;
    /** Of an end: frames that were answered. */
    uint64_t frames;
    /** Of a configured, with "delivery":"every": how many frames may be without an answer before the server reads no more. */
    uint64_t window;
    /** Of a goaway: for how many milliseconds lines still come from a server that is being stopped. */
    uint64_t grace_ms;
    /** Of an error. */
    char code[GW_NAME_BYTES];
    char message[GW_MESSAGE_BYTES];
    bool is_fatal;
    /** As in gw_result. */
    const char *line;
    size_t line_length;
} gw_answer;

/** How the server introduced itself. */
typedef struct gw_hello {
    char version[GW_NAME_BYTES];
    uint64_t protocol;
    /** "none", or "token": the options must hold the right token. */
    char auth[GW_NAME_BYTES];
    uint64_t max_message_bytes, max_pixels, max_side, max_configure_bytes;
    /** The most of a message before the token; 0 if none is asked for. */
    uint64_t max_unauthenticated_bytes;
} gw_hello;

/* ------------------------------------------------------------------------------------------------ Connections */

/** What a connection is doing. */
typedef enum gw_state {
    GW_CONNECTING,
    /** The server has not greeted, or not taken the options. */
    GW_GREETING,
    GW_OPEN,
    /** The connection was lost; another attempt follows after a pause. */
    GW_PAUSING,
    GW_ENDED
} gw_state;

/** What gw_transport functions return when no byte could be taken or given now. */
enum {
    /** Call again when the socket can be read. */
    GW_WANTS_READ = -1,
    /** Call again when the socket can be written. */
    GW_WANTS_WRITE = -2,
    /** The connection is lost; `error` of the transport says why. */
    GW_TRANSPORT_FAILED = -3,
    /** The server is not to be trusted, or speaks another way, as `error` says; before the greeting this is final. */
    GW_TRANSPORT_REFUSED = -4
};

/** A connected TCP socket, which does not block. */
typedef struct gw_socket {
    int fd;
    /** One more for each connection: with another number than last time a session begins anew, though `fd` be the same. */
    uint32_t number;
} gw_socket;

/** How bytes travel over a socket: as TLS, with whatever library there is. transports/openssl.h has one with OpenSSL. */
typedef struct gw_transport {
    /** Sends some of the bytes. @return How many, more than 0, or one of the values above. */
    long (*send)(void *context, gw_socket socket, const void *bytes, size_t count);
    /** Receives some bytes. @return How many, 0 at the end of the stream, or one of the values above. It is called first on
        each connection, and so begins the handshake. */
    long (*receive)(void *context, gw_socket socket, void *bytes, size_t count);
    void *context;
    /** What failed, in a few words; set by the functions. */
    const char *error;
} gw_transport;

/** How a connection is made. Zero is a good value for everything but `host`. */
typedef struct gw_settings {
    /** A name or an address; looked up until it is found, and again once none of its addresses answers. */
    const char *host;
    /** 0: GW_PORT. */
    uint16_t port;
    /** A JSON object of options, sent first on every connection, or NULL. It is not copied, and must stay as it is as long as
        the connection. gw_write_options() makes one. A token in it is also shown where later options have none. */
    const char *options;
    /** For connecting, the greeting and the options together; 0: 10,000. Each address of the host gets its share of it. */
    uint32_t connect_timeout_ms;
    /** How long the server may send nothing while messages are unanswered; then the connection counts as lost. 0: 30,000.
        Time in which the network still takes bytes of a message does not count. */
    uint32_t answer_timeout_ms;
    /** After how long without a message gw_work() sends a ping, so that the server keeps the connection; its pong is not told.
        The first comes after two seconds, if nothing was sent and the server asks for no token. 0: 240,000, UINT32_MAX: never. */
    uint32_t ping_interval_ms;
    /** Attempts in a row to connect again after a loss; 0: none, UINT32_MAX: until it works. */
    uint32_t max_attempts;
    /** Whether these attempts are made for the first connection, too: for a board that may boot before its server. */
    bool waits;
    /** The first pause, twice as long after every attempt in vain, and the longest; 0: 100 and 10,000. Each is up to a
        fifth shorter, by chance, so that many clients do not come back at once. */
    uint32_t initial_delay_ms, max_delay_ms;
    /** Frames that may be without an answer; 0: GW_MAX_UNANSWERED. 2 keeps a live picture fresh. */
    uint32_t max_unanswered;
    /** The longest line taken; 0: 16 MiB. What does not fit the buffer counts too, but is not kept. */
    size_t max_line_bytes;
    /** Where to keep the line that is being received, for `line` of gw_result; NULL if it is not wanted. */
    char *line_buffer;
    size_t line_buffer_bytes;
    /** How bytes travel; NULL for plain TCP. Must live as long as the connection. */
    gw_transport *transport;
    /** Handed to every callback. */
    void *context;
    /** Characters before their word, words and candidates before their line, lines and matches before their result; valid
        during the call. They belong to the next result, but not to one of status "error". */
    void (*on_text)(void *context, const gw_text *text);
    /** A word that the frame before had and this one has not, by its id; before the result, like the text. */
    void (*on_lost)(void *context, uint64_t id);
    /** What was odd about a frame; before its result, valid during the call. */
    void (*on_warning)(void *context, const gw_warning *warning);
    /** Exactly once for each frame of which a byte was sent, in their order; valid during the call. */
    void (*on_result)(void *context, const gw_result *result);
    /** Lines that are no results; valid during the call. */
    void (*on_answer)(void *context, const gw_answer *answer);
    /** A payload is the caller's again: exactly once for each frame that was taken. */
    void (*on_released)(void *context, const gw_frame *frame, gw_fate fate);
    /** The state has changed; `error` says why it is GW_PAUSING or GW_ENDED, and is GW_FINISHED after a good end. */
    void (*on_state)(void *context, gw_state state, int error);
} gw_settings;

/** Frames since the start. taken = sent + lost + not_sent, and those that wait; results = one for each sent or lost. */
typedef struct gw_counts {
    uint64_t taken, sent, lost, not_sent, results, connections;
} gw_counts;

/* The client's own; here only so that the compiler knows its size. */
typedef struct gw_sent_ {
    uint64_t sequence, captured_us;
    uint8_t type;
    bool is_own;
} gw_sent_;

typedef struct gw_message_ {
    uint8_t type;
    /** `is_own`: the client itself asks, and asks anew on another connection if it has to. `is_token`: a configure whose
        payload is the value of its token. */
    bool is_taken, is_own, is_token;
    gw_frame frame;
} gw_message_;

typedef struct gw_parser_ {
    uint8_t state, depth, escape_digits, literal_length;
    const char *literal;
    bool is_key;
    uint16_t escape, high_surrogate;
    uint8_t place[GW_MAX_DEPTH + 1];
    char key[32];
    char number[40];
    size_t number_length;
    char *target;
    size_t target_bytes, target_length;
    bool is_cut;
    gw_text *text;
    uint32_t box_index;
} gw_parser_;

/** A stream of frames, over one connection or several in a row. Members whose names end in _ are its own. */
typedef struct gw_connection {
    gw_state state;
    gw_hello hello;
    gw_counts counts;
    /** Why it is GW_PAUSING or GW_ENDED, in a sentence: what was wrong, where, and what to do. */
    char message[GW_MESSAGE_BYTES];
    /** What the server said, with GW_ERROR_REFUSED. */
    char wire_code[GW_NAME_BYTES];

    int error_;
    gw_socket socket_;
    gw_settings settings_;
    const char *options_, *asked_options_;
    /** The last token that was taken, with its quotes, among the options that it came with; NULL if there was none. */
    const char *token_;
    size_t token_length_;
    /** What is to be sent yet before the connection is open. */
    bool owes_token_, owes_options_;
    struct sockaddr_storage addresses_[GW_MAX_ADDRESSES];
    socklen_t address_lengths_[GW_MAX_ADDRESSES];
    uint32_t address_count_, address_;
    uint64_t deadline_ms_, address_deadline_ms_;
    /** When something came last, or when the first message was sent that has no answer, if that is later. */
    uint64_t silent_since_ms_;
    /** When a part of a message was sent last, or else when the server greeted; and whether one was since. */
    uint64_t sent_at_ms_;
    bool has_sent_;
    /** How many frames the server works on at once, if it leaves none out; else 0. */
    uint64_t window_;
    uint32_t attempts_;
    bool was_open_, is_greeted_, is_finishing_, is_end_sent_, cannot_write_;
    /** The server stops, and takes no more messages; or it will not be spoken to another time either. */
    bool is_leaving_, is_refused_;
    /** What a transport waits for besides bytes to read, and whether it may hold bytes that the socket does not show. */
    bool wants_write_, send_waits_, may_have_more_;
    uint64_t random_;
    uint64_t last_sequence_, last_request_;

    /** The header, and what the payload of a token begins with. */
    uint8_t head_[32 + 9];
    size_t head_length_;
    size_t written_;
    gw_message_ now_, next_;
    gw_sent_ unanswered_[GW_MAX_UNANSWERED];
    uint32_t first_unanswered_, unanswered_count_, unanswered_frames_;
    int configure_outcome_;

    char input_[GW_INPUT_BYTES];
    gw_parser_ parser_;
    size_t line_length_;
    gw_text texts_[GW_CHANGE + 1];
    char previous_[GW_TEXT_BYTES], region_[GW_REGION_BYTES];
    gw_warning warning_;
    gw_result result_;
    gw_answer answer_;
    gw_hello greeting_;
    uint32_t seen_;
} gw_connection;

/* ------------------------------------------------------------------------------------------------ Blocking use */

/** Connects, and waits for the greeting and for the options to be taken.
    @return 0 or an error; after an error the connection needs no gw_close(). */
int gw_connect(gw_connection *connection, const gw_settings *settings);

/** Sends a frame, none left out: waits until its last byte was handed to the system, or the frame is lost.
    Results of earlier frames come meanwhile.
    @return 0, GW_ERROR_MESSAGE_TOO_LARGE, or why the connection has ended. */
int gw_send(gw_connection *connection, const gw_frame *frame);

/** Replaces all options for the frames that follow, here and after a reconnect, and waits for the server's answer.
    @param options A JSON object; must stay as it is as long as the connection.
    @return 0, or GW_ERROR_REFUSED: then those before stay in force, and the connection lives. */
int gw_configure(gw_connection *connection, const char *options);

/** Waits until something happens or the time is over, and works on it.
    @param timeout_ms 0 does not wait, -1 waits as long as it takes.
    @return As gw_work(). Returns early, with 0, when a signal comes. */
int gw_wait(gw_connection *connection, int timeout_ms);

/** Ends the stream, waits for all results and the server's `end`, and closes. A server that has said "goaway" before it got the
    end closes without that line.
    @return 0, or why not all is well. */
int gw_finish(gw_connection *connection);

/** Closes at once, whatever is still to come. Frames that wait are released, those unanswered are "connection_lost". */
void gw_close(gw_connection *connection);

/* ------------------------------------------------------------------------------------------------ Use in a loop */

/** Begins to connect, without waiting but for the name to be looked up. With `waits`, gw_work() looks it up again. */
int gw_start(gw_connection *connection, const gw_settings *settings);

/** Takes a frame to be sent as soon as it can be. One that waits and was not begun is released: the newest wins.
    @return 0, GW_BUSY if another message waits, GW_ERROR_MESSAGE_TOO_LARGE, or why the connection has ended; if it is not 0
    the frame was not taken, and is the caller's still. */
int gw_offer(gw_connection *connection, const gw_frame *frame);

/** Whether gw_offer() would take a frame without leaving one out. */
bool gw_is_ready(const gw_connection *connection);

/** Asks for a sign of life, answered by "pong". @return As gw_offer(). */
int gw_ping(gw_connection *connection, uint64_t captured_us);

/** Asks for latency figures, answered by "stats". @return As gw_offer(). */
int gw_stats(gw_connection *connection);

/** As gw_configure() without waiting, answered by "configured" or "error". @return As gw_offer(). */
int gw_ask_options(gw_connection *connection, const char *options);

/** As gw_finish() without waiting: gw_work() returns GW_FINISHED when all is done. @return As gw_offer(). */
int gw_end(gw_connection *connection);

/** Connects, sends and receives what is possible without waiting, and calls back.
    @return 0 while there is more to come, GW_FINISHED after a good end, or why the connection has ended. */
int gw_work(gw_connection *connection);

/** The socket to wait for, or -1. It changes when the connection does. */
int gw_poll_fd(const gw_connection *connection);

/** What to wait for: POLLIN and POLLOUT. */
short gw_poll_events(const gw_connection *connection);

/** Milliseconds until gw_work() must be called though the socket is quiet; -1 for never. */
int gw_timeout(const gw_connection *connection);

/* ------------------------------------------------------------------------------------------------ LZ4 */

#ifdef GW_LZ4
/** Bytes that gw_pack_lz4() works in. */
size_t gw_lz4_state_bytes(void);

/** Packs the rows of a GW_BGRA or GW_GRAY frame, which becomes GW_BGRA_LZ4_BLOCK or GW_GRAY_LZ4_BLOCK.
    @param state gw_lz4_state_bytes() bytes, aligned for any type.
    @param buffer Where the packed payload is put; must live until the frame is released.
    @return Whether it fitted; if not, the frame is as it was. */
bool gw_pack_lz4(gw_frame *frame, void *state, void *buffer, size_t buffer_bytes);
#endif

#ifdef __cplusplus
}
#endif

#endif
