#!/usr/bin/env bash
# Clients that we did not write drive `toolwire serve` over standard input and output: run.sh TOOLWIRE
#
# TOOLWIRE is the path of the binary. The clients are installed in $TOOLWIRE_INTEROP_DIR (target/interop without it), once:
# a second run finds them there. Needs bash, coreutils, python3 with venv, and npm; the clients in JavaScript run on a Node
# of their own. Prints a line per check, then how many passed and failed.
set -euo pipefail

if (($# != 1)) || [[ ! -x $1 ]]; then
    echo "usage: $0 PATH-OF-TOOLWIRE" >&2
    exit 2
fi
toolwire=$(realpath "$1")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
mkdir -p "${TOOLWIRE_INTEROP_DIR:=$here/../../target/interop}"
dir=$(realpath "$TOOLWIRE_INTEROP_DIR")

# Seconds that all the sessions of one client may take.
limit=120

# install_python NAME: a virtual environment with exactly what NAME.txt lists.
install_python() {
    local wanted=$here/$1.txt
    if ! cmp -s "$wanted" "$dir/$1/installed.txt"; then
        python3 -m venv --clear "$dir/$1"
        "$dir/$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp "$wanted" "$dir/$1/installed.txt"
    fi
}

install_node() {
    local wanted=$here/package.json
    if ! cmp -s "$wanted" "$dir/node/installed.json"; then
        rm -rf "$dir/node"
        mkdir "$dir/node"
        cp "$wanted" "$dir/node/"
        # The engines that npm warns of are not those that the packages will run on.
        (cd "$dir/node" && npm install --no-package-lock --no-audit --no-fund --loglevel=error)
        "$node" --version
        cp "$wanted" "$dir/node/installed.json"
    fi
    # Modules find their packages in the folders above them.
    cp "$here"/*.mjs "$here/witness.sh" "$dir/node/"
}

# client INTERPRETER PROGRAM TOOLWIRE RECORDS [MODE] counts the checks of one program. To end early or late, or to check nothing, is a failure too.
client() {
    local code=0 ok bad
    timeout --kill-after=5 "$limit" "$@" >"$work/checks" </dev/null || code=$?
    cat "$work/checks"
    ok=$(grep -c '^ok ' "$work/checks" || true)
    bad=$(grep -c '^FAIL ' "$work/checks" || true)
    if ((bad == 0 && (code != 0 || ok == 0))); then
        bad=1
        echo "FAIL ${2##*/}${5:+ $5}: ended with exit code $code after $ok checks (124: the time limit of $limit s)"
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
}

node=$dir/node/node_modules/node/bin/node
jobs=()
install_python mcp1 & jobs+=($!)
install_python mcp2 & jobs+=($!)
install_node & jobs+=($!)
for job in "${jobs[@]}"; do
    wait "$job"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
passed=0
failed=0

client "$dir/mcp1/bin/python" "$here/mcp1.py" "$toolwire" "$work"
for mode in legacy auto 2026-07-28; do
    client "$dir/mcp2/bin/python" "$here/mcp2.py" "$toolwire" "$work" "$mode"
done
client "$node" "$dir/node/sdk.mjs" "$toolwire" "$work"
for mode in legacy auto 2026-07-28; do
    client "$node" "$dir/node/client.mjs" "$toolwire" "$work" "$mode"
done
for era in legacy auto modern; do
    client "$node" "$dir/node/inspector.mjs" "$toolwire" "$work" "$era"
done

echo "$passed passed, $failed failed"
((failed == 0))
