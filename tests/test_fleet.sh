#!/bin/bash
# test_fleet.sh - scripts/fleet on boards that are folders here, behind a program that does what ssh does
set -u
. tests/checks.sh
tmp=$(scratch fleet) || exit 1
on_failure "$tmp/out" "$tmp/err" "$tmp"/tree/build/fleet/*.log
needs git rsync make
bench=$(realpath "$DEPTHBENCH")
export TMPDIR=$tmp/temporary DEPTHBENCH_CACHE='' GIT_CONFIG_GLOBAL=$tmp/gitconfig
mkdir "$TMPDIR"
git config --global user.name t && git config --global user.email t@t && git config --global init.defaultBranch main

# a project that builds in a moment: its program is this one, under the name of the board
mkdir -p "$tmp/tree/scripts" "$tmp/boards"
cp scripts/start scripts/fleet "$tmp/tree/scripts/"
cp -r experiments "$tmp/tree/"
printf '%s\n' '[global]' 'problem = rdp' 'impl = rdp/serial' 'input = scene' 'frames = 1' 'width = 40' 'height = 24, 32' \
    'samples = 3..3' 'min_time = 0' 'series = hot' '[cells]' 'median = 0' >"$tmp/tree/experiments/rdp/tiny.ini"
cat >"$tmp/tree/Makefile" <<'END'
all:
	@test ! -e $$HOME/breaks
	@echo built >>$$HOME/built
	@mkdir -p build/release
	@printf '#!/bin/sh\nexport DEPTHBENCH_HOME=$(CURDIR)\nexec $(BENCH) "$$@" $$([ $$1 != run ] || echo --host $$(basename $$HOME))\n' >build/release/depthbench
	@chmod +x build/release/depthbench
END
echo build >"$tmp/tree/.gitignore"
(cd "$tmp/tree" && git init -q && git add -A && git commit -qm one)
cat >"$tmp/ssh" <<'END'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
host=$1
shift
[ "$host" != down ] || { echo "ssh: connect to host down port 22: No route to host" >&2; exit 255; }
export HOME=$BOARDS/$host
mkdir -p "$HOME" && cd "$HOME" && exec sh -c "$*"
END
chmod +x "$tmp/ssh"
export DEPTHBENCH_SSH=$tmp/ssh BOARDS=$tmp/boards DEPTHBENCH=$bench MAKE_OPTIONS="BENCH=$bench" RESULTS=$tmp/all
machine=$("$bench" env --machine)
fleet() { (cd "$tmp/tree" && scripts/fleet "$@"); }
rows() { cat "$tmp/all/$machine"/2*[0-9].csv | grep -vc '"schema"'; }

printf '%s\n' 'one  # the first' '' 'two:bench/here' >"$tmp/hosts"
expect "two boards" 0 '^two:bench/here: measured' fleet "$tmp/hosts" rdp/tiny -- -q
check "each measures all" test "$(rows)" = 4
check "by its own folder" test -d "$tmp/boards/two/bench/here/results/$machine"
expect "again" 0 '^one: measured' fleet "$tmp/hosts" rdp/tiny -- -q
check "nothing is measured again" test "$(rows)" = 4
touch "$tmp/boards/two/breaks"
expect "boards that fail stop nothing" 3 '^three: measured' fleet one,two:bench/here,three,down rdp/tiny -- -q
check "the one that does not build is named" grep -q '^two:bench/here: could not build it: ' "$tmp/out"
check "the one that is down is named" grep -q '^down: could not reach it: .*No route to host' "$tmp/out"
check "the third has measured" test "$(rows)" = 6
rm "$tmp/all/$machine"/*-one-*
expect "a board whose rows are lost" 3 '0 of 2 there' fleet down,three rdp/tiny -- -q
check "is not made up for by others" grep -q '2 of 2 there' "$tmp/out"
expect "nor when it is asked again" 0 '^one: measured' fleet one rdp/tiny -- -q
rm "$tmp/boards/two/breaks"
echo two >"$tmp/tree/file" && (cd "$tmp/tree" && git add -A && git commit -qm two)
expect "another commit" 0 '^two:bench/here: measured' fleet "$tmp/hosts" rdp/tiny -- -q
check "is measured by both" test "$(rows)" = 10
CAMPAIGN=new expect "another campaign" 0 '^one: measured' fleet one rdp/tiny -- -q
check "measures anew" test "$(rows)" = 12
expect "two folders of one board" 0 '^one:a-b: measured' fleet one:a/b,one:a-b rdp/tiny -- -q
check "have a log each" test "$(cd "$tmp/tree/build/fleet" && echo one*.log)" = "one.log one_in_a-b.log one_in_a_-b.log"
check "and a campaign" test "$(grep -c '^.*/fleet-[0-9a-f]*-one_in_.*: 2 of 2 there' "$tmp/out")" = 2
check "both measure" test "$(rows)" = 16
expect "no experiment" 2 'expected HOSTS EXP' fleet one
expect "no host" 2 "expected user@host" fleet 'a b' rdp/tiny
expect "no command in a host" 2 "expected user@host" fleet "one:x;touch $tmp/touched" rdp/tiny
check "and none was run" test ! -e "$tmp/touched"

# ---- boards ----
mkdir -p "$tmp/board/m"
python3 - "$tmp/board/m" <<'END'
import random, sys
random.seed(3)
for board in "abc":
    for run in range(5):
        name = f"20260101T00000{run}Z-1111111-{board}-{run}"
        with open(f"{sys.argv[1]}/{name}.csv", "w") as f:
            f.write("schema,session,row_id,utc,commit_hash,dirty,build_hash,protocol,machine,host,impl,device,problem,params,plan,threads,input,"
                    "frame_pick,batch,input_hash,n_inputs,n_frames,verdict,output_hash,scope,series,reps,status,median_ms,eps,height\n")
            for k in range(6):
                ms = (1 + k) * (1.1 if board == "b" and k == 2 else 1) * random.uniform(0.999, 1.001)
                f.write(f"4,{name},r{k},2026-01-01T00:00:0{run}Z,1111111,0,b,paper,m,{board},rdp/serial,serial,rdp,eps=4;height={k + 40},,1,scene,"
                        f"all,1,1111,1,1,exact,{'ffff' if board == 'c' and k == 5 else 'aaaa'}000000000000,kernel,hot,1,ok,{ms},4,{k + 40}\n")
END
expect "a board that differs" 1 '^OUTPUTS DIFFER' "$bench" boards --results "$tmp/board/m"
check "in its times" grep -q 'b.*slower' "$tmp/out"
check "by 10 %" grep -qE '(^| )(9\.9|10|10\.1)( |$)' "$tmp/out"
sed -i 's/ffff0000/aaaa0000/; s/^\(.*,m,b,.*height=42.*,ok,\)[0-9.]*,/\13,/' "$tmp/board/m"/*.csv
expect "boards alike" 0 'Each board against all others' "$bench" boards --results "$tmp/board/m"
rm "$tmp/board/m"/*-a-*.csv "$tmp/board/m"/*-b-*.csv
expect "one board alone" 0 'No two boards of one kind have 5 processes' "$bench" boards --results "$tmp/board/m"

finish
