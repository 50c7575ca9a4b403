#!/usr/bin/env bash
# Stands between a client and its server and keeps what was said: witness.sh RECORD COMMAND...
# RECORD.in and RECORD.out are the two directions, RECORD.exit the server's exit code once it has ended.
set -u
record=$1
shift
tee -a "$record.in" | "$@" | tee -a "$record.out"
echo "${PIPESTATUS[1]}" >"$record.exit"
