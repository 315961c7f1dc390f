#!/bin/bash
# test_hosts.sh - ranks on hosts between which something is wrong: a link that is cut, clocks a day apart, locks that do not hold
#
# The hosts are names; in the first part they are network namespaces, which need root, with Open MPI's daemons in both.
set -u
. tests/checks.sh
begin_ranks hosts "1, 2, 4, 8"
n_all=32
rank() { # RANK SIZE HOST FOLDER [OPTION...]
    "$bench" run "$tmp/exp.ini" -q --rank "$1/$2" --host "$3" --results "$4/$machine" --campaign c "${@:5}"
}
# counts FOLDER [COLUMN]: "ROWS DISTINCT", or the rows by each value of a column
counts() {
    python3 - "${2:-}" "$1/$machine"/*.csv <<'END_OF_COUNTS'
import collections, csv, sys
rows = [row for name in sys.argv[2:] if not name.endswith(".values.csv") for row in csv.DictReader(open(name))]
print(*("%s:%d" % pair for pair in sorted(collections.Counter(row[sys.argv[1]] for row in rows).items())) if sys.argv[1] else
      (len(rows), len({(r["impl"], r["params"], r["scope"], r["series"]) for r in rows})))
END_OF_COUNTS
}
gathered() { "$bench" gather "$1" --results "$1.all"; }
# when SECONDS COMMAND...: as soon as it succeeds; fails behind so many seconds
when() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || return 1; done
}

# ---- a link that is cut ----
# Open MPI's daemons in two network namespaces, which it takes for two hosts; both see one folder
end_hosts() {
    local host
    for host in "${hosts[@]}"; do
        # whoever is in there was started here
        ip netns pids "$host" 2>/dev/null | xargs -r kill -KILL
        ip netns del "$host"
    done 2>/dev/null
}
# connected: both namespaces, with a link between them
connected() {
    ip netns add "${hosts[0]}" && ip netns add "${hosts[1]}" &&
        ip -n "${hosts[0]}" link add link0 type veth peer name link1 netns "${hosts[1]}" &&
        for i in 0 1; do
            ip -n "${hosts[$i]}" addr add 10.213.0.$((i + 1))/24 dev link$i && ip -n "${hosts[$i]}" link set link$i up &&
                ip -n "${hosts[$i]}" link set lo up || return 1
        done
}
hosts=("n1-$$" "n2-$$")
if [ "$(id -u)" != 0 ]; then
    skip "network namespaces need root: no link is cut"
elif ! command -v ip >/dev/null || ! command -v nsenter >/dev/null || ! command -v mpirun.openmpi >/dev/null; then
    skip "no ip, nsenter or mpirun.openmpi: no link is cut (apt-get install iproute2 openmpi-bin)"
elif trap end_hosts EXIT && ! connected >"$tmp/out" 2>&1; then
    skip "no network namespaces can be made here: $(tail -n 1 "$tmp/out")"
else
    # agent ADDRESS COMMAND...: what ssh does; a host has a name of its own
    printf '#!/bin/sh\nhost=%s\n[ "$1" = 10.213.0.1 ] || host=%s\nshift\n' "${hosts[@]}" >"$tmp/agent"
    cat >>"$tmp/agent" <<'END'
exec nsenter --net=/run/netns/$host unshare --uts sh -c 'hostname "$0"; eval "$*"' "$host" "$@"
END
    # a rank says when it begins and how it ended
    cat >"$tmp/rank" <<'END'
#!/bin/sh
"$@" --host "$(hostname)"
echo "$(hostname) $?" >"$ENDED/$OMPI_COMM_WORLD_RANK"
END
    chmod +x "$tmp/agent" "$tmp/rank"
    export ENDED=$tmp/ended OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # launched FOLDER: four ranks, two on each host
    launched() {
        mkdir -p "$ENDED" && rm -f "$ENDED"/*
        "$tmp/agent" 10.213.0.1 exec timeout -s KILL 100 mpirun.openmpi --mca plm_rsh_agent "$tmp/agent" --mca oob_tcp_if_include 10.213.0.0/24 \
            --mca plm_rsh_no_tree_spawn 1 --leave-session-attached -x ENDED --host 10.213.0.1:2,10.213.0.2:2 -n 4 \
            "$tmp/rank" "$bench" run "$tmp/link.ini" -q --ranks auto --campaign c --results "$1/$machine"
    }
    # begun FOLDER: each host has a row; FOLDER is not done
    begun() { [ "$(counts "$1" host | tr ' ' '\n' | grep -c ':')" = 2 ]; }
    ended() { [ "$(ls "$ENDED" | wc -l)" = 4 ]; }
    sed 's/^height = .*/height = 24-80+2/' "$tmp/exp.ini" >"$tmp/link.ini"
    n_all=232
    expect "ranks of two hosts" 0 '' launched "$tmp/hosts"
    check "do all, once (was $(counts "$tmp/hosts"))" test "$(counts "$tmp/hosts")" = "$n_all $n_all"
    check "on both (was $(counts "$tmp/hosts" host))" test "$(counts "$tmp/hosts" host | tr ' ' '\n' | cut -d: -f1 | paste -sd ' ')" = "${hosts[*]}"

    launched "$tmp/cut" >"$tmp/out" 2>"$tmp/err" &
    check "both hosts work" when 60 begun "$tmp/cut"
    ip -n "${hosts[0]}" link set link0 down
    n=$(counts "$tmp/cut")
    check "the link is cut in the middle (was $n)" test "${n% *}" -lt "$n_all"
    check "all ranks end, though their hosts hear nothing of each other" when 90 ended
    check "and well (was $(cat "$ENDED"/* | paste -sd ' '))" test "$(cut -d' ' -f2 "$ENDED"/* | sort -u)" = 0
    # mpirun waits for ever, and so do its daemons
    ip netns pids "${hosts[0]}" | xargs -r kill -KILL
    ip netns pids "${hosts[1]}" | xargs -r kill -KILL
    wait
    n=$(counts "$tmp/cut")
    check "no row twice (was $n)" test "${n% *}" = "${n#* }"
    expect "gather says what is there" $((${n% *} == n_all ? 0 : 3)) "${n% *} of $n_all there" gathered "$tmp/cut"
    ip -n "${hosts[0]}" link set link0 up
    expect "a new start" 0 '' launched "$tmp/cut"
    check "completes (was $(counts "$tmp/cut"))" test "$(counts "$tmp/cut")" = "$n_all $n_all"
    n_all=32
fi

# ---- clocks ----
clock=
for library in /usr/lib/*/faketime/libfaketime.so.1; do [ ! -e "$library" ] || clock=$library; done
# at OFFSET COMMAND...: by a clock that is so far off
at() { LD_PRELOAD=$clock FAKETIME=$1 FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1 "${@:2}"; }
if [ -z "$clock" ]; then
    skip "no libfaketime: clocks that differ are not tried (apt-get install faketime)"
else
    first_rank() { at -1d "$bench" run "$tmp/exp.ini" -q --rank 0/3 --host yesterday --results "$tmp/clocks/$machine" --campaign c; }
    last_rank() { at +1d "$bench" run "$tmp/exp.ini" -q --rank 2/3 --host tomorrow --results "$tmp/clocks/$machine" --campaign c; }
    { first_rank & rank 1 3 today "$tmp/clocks" & last_rank & wait; } >"$tmp/out" 2>&1
    check "clocks differ by days" test "$(find "$tmp/clocks/$machine" -name '*.csv' -printf '%.8f\n' | sort -u | wc -l)" = 3
    check "all is there, once (was $(counts "$tmp/clocks"))" test "$(counts "$tmp/clocks")" = "$n_all $n_all"
    expect "gather says so" 0 "32 of 32 there" gathered "$tmp/clocks"
    for offset in -1d +1d; do
        expect "a second start by a clock of $offset finds all" 0 '' at $offset "$bench" run "$tmp/exp.ini" -q --rank 0/1 --host later \
            --results "$tmp/clocks/$machine" --campaign c
        check "and adds no row" test "$(counts "$tmp/clocks")" = "$n_all $n_all"
    done
    # what is to be measured becomes more on a board whose clock is behind that of the folder where all is gathered
    cp "$tmp/exp.ini" "$tmp/more.ini"
    few=("$bench" run "$tmp/more.ini" -q --rank 0/1 --host slow --results "$tmp/slow/$machine" --campaign c)
    sed -i 's/^height = .*/height = 24/' "$tmp/more.ini"
    at -1d "${few[@]}" >"$tmp/out" 2>&1
    expect "a board of yesterday is gathered" 0 '8 of 8 there' gathered "$tmp/slow"
    sed -i 's/^height = .*/height = 24, 32/' "$tmp/more.ini"
    at -1d "${few[@]}" >"$tmp/out" 2>&1
    touch -d yesterday "$tmp/slow/$machine"/*.plan
    expect "its newer plan stands" 0 '16 of 16 there' gathered "$tmp/slow"
    cp -r "$tmp/slow" "$tmp/older"
    sed -i 's/^height = .*/height = 24, 32, 40/' "$tmp/more.ini"
    at -1d "${few[@]}" >"$tmp/out" 2>&1
    expect "and the next one" 0 '24 of 24 there' gathered "$tmp/slow"
    touch -d tomorrow "$tmp/older/$machine"/*.plan
    expect "an older plan of tomorrow does not" 0 '24 of 24 there' "$bench" gather "$tmp/older" --results "$tmp/slow.all"
    sed -i '/^row/d' "$tmp/slow/$machine"/*.plan
    expect "two plans of one revision are not chosen from" 3 'another plan than that of the same name' gathered "$tmp/slow"
    check "and ours stays" grep -q '24 of 24 there' "$tmp/out"
fi

# ---- locks that do not hold ----
cat >"$tmp/locks.c" <<'END'
/* The locks of an open file description as LOCKS says: "none", the file system has none; "lie", all are given, and none is seen;
 * "blind", all are given, and those of others are seen. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int answer(const char *name, int fd, int command, void *argument)
{
    int (*const next)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
    const char *const locks = getenv("LOCKS");
    const int is_set = command == F_OFD_SETLK || command == F_OFD_SETLKW;

    if (!locks || (!is_set && command != F_OFD_GETLK))
        return next(fd, command, argument);
    if (!strcmp(locks, "none")) {
        errno = ENOLCK;
        return -1;
    }
    if (is_set)
        return 0;
    if (!strcmp(locks, "blind"))
        return next(fd, command, argument);
    ((struct flock *)argument)->l_type = F_UNLCK;
    return 0;
}

int fcntl(int fd, int command, ...)
{
    va_list list;
    void *argument;

    va_start(list, command);
    argument = va_arg(list, void *);
    va_end(list);
    return answer("fcntl", fd, command, argument);
}

int fcntl64(int fd, int command, ...)
{
    va_list list;
    void *argument;

    va_start(list, command);
    argument = va_arg(list, void *);
    va_end(list);
    return answer("fcntl64", fd, command, argument);
}
END
# ranks_without HOW RANK SIZE HOST FOLDER: of a host whose locks are so
ranks_without() { LD_PRELOAD=$tmp/locks.so LOCKS=$1 rank "${@:2}"; }
if ! "${CC:-cc}" -shared -fPIC -o "$tmp/locks.so" "$tmp/locks.c" -ldl 2>"$tmp/err"; then
    skip "no library of locks can be compiled: locks that do not hold are not tried"
else
    for how in none lie blind; do
        all=$tmp/$how
        { rank 0 3 one "$all" & ranks_without $how 1 3 two "$all" & ranks_without $how 2 3 two "$all" & wait; } >"$tmp/out" 2>&1
        check "locks $how on a host: all is there, once (was $(counts "$all"))" test "$(counts "$all")" = "$n_all $n_all"
        expect "locks $how: gather says so" 0 "32 of 32 there" gathered "$all"
        # on no host: a rank that has died leaves its part, and a late helper does not know which is in work
        { ranks_without $how 0 3 one "$all-part" & ranks_without $how 1 3 two "$all-part" & wait; } >"$tmp/out" 2>&1
        part=$(counts "$all-part")
        check "locks $how: nothing twice (was $part)" test "${part% *}" = "${part#* }"
        expect "locks $how: the third rank's part is missing" 3 "${part% *} of 32 there" gathered "$all-part"
        for host in two three; do
            expect "locks $how: a late helper of host $host" 0 '' ranks_without $how 1 2 $host "$all-part"
            check "gets none (was $(counts "$all-part" host))" test "$(counts "$all-part")" = "$part"
        done
        expect "locks $how: the third rank" 0 '' ranks_without $how 2 3 three "$all-part"
        check "does its own (was $(counts "$all-part" host))" test "$(counts "$all-part")" = "$n_all $n_all"
    done
fi
finish
