#!/usr/bin/env bash
# Looks with Ruff, which it installs into .deps/lint, for faults in the Python sources: names that are defined twice or nowhere,
# imports without use, syntax.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
environment=$PWD/.deps/lint

if ! [[ -x $environment/bin/ruff ]]; then
    echo "lint: installing Ruff into .deps/lint"
    if ! { rm -rf "$environment" && python3 -m venv "$environment" \
        && "$environment/bin/pip" install --quiet --disable-pip-version-check 'ruff<1'; } </dev/null; then
        echo "lint: Ruff cannot be installed; the Python sources are not checked" >&2
        exit 0
    fi
fi

# Programs without a suffix are found by their first line; what is not committed is not looked at.
{ git ls-files '*.py' && git grep --files-with-matches -e '^#!/usr/bin/env python3'; } | sort --unique \
    | xargs "$environment/bin/ruff" check --quiet --no-cache --isolated --select E9,F,PLE --output-format concise
