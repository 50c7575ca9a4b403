#!/usr/bin/env bash
# The official conformance suite drives `toolwire serve conformance`: run.sh TOOLWIRE [TOOLSET]
#
# TOOLWIRE is the path of the binary; another TOOLSET shows that the judgement is strict. The suite speaks HTTP only, so a
# gateway stands between: it starts a server per session, and from 2026-07-28 on, which has no sessions, one per request.
# Both are installed in $TOOLWIRE_CONFORMANCE_DIR (target/conformance without it), once: a second run finds them there, and
# the checks of the last run in `results`. Needs bash, coreutils and npm; the packages run on a Node of their own.
# Prints a line per scenario and era, then how many ended as expected.txt says. Any other end is a failure, a better one too.
set -euo pipefail

if (($# < 1 || $# > 2)) || [[ ! -x $1 ]]; then
    echo "usage: $0 PATH-OF-TOOLWIRE [TOOLSET]" >&2
    exit 2
fi
toolwire=$(realpath "$1")
toolset=${2:-conformance}
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
mkdir -p "${TOOLWIRE_CONFORMANCE_DIR:=$here/../../target/conformance}"
dir=$(realpath "$TOOLWIRE_CONFORMANCE_DIR")

# Seconds that the suite may take for one era, and milliseconds for one scenario.
limit=180
scenario_limit=20000

install() {
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
}

node=$dir/node/node_modules/node/bin/node
install
suite=("$node" "$dir/node/node_modules/@modelcontextprotocol/conformance/dist/index.js")
results=$dir/results
rm -rf "$results"
mkdir "$results"

# start_gateway sets `gateway`, a process, and `url`. The children are in process groups of their own: only the gateway ends
# them, when it is asked to.
start_gateway() {
    local port command
    port=$("$node" -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })')
    command="exec $(printf '%q ' "$toolwire" serve "$toolset")"
    "$node" "$dir/node/node_modules/supergateway/dist/index.js" --stdio "$command" --outputTransport streamableHttp \
        --stateful --port "$port" --healthEndpoint /health >"$results/gateway.log" 2>&1 </dev/null &
    gateway=$!
    trap stop_gateway EXIT
    # The suite asks for this name: the scenario about foreign hosts knows no other.
    url=http://localhost:$port
    for _ in {1..100}; do
        if "$node" -e 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' "$url/health"; then
            return
        fi
        kill -0 "$gateway" 2>/dev/null || break
        sleep 0.1
    done
    echo "the gateway does not answer:" >&2
    tail -n 20 "$results/gateway.log" >&2
    exit 1
}

stop_gateway() {
    kill "$gateway" 2>/dev/null || true
    wait "$gateway" 2>/dev/null || true
}

# run_suite ERA OPTIONS... leaves the checks of each scenario in a folder of its own under results/ERA. Whether they passed
# is for judge.mjs to say: the suite's exit code counts no warnings.
run_suite() {
    local era=$1 code=0
    shift
    mkdir "$results/$era"
    timeout --kill-after=5 "$limit" "${suite[@]}" server --url "$url/mcp" --timeout "$scenario_limit" \
        --output-dir "$results/$era" "$@" >"$results/$era.log" 2>&1 </dev/null || code=$?
    if ((code > 1)); then
        echo "FAIL $era: the suite ended with exit code $code (124: the time limit of $limit s)"
        failed=1
    fi
}

failed=0
"${suite[@]}" list --server >"$results/scenarios.txt"
start_gateway
run_suite 2025-11-25 --suite all --spec-version 2025-11-25
run_suite 2026-07-28 --suite all --spec-version 2026-07-28
# Extensions belong to no revision: the suite runs them, and more, as what it does not require yet.
run_suite extension --suite pending
stop_gateway
"$node" "$here/judge.mjs" "$here/expected.txt" "$results" || failed=1
((failed == 0))
