#!/usr/bin/env bash
# Lays down what `make build` made, with all that it needs to run without this folder and without Swift.
#
#     scripts/install.sh [--bundle] [PROGRAMS]    PROGRAMS is the folder of the executables (.build/release)
#
# PREFIX (/usr/local) is the folder in which it will run, DESTDIR a folder to put before that, as packages are made.
# --bundle adds the libraries that are otherwise the system's, but for the C and C++ libraries.
set -euo pipefail

fail() {
    printf 'install: %s\n' "$@" >&2
    exit 1
}

# Found from the folder of who calls, as folders of other commands are.
prefix=$(realpath --no-symlinks --canonicalize-missing "${PREFIX:-/usr/local}")
destination=${DESTDIR:+$(realpath --no-symlinks --canonicalize-missing "$DESTDIR")}
[[ $prefix != *[[:cntrl:]\"\'\\]* ]] ||
    fail "PREFIX has a quote, a backslash or a control character, with which systemd starts no program"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# What is installed is for every user, whatever the mask of the one who installs.
umask 022

bundle=false
if [[ ${1:-} == --bundle ]]; then
    bundle=true
    shift
fi
programs=${1:-.build/release}
target=$destination$prefix
openvino=${GLYPHWIRE_OPENVINO:-.deps/openvino}
documents=$target/share/doc/glyphwire

for name in glyphwire glyphwire-replay; do
    [[ -x $programs/$name ]] || fail "there is no $programs/$name: run 'make build' first"
done
command -v patchelf >/dev/null || fail "patchelf is missing: run 'make setup', or apt-get install patchelf"

install --directory "$target"/{bin,lib/glyphwire,share/glyphwire/models} "$documents/licenses"

for name in glyphwire glyphwire-replay; do
    install "$programs/$name" "$target/bin/$name"
    strip "$target/bin/$name"
    # Programs find their libraries beside them, wherever the folder is moved.
    # shellcheck disable=SC2016
    patchelf --set-rpath '$ORIGIN/../lib/glyphwire' "$target/bin/$name"
done

# The plugins are opened by name at run time, so that `ldd` does not know of them.
find "$openvino/lib" -type f -name '*.so*' -exec install --mode=644 -t "$target/lib/glyphwire" {} +

# Library files that the programs use, other than OpenVINO's: one path a line.
libraries() {
    ldd "$programs"/{glyphwire,glyphwire-replay} | sed -nE 's|^\s+\S+ => (/.*) \(0x[0-9a-f]+\)$|\1|p' |
        grep -v -E '/(libopenvino|libtbb|ld-linux)|/lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so' | sort --unique
}

while read -r library; do
    # The Swift runtime is part of the programs if it is linked statically, as `make build` does.
    if [[ $library == */swift/linux/* ]]; then
        install --mode=644 -t "$target/lib/glyphwire" "$library"
    elif $bundle && [[ $library == */libjbig.so.0 ]]; then
        "${CC:-cc}" -O2 -shared -fPIC -Wl,-soname,libjbig.so.0 -o "$target/lib/glyphwire/libjbig.so.0" deploy/jbig.c
    elif $bundle; then
        install --mode=644 -t "$target/lib/glyphwire" "$library"
        # shellcheck disable=SC2016
        patchelf --set-rpath '$ORIGIN' "$target/lib/glyphwire/${library##*/}"
        # By its name alone, since /lib may be a link to /usr/lib.
        package=$(dpkg-query --search "*/$(basename "$(realpath "$library")")" | head -1 | cut -d: -f1)
        install -D --mode=644 "/usr/share/doc/$package/copyright" "$documents/licenses/$package/copyright"
    fi
done < <(libraries)

# Only the models that the engine loads: the folder may hold those of earlier versions.
awk '$1 == "built" { print ".deps/" $3 }' models/manifest |
    xargs install --mode=644 -t "$target/share/glyphwire/models"

for name in glyphwire glyphwire-replay; do
    scripts/manual-pages.py "$programs/$name" "$target/share/man/man1"
    while read -r shell file; do
        install --directory "$target/share/${file%/*}"
        # Shells read these files and do not run them: a first line that names an interpreter has no meaning.
        "$programs/$name" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$target/share/$file"
    done <<EOF
bash bash-completion/completions/$name
zsh zsh/site-functions/_$name
fish fish/vendor_completions.d/$name.fish
EOF
done

install --directory "$target/lib/systemd/system"
# To systemd, a blank ends a program's name, and a % begins the name of something else.
program=${prefix//%/%%}/bin/glyphwire
for unit in glyphwire glyphwire-watch; do
    text=$(<"deploy/$unit.service")
    echo "${text//\/usr\/bin\/glyphwire/"${program// /\\x20}"}" >"$target/lib/systemd/system/$unit.service"
done

install --mode=644 -t "$documents" CHANGELOG.md LICENSE NOTICE Protocol.md README.md SECURITY.md
install -D --mode=644 -t "$documents/docs" docs/*.{md,json,jpg,svg}
install -D --mode=644 -t "$documents/docs/log" docs/log/*.md
install -D --mode=644 -t "$documents/demo" demo/annotated.jpg
# The clients without what was built in them, and of deploy what others than packages and the tests of this folder need.
left_out=({.gitignore,__pycache__,build,node_modules,target,'*.egg-info'} deploy/{cluster-test,debian,jbig.c,licenses})
tar --create "${left_out[@]/#/--exclude=}" clients deploy | tar --extract --no-same-owner --directory "$documents"
chmod -R u=rwX,go=rX "$documents"/{clients,deploy}
scripts/check-links.py --remove --folder "$documents"
cp -r --no-preserve=mode,ownership .deps/licenses/. "$documents/licenses"
install -D --mode=644 -t "$documents/licenses/swift" deploy/licenses/{swift,icu}.txt
for checkout in .build/checkouts/*/; do
    for file in "$checkout"{LICENSE,LICENSE.txt,NOTICE.txt}; do
        [[ -f $file ]] && install -D --mode=644 -t "$documents/licenses/$(basename "$checkout")" "$file"
    done
done

echo "install: $(du -sh "$target" | cut -f1) in $target"
