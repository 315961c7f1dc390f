#!/bin/bash
# test_cases.sh - the cases of tests/cases: files of rows, calls of the program, and what it says to them
set -u
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
needs python3
exec tests/run_cases
