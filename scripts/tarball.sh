#!/usr/bin/env bash
# Packs what `make build` made into an archive that runs from any folder of a Linux with glibc 2.36 and libstdc++.
#
#     scripts/tarball.sh FOLDER [PROGRAMS]    writes FOLDER/glyphwire-VERSION-linux-ARCHITECTURE.tar.gz
#
# GZIP_LEVEL (9) trades time for size. The same programs make the same archive, byte for byte.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$1
programs=${2:-.build/release}
name=glyphwire-$("$programs/glyphwire" --version | cut -d' ' -f2)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
PREFIX=/opt/$name DESTDIR=$stage scripts/install.sh --bundle "$programs"

mkdir -p "$folder"
archive=$folder/$name-linux-$(uname -m).tar.gz
tar --create --directory "$stage/opt" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$name" |
    gzip --no-name "-${GZIP_LEVEL:-9}" >"$archive"
echo "tarball: $(du -h "$archive")"
