#!/usr/bin/env bash
# Installs what the clients in clients/ are built and tested with, where it is missing and Debian has it: Go, a JDK, OpenSSL.
# Python, Node and Rust are taken as they are. A client without its tools is skipped by its tests, so nothing fails here.
set -euo pipefail

missing=()
command -v go >/dev/null || missing+=(golang)
command -v javac >/dev/null || missing+=(default-jdk-headless)
echo '#include <openssl/ssl.h>' | "${CC:-cc}" -E - >/dev/null 2>&1 || missing+=(libssl-dev)
((${#missing[@]})) || exit 0

as_root=()
((EUID == 0)) || as_root=(sudo -n)
echo "client-tools: installing ${missing[*]}"
if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --yes --no-install-recommends "${missing[@]}"; } </dev/null; then
    echo "client-tools: they cannot be installed; the tests that need them are skipped" >&2
fi
