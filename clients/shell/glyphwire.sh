# Glyphwire in ten lines of bash: messages on standard output, for nc to carry. Protocol.md says what they hold.
SEQUENCE=0 ABSENT=0
number() { local i; for ((i = $2 - 1; i >= 0; i--)); do printf "\\x$(printf %02x $(($1 >> 8 * i & 255)))"; done; }
# message TYPE FORMAT ORIENTATION CAPTURED WIDTH HEIGHT BYTES_PER_ROW BYTES: a header, for so many bytes that follow it
message() {
    number $((28 + $8)) 4; number "$1" 1; number "$2" 1; number "$3" 1; number 0 1
    number $((++SEQUENCE)) 8; number "$4" 8; number "$5" 2; number "$6" 2; number "$7" 4
}
# frame JPEG [ORIENTATION]: a picture; configure JSON: options, counted in bytes; finish: no more, and 1 if a picture is absent
frame() { local n; if n=$(wc -c <"$1"); then message 1 1 "${2:-0}" "$(date +%s%6N)" 0 0 0 "$n" && cat "$1"; else ABSENT=1; fi; }
configure() { local LC_ALL=C; message 2 0 0 0 0 0 0 ${#1} && printf %s "$1"; }
finish() { message 4 0 0 0 0 0 0 0 && return "$ABSENT"; }
