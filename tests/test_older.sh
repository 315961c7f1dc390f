#!/bin/bash
# test_older.sh - no file has what the oldest machines that are promised lack: Ubuntu 18.04 with JetPack 4.4 for programs, GEOS 3.8, gnuplot
# 5.4.1.  No Debian with all of that can be had to try.  What stands behind an #if that asks for a version, or for a HAS_, may be newer.
. tests/checks.sh older
on_failure "$tmp/found"
git ls-files >"$tmp/all" 2>/dev/null && [ -s "$tmp/all" ] || { skip "this is no working tree" && finish; }

# code KIND: its lines as FILE:LINE:TEXT, without whole lines of comment and what is guarded
code() {
    case $1 in
    script) grep -E '\.(sh|py)$|^\.ci/|^(scripts|tests)/[^./]*$|^Makefile$|^mk/' "$tmp/all" ;;
    c) grep -E '\.(c|cc|h|cu|cuh)$' "$tmp/all" ;;
    sql) grep -E '\.sql$|^harness/analysis/(format_.*\.txt|report\.html|[a-z_]*\.c)$' "$tmp/all" ;; # questions of pages, and in C
    *) grep -E "\.$1\$" "$tmp/all" ;;
    esac | grep -v '^tests/test_older.sh$' | xargs -d '\n' awk -v kind="$1" '
        kind == "sql" && FILENAME ~ /\.c$/ { n = split($0, part, "\""); $0 = ""; for (i = 2; i < n; i += 2) $0 = $0 part[i] }
        FNR == 1 { depth = guarded = 0 }
        /^ *# *if/ { depth++; if (!guarded && /VERSION|HAS_|BUILDS_|__CUDA_ARCH__|def SQLITE_/) guarded = depth }
        /^ *# *(else|elif)/ && guarded == depth { guarded = 0 }
        /^ *# *endif/ { if (guarded == depth) guarded = 0; depth-- }
        !guarded && !/^ *(# |\/\*|\* |-- |\/\/)/ { print FILENAME ":" FNR ":" $0 }'
}
for kind in sql gp script c; do
    code $kind >"$tmp/$kind"
    check "there are lines of $kind" test -s "$tmp/$kind"
done

