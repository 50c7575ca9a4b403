#!/usr/bin/env bash
# Builds the firmware images, and checks that the core compiles for two more targets.
#
# Targets that rustup has are built as users build them. For the others it takes Debian's compiler, which builds core from
# source: apt-get install rustc-web cargo-web rust-web-src lld
set -euo pipefail
cd "$(dirname "$0")"

export CARGO_TARGET_DIR=$PWD/target
installed=$(rustup target list --installed 2> /dev/null || true)

# cargo_for TARGET arguments…
cargo_for() {
    local target=$1 command=$2
    shift 2
    if grep -qx "$target" <<< "$installed"; then
        cargo "$command" --locked --release --target "$target" "$@"
        return
    fi
    [[ -d /usr/lib/rustlib/src/rust/library/core && -x /usr/bin/cargo && -x /usr/bin/ld.lld ]] || {
        echo "no way to build for $target: rustup target add $target,"
        echo "or: apt-get install rustc-web cargo-web rust-web-src lld"
        exit 1
    } >&2
    local name=${target//-/_}
    env PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 "CARGO_TARGET_${name^^}_LINKER=ld.lld" \
        cargo "$command" --locked --release --target "$target" -Z build-std=core "$@"
}

cargo_for thumbv7m-none-eabi build --features no-panic --bin board --bin reservo \
    --bin two-tools --bin three-tools --bin two-capacities --bin with-resource --bin with-template --bin with-subscription \
    --bin with-prompt --bin with-json --bin with-progress --bin with-log --bin with-cancellation --bin with-question
# Core's parser of floats has panics, which its authors hold to be unreachable; and so has each `async fn`, for those who poll
# it after its end.
cargo_for thumbv7m-none-eabi build --bin calc --bin tasks --bin panic --bin with-waiting
cargo_for thumbv6m-none-eabi build --features no-panic --bin board
cargo_for riscv32imac-unknown-none-elf build --features no-panic --bin board
# The firmware that the README shows.
cargo_for thumbv6m-none-eabi build --manifest-path board-example/Cargo.toml
# Those that were up to date are so now too, which the tests see by the time.
touch target/*/release/{board,reservo,calc,tasks,panic,two-tools,three-tools,two-capacities} 2> /dev/null || true

# The targets that no image is for.
for target in thumbv7em-none-eabihf riscv32imc-unknown-none-elf; do
    cargo_for $target check -p toolwire
done
