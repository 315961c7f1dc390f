#!/bin/bash
# layering.sh - each room includes and calls only what it may (README, "Rooms of the house")
set -u
cd "$(dirname "$0")/.." || exit 5
bad=0

# deny ROOM PATTERN WHY: no file of the room may have a line that matches
deny() {
    local room=$1 pattern=$2 why=$3 hits
    # comments may name anything
    # shellcheck disable=SC2086
    hits=$(for f in $room; do
        sed -E 's:/\*([^*]|\*[^/])*\*/::g; s:/\*.*::; s:^ \*.*::' "$f" 2>/dev/null | grep -nE "$pattern" | sed "s|^|$f:|"
    done)
    if [ -n "$hits" ]; then
        echo "layering: $why"
        echo "$hits" | sed 's/^/    /'
        bad=$((bad + 1))
    fi
}
shopt -s nullglob
impl=(impl_cpu/*/* impl_gpu/*/*)
problems=(harness/problems/*)
inputs=(inputs/*)
board=(board/*)
judge=(judge/*.[ch])
analysis=(harness/analysis/*.[ch])
machinery=()
for f in harness/*.[ch] harness/*.cu; do
    case $f in harness/registry.c) ;; *) machinery+=("$f") ;; esac
done

deny "${impl[*]}" '\b(printf|fprintf|puts|fopen|open|getenv|exit|abort|clock_gettime|omp_get_wtime|cudaEventRecord|cudaDeviceSynchronize|cudaStreamSynchronize)\(' \
    'an implementation computes: no printing, files, environment, clocks, exits, synchronising'
deny "${impl[*]}" '#include "(inputs|board|judge)/|#include "harness/(measure|record|experiment|suite|env|device|analysis/[a-z_]*|text|ini|stats)\.h"' \
    'an implementation includes its problem, impl.h, status.h, cuda_try.h, laps.h, random.h only'
deny "impl_cpu/*/*" '#include "impl_gpu/|cuda' 'a CPU variant knows no GPU code'
deny "${problems[*]}" '#include "(impl_cpu|impl_gpu|board|judge)/|#include "harness/(measure|record|suite|env|device|analysis/[a-z_]*)\.h"' \
    'a problem knows no implementation and takes no time'
deny "${problems[*]}" '\b(printf|puts|exit|abort|clock_gettime|omp_get_wtime)\(' 'a problem neither prints nor times'
deny "${inputs[*]}" '#include "(impl_cpu|impl_gpu|board|judge|harness/problems)/|#include "harness/(impl|problem|measure|record|experiment|suite|env|device|analysis/[a-z_]*)\.h"' \
    'inputs are planes and cameras: they know no problem'
deny "${board[*]}" '#include "(impl_cpu|impl_gpu|inputs|judge|harness)/|clock_gettime' 'a board is clocks and rails: it knows no harness and times nothing'
deny "${judge[*]}" '#include "(impl_cpu|impl_gpu)/|#include "harness/(measure|device|suite)\.h"' 'a judge reads records: it runs nothing'
deny "${analysis[*]}" '#include "(impl_cpu|impl_gpu|board|judge)/|#include "harness/(measure|device|suite|problems/[a-z_]*)\.h"|\b(exit|abort)\(' 'analysis reads records: it runs nothing'
deny "${machinery[*]}" '"(rdp|stixels|som|probe)[/_]|\b(rdp|stixels|som)_[a-z]|#include "harness/problems/|#include "impl_' \
    'the machinery names no algorithm: registry.c alone does'
for f in "${machinery[@]}"; do
    # these two are the command line: verbs call judges, the machinery below them does not
    case $f in harness/main.c | harness/main_judge.c) ;; *) deny "$f" '#include "judge/' 'only the command line knows judges' ;; esac
    case $f in harness/main.c | harness/main_sql.c) ;; *) deny "$f" '#include "harness/analysis/' 'only the command line asks the database' ;; esac
    case $f in harness/device_cuda.cu | harness/cuda_try.h) ;; *) deny "$f" '#include <cuda|\bcuda[A-Z][A-Za-z]*\(' 'CUDA is called in device_cuda.cu alone' ;; esac
    case $f in harness/main.c) ;; *) deny "$f" '\bexit\(|\babort\(' 'nothing below main exits' ;; esac
done
if [ "$bad" = 0 ]; then
    echo "layering: all rooms keep to their doors"
else
    echo "layering: $bad rules broken"
fi
[ "$bad" = 0 ]
