#!/bin/bash
# test_ext.sh - peers on the command line: the examples of docs/PEERS.md, other problems, descriptors that are wrong
. tests/checks.sh ext
bench=$DEPTHBENCH
export TMPDIR=$tmp/temporary
mkdir "$TMPDIR" "$tmp/peers"
cp docs/peers/* "$tmp/peers"
peer=$tmp/peers/rdp-py.ini
described() { # NAME PROBLEM COMMAND [LINE]: a descriptor
    printf '%s\n' "problem = $2" "command = $3" 'version = 1' 'licence = MIT' 'inside = all' 'rule = exact' "${@:4}" >"$tmp/peers/$1.ini"
}
descriptor() { # NAME LINE...
    printf '%s\n' '[global]' 'problem = rdp' 'input = scene' 'frames = 2' 'width = 60' 'height = 40' 'samples = 3..3' 'min_time = 0' \
        'timeout = 5' '[cells]' "${@:2}" >"$tmp/$1.ini"
}
rows() { cells "$1" "$tmp"/rows/2*[0-9].csv | paste -sd ' '; } # COLUMN: its values in the session, of a row each

# ---- what is refused ----
expect "no such descriptor" 5 'nothing.ini: cannot be opened' "$bench" list --peer nothing.ini
described wrong rdp 'true' 'thread = one'
expect "a key that is none" 2 "wrong.ini:7: unknown key 'thread'; did you mean 'threads'" "$bench" list --peer "$tmp/peers/wrong.ini"
expect "a peer that is none" 2 "unknown impl 'ext/mine' (--peer FILE gives its descriptor)" "$bench" run rdp/fig5 -i ext/mine
expect "an option of others" 2 'peer is an option of list, run, show and apply' "$bench" claims --peer "$peer"
described gone rdp "sh -c 'exit 3'"
descriptor both 'impl = rdp/serial'
expect "a peer that ends" 5 'failed: ext/gone .*: ext/gone ended with status 3 before it answered' \
    "$bench" run "$tmp/both.ini" --peer "$tmp/peers/gone.ini" --results "$tmp/gone"
check "and the rest is measured" grep -q '^2 rows (1 ok), 0 configurations skipped, 1 failed, 0 wrong' "$tmp/out"
expect "apply is as plain" 5 'ext/gone ended with status 3' "$bench" apply ext/gone scene:1:60x40 -o "$tmp/none.csv" --peer "$tmp/peers/gone.ini"
check "and writes nothing" test ! -e "$tmp/none.csv"

# ---- other problems: the test program as a peer ----
program=$B/tests/test_ext
if [ -x "$program" ]; then
    described som som "'$(realpath "$program")' peer right"
    described stixels stixels "'$(realpath "$program")' peer right"
    expect "a peer for som" 0 'verified: equal to som/rounds' \
        "$bench" apply ext/som scene:1:120x80 -S rounds=5 -o "$tmp/som.csv" --peer "$tmp/peers/som.ini"
    expect "a peer for stixels" 0 'verified: equal to stixels/serial' \
        "$bench" apply ext/stixels scene:1:128x96 -S arith=exact -o "$tmp/stixels.csv" --peer "$tmp/peers/stixels.ini"
else
    skip "peers for som and stixels: no $program"
fi

# ---- the examples ----
needs python3
"$bench" apply rdp/serial scene:1:90x60 -o "$tmp/serial.csv" -q
if ${CC:-cc} -O2 -o "$tmp/peers/rdp" docs/peers/rdp.c 2>"$tmp/err"; then
    pass
    both=$tmp/peers/rdp-c.ini,$peer names='ext/rdp-c ext/rdp-py'
else
    skip "the example in C: no compiler"
    both=$peer names=ext/rdp-py
fi
for name in $names; do
    expect "$name" 0 '^verified: equal to rdp/serial' "$bench" apply "$name" scene:1:90x60 -o "$tmp/points.csv" --peer "$both"
    check "$name gives the same table" cmp "$tmp/points.csv" "$tmp/serial.csv"
    expect "$name says what it cannot" 77 "$name: vertical distances alone" \
        "$bench" apply "$name" scene:1:90x60 -S distance=perpendicular -o "$tmp/none.csv" --peer "$both"
done
expect "they are measured beside a variant" 0 ' 0 failed, 0 wrong' "$bench" run "$tmp/both.ini" --peer "$both" --results "$tmp/rows"
check "each is verified" test "$(rows impl): $(rows verdict)" = "rdp/serial $names: reference $(sed -E 's/[^ ]+/exact/g' <<<"$names")"
check "their inputs and outputs are the variant's" test "$(rows input_hash | tr ' ' '\n' | sort -u | wc -l)$(rows output_hash | tr ' ' '\n' | sort -u | wc -l)" = 11
check "the session says what they are" grep -q '^peer=ext/rdp-py: 1, MIT; inside its time: ' "$tmp"/rows/*.env.txt
expect "they are shown" 0 '^ *ext/rdp-py ' "$bench" show "$tmp/both.ini" --peer "$both" --results "$tmp/rows"
descriptor named 'impl = rdp/serial, ext/rdp-py'
expect "a descriptor names one" 0 '^ext/rdp-py .*scope=kernel' "$bench" run "$tmp/named.ini" --peer "$both" -i 'ext/rdp-p*' --dry-run

# a folder whose peers are always there; one that is given comes first
mkdir -p "$tmp/home/experiments/peers"
ln -s "$PWD/experiments/inputs" "$tmp/home/experiments/inputs"
cp "$tmp/peers/rdp.py" "$peer" "$tmp/home/experiments/peers"
expect "peers of the folder are listed" 0 'ext/rdp-py' env DEPTHBENCH_HOME="$tmp/home" "$bench" list
check "and no experiments" test -z "$(grep '^  peers' "$tmp/out")"
expect "with what they are" 0 'inside its time' env DEPTHBENCH_HOME="$tmp/home" "$bench" list rdp
expect "and can be applied" 0 '^verified' env DEPTHBENCH_HOME="$tmp/home" "$bench" apply ext/rdp-py scene:1:60x40 -o "$tmp/points.csv"
described rdp-py rdp "sh -c 'exit 3'"
expect "unless another has the name" 5 'ended with status 3' \
    env DEPTHBENCH_HOME="$tmp/home" "$bench" apply ext/rdp-py scene:1:60x40 -o "$tmp/points.csv" --peer "$peer"

# ---- the page: what it says that is said is said ----
cp docs/peers/rdp-py.ini "$peer"
sed -i "s|^command = .*|command = tee '$tmp/asked' \| python3 rdp.py|" "$peer"
"$bench" apply ext/rdp-py scene:1:90x60 -o "$tmp/points.csv" -q --peer "$peer"
plain() { sed -E 's|/[^ ]*/depthbench-peer-[^/]*/|DIR/|'; }
check "the page's exchange of lines" diff <(sed -n 's/^> //p' docs/PEERS.md | plain) <(plain <"$tmp/asked")
# a program that is killed takes its peer with it, and whom that has started in another session
cat >"$tmp/peers/waits.py" <<END
import os, time
name = "$tmp/peer"
if os.fork() == 0:
    os.setsid()
    name = "$tmp/daemon" if os.fork() == 0 else os._exit(0)
