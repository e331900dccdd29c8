#!/usr/bin/env bash
# Runs the tests of the Swift package and names at the end those that failed. They run one after the other: a server, its
# clients and an engine share the machine in many of them, and a few such at once wait for each other longer than anyone should.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! swift test --disable-xctest --no-parallel "$@" 2>&1 | tee "$log"; then
    echo "test: these failed:" >&2
    grep '✘' "$log" >&2 || echo "none by name; the build or the run itself ended early, see above" >&2
    exit 1
fi
