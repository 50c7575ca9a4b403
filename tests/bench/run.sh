#!/usr/bin/env bash
# Measures `toolwire serve`: instructions per message with callgrind, and requests per second beside `cat`, a loop without
# any JSON work, and a loop written by hand with serde_json. Ratios of one run mean something; times alone do not.
#
#   tests/bench/run.sh [instructions|throughput|latency]     all three without an argument
set -euo pipefail
cd "$(dirname "$0")/../.."

cargo build --release --quiet -p toolwire-cli
cargo build --release --quiet --manifest-path tests/bench/Cargo.toml
bin=$PWD/target/release/toolwire
peers=$PWD/tests/bench/target/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$work" <<'PYTHON'
import sys
folder = sys.argv[1]

def write(name, count, line):
    with open(f"{folder}/{name}", "w") as file:
        file.writelines(line(i) + "\n" for i in range(count))

def echo(text):
    return lambda i: ('{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"%s"}}}'
                      % (1000000 + i, text))

def listing(i):
    return '{"jsonrpc":"2.0","id":%d,"method":"tools/list"}' % (1000000 + i)

short, long = "0123456789abcdef", "The quick brown fox jumps. " * 152
write("echo16.1", 4000, echo(short))
write("echo16.2", 8000, echo(short))
write("echo4k.1", 400, echo(long))
write("echo4k.2", 800, echo(long))
write("list.1", 400, listing)
write("list.2", 800, listing)
write("echo16.many", 1000000, echo(short))
PYTHON

# Instructions of a run over twice the messages less those of a run over once, per message.
instructions() {
    local name=$1 toolset=$2 messages=$3 counts=()
    for size in 1 2; do
        counts+=("$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bin" serve "$toolset" \
            < "$work/$name.$size" 2>&1 >/dev/null | grep -oE 'Collected : [0-9]+' | grep -oE '[0-9]+')")
    done
    printf '%-40s %8d instructions\n' "$4" $(((counts[1] - counts[0]) / messages))
}

# The best of five runs, in thousands of lines per second.
throughput() {
    local best=999999999 start end
    for _ in 1 2 3 4 5; do
        start=$(date +%s%N)
        cat "$work/echo16.many" | "${@:2}" > /dev/null
        end=$(date +%s%N)
        best=$(((end - start) < best ? end - start : best))
    done
    printf '%-40s %8d thousand requests per second\n' "$1" $((1000000 * 1000000 / best))
}

what=${1:-all}
if [[ $what == all || $what == instructions ]]; then
    instructions echo16 calc 4000 "tools/call of 116 bytes"
    instructions echo4k calc 400 "tools/call of 4 KiB"
    instructions list reservo 400 "tools/list of 4 tools"
fi
if [[ $what == all || $what == throughput ]]; then
    throughput "cat" cat
    throughput "no JSON work" "$peers/no_json"
    throughput "toolwire serve calc" "$bin" serve calc
    throughput "by hand, with serde_json" "$peers/by_hand"
fi
if [[ $what == all || $what == latency ]]; then
    # One request at a time, client and server on one core: rounds per second.
    for peer in "cat" "$peers/no_json" "$bin serve calc" "$peers/by_hand"; do
        taskset -c 0 python3 - "$peer" <<'PYTHON'
import os, subprocess, sys, time
server = subprocess.Popen(sys.argv[1].split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
request = (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":'
           b'{"text":"0123456789abcdef"}}}\n')
write, read = server.stdin.fileno(), server.stdout.fileno()
best = float("inf")
for _ in range(7):
    start = time.perf_counter()
    for _ in range(5000):
        os.write(write, request)
        os.read(read, 65536)
    best = min(best, time.perf_counter() - start)
server.stdin.close()
server.wait()
print(f"{os.path.basename(sys.argv[1]):40} {best / 5000 * 1e6:8.2f} microseconds per round")
PYTHON
    done
fi
