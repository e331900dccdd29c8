#!/usr/bin/env bash
# Makes a container image of what `make build` made: the last stage of deploy/Containerfile, on a Debian that debootstrap makes.
#
#     scripts/image.sh FOLDER [PROGRAMS]    writes FOLDER/glyphwire-VERSION-image-ARCHITECTURE.tar.gz, for `docker load`
#
# Needs root, buildah and debootstrap, and no registry of images.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$1
programs=${2:-.build/release}
version=$("$programs/glyphwire" --version | cut -d' ' -f2)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Storage of its own: plain folders, with which nothing is to be unmounted.
buildah=(buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs)

debootstrap --variant=minbase bookworm "$work/debian" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log" >&2; exit 1; }
rm -rf "$work"/debian/var/{cache/apt,lib/apt/lists}/* "$work"/debian/usr/share/{locale,man}/*
container=$("${buildah[@]}" from scratch)
"${buildah[@]}" add --quiet "$container" "$work/debian" / >/dev/null
"${buildah[@]}" commit --quiet "$container" docker.io/library/debian:bookworm-slim >/dev/null

# The build stage of the file is replaced by what it would make.
PREFIX=/opt/glyphwire DESTDIR=$work/build/installed scripts/install.sh --bundle "$programs"
"${buildah[@]}" build --quiet --pull=never --isolation chroot --build-context "build=$work/build" \
    --file deploy/Containerfile --tag "glyphwire:$version" "$work/build" >/dev/null

mkdir -p "$folder"
archive=$folder/glyphwire-$version-image-$(uname -m).tar
rm -f "$archive" "$archive.gz"
"${buildah[@]}" push --quiet "glyphwire:$version" "docker-archive:$archive:glyphwire:$version"
gzip --no-name "-${GZIP_LEVEL:-9}" "$archive"
echo "image: $(du -h "$archive.gz")"
