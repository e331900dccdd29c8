#!/usr/bin/env bash
# Makes a Debian package of what `make build` made: programs, service, account, manual pages, completions.
#
#     scripts/deb.sh FOLDER [PROGRAMS]    writes FOLDER/glyphwire_VERSION_ARCHITECTURE.deb
#
# DEB_COMPRESSION (xz) may be gzip or none where time counts more than size.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022

folder=$1
programs=${2:-.build/release}
version=$("$programs/glyphwire" --version | cut -d' ' -f2)-1
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
PREFIX=/usr DESTDIR=$root scripts/install.sh "$programs"

# Where Debian has other places than PREFIX.
install --directory "$root"/{DEBIAN,etc/glyphwire,lib/systemd/system,usr/share/zsh/vendor-completions}
mv "$root"/usr/lib/systemd/system/* "$root/lib/systemd/system"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions"
rmdir -p --ignore-fail-on-non-empty "$root"/usr/{lib/systemd/system,share/zsh/site-functions}
install --mode=644 deploy/glyphwire.yaml "$root/etc/glyphwire/glyphwire.yaml"

documents=$root/usr/share/doc/glyphwire
mv "$documents/LICENSE" "$documents/licenses/glyphwire.txt"
install --mode=644 deploy/debian/copyright "$documents/copyright"
mv "$documents/CHANGELOG.md" "$documents/changelog"
# Whoever makes the package maintains it, by the variables that Debian's own tools read. The project has no address of its own.
maintainer="${DEBFULLNAME:-Unofficial Glyphwire package} <${DEBEMAIL:-nobody@localhost.invalid}>"
cat >"$documents/changelog.Debian" <<EOF
glyphwire ($version) bookworm; urgency=medium

  * Package this version; changelog.gz says what it has.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
EOF
gzip -9 --no-name "$documents"/changelog* "$root"/usr/share/man/man1/*

# The tool wants to know the source package, and of the libraries of this package it can say nothing.
mkdir "$work/debian"
printf 'Source: glyphwire\n\nPackage: glyphwire\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -l"$root/usr/lib/glyphwire" -xglyphwire \
    "$root"/usr/bin/* "$root"/usr/lib/glyphwire/* 2>"$work/shlibdeps.log") || { cat "$work/shlibdeps.log" >&2; exit 1; }

# Some led to the documents that were moved.
scripts/check-links.py --remove --folder "$documents"

size=$(du --summarize --block-size=1024 --apparent-size "$root" | cut -f1)
control=$(<deploy/debian/control)
control=${control/@VERSION@/"$version"} control=${control/@ARCHITECTURE@/"$architecture"} control=${control/@SIZE@/"$size"}
control=${control/@MAINTAINER@/"$maintainer"} control=${control/@DEPENDS@/"${depends#shlibs:Depends=}"}
echo "$control" >"$root/DEBIAN/control"
# No request in Debian's bug tracker asked for this package. Documents lead to the clients, whose programs lie where those say;
# each client has its licence, since it is copied, and packed for its language, by itself. The Swift runtime and packages have
# their zlib and libyaml in them. A host without an address stands for the maintainer's where none is named.
install -D --mode=644 /dev/stdin "$root/usr/share/lintian/overrides/glyphwire" <<EOF
glyphwire: initial-upload-closes-no-bugs
glyphwire: executable-in-usr-share-doc [usr/share/doc/glyphwire/clients/*]
glyphwire: extra-license-file [usr/share/doc/glyphwire/clients/*]
glyphwire: zero-byte-file-in-doc-directory [usr/share/doc/glyphwire/clients/python/glyphwire/py.typed]
glyphwire: embedded-library libyaml [usr/bin/glyphwire]
glyphwire: embedded-library zlib [usr/bin/glyphwire]
glyphwire: embedded-library zlib [usr/bin/glyphwire-replay]
glyphwire: bogus-mail-host-in-debian-changelog *
glyphwire: bogus-mail-host Maintainer *
EOF
echo /etc/glyphwire/glyphwire.yaml >"$root/DEBIAN/conffiles"
install --mode=755 -t "$root/DEBIAN" deploy/debian/{postinst,prerm,postrm}
(cd "$root" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)

mkdir -p "$folder"
package=$folder/glyphwire_${version}_$architecture.deb
dpkg-deb --root-owner-group "-Z${DEB_COMPRESSION:-xz}" --build "$root" "$package" >/dev/null
echo "deb: $(du -h "$package")"
