#!/bin/bash
# test_tables.sh - the tables as the papers print them, of the rows that are recorded (of made-up ones: tests/cases/show/papers.case)
. tests/checks.sh tables
on_failure "$tmp/err"
show() { "$DEPTHBENCH" show "$@" -q >"$tmp/out" 2>"$tmp/err"; }
for sql in experiments/*/*.sql; do
    name=$(basename "$sql") paper=${sql%/*}
    check "$sql is named by a descriptor" grep -Eq "= *$name(,|\$)" "$paper"/*.ini
done
for machine in results/*-*/; do
    for ini in $(grep -l '^first ' experiments/*/*.ini); do
        experiment=${ini#experiments/} experiment=${experiment%.ini}
        check "$experiment of $machine" show "$experiment" --results "${machine%/}"
        check "$experiment has lines of 80 characters" test "$(LC_ALL=C.UTF-8 wc -L <"$tmp/out")" -le 80
        ! grep -q ' printed' "$tmp/out" || check "$experiment has what is printed, and here" grep -Eq ' here( |$)' "$tmp/out"
    done
done
finish
