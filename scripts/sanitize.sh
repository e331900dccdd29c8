#!/usr/bin/env bash
# Runs the Swift tests under sanitizers: sanitize.sh [--core] [address|thread]... [--filter TESTS]
#
# address finds memory that is used after its end or past its bounds, and leaks; thread finds data races. --core leaves out
# what has sockets, which takes most of the time to build: codecs, engine and streams are where memory is handled by hand. Each
# has a build folder of its own. A finding fails the run; what is others' is named in Tests/Sanitizers, with the reason.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

unset GLYPHWIRE_ONLY_CORE
part=
if [[ ${1:-} == --core ]]; then
    export GLYPHWIRE_ONLY_CORE=1
    part=-core
    shift
fi
mkdir -p .build
sanitizers=()
while [[ ${1:-} == address || ${1:-} == thread ]]; do
    sanitizers+=("$1")
    shift
done
((${#sanitizers[@]})) || sanitizers=(address thread)

suppressions=$PWD/Tests/Sanitizers
# The sanitizer's guess at where glibc keeps a thread's variables read beyond mapped memory in a thread of swift-testing.
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:intercept_tls_get_addr=0
export LSAN_OPTIONS=suppressions=$suppressions/leak.txt:print_suppressions=0
export TSAN_OPTIONS=suppressions=$suppressions/thread.txt:history_size=4:halt_on_error=0
# Has TBB, which OpenVINO brings, open its libraries in the way that sanitizers know (without RTLD_DEEPBIND).
export TBB_ENABLE_SANITIZERS=1
# A sanitizer prints a trace of its own; the runtime's would start a second program for it.
export SWIFT_BACKTRACE=enable=no

# What measures time or counts the threads of this process has no meaning there.
skipped=(--skip aPageFullOfNoiseIsOrderedInNoTime --skip aNetworkRunsOnOneThreadAtATime)

for name in "${sanitizers[@]}"; do
    folder=.build/${name:0:1}san$part
    log=$folder.log
    echo "sanitize: $name (what the tests say is in $log)"
    swift build --build-tests --sanitize "$name" --scratch-path "$folder" >"$log" 2>&1 ||
        { grep error: "$log" >&2; exit 1; }
    if ! swift test --skip-build --disable-xctest --no-parallel --sanitize "$name" --scratch-path "$folder" \
        "${skipped[@]}" "$@" >"$log" 2>&1; then
        grep -E '✘|SUMMARY|runtime error' "$log" | sort | uniq -c >&2 || tail -n 20 "$log" >&2
        echo "sanitize: $name has found something; see $log" >&2
        exit 1
    fi
    grep 'Test run with' "$log"
done