open(name + ".new", "w").write(str(os.getpid()))
os.rename(name + ".new", name)
time.sleep(600)
END
described waits rdp "python3 waits.py"
# a shell starts what is in the background with SIGINT ignored
usual='import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])'
is_over() { # FILE: the process whose number it has
    local i
    for ((i = 0; i < 100000; i++)); do grep -qs '^State:.[^Z]' "/proc/$(cat "$1")/status" || return 0; done
    return 1
}
for signal in KILL INT TERM; do
    rm -f "$tmp/peer" "$tmp/daemon"
    python3 -c "$usual" "$bench" apply ext/waits scene:1:60x40 -o "$tmp/points.csv" --peer "$tmp/peers/waits.ini" >"$tmp/out" 2>"$tmp/err" &
    harness=$!
    until { [ -s "$tmp/peer" ] && [ -s "$tmp/daemon" ]; } || ! kill -0 $harness 2>/dev/null; do :; done
    { kill -$signal $harness && wait $harness; } 2>/dev/null
    check "a peer ends with depthbench: SIG$signal" is_over "$tmp/peer"
    check "whom it has started, too: SIG$signal" is_over "$tmp/daemon"
done
rm -rf "$TMPDIR"/depthbench-peer-* # of the one that was killed
check "no file is left" test -z "$(ls "$TMPDIR")"
finish
