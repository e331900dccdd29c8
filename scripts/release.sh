#!/usr/bin/env bash
# Makes everything that a release consists of, in dist: the tarball, the Debian package, the container image, the SHA-256 of
# each. Then installs them in a bare Debian 12 and uses them there.
#
#     scripts/release.sh [FOLDER]    FOLDER is dist if not named
#
# The image takes root, buildah and debootstrap, and is left out without them. lintian checks the package where it is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-dist}
[[ $folder != -* ]] || { echo "release: no option $folder; scripts/release.sh [FOLDER]" >&2; exit 2; }
mkdir -p "$folder"
make build
# What an earlier release left, and nothing else that may be there.
rm -f "$folder"/{glyphwire-*.tar.gz,glyphwire_*.deb,SHA256SUMS}
scripts/tarball.sh "$folder"
scripts/deb.sh "$folder"
if ((EUID == 0)) && command -v buildah >/dev/null && command -v debootstrap >/dev/null; then
    scripts/image.sh "$folder"
else
    echo "release: no container image: it takes root, buildah and debootstrap" >&2
fi
(cd "$folder" && sha256sum glyphwire-*.tar.gz glyphwire_*.deb >SHA256SUMS)

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$folder"/*.deb
fi
Tests/Packages/run "$folder"
cat "$folder/SHA256SUMS"
