#!/usr/bin/env bash
# Installs what the clients in clients/ are built and tested with, where it is missing: Go, a JDK, OpenSSL and netcat from
# Debian, and NumPy and OpenCV for Python, in an environment of their own in .deps/client-tools. Python, Node and Rust
# themselves are taken as they are. A client without its tools is skipped by its tests, so nothing fails here.
set -euo pipefail
environment=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.deps/client-tools
# One at a time: each would remove what the other installs.
exec {lock}<"${BASH_SOURCE[0]}"
flock "$lock"

if ! "$environment/bin/python3" -c 'import cv2, numpy' 2>/dev/null; then
    echo "client-tools: installing NumPy and OpenCV into .deps/client-tools"
    if ! { rm -rf "$environment" && python3 -m venv "$environment" && "$environment/bin/pip" install --quiet \
        --disable-pip-version-check numpy opencv-python-headless; } </dev/null; then
        echo "client-tools: they cannot be installed; the tests that need them are skipped" >&2
    fi
fi

missing=()
command -v go >/dev/null || missing+=(golang)
command -v javac >/dev/null || missing+=(default-jdk-headless)
echo '#include <openssl/ssl.h>' | "${CC:-cc}" -E - >/dev/null 2>&1 || missing+=(libssl-dev)
command -v nc >/dev/null || missing+=(netcat-openbsd)
((${#missing[@]})) || exit 0

as_root=()
((EUID == 0)) || as_root=(sudo -n)
echo "client-tools: installing ${missing[*]}"
if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --yes --no-install-recommends "${missing[@]}"; } </dev/null; then
    echo "client-tools: they cannot be installed; the tests that need them are skipped" >&2
fi
