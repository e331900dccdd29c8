#!/usr/bin/env bash
# Brings what Glyphwire needs to build and to run: Debian's packages, the OpenVINO runtime, the models,
# which are prepared for the engine. LANGUAGES="ru cs ar" adds what reads these languages, which the models do not.
# Safe to repeat: a second run finds everything in place and says so in one line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

command -v swift >/dev/null || fail "no 'swift' in PATH: Swift 6.3 or later is needed, from https://www.swift.org/install"

missing=()
command -v python3 >/dev/null || missing+=(python3 python3-pip)
# Makes the certificates of the tests.
command -v openssl >/dev/null || missing+=(openssl)
# Sets the path on which installed programs look for their libraries.
command -v patchelf >/dev/null || missing+=(patchelf)
if command -v pkg-config >/dev/null; then
    pkg-config --exists libturbojpeg || missing+=(libturbojpeg0-dev)
    pkg-config --exists libjpeg || missing+=(libjpeg-dev)
    pkg-config --exists liblz4 || missing+=(liblz4-dev)
    pkg-config --exists libpng || missing+=(libpng-dev)
    pkg-config --exists zlib || missing+=(zlib1g-dev)
    pkg-config --exists libwebp libwebpdemux || missing+=(libwebp-dev)
    pkg-config --exists libtiff-4 || missing+=(libtiff-dev)
    # Not every system has a pkg-config file for giflib.
    [[ -e /usr/include/gif_lib.h ]] || missing+=(libgif-dev)
else
    missing+=(
        pkg-config libturbojpeg0-dev libjpeg-dev liblz4-dev libpng-dev zlib1g-dev libwebp-dev libtiff-dev
        libgif-dev
    )
fi

# The reader of further languages is found when the program runs: a build needs none of it.
for language in ${LANGUAGES:-}; do
    name=$(sed -n "s/.*\"$language\": \"\([a-z]*\)\".*/\1/p" Sources/TextRecognitionTesseract/TesseractReader.swift)
    [[ -n $name ]] || fail "no '$language' among the languages of Tesseract; docs/languages.md lists them"
    dpkg-query --show "tesseract-ocr-$name" >/dev/null 2>&1 || missing+=(libtesseract5 "tesseract-ocr-$name")
done

if ((${#missing[@]})); then
    as_root=()
    if ((EUID != 0)); then
        as_root=(sudo -n)
    fi
    if ! command -v apt-get >/dev/null; then
        fail "missing: ${missing[*]} (the names are Debian's; install what your system calls them)"
    elif ((EUID != 0)) && ! sudo -n true 2>/dev/null; then
        fail "missing: ${missing[*]}" "run this, then 'make setup' again:" \
            "    sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
    fi
    echo "setup: installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq </dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq --yes --no-install-recommends "${missing[@]}" </dev/null
fi

exec python3 scripts/fetch.py
