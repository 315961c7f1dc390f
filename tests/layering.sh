#!/bin/bash
# layering.sh [TABLE] - each file includes only what harness/floors.txt allows its floor, and calls only what its floor may;
# lines of C and CUDA files have 96 columns at most, and their comments a subject
set -u
. "$(dirname "$0")/../scripts/start" || exit 5
cd "$(dirname "$0")/.." || exit 5
bad=0
files=$(git ls-files --cached --others --exclude-standard harness impl_cpu impl_gpu | grep -E '\.(c|cc|h|cu|cuh)$')

# shellcheck disable=SC2086
grep -oE '^#include "[^"]*/[^"]*"' $files | sed 's/:#include "/ /; s/"$//' | awk -v table="${1:-harness/floors.txt}" '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function paper(path) { return match(path, /^(harness\/problems|impl_cpu|impl_gpu)\/[^\/]+\//) ? substr(path, 1, RLENGTH - 1) : "" }
    BEGIN {
        while ((getline line < table) > 0) {
            n = split(line, word, " ")
            if (!n || word[1] ~ /^#/) continue
            floor[word[1]] = 1
            for (i = 2; i <= n; i++) allowed[word[1] " " word[i]] = 1
        }
    }
    {
        from = folder($1); to = $2; name = paper($1)
        if (name) {
            sub(/.*\//, "", name)
            sub("/" name "$", "/PAPER", from)
            sub("^harness/problems/" name "/", "harness/problems/PAPER/", to)
            sub("^" folder($1) "/", from "/", to)
        }
        if (!(from in floor)) { print "layering: no floor is the home of " $1; bad++; next }
        if (folder(to) == from) next
        if ((from " " folder(to)) in allowed) used[from " " folder(to)] = 1
        else if ((from " " to) in allowed) used[from " " to] = 1
        else { print "layering: " $1 " includes " $2 ", which " table " does not allow"; bad++ }
    }
    END {
        for (entry in allowed) if (!(entry in used)) { print "layering: " table ": nothing uses the entry: " entry; bad++ }
        exit bad > 0
    }' || bad=$((bad + 1))

# deny PATTERN WHY FILE...: none of the files has a line that matches, comments apart
deny() {
    local pattern=$1 why=$2 hits
    shift 2
    hits=$(for f in "$@"; do
        sed -E 's:/\*([^*]|\*[^/])*\*/::g; s:/\*.*::; s:^ \*.*::' "$f" | grep -nE "$pattern" | sed "s|^|    $f:|"
    done)
    [ -z "$hits" ] || { echo "layering: $why"; echo "$hits"; bad=$((bad + 1)); }
}
# of PATTERN [BUT]: the files whose path matches, without those that match BUT
of() {
    echo "$files" | grep -E "$1" | grep -vE "${2:-^$}"
}
# shellcheck disable=SC2046
{
    deny '\b(printf|fprintf|puts|fopen|open|getenv|exit|abort|clock_gettime|omp_get_wtime|cudaEventElapsedTime|cudaEventSynchronize|cudaDeviceSynchronize|cudaStreamSynchronize)\(' \
        'a variant computes: no printing, files, environment, clocks, exits, synchronising' $(of '^impl_')
    deny 'cuda' 'a CPU variant knows no GPU code' $(of '^impl_cpu/')
    deny '\b(printf|puts|clock_gettime|omp_get_wtime)\(' 'a problem neither prints nor times' $(of '^harness/problems/')
    deny 'clock_gettime' 'the platform has clocks and rails, and times nothing' $(of '^harness/platform/')
    deny '\b(exit|abort)\(' 'nothing below main exits' $(of '^harness/' 'cli/main.c$')
    papers=$(cd harness/problems && printf '%s\n' */ | grep -v probe | tr -d / | paste -sd '|')
    deny "\"($papers|probe)[/_]|\\b($papers)_[a-z]" 'only a problem names its algorithm, and registry.c' \
        $(of '^harness/' '/(problems|analysis)/|/registry.c$')
    deny '#include <cuda|\bcuda[A-Z][A-Za-z]*\(' 'CUDA is called in device_cuda.cu alone' $(of '^harness/' '/(device_cuda.cu|cuda_try.h)$')
}
# shellcheck disable=SC2046
hits=$(awk '
    length > 96 { print "    " FILENAME ":" FNR ": " length " columns, 96 at most" }
    /(\/\/|\/\*|^ \*) *(What|Whether|Of|How|Which|Whose|As|Where) / { print "    " FILENAME ":" FNR ": a comment without a subject: " $0 }
    ' $(git ls-files --cached --others --exclude-standard '*.c' '*.cc' '*.h' '*.cu' '*.cuh'))
[ -z "$hits" ] || { echo "layering: lines are short, and a comment says what something is or does"; echo "$hits"; bad=$((bad + 1)); }

if [ "$bad" = 0 ]; then
    echo "layering: each floor includes its own files and those of floors below"
else
    echo "layering: $bad rules broken"
fi
[ "$bad" = 0 ]
