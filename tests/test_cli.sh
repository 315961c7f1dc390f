#!/bin/bash
# test_cli.sh - what a user meets at the command line: pages of help, runs, closed and full outputs, interrupted and killed runs
#
# tests/cases/cli has bad words and input: each gives one sentence on stderr and the exit status of docs/METHOD.md.
. tests/checks.sh cli
bench=$DEPTHBENCH

descriptor() { # NAME LINES...: a descriptor in $tmp
    printf '%s\n' "${@:2}" >"$tmp/$1.ini"
}
small=('[global]' 'problem = rdp' 'input = scene' 'frames = 1' 'width = 60' 'height = 40' 'samples = 3..3'
    'min_time = 0' 'timeout = 5' '[cells]' 'impl = rdp/serial, rdp/omp-columns')

# ---- usage ----
printf 'P5\n4 4\n255\n\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020' >"$tmp/good.pgm"
refuses "a name that is too long" 5 'File name too long' "$bench" show rdp/fig9 --results "$(printf '%0300d' 0)"
expect "help exits 0" 0 '' "$bench" help
check "help fits a terminal" test -z "$(awk 'length > 80' "$tmp/out")" -a "$(wc -l <"$tmp/out")" -lt 24
"$bench" help >"$tmp/out"
subcommands=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$tmp/out")
for sub in $subcommands; do
    "$bench" help "$sub" >"$tmp/out" 2>&1 && "$bench" "$sub" --help | cmp -s - "$tmp/out" &&
        [ "$(head -n 1 "$tmp/out" | cut -d' ' -f1,2)" = "depthbench $sub" ] && [ -z "$(awk 'length > 80' "$tmp/out")" ]
    check "help $sub, and $sub --help" test $? = 0