# each line: the kind of files, in which version it came, a pattern, and behind ### a line that it finds
while read -r kind since rest; do
    pattern=${rest% ### *}
    check "$since: an example is found" grep -qE -- "$pattern" <<<"${rest#* ### }"
    check "$since: in no $kind" test -z "$(grep -E "^[^:]*:[0-9]*:.*($pattern)" "$tmp/$kind" | tee "$tmp/found")"
done <<'END'
sql SQLite-3.23 \b(TRUE|FALSE)\b ### SELECT TRUE
sql SQLite-3.24 \bON CONFLICT *(\(|DO\b) ### INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING
sql SQLite-3.25 \bOVER *\(|\b(row_number|rank|dense_rank|lag|lead|first_value|last_value|ntile)\(|RENAME COLUMN ### rank() OVER (ORDER BY a)
sql SQLite-3.30 \bNULLS (FIRST|LAST)\b|\bFILTER *\( ### count(a) FILTER (WHERE b)
sql SQLite-3.31 \bGENERATED ALWAYS\b|\bAS \(.*\) (STORED|VIRTUAL)\b ### b INT GENERATED ALWAYS AS (a) STORED
sql SQLite-3.32 \b(iif|IIF)\( ### iif(a, 1, 2)
sql SQLite-3.33 \bUPDATE .* FROM\b|\bsubstring\( ### UPDATE a SET b = 1 FROM c
sql SQLite-3.35 \bRETURNING\b|\bDROP COLUMN\b|\bMATERIALIZED\b|\b(sqrt|pow|power|ln|log|log10|log2|exp|floor|ceil|ceiling|trunc|pi|mod)\( ### DELETE FROM a RETURNING b
sql SQLite-3.38 ->|\b(format|unixepoch)\(|\) *STRICT\b ### a ->> '$.b'
sql SQLite-3.39 \b(RIGHT|FULL) (OUTER )?JOIN\b|\bDISTINCT FROM\b ### a FULL JOIN b
sql SQLite-3.44 \b(concat|concat_ws|string_agg)\(|group_concat\([^)]*ORDER BY ### concat(a, b)
c SQLite-3.23 sqlite3_(serialize|deserialize|str_|keyword_|normalized_sql|value_frombind|stmt_isexplain|create_window|hard_heap|txn_state|changes64|total_changes64|error_offset|filename_|uri_key|is_interrupted)|SQLITE_(DIRECTONLY|INNOCUOUS|DBCONFIG_(DEFENSIVE|WRITABLE_SCHEMA|LEGACY|TRUSTED|DQS|RESET)|OPEN_NOFOLLOW|OPEN_EXRESCODE) ### sqlite3_changes64(db)
c GEOS-3.9 GEOS(CoordSeq_copy|Maximum|LargestEmpty|[A-Za-z]*Prec_|Densify|GeoJSON|Prepared(Distance|Nearest|ContainsXY|IntersectsXY|Relate)|DistanceWithin|MakeValidWith|ConcaveHull|RemoveRepeated|LineSubstring|Hilbert|Coverage(Is|Simpl|Clean)|Disjoint|GridIntersect|Cluster|ConstrainedDel|Geom_(extend|release)|CurveTo|PolygonHull|OrientPoly) ### GEOSCoordSeq_copyToBuffer_r(geos, s, b, 0, 0)
c hwloc-2 HWLOC_(DISTANCES|MEMATTR|OBJ_(L[123]I?CACHE|MEMCACHE|DIE)|CPUKIND)|hwloc_(distances_|memattr|cpukinds|topology_set_all|obj_type_is_|bitmap_singlify_per) ### hwloc_obj_type_is_dcache(a)
c CUDA-11 cuda(MallocAsync|FreeAsync|MemPool|LaunchKernelEx|LaunchAttribute|Occupancy[A-Za-z]*Cluster|FuncAttribute[A-Za-z]*Cluster|GraphInstantiateWith|GraphUpload|EventRecordWith|GetDriverEntryPoint|StreamGetCaptureInfo_v|StreamUpdateCapture)|<cuda/|__pipeline_|memcpy_async\( ### cudaMallocAsync(&p, n, s)
c glibc-2.28 \b(renameat2|statx|fcntl64|getcpu|gettid|tgkill|pthread_(clockjoin_np|mutex_clocklock|cond_clockwait|attr_setsigmask_np)|sem_clockwait|sigabbrev_np|sigdescr_np|strerror(name|desc)_np|mallinfo2|close_range|closefrom|execveat|arc4random[a-z_]*|pidfd_[a-z_]+|strlc(py|at)|thrd_[a-z]+|posix_spawn_file_actions_add(ch|fch)dir_np)\(|<threads\.h> ### pid_t t = gettid();
c gcc-8 #elifdef|\btypeof_unqual\b|__attribute__\(\(access ### __attribute__((access(read_only, 1)))
c XXH-0.7 \bXXH(3|128)_ ### XXH3_64bits(a, n)
c jansson-2.12 \bjson_(object_getn|object_setn|deep_update|object_update_new) ### json_object_getn(a, b, 1)
c cmocka-1.1.3 \bassert_(not_)?(float|double)_ ### assert_float_equal(a, b, 1)
gp gnuplot-6.0 \b(sort|index|split|join|trim)\(|\bset (warnings|isotropic|contourfill)\b|\bfunction \$|\blocal [a-z]+ *=|\bwith (hsteps|sectors|masking|mask|contourfill)\b|\bsharpen\b|\bset watchpoint ### words = split("a b")
script Python-3.7 \(\w+ := |\.remove(prefix|suffix)\(|capture_output=|\btext=True|from __future__ import annotations|import dataclass|\bmath\.(prod|dist|comb|isqrt)\b|\bshlex\.join|\bfromisoformat\(|\bfunctools\.cache\b|\bcached_property|\bThreadingHTTPServer|missing_ok=|dirs_exist_ok=|\bstatistics\.(fmean|quantiles|geometric_mean)|\basyncio\.run\(|\bnullcontext|\btomllib|\btime_ns\(|\bzip\(.*strict=|[^$#]\{\w+=\}|^ +match [a-z_.]+:$|\.isascii\( ### if (n := len(a)) > 3:
script Git-2.18 \bgit( -[cC] [^ ]+)* (switch|restore|maintenance|sparse-checkout|range-diff)\b|--show-current|--initial-branch|\binit( -[a-z]+)* -b\b|--end-of-options|--path-format|--batch-command|--trailer|ls-files.*--format|worktree (repair\b|list -z)|merge-tree --write|diff .*--merge-base|GIT_CONFIG_COUNT ### git branch --show-current
script Bash-5 \$\{[A-Za-z_@*]+(\[[^]]*\])?@[ULuKk]\}|\bEPOCH(SECONDS|REALTIME)\b|\bSRANDOM\b|\bBASH_ARGV0\b|\bwait( -[a-z]+)* -p\b|\blocal -I\b|shopt -s (localvar|assoc_expand|array_expand|patsub|globskip) ### now=$EPOCHSECONDS
script Make-4.2 [a-z)] &: |\.EXTRA_PREREQS|\$\((let|intcmp) |\$\(file <|\.WAIT\b ### a b &: c
script coreutils-8.29 \benv -S|\benv --(argv0|block-signal|ignore-signal)|\bls --zero|\bwc --total|\bcksum -a|\bdate --resolution ### #!/usr/bin/env -S bash
END

# SQLite before 3.39 wants a GROUP BY before each HAVING
bare_having() {
    awk '{ sub(/--.*/, ""); n = split($0, word, /[^A-Za-z_();]+/)
           for (i = 1; i <= n; i++) for (left = word[i]; left != "";) {
               match(left, /^[A-Za-z_]+|^./)
               token = substr(left, 1, RLENGTH)
               left = substr(left, RLENGTH + 1)
               if (token == "(") grouped[++depth] = 0
               else if (token == ")") depth--
               else if (token == "SELECT" || token == ";") grouped[depth] = 0
               else if (token == "GROUP") grouped[depth] = 1
               else if (token == "HAVING" && !grouped[depth]) print FILENAME
           } }' "$@"
}
check "a HAVING alone is found" test -n "$(bare_having <(echo 'SELECT (SELECT max(a) FROM b HAVING max(a) > 0) FROM c GROUP BY d'))"
# shellcheck disable=SC2046 # names of files have no blanks
check "no HAVING is without GROUP BY" test -z "$(bare_having $(grep '\.sql$' "$tmp/all") | tee "$tmp/found")"

# a sum of gnuplot 5.4.1 leaves its letter changed, so that no loop may have the same
letters() { grep -oE "\b$1 \[[A-Za-z_0-9]+ *(=|in)" "${2:-$tmp/gp}" | sed -E 's/.*\[([A-Za-z_0-9]+).*/\1/' | sort -u; }
check "the letters of loops are found" test "$(letters for <(echo 'do for [k = 1:2] { plot for [w in a] b }') | tr '\n' ' ')" = "k w "
check "there are sums" test -n "$(letters sum)"
both=$(comm -12 <(letters for) <(letters sum) | tr '\n' ' ')
check "no letter of a sum is one of a loop (was: $both)" test -z "$both"
finish