done
check "each option is in the help of what has it" test "$("$bench" help sql | grep -c '^  \(-f, --format FORMAT\|-o FILE\|--results DIR\|--export FILE\)')" = 4
"$bench" help bash >"$tmp/completion"
completed() { # WORD...: what the last word is completed to, sorted
    bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _depthbench; echo "${COMPREPLY[*]}"' - "$tmp/completion" "$@"
}
check "a subcommand is completed" test "$(completed depthbench re)" = 'report regress'
check "an option is completed" test "$(completed depthbench run --d)" = '--data --dry-run --device'
check "a descriptor is completed" test "$(completed depthbench run rdp/fig1)" = rdp/fig10
"$bench" help man >"$tmp/depthbench.1"
check "the man page has all subcommands" test "$(sed -n 's/^\.SH "\([a-z]*\)"$/\1/p' "$tmp/depthbench.1")" = "$subcommands"
expect "claims exits 0" 0 '' "$bench" claims
check "claims says what comes next" grep -qx 'next: depthbench claims MACHINE, by the rows of results/MACHINE' "$tmp/out"
check "claims fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
check "claims counts its verdicts" grep -q ' claims, [0-9]* verdicts, 0 unexpected\. ' "$tmp/out"
"$bench" claims --explain stixels-dp-8 >"$tmp/out" 2>"$tmp/err"
check "a claim is explained" grep -q 'Fig. 9a' "$tmp/out"
check "by all machines" grep -q '^xeon-16c_nvidia-h200$' "$tmp/out"
check "no colour outside a terminal" test -z "$(grep -l $'\033' "$tmp/out")"
check "the explanation fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
expect "committed rows give the expected verdicts (make claims; make claims-expect), with files beside folders" 0 '' "$bench" claims results/*
check "claims of machines fit 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
# together: verdicts take seconds
"$bench" sql -f csv "SELECT (SELECT sum(n) > 100 FROM verdict_total WHERE machine = 'paper') AS enough,
    sum(n) - (SELECT count(DISTINCT claim) FROM claim_verdict WHERE same_as IS NULL) AS more FROM claim_total" >"$tmp/out"
check "sql counts verdicts" grep -q '^"1",' "$tmp/out"
check "sql counts each claim once" grep -q ',"0"$' "$tmp/out"
refuses "regress without a commit" 2 'expected BASE' "$bench" regress
refuses "regress behind an option" 2 "no commit 'nothing'" "$bench" -v regress nothing
answers() { [ "$("$bench" sql --results "$tmp/$1" -f csv "$3" | tail -n 1)" = "$2" ]; } # FOLDER ROW QUERY
fits() { # WHAT [LINES]: what is in $tmp/out, at 80 columns and in so many lines
    check "$1 fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"
    [ $# = 1 ] || check "$1 fits $2 lines" test "$(wc -l <"$tmp/out")" -le "$2"
}
expect "list exits 0" 0 '' "$bench" list
fits list $((37 + 2 * $(ls harness/problems/*/ -d | wc -l)))
check "list names the reference" grep -q '^  rdp  *serial, ' "$tmp/out"
expect "list of a problem" 0 '' "$bench" list rdp
fits "list rdp"
check "it has the variants' keys" grep -q '^    cutoff ' "$tmp/out"
check "and the harness's" grep -q '^    precision ' "$tmp/out"
expect "list --all exits 0" 0 '' "$bench" list --all
fits "list --all"
for ini in experiments/*/*.ini; do
    name=${ini#experiments/}
    case $name in claims/* | */figures.ini) continue ;; inputs/*) name=${name#inputs/} ;; esac
    check "list --all has $ini" grep -qE "^  ${name%.ini}( |\$)" "$tmp/out"
done
check "stx is another name of stixels" test "$("$bench" list stx/table1 | head -n 1)" = "$("$bench" list stixels/table1 | head -n 1)"
mkdir -p "$tmp/here/kitti2015/sgm" && cp "$tmp/good.pgm" "$tmp/here/kitti2015/sgm/000000_10.png"
for i in $(seq -w 0 24); do : >"$tmp/here/kitti2015/sgm/0000${i}_10.png"; done
here=${tmp#"$PWD/"}/here
expect "list inputs" 0 '' "$bench" list inputs --data "$here"
fits "list inputs"
check "an input that is here is marked" grep -qE '^  kitti-sgm +here, 25 files' "$tmp/out"
check "one that can be fetched" grep -qE '^  teddy +not here: scripts/fetch_data ' "$tmp/out"
check "one that must be put there" grep -qE '^  synthia-sf +not here: put SEQ' "$tmp/out"
"$bench" list --data "$tmp/here" >"$tmp/out"
check "and in the short list" grep -qx '  here        kitti-sgm' "$tmp/out"

# ---- what an experiment would run ----
descriptor counted '[global]' 'problem = rdp' 'width = 60' 'height = 40, 50' 'eps = 1, 2, 3' 'samples = 3..3' 'min_time = 0.5' 'timeout = 5' \
    '[a]' 'impl = rdp/omp-columns' 'input = scene, kitti-sgm' '[b]' 'impl = rdp/gpu-paper' 'times = 0'
expect "list of an experiment" 0 '' "$bench" list "$tmp/counted.ini" --data nowhere
check "list of an experiment fits 24 lines" test "$(wc -l <"$tmp/out")" -le 24
check "of 80 columns, but for the path" test -z "$(grep -vF "$tmp" "$tmp/out" | grep -v counted.ini | awk 'length > 80')"
check "counts by key" test "$(grep -cE '^  (section     a \(12\), b \(6\)|eps         1 \(6\), 2 \(6\), 3 \(6\)|height      40 \(9\), 50 \(9\))$' "$tmp/out")" = 3
check "how many run" grep -q '^18 configurations, paper protocol; 6 can run here$' "$tmp/out"
check "why others are skipped, and the remedy" grep -q '^  6 skipped: input kitti-sgm: no files ' "$tmp/out"
check "how long sampling may take" grep -q '^  sampling takes 3.0 s to 30 s by its time limits' "$tmp/out"
check "each configuration with --all" test "$("$bench" list "$tmp/counted.ini" --all | grep -c ' rdp/.*eps=')" = 18
make -s help CUDA=no >"$tmp/out" 2>"$tmp/err"
check "make help exits 0" test $? = 0
check "make help fits 80 columns" test -z "$(awk 'length > 80' "$tmp/out")"

# ---- the machine ----
if taskset -c 0 true 2>/dev/null; then
    check "a machine keeps its name when some of its cores are kept from it" \
        test "$(taskset -c 0 "$bench" env --machine)" = "$("$bench" env --machine)"
fi

# what OpenMP and hwloc are told, or the system: how many threads a team may have, and who says why less
n_pus=$("$bench" env | sed -n 's/^hardware_threads=//p')
offers() { # SETTING[,SETTING...] THREADS WHY: WHY is a line of env, or a note
    IFS=, read -ra settings <<<"$1"
    env "${settings[@]}" "$bench" env >"$tmp/out" 2>&1 && grep -qx "hardware_threads=$2" "$tmp/out" && grep -q -- "$3" "$tmp/out"
}
for setting in OMP_PROC_BIND=true OMP_PROC_BIND=close OMP_PROC_BIND=spread OMP_PROC_BIND=master OMP_PLACES=cores OMP_PLACES=threads \
    OMP_PLACES=sockets OMP_DYNAMIC=true OMP_MAX_ACTIVE_LEVELS=0 OMP_NUM_THREADS=1 HWLOC_THISSYSTEM=1,HWLOC_SYNTHETIC=core:9 HWLOC_FSROOT=/nowhere \
    HWLOC_XMLFILE=/nowhere; do
    check "$setting takes no processor" offers "$setting" "$n_pus" "${setting%%=*}"
done
check "hwloc shows this machine" offers HWLOC_SYNTHETIC=core:9 "$n_pus" '^note: HWLOC_SYNTHETIC: not used'
check "a limit of OpenMP does, and is named" offers OMP_THREAD_LIMIT=1 1 "$([ "$n_pus" = 1 ] || echo '^note: a team has at most 1 threads here: OMP_THREAD_LIMIT=1')"
check "so do places that leave some out" offers "OMP_PLACES={$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')}" 1 "$([ "$n_pus" = 1 ] || echo 'note: .*: OMP_PLACES')"
refuses "small stacks of threads" 4 "^depthbench: OpenMP's threads have stacks of 64 KiB, expected 1024" env OMP_STACKSIZE=64k "$bench" env
refuses "a small stack" 4 '^depthbench: the stack is limited to 512 KiB, expected 1024: ulimit -s' bash -c 'ulimit -S -s 512 && "$0" env' "$bench"

if unshare -m true 2>/dev/null; then
    expect "a machine without /sys" 0 '' unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' - "$bench" env
    check "has processors, and hwloc says nothing of it" test -n "$(grep -x 'hardware_threads=[1-9][0-9]*' "$tmp/out")" -a -z "$(grep -v '^note: ' "$tmp/err")"
fi
mkdir -p "$tmp/one/etc" "$tmp/one/sys/firmware/devicetree/base" && echo 3d1219c7c4c5404aaa1f6d2a48adfda4 >"$tmp/one/etc/machine-id"
printf '1424319028823\0' >"$tmp/one/sys/firmware/devicetree/base/serial-number"
check "neither machine-id nor serial number is shown" test -z "$("$bench" env --sysroot "$tmp/one" | grep -e 3d1219c7 -e 1424319028823)"
check "--host gives a name" grep -qx 'host=lab_3.b-c' <("$bench" env --sysroot "$tmp/one" --host lab_3.b-c)
for name in '' ../x 'a b' 'a/b' '`x`' -x "$(printf '%033d' 0)"; do
    refuses "--host '$name'" 2 '^depthbench: --host: expected 1 to 32 letters' "$bench" env "--host=$name"
done

# ---- reproduce: a figure that fails stops no other, the worst status is kept, Ctrl-C stops all ----
mkdir -p "$tmp/house/scripts" "$tmp/house/experiments/p" "$tmp/house/b"
cp scripts/start scripts/reproduce scripts/figures_of "$tmp/house/scripts/"
program "$tmp/house/b/depthbench" <<<'echo machine'
# a figure's name is its status here; d5 is measured and cannot be drawn
program "$tmp/house/scripts/figure" <<<'case $STEP-$2 in draw-*) echo "missing: 3"; exit "${2#d}" ;; *-d*) exit 0 ;; *) exit "$2" ;; esac'
# reproduces WHAT EXIT LAST STATUS...: the exit status, and the last figure that was reached
reproduces() {
    printf '[%s]\ntitle = x\n' "${@:4}" >"$tmp/house/experiments/p/figures.ini"
    (cd "$tmp/house/experiments/p" && shift 3 && touch "${@/%/.ini}")
    B=$tmp/house/b expect "reproduce, $1" "$2" '' "$tmp/house/scripts/reproduce"
    check "reproduce, $1: the last figure" test "$(grep '^== p ' "$tmp/out" | tail -n 1)" = "== p $3"
}
reproduces "all well" 0 0 0 0 0
check "its last lines say what was made, where, and how much is missing" diff - <(sed 's/ in [0-9]* s:/:/' "$tmp/out" | tail -n 3) <<'END'
== done: rows are in results/machine/, 3 of 3 tables and figures in plots/machine/
   3 lack rows: depthbench show PAPER/NAME --all lists them, with the reasons
   next: make report (all of it on one page), make claims (what the papers say, judged)
END
check "not each of these" test "$(grep -c '^missing' "$tmp/out")" = 0
reproduces "a wrong result before other failures" 1 77 0 1 2 5 77
reproduces "a failed device before a bad descriptor" 5 0 5 2 0
reproduces "a bad descriptor before nothing to run" 2 77 2 77
reproduces "a figure that cannot be drawn" 5 0 d5 0
check "it says which" grep -q '^   not made, .*: p-d5$' "$tmp/out"
reproduces "interrupted" 130 130 5 130 0

# ---- descriptors ----
head -c 1048577 /dev/zero | tr '\0' '\n' >"$tmp/large.ini"
refuses "a descriptor of more than 1 MiB" 2 'has at most 1 MiB, this one has more' "$bench" list "$tmp/large.ini"
printf '%s\n' '[a]' 'x = 1' "$(printf ' %0180d\n' {1..450})" >"$tmp/large.ini"
refuses "a value of more than 64 KiB" 2 "the value of 'x' is longer than 65535 bytes" "$bench" list "$tmp/large.ini"
mkfifo "$tmp/pipe.ini"
refuses "a pipe, without waiting for a writer" 5 'is no regular file' timeout 20 "$bench" list "$tmp/pipe.ini"
if terminal "lines of apply and claims"; then
    printf 'P2\n1 6\n255\n40 40 10 10 5 5\n' >"$tmp/depth.pgm"
    script -qec "stty cols 80; '$bench' apply rdp/serial '$tmp/depth.pgm' -o '$tmp/x.csv'" /dev/null </dev/null >"$tmp/out" 2>&1
    check "on a terminal a warning is broken between words" test "$(tr -d '\r' <"$tmp/out" | awk 'length > 80' | wc -l)" = 0 -a "$(grep -c '^  ' "$tmp/out")" -gt 0
    script -qec "stty cols 40; '$bench' claims" /dev/null </dev/null >"$tmp/out" 2>&1
    check "claims have colours there" grep -q $'\033\\[35m' "$tmp/out"
    check "and the terminal's width" test -z "$(sed $'s/\033\\[[0-9]*m//g' "$tmp/out" | tr -d '\r' | awk 'length > 40 && !/^next: /')"
fi
# ---- standard output that is full, closed, or whose reader has gone: tables are an error, rows are as always ----
exec 8> >(:) && wait $! # a pipe without a reader
ways=('>&-' '>&8')
[ ! -c /dev/full ] || ways+=('>/dev/full')
descriptor said "${small[@]}"
kept() { "$bench" sql "SELECT impl, status FROM measurement ORDER BY 1" --results "$1"; }
expect "a run that is heard" 0 '' "$bench" run "$tmp/said.ini" --results "$tmp/usual"
cp -r "$tmp/usual" "$tmp/copy"
calls=(list help 'list rdp' 'run rdp/fig9 --dry-run' 'show rdp/fig9 -f csv' env 'sql "SELECT 1"' 'claims xeon-2c' 'apply rdp/serial "$tmp/good.pgm" -o -')
# rows of other builds are never shown
! "$bench" env | grep -q '^build=release$' || calls+=('history --of rdp/serial "$tmp/usual"' 'compare "$tmp/usual" "$tmp/copy"')
for way in "${ways[@]}"; do
    for call in "${calls[@]}"; do
        eval "\"\$bench\" $call $way" 2>"$tmp/err" </dev/null
        check "$call $way is an error" test $? = 5
        check "$call $way: one sentence" test "$(grep -c '^depthbench: .*output.* be written' "$tmp/err")" = 1
    done
    for more in '' '2>&-' '2>&- <&-'; do
        rm -rf "$tmp/rows"
        eval "\"\$bench\" run \"$tmp/said.ini\" --results \"$tmp/rows\" $way $more" 2>"$tmp/err"
        check "run $way $more: exit 0" test $? = 0
        check "run $way $more: rows as always" test "$(kept "$tmp/rows")" = "$(kept "$tmp/usual")"
    done
done
exec 8>&-
# limited COMMAND...: with files of at most 1 KB
limited() (ulimit -f 1 && exec "$@")
mkdir "$tmp/limited"
echo old | tee "$tmp/limited/table.md" "$tmp/limited/all.db" "$tmp/limited/claims.csv" >"$tmp/old"
refuses "files at their limit: show" 5 'table.md: cannot write: File too large' \
    limited "$bench" show rdp/fig9 -f csv -o "$tmp/limited/table.md" -q
refuses "files at their limit: sql" 5 'all.db: cannot be written' limited "$bench" sql --export "$tmp/limited/all.db" 'SELECT 1'
refuses "files at their limit: claims" 5 'claims.csv: cannot write: File too large' \
    limited "$bench" claims --expect "$tmp/limited/claims.csv"
for name in table.md all.db claims.csv; do
    check "$name is as it was" cmp -s "$tmp/old" "$tmp/limited/$name"
done
check "no half file is left" test "$(find "$tmp/limited" -type f | wc -l)" = 3

# ---- results that others made ----
esc=$(printf '\033[2J')
descriptor foreign "${small[@]}" '[show]' 'rows = flags' 'columns = impl' 'value = mean_ms'
"$bench" run "$tmp/foreign.ini" --results "$tmp/plain" -q 2>/dev/null
foreign() { # NAME SED: of the session's files after that
    local folder=$tmp/foreign/$1
    mkdir -p "$tmp/foreign" && cp -r "$tmp/plain" "$folder" && sed -Ei "$2" "$folder"/*.csv "$folder"/*.txt
    check "$1: there are commands in it" grep -qF "$esc" -r "$folder"
    {
        "$bench" show "$tmp/foreign.ini" --results "$folder" --all
        "$bench" show "$tmp/foreign.ini" --results "$folder" -f csv
        "$bench" claims "$folder"
        "$bench" history --of rdp/serial "$folder"
        "$bench" compare "$folder"/*[0-9].csv "$folder"/*[0-9].csv
        "$bench" sql --results "$folder" 'SELECT * FROM measurement'
        "$bench" sql --results "$folder" -f csv 'SELECT name, key, text FROM value JOIN environment'
        "$bench" report "$folder" -o -
    } >"$tmp/out" 2>&1
    check "$1: nothing that is printed commands the terminal" test -z "$(tr -d '\n\t -~\200-\377' <"$tmp/out")"
    check "$1: but it is printed" grep -qF '?[2J' "$tmp/out"
}
foreign words "2,\$s/\"([a-zA-Z])/\"$esc\1/g; s/^([a-z_]+=)/\1$esc/"
foreign flags "2,\$s/\"-O/\"$esc-O/; 2,\$s/\"segments/\"${esc}segments/; s/^([a-z_]+=)/\1$esc/"
foreign reasons "2,\$s/\"ok\",,/\"failed\",\"$esc\",/"

# ---- outputs that are no plain files ----
# kept WHAT PATTERN COMMAND...: the command writes to a pipe of that name, which gets the output and stays a pipe
kept() {
    timeout 20 cat "$tmp/pipe" >"$tmp/piped" &
    expect "$1" 0 '' "${@:3}"
    check "$1: the pipe is one still" test -p "$tmp/pipe" || kill $!
    wait $!
    check "$1: it had the output" grep -qa "$2" "$tmp/piped"
}
mkfifo "$tmp/pipe"
kept "points into a pipe" '^u,v,disparity_px' "$bench" apply rdp/serial "$tmp/good.pgm" -o "$tmp/pipe"
kept "a picture into a pipe" 'PNG' "$bench" apply rdp/serial "$tmp/good.pgm" --picture "$tmp/pipe"
kept "a table into a pipe" '^"schema",' "$bench" show rdp/cpu -f csv --results "$tmp" -o "$tmp/pipe"
echo old >"$tmp/plain.csv"
ln -s plain.csv "$tmp/link.csv"
"$bench" apply rdp/serial "$tmp/good.pgm" -o "$tmp/link.csv" 2>"$tmp/err"
check "an output behind a link" grep -q '^u,v,disparity_px' "$tmp/plain.csv"
check "the link is one still" test -L "$tmp/link.csv"

# ---- runs ----
descriptor small "${small[@]}"
expect "a small run" 0 '' "$bench" run "$tmp/small.ini" --results "$tmp/results"
csv=$(find "$tmp/results" -name '*.csv' ! -name '*.values.csv' 2>/dev/null)
check "one session file" test "$(echo "$csv" | wc -l)" = 1
check "an env file beside it" test -s "${csv%.csv}.env.txt"
check "the terminal's lines fit 80 columns" test -z "$(grep -v '^  in \|^next: ' "$tmp/out" | awk 'length > 80')"
check "it begins with how many, where, and by which protocol" test "$(head -n 1 "$tmp/out")" = "cli/small: 2 configurations on $("$bench" env | sed -n 's/^machine=//p'), paper protocol"
check "and how long sampling may take" grep -q '^  sampling takes .* to 10 s by its time limits, .* with --quick;$' "$tmp/out"
check "it ends with what to show" test "$(tail -n 1 "$tmp/out")" = "next: depthbench show $tmp/small.ini --results $tmp/results"
check "the time is the mean, as figures have it" test "$(awk '$1 == "rdp/serial" { print $4 }' "$tmp/out")" = \
    "$("$bench" sql --results "$tmp/results" -f csv "SELECT printf('%.4g', mean_ms) FROM measurement WHERE impl = 'rdp/serial'" | tail -n 1 | tr -d '"')"
check "the load is recorded, before and after" test "$(grep -cE '^load_1(_end)?=[0-9.]+$' "${csv%.csv}.env.txt")" = 2
descriptor skipping "${small[@]:0:2}" 'input = scene, kitti-sgm' "${small[@]:3:5}" 'timeout = 5' '[cells]' 'impl = rdp/serial, rdp/omp-columns'
expect "a run without all its data" 0 '' "$bench" run "$tmp/skipping.ini" --data nowhere --results "$tmp/skipping"
check "how many can run" grep -q '; 2 can run here$' "$tmp/out"
check "why the others are skipped, once, with the remedy" grep -q ' 2 skipped: input kitti-sgm: no files [^ ]* in nowhere/kitti2015/sgm; put them' <(tr -s '\n ' ' ' <"$tmp/out")
mkdir -p "$tmp/loaded/proc" && echo '7.50 7.00 6.00 9/500 1' >"$tmp/loaded/proc/loadavg"
(cd "$tmp" && "$bench" run small.ini --results "$tmp/loaded-results" --sysroot loaded) >"$tmp/out" 2>"$tmp/err"
check "the load is said at the beginning" grep -qx 'note: other work is running: the load is 7.50' "$tmp/err"
check "and at the end" grep -q '^  other work was running: the load was 7.50 when this began, and is 7.50$' "$tmp/out"
check "the path is short from where the user is" grep -q '^  in loaded-results/[^/]*[.]csv$' "$tmp/out"
(cd "$tmp" && "$bench" run small.ini --results loaded-results --sysroot loaded -S times=0) >"$tmp/out" 2>"$tmp/err"
check "where no times are taken none may be too long" test -z "$(grep 'other work was' "$tmp/out")"
mkdir -p "$tmp/quota/sys/fs/cgroup" "$tmp/quota/sys/devices/system/cpu"
echo 150000 100000 >"$tmp/quota/sys/fs/cgroup/cpu.max" && echo 0 >"$tmp/quota/sys/fs/cgroup/cpuset.cpus.effective"
echo 0-63 >"$tmp/quota/sys/devices/system/cpu/online"
descriptor team "${small[@]:0:9}" 'threads = 2' '[cells]' 'impl = rdp/omp-columns'
expect "a team of two where a quota leaves less" 77 '' "$bench" run "$tmp/team.ini" --results "$tmp/quota/rows" --sysroot "$tmp/quota"
check "the quota is said" grep -q '^note: .*CPU quota' "$tmp/err"
check "the cpuset is said" grep -qx "note: the cgroup's cpuset has 1 of 64 processors" "$tmp/err"
check "the row is none of such a team" answers quota/rows '"2skipped1/64 1.5"' \
    "SELECT threads || status || cpus || '/' || cpus_online || ' ' || cpu_quota FROM measurement"
if [ "$n_pus" -gt 1 ]; then
    expect "without it the team is measured, whatever was skipped" 0 '' "$bench" run "$tmp/team.ini" --results "$tmp/quota/rows" --resume -q
    check "on a core for each" answers quota/rows '"2okhwloc:core","1"' \
        "SELECT threads || status || binding, length(cpus_bound) > 2 FROM measurement WHERE status = 'ok'"
fi
check "no row without a verdict" test "$(grep -c '"ok"' "$csv")" = "$(tail -n +2 "$csv" | grep -cE '"(exact|reference)"')"
descriptor table '[global]' 'problem = stixels' 'input = scene, city-normal' 'frames = 1' 'columns = 4' 'height = 64' 'samples = 3..3' \
    'min_time = 0' 'timeout = 5' '[cells]' 'impl = stixels/cubic-*' 'model = b6' 'arith = exact, float' 'block = 8, 4x1' 'threads = 1, 2'
expect "a run of stixels" 0 '' "$bench" run "$tmp/table.ini" --results "$tmp/table" -v
check "long names of variants, inputs and keys fit 80 columns" test -z "$(grep -v '^  in \|^next: ' "$tmp/out" | awk 'length > 80')"
check "each configuration has a line of its own" test "$(sed -nE 's/ +[^ ]+ ms \+-.{5}//p' "$tmp/out" | sort | uniq -c | awk '$1 == 1' | wc -l)" = 24

# an input that cannot be read stops the experiment, and it says what was left
"$bench" run som/fig12 -S rounds=100 -S input=teddy --quick --data "$tmp/nowhere" --results "$tmp/moved" >/dev/null 2>&1
check "a row does not name this machine's data folder" test "$(cat "$tmp"/moved/*.csv | grep -c 'in data/middlebury')" -gt 0 -a "$(cat "$tmp"/moved/*.csv | grep -c "$tmp")" = 0
mkdir -p "$tmp/data/middlebury"
printf 'hello' >"$tmp/data/middlebury/venus.pgm"
descriptor stops '[global]' 'problem = rdp' 'input = scene, venus, noise' 'frames = 1' 'width = 60' 'height = 40' 'times = 0' \
    '[cells]' 'impl = rdp/serial, rdp/omp-columns'
refuses "a broken input" 2 'venus.pgm' "$bench" run "$tmp/stops.ini" --data "$tmp/data" --results "$tmp/stopped"
check "configurations that were not reached are counted" grep -qx '2 rows (2 ok), 0 configurations skipped, 0 failed, 0 wrong, 4 not run' "$tmp/out"

"$bench" run "$tmp/stops.ini" "$tmp/small.ini" --data "$tmp/data" --results "$tmp/stopped" >"$tmp/out" 2>"$tmp/err"
check "an experiment behind one that failed is named" grep -qx "note: $tmp/small.ini was not run" "$tmp/err"

mkdir -p "$tmp/data/middlebury/MiddEval3/trainingQ/a"
printf 'Pf\n1 2\n-1\n\0\0\300\177\0\0\200\077' >"$tmp/data/middlebury/MiddEval3/trainingQ/a/disp0GT.pfm"
descriptor odd '[global]' 'problem = rdp' 'input = middlebury2014' 'width = 60' 'height = 40' 'eps = 1, 2' 'times = 0' \
    '[cells]' 'impl = rdp/serial, rdp/omp-columns'
expect "an input with values that are none" 0 '' "$bench" run "$tmp/odd.ini" --data "$tmp/data" --results "$tmp/odd"
check "which is said once" test "$(grep -c 'left out' "$tmp/err")" = 1
check "of the input" grep -qx 'note: input middlebury2014, 1 frame: left out: 1 NaN of 2 values' "$tmp/err"

# remarks about a descriptor of the house fit the screen
"$bench" run rdp/gpu-ablation --dry-run >"$tmp/out" 2>"$tmp/err"
check "notes fit 80 columns" test -z "$(awk 'length > 80' "$tmp/err")"
before=$(cksum <"$csv")
expect "resuming a finished run" 0 '' "$bench" run "$tmp/small.ini" --results "$tmp/results" --resume
check "resuming a finished run adds nothing" test "$(cksum <"$csv")" = "$before"
descriptor unknown '[global]' 'problem = rdp' '[cells]' 'impl = rdp/serial' 'heigth = 40'
refuses "earlier results survive a bad descriptor" 2 'heigth' "$bench" run "$tmp/unknown.ini" --results "$tmp/results" --resume
check "they do" test "$(cksum <"$csv")" = "$before"

"$bench" run "$tmp/small.ini" --results "$tmp/at-once" --host lab-3 -q >"$tmp/out" 2>&1
check "a host is in the session's name" test -n "$(find "$tmp/at-once" -name '*-lab-3-*.env.txt')"
check "and in its rows" test "$(grep -c '"lab-3"' "$tmp"/at-once/*-lab-3-*[0-9].csv)" -gt 0
# ---- processes ----
descriptor runs "${small[@]:0:9}" '[cells]' 'impl = rdp/serial' 'runs = 2' '[once]' 'impl = rdp/omp-columns'
expect "runs exit 0" 0 '' "$bench" run "$tmp/runs.ini" --results "$tmp/runs" --resume -q
check "runs cannot be resumed, and say so" grep -q 'note: --resume' "$tmp/err"
check "a session a process, one group, each configuration as often as it says" answers runs '"1 rdp/serial,1 rdp/omp-columns | 2 rdp/serial | 1"' \
    "SELECT group_concat(rows, ' | ') || ' | ' || count(DISTINCT run_group)
     FROM (SELECT run_group, group_concat(run || ' ' || impl) AS rows FROM measurement GROUP BY session ORDER BY 2)"
"$bench" show "$tmp/runs.ini" --results "$tmp/runs" >"$tmp/out" 2>&1
if "$bench" env | grep -q '^build=release$'; then # rows of other builds are never shown
    check "show says of how many processes" grep -q 'n 3 samples of one process of a CPU; n 2 processes;' <(tr '\n' ' ' <"$tmp/out")
fi


# ---- doctor ----
mkdir -p "$tmp/nothing-there" && : >"$tmp/in-the-way"
expect "a machine that says nothing, as a container without /sys" 0 '' "$bench" doctor --sysroot "$tmp/nothing-there"
fits "what is known of it" 20
check "data that are not here stop nothing" grep -q '^data .* inputs are here' "$tmp/out"
check "the last line says how to go on" test "$(tail -n 1 "$tmp/out")" = 'next      depthbench run rdp/table1 --quick'
expect "a folder of results that is none" 1 '' "$bench" doctor --results "$tmp/in-the-way/m" --sysroot "$tmp/nothing-there"
check "has a way out" grep -q '^to do     run --results DIR' "$tmp/out"
expect "no descriptors" 1 '' env DEPTHBENCH_HOME="$tmp/nothing-there" "$bench" doctor --results "$tmp/m" --sysroot "$tmp/nothing-there"
mkdir -p "$tmp/nothing-there/sys/firmware/devicetree/base" && printf 'A board of %080d' 1 >"$tmp/nothing-there/sys/firmware/devicetree/base/model"
"$bench" doctor --sysroot "$tmp/nothing-there" >"$tmp/out" 2>&1
fits "a long name"
exec {turn}>"${TMPDIR:-/tmp}/depthbench-cpu.lock" && flock "$turn"
check "another that measures" grep -q '^lock  *another depthbench measures on the cores' <("$bench" doctor --sysroot "$tmp/nothing-there")
exec {turn}>&-

# ---- Ctrl-C and kill ----
many=("${small[@]:0:4}" 'width = 200' 'height = 100,110,120,130,140,150,160,170'
    'samples = 5..5' 'min_time = 0' 'timeout = 5' '[cells]' 'impl = rdp/serial, rdp/omp-columns, rdp/cpu-simd')
descriptor many "${many[@]}"
"$bench" run "$tmp/many.ini" --results "$tmp/whole" -q >/dev/null 2>&1
whole=$(grep -h '"ok"' "$tmp"/whole/*Z-*[^s].csv | wc -l)
check "the whole run has 24 rows ($whole)" test "$whole" = 24

# interrupted WHAT NAME SIGNAL ROWS OPTION...: a run to which the signal comes when it has 3 rows; its exit status is $status, and it
# has $n rows, less than ROWS, which are all, unless it was done before
interrupted() {
    local pid
    "$bench" run "$tmp/many.ini" --results "$tmp/$2" "${@:5}" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ "$(cat "$tmp/$2"/*Z-*.csv 2>/dev/null | grep -c '"ok"')" -lt 3 ]; do :; done
    kill "-$3" $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    n=$(cat "$tmp/$2"/*Z-*.csv | grep -c '"ok"')
    if [ "$status" = 0 ] && [ "$n" = "$4" ]; then
        skip "$1: the run was done before it came"
        return 1
    fi
}
if interrupted "Ctrl-C" int INT 24; then
    check "Ctrl-C exits 130 (was $status)" test "$status" = 130
    check "Ctrl-C keeps finished rows ($n)" test "$n" -ge 3
fi
if interrupted "Ctrl-C in a run of several" runs-int INT 72 --runs 3; then
    check "Ctrl-C ends all runs with 130 (was $status)" test "$status" = 130
    check "no run comes after it ($n rows)" test "$n" -lt 72
fi
interrupted "kill -9" kill KILL 24
check "rows come one by one, into a file too" test "$(grep -c '^rdp/.* ms ' "$tmp/out")" -ge 2
expect "what a killed run left can be read" 0 '' "$bench" show "$tmp/many.ini" --results "$tmp/kill" -f csv -q
for name in int kill; do
    expect "resuming after $name" 0 '' "$bench" run "$tmp/many.ini" --results "$tmp/$name" --resume -q
    check "resuming after $name completes it, each cell once" answers "$name" '"24 24 24"' \
        "SELECT count(*) || ' ' || count(DISTINCT impl || params) || ' ' || count(DISTINCT session || row_id) FROM measurement"
done
finish
