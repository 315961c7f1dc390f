# depthbench: `make help` lists the targets, `make info` what was found on this machine.
#
#   BUILD  release | debug | asan      each in build/$(BUILD)/, flavours never mix; asan: address, leak and undefined behaviour
#   CUDA   auto | yes (a missing nvcc is an error) | no
#   SM     architectures of the GPU code, "75 90"; default: that of the GPU that is there, else the oldest that nvcc has
#   FALLBACK  GPU code of SM from the instructions of this architecture, 80 or 75: what newer ones gain
#   MPI    yes: ranks measure together, experiments/scale (docs/CLUSTER.md); MPICC names another MPI's compiler; default: as B was built
#   ARCH   -march of the CPU code; native, or x86-64-v3 for a program that travels; recorded in every row

BUILD ?= release
CUDA  ?= auto
ARCH  ?= native
# those who build kernels, and Yocto's shells, have another one in their environment
ifneq ($(ARCH),native)
ifeq ($(shell $(CC) -march=$(ARCH) -E -x c /dev/null >/dev/null 2>&1 && echo known),)
ifeq ($(origin ARCH),environment)
$(warning ARCH=$(ARCH) of the environment is no -march that $(CC) knows: ARCH=native is taken)
ARCH := native
else
$(error ARCH=$(ARCH): expected a -march that $(CC) knows, as native or x86-64-v3)
endif
endif
endif
B := build/$(BUILD)
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)')
CCACHE := $(shell command -v ccache 2>/dev/null) # not before nvcc: it would keep ptxas's warnings to itself
comma := ,
GIT = . scripts/start && git # in the one way of the scripts
# what compiles much takes all cores; what measures never does two things at once
ifeq ($(MAKELEVEL)$(filter-out all test emulate reproduce library,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
# what folder B was built with; CUDA=auto leaves it so, and another answer than that wants another folder
BUILT := $(lastword $(shell sed -n 's/.*-DHAVE_CUDA=\([01]\).*/\1/p' $(B)/flags 2>/dev/null))
HAVE_CUDA := $(if $(filter no,$(CUDA)),0,$(if $(NVCC),$(if $(filter auto,$(CUDA)),$(or $(BUILT),1),1),0))
refuse = $(if $(filter $(1),$(2)),$(error $(3)))
one_of = $(if $(filter-out $(2),$($(1))),$(error $(1)=$($(1)): expected $(3)))
$(call refuse,yes0,$(CUDA)$(BUILT),CUDA=yes$(comma) but $(B) was built without CUDA; B=build/cuda keeps both$(comma) make clean begins anew)
$(call refuse,yes0,$(CUDA)$(HAVE_CUDA),CUDA=yes$(comma) but no nvcc on PATH nor in /usr/local/cuda/bin; set NVCC=/path/to/nvcc)
$(call one_of,CUDA,auto yes no,auto$(comma) yes or no)
$(call one_of,BUILD,release debug asan fuzz,release$(comma) debug or asan)
# nothing but experiments/scale needs MPI, and nobody gets it unasked; flags from mpicc, which every MPI has (-show: MPICH)
MPI   ?= $(if $(filter 1,$(lastword $(shell sed -n 's/.*-DHAVE_MPI=\([01]\).*/\1/p' $(B)/flags 2>/dev/null))),yes,no)
MPICC ?= mpicc
$(call one_of,MPI,yes no,yes or no)
MPI_FLAGS := $(if $(filter yes,$(MPI)),$(shell $(MPICC) --showme:compile 2>/dev/null && $(MPICC) --showme:link 2>/dev/null || $(MPICC) -show 2>/dev/null))
$(if $(filter -l%,$(MPI_FLAGS)),,$(call refuse,yes,$(MPI),MPI=yes$(comma) but $(MPICC) names no library of an MPI; apt-get install libopenmpi-dev$(comma) or set MPICC=/path/to/mpicc))
HAVE_MPI := $(if $(filter yes,$(MPI)),1,0)
# what a target cannot do without is asked for before anything is compiled
needs = $(if $(filter $(1),$(MAKECMDGOALS)),$(if $($(2)),,$(error make $(1): expected $(2)=$(3))))
$(call needs,bench,EXP,rdp/fig9)
$(call needs,profile-ncu,EXP,stixels/fig9)
$(call needs,profile-nsys,EXP,stixels/fig9)
$(call needs,history,OF,rdp/serial$(comma)height=1024)

ifeq ($(HAVE_CUDA),1)
SM ?= $(shell scripts/detect_sm $(NVCC))
CUDA_LIBRARIES := $(shell scripts/cuda_paths $(NVCC) libraries)
CUDA_INCLUDES := $(shell scripts/cuda_paths $(NVCC) includes)
# architectures side by side, which nvcc can from 11.2 on
NVCC_THREADS := $(if $(shell $(NVCC) --help 2>/dev/null | grep -e --threads),--threads 0)
NVCC_RELEASE := $(shell $(NVCC) --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
$(call refuse,1.% 2.% 3.% 4.% 5.% 6.% 7.% 8.% 9.% 10.0 10.1,$(NVCC_RELEASE),$(NVCC) is of CUDA $(NVCC_RELEASE)$(comma) which is too old: 10.2 or newer (JetPack 4.4); CUDA=no does without)
# its advice not to copy to several blocks at once on cards after sm 90, where som/gpu-opt does not
ADVICE := --suppress-async-bulk-multicast-advisory-warning
NO_ADVICE := $(if $(shell $(dir $(shell command -v $(NVCC)))ptxas --help 2>/dev/null | grep -e $(ADVICE)),-Xptxas $(ADVICE))
endif
# The NVTX headers need no CUDA: a CPU program has ranges too where they are.
NVTX := $(patsubst %/nvtx3/nvToolsExt.h,%,$(firstword $(wildcard $(addsuffix /nvtx3/nvToolsExt.h,\
        $(CUDA_INCLUDES) /usr/local/cuda/include /usr/local/include))))
HAVE_NVTX := $(if $(NVTX),1,0)
HAVE_JANSSON := $(if $(wildcard /usr/include/jansson.h /usr/local/include/jansson.h),1,0)
# a C++ compiler for what CC compiles for; clang's fuzzer goes without
HAVE_CXX := $(shell [ "$(BUILD)" != fuzz ] && [ "$$($(CXX) -dumpmachine 2>/dev/null | cut -d- -f1)" = "$$($(CC) -dumpmachine | cut -d- -f1)" ] && echo 1 || echo 0)
NO_CXX := $(if $(filter 0,$(HAVE_CXX)),no C++ compiler: no variants of Boost and OpenCV$(comma) and no GPU variant is emulated (apt-get install g++))
# gcc before 11 inlines what is not to be looked at into what is, so that the emulator sees races that are none
NO_EMULATION := $(or $(NO_CXX),$(if $(shell printf '\43if !defined __clang__ && __GNUC__ < 11\nold\n\43endif\n' | $(CXX) -E -x c++ - 2>/dev/null | grep -x old),gcc before 11: no GPU variant is emulated (CXX=NAME of a newer one)))
# libraries of others: a variant of each where it is there
HAVE_GEOS := $(if $(wildcard /usr/include/geos_c.h /usr/local/include/geos_c.h),1,0)
HAVE_BOOST := $(if $(filter 1,$(HAVE_CXX)),$(if $(wildcard /usr/include/boost/geometry.hpp /usr/local/include/boost/geometry.hpp),1,0),0)
OPENCV := $(if $(filter 1,$(HAVE_CXX)),$(patsubst %/opencv2/imgproc.hpp,%,$(firstword $(wildcard $(addsuffix /opencv2/imgproc.hpp,\
          /usr/include/opencv4 /usr/include /usr/local/include/opencv4 /usr/local/include)))))
HAVE_OPENCV := $(if $(OPENCV),1,0)

# Floating point is part of an experiment: contraction off on both sides, recorded in each row.  No exception flag is
# ever read, so branches may become selects; no value changes by that.  The kernels of FAST_CU compute in float alone,
# within a tolerance, and are timed against what others compiled with nvcc's defaults.
FPFLAGS     ?= -ffp-contract=off -fno-trapping-math
NVFPFLAGS   ?= --fmad=false
NVFASTFLAGS ?= --use_fast_math
NVTEXTFLAGS ?= --fmad=true --prec-div=false
FAST_CU     := impl_gpu/stixels/float.cu
TEXT_CU     := impl_gpu/stixels/text.cu

MODE_release := -O3 -march=$(ARCH) -DNDEBUG
MODE_debug   := -O0 -g3
MODE_asan    := -O1 -g1 -fsanitize=address,leak,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# scripts/run_fuzz builds this one, with clang; gcc's omp.h and library do where clang has none of its own
MODE_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPENMP := $(if $(filter fuzz,$(BUILD)),-fopenmp=libgomp -idirafter $(shell gcc -print-file-name=include),-fopenmp)
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes \
        -Wconversion -Wdouble-promotion $(if $(filter yes,$(WERROR)),-Werror)
CUWARN := -Xcompiler -Wall,-Wextra,-Wshadow,-Wno-missing-field-initializers $(if $(filter yes,$(WERROR)),-Werror all-warnings)

# gcc 7 (JetPack 4) does not know it yet
PREFIX_MAP := $(shell $(CC) -ffile-prefix-map=$(CURDIR)=. -E -x c /dev/null >/dev/null 2>&1 && echo -ffile-prefix-map=$(CURDIR)=.)

# Program and library are of the same objects: what is timed is what is linked.
CODE := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections

COMMON := -I. -I$(B) -D_GNU_SOURCE -DHAVE_CUDA=$(HAVE_CUDA) -DHAVE_NVTX=$(HAVE_NVTX) -DHAVE_GEOS=$(HAVE_GEOS) \
          -DHAVE_JANSSON=$(HAVE_JANSSON) -DHAVE_BOOST=$(HAVE_BOOST) -DHAVE_OPENCV=$(HAVE_OPENCV) -DHAVE_MPI=$(HAVE_MPI)
ALL_C  := -std=c11 $(COMMON) $(MODE_$(BUILD)) $(FPFLAGS) $(CODE) $(OPENMP) $(PREFIX_MAP) $(WARN) \
          $(if $(filter 1,$(HAVE_NVTX)),-isystem $(NVTX)) $(patsubst -I%,-isystem %,$(filter -I%,$(MPI_FLAGS))) $(CPPFLAGS) $(CFLAGS)
# variants in C++ are calls of libraries; without a C++ compiler they are their names, in C
ALL_CC := -std=c++14 $(COMMON) $(MODE_$(BUILD)) $(FPFLAGS) $(PREFIX_MAP) -Wall -Wextra -Wshadow -Wno-missing-field-initializers $(if $(filter yes,$(WERROR)),-Werror) \
          $(if $(filter 1,$(HAVE_OPENCV)),-isystem $(OPENCV)) $(CPPFLAGS) $(CXXFLAGS)
GENCODE := $(if $(filter all-major all native,$(SM)),-arch=$(SM),$(foreach s,$(SM),-gencode arch=compute_$(or $(FALLBACK),$(s)),code=sm_$(s)) \
           $(foreach s,$(or $(FALLBACK),$(lastword $(SM))),-gencode arch=compute_$(s),code=compute_$(s)))
ALL_CU := -std=c++14 $(COMMON) $(if $(filter debug,$(BUILD)),-O0 -g,-O3 -lineinfo) $(GENCODE) $(CUWARN) \
          -Xcompiler -fPIC $(NVCC_THREADS) $(NO_ADVICE) -DBENCH_SM='"$(SM)$(FALLBACK:%= by instructions of %)"' $(CPPFLAGS) $(NVCCFLAGS)
LIBS := -lsqlite3 -lcsv -lpng -lxxhash -lhwloc $(if $(filter 1,$(HAVE_JANSSON)),-ljansson) $(if $(filter 1,$(HAVE_GEOS)),-lgeos_c) \
        $(if $(filter 1,$(HAVE_OPENCV)),-lopencv_imgproc -lopencv_core) $(if $(filter 1,$(HAVE_BOOST) $(HAVE_OPENCV)),-lstdc++) $(filter -L% -l%,$(MPI_FLAGS)) -lz -lm -ldl -lpthread
LINK := $(CC) $(MODE_$(BUILD)) $(firstword $(OPENMP)) $(LDFLAGS)
CUDA_LIBS := $(if $(filter 1,$(HAVE_CUDA)),$(addprefix -L,$(CUDA_LIBRARIES)) -lcudart_static -lrt -lstdc++)

# GPU variants compiled for the CPU, tests/emulation/emulator.h; each access to memory is looked at by asan, or by the emulator,
# whose calls -fsanitize=thread puts there.
LOOK_release := -fsanitize=thread
LOOK_debug   := -fsanitize=thread
LOOK_asan    := -fsanitize=address -fno-omit-frame-pointer
# gcc warns of what a flag guards, now and then
CXXWARN := -Wall -Wextra -Wno-unknown-warning-option -Wno-maybe-uninitialized -Wno-unknown-pragmas -Wno-unused-function \
           -Wno-unused-parameter -Wno-missing-field-initializers -Wno-pass-failed $(if $(filter yes,$(WERROR)),-Werror)
ALL_CXX := -x c++ -std=c++14 -fno-exceptions -fno-rtti -I$(B)/emulated/source -Itests/emulation $(COMMON) -O1 -g1 \
           $(LOOK_$(BUILD)) $(FPFLAGS) $(PREFIX_MAP) $(CXXWARN) -D__CUDACC__ -D__CUDACC_VER_MAJOR__=13 \
           -include tests/emulation/cuda_runtime.h $(CPPFLAGS) $(CXXFLAGS)

# A folder is a room: every .c, .cc or .cu in it is built.  Kernels begin, the largest first, so that none is left to compile alone.
# Without CUDA a GPU variant is its name and keys: what stands before and behind __CUDACC__, in C.
CU   := $(shell ls -S impl_gpu/*/*.cu)
CORE := $(if $(filter 1,$(HAVE_CUDA)),$(CU) $(wildcard harness/measure/*.cu),harness/measure/device_none.c $(shell grep -l '^BENCH_IMPL' impl_gpu/*/*.cu))
CORE += $(filter-out harness/cli/main.c harness/library/absent.c harness/measure/device_none.c $(if $(filter yes,$(MPI)),,harness/suite/world_mpi.c),$(wildcard impl_cpu/*/*.cc harness/*.c harness/*/*.c harness/problems/*/*.c impl_cpu/*/*.c))
OBJ  := $(addprefix $(B)/,$(addsuffix .o,$(CORE)))
# LEFT_OUT: names of tests that are neither built nor run.  A sanitizer finds nothing in scripts that draw figures and compare texts:
# test_cases.sh is one pass of the command line, and ASAN_TOO names what else is to run.
ifeq ($(BUILD),asan)
LEFT_OUT += test_frozen $(filter-out test_cases.sh $(ASAN_TOO),$(notdir $(wildcard tests/test_*.sh)))
endif
TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(filter-out $(LEFT_OUT:%=tests/%.c),$(wildcard tests/test_*.c)))
# what runs GPU variants there: all of them, and of a paper that has some tests/test_PAPER.c; probe's asks for parts of a real one
OF_PAPERS := test_emulated test_chain test_som_rtin $(filter-out test_probe,$(patsubst tests/%.c,%,$(wildcard $(patsubst impl_gpu/%/,tests/test_%.c,$(sort $(dir $(CU)))))))
EMULATED := $(if $(NO_EMULATION),,$(addprefix $(B)/emulated/,test_emulator sm90/test_library sm90/test_watch $(foreach sm,75 90,$(addprefix sm$(sm)/,$(OF_PAPERS)))))
# make test has those of the newest architecture, of few settings, in a build without CUDA; make emulate all of them
EMULATED_TESTS := $(if $(filter 0,$(HAVE_CUDA)),$(filter-out $(B)/emulated/sm75/%,$(EMULATED)))
# as scripts/run_tests takes them: test_stixels by hand alone, since pictures of stixels take minutes there
RUN_EMULATED = $(patsubst %/test_stixels,%/test_stixels:by_hand,$(1:$(B)/%=%))
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

MACHINE ?= $(shell $(B)/depthbench env --machine)
RES     ?= results/$(MACHINE)

include mk/compile.mk mk/emulated.mk mk/library.mk mk/check.mk

.DEFAULT_GOAL := all
# each target that has a line of help
.PHONY: FORCE kernels fuzzers abi-write kill-ranks stx $(SHORT) $(shell sed -n 's/^\([a-z0-9-]*\):[^=].*##.*/\1/p' Makefile mk/*.mk)
all: $(B)/depthbench ## build the program (default)
	@echo "built $(B)/depthbench for $(BUILT_FOR)"
	@$(if $(NO_CXX),echo "$(NO_CXX)")
	@echo "a first picture: $(B)/depthbench apply stixels/openmp scene:1 --picture stixels.png"
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' Makefile mk/*.mk
	@for paper in $(PAPERS); do scripts/figures_of $$paper | while read -r name title; do \
	  printf '  %-16s %s\n' "$$paper-$$name" "$$title"; done; done
	@printf '  %-16s %s\n' "$(firstword $(PAPERS)), ..." "all of a paper's"
	@echo "  table1, fig1, ...  short for the RDP paper's: rdp-table1, rdp-fig1, ..."
	@echo "Variables: BUILD=$(BUILD) CUDA=$(CUDA) ARCH=$(ARCH) WERROR=yes V=1"
	@echo "           PROTOCOL=quick|paper DEPTHBENCH_DATA=DIR"
	@echo "           SM=$(SM)"
info: ## what was found on this machine
	@echo "compiler   $(shell $(CC) --version | head -n 1)"
	@echo "nvcc       $(if $(filter 1,$(HAVE_CUDA)),$(NVCC) ($(NVCC_RELEASE))$(comma) sm $(SM),none: CPU program)"
	@echo "NVTX       $(if $(filter 1,$(HAVE_NVTX)),$(NVTX)/nvtx3,no headers: ranges compiled away)"
	@echo "peers      $(or $(strip $(if $(filter 1,$(HAVE_GEOS)),GEOS) $(if $(filter 1,$(HAVE_BOOST)),Boost) $(if $(filter 1,$(HAVE_OPENCV)),OpenCV)),none) (of GEOS, Boost, OpenCV; without GEOS an oracle's tests are skipped)"
	@echo "jansson    $(if $(filter 1,$(HAVE_JANSSON)),yes,no: cameras are not read from JSON)"
	@echo "MPI        $(if $(filter yes,$(MPI)),$(MPI_FLAGS),no: experiments/scale measure one rank; MPI=yes builds with it)"
	@echo "gnuplot    $(or $(shell gnuplot --version 2>/dev/null),none: figures cannot be drawn)"
	@echo "data       $(or $(DEPTHBENCH_DATA),data) ($(if $(wildcard $(or $(DEPTHBENCH_DATA),data)),there,not there: generated scenes only))"
	@echo "build      $(B), ARCH=$(ARCH)"
generated: $(B)/tests/test_config claims-expect docs ## what the tree has of itself: defaults, verdicts, pages
	$(Q)UPDATE=yes $< >/dev/null
test: $(if $(NAMES),$(patsubst %,$(B)/tests/%,$(filter-out %.sh,$(NAMES))),$(EMULATED_TESTS) $(TESTS)) $(if $(filter-out $(LEFT_OUT),$(filter $(or $(NAMES),%),test_install.sh test_stereo.sh)),library) $(B)/depthbench ## all tests, or NAMES='test_rdp ...'; no CUDA: emulated
	$(Q)B=$(B) HAVE_CUDA=$(HAVE_CUDA) EMULATED='$(call RUN_EMULATED,$(EMULATED_TESTS))' NVTX=$(NVTX) LEFT_OUT='$(LEFT_OUT)' NO_CXX='$(NO_EMULATION)' FEW=yes scripts/run_tests $(NAMES)
EMULATION ?= $(foreach sm,75 90,$(addprefix sm$(sm)/,$(OF_PAPERS))) sm75/test_emulated:barriers
emulate: $(if $(EMULATED),$(addprefix $(B)/emulated/,$(sort $(foreach test,$(EMULATION),$(firstword $(subst :, ,$(test))))))) ## the GPU variants on the CPU in more tests than make test has
	$(Q)B=$(B) scripts/run_tests $(if $(EMULATED),$(call RUN_EMULATED,$(EMULATION:%=emulated/%)))
ci-full: ## what takes many minutes, or PART=NAME of it
	$(Q).ci/run full $(PART)
layering: ## each floor includes and calls only what it may
	$(Q)tests/layering.sh
format: ## format all C and CUDA files with clang-format
	$(Q)clang-format -i $(shell $(GIT) ls-files '*.c' '*.cc' '*.h' '*.cu' '*.cuh')
format-check: ## fail when clang-format would change a file
	$(Q)clang-format --dry-run -Werror $(shell $(GIT) ls-files '*.c' '*.cc' '*.h' '*.cu' '*.cuh')
clean: ## remove build/
	rm -rf build

# ---- experiments -----------------------------------------------------------------------------------

# A table or figure is a section of experiments/PAPER/figures.ini, and a target: PAPER-NAME.
PAPERS := $(patsubst experiments/%/figures.ini,%,$(wildcard experiments/*/figures.ini))
define PAPER
$(1)_FIGURES := $(shell scripts/figures_of $(1) | cut -d ' ' -f 1)
.PHONY: $(1) $$(addprefix $(1)-,$$($(1)_FIGURES))
$(1): $$(addprefix $(1)-,$$($(1)_FIGURES))
$$(addprefix $(1)-,$$($(1)_FIGURES)): $(1)-%: $$(B)/depthbench
	$$(Q)B=$$(B) PROTOCOL=$$(PROTOCOL) scripts/figure $(1) $$*
endef
$(foreach paper,$(PAPERS),$(eval $(call PAPER,$(paper))))
papers_with = $(patsubst experiments/%/$(1).ini,%,$(wildcard experiments/*/$(1).ini))

# short names are of the RDP paper; stx is the older name of stixels
SHORT := $(filter-out cut roofline,$(rdp_FIGURES))
$(SHORT): %: rdp-%
stx: stixels
stx-%: stixels-% ;

# Results are measurements, not build products: no rule makes a CSV out of date.
bench: $(B)/depthbench ## run experiments/EXP.ini into results/MACHINE/: EXP=rdp/fig9
	$(Q)$(B)/depthbench run $(EXP) $(if $(filter quick,$(PROTOCOL)),--quick) --resume
plots: $(B)/depthbench ## draw every figure from the results that are there; no GPU
	$(Q)B=$(B) scripts/plot all
roofline: $(addsuffix -roofline,$(call papers_with,roofline)) ## each paper's variants beneath the machine's ceilings
realtime: $(B)/depthbench ## frames on a clock: latencies, rates that are kept, energy
	$(Q)for paper in $(call papers_with,stream); do B=$(B) PROTOCOL=$(PROTOCOL) scripts/figure $$paper stream || exit; done
cut: $(addsuffix -cut,$(call papers_with,cut)) ## times on a part of the GPU as large as the paper's, and more

# folders that have rows
CLAIMED = $(or $(RESULTS),$(sort $(dir $(wildcard results/*/[0-9]*T[0-9]*Z-*.env.txt))))
claims: $(B)/depthbench ## verdicts on what the papers say (RESULTS='DIR ...')
	$(Q)$(B)/depthbench claims $(CLAIMED)
# machines that have a column; RESULTS gives another one its own
EXPECTED = $(or $(RESULTS),$(patsubst %,results/%,$(shell sed -n '1s/"claim","paper",//p' results/expected.csv | tr -d '"' | tr , ' ')))
claims-expect: $(B)/depthbench ## write down the verdicts of now, as those to expect
	$(Q)$(B)/depthbench claims --expect results/expected.csv $(EXPECTED)
regress: $(B)/depthbench ## is HEAD slower than BASE (HEAD~1)? builds and runs both
	$(Q)$(B)/depthbench regress $(or $(BASE),HEAD~1) $(or $(HEAD),HEAD) $(REGRESS)
history: $(B)/depthbench ## from commit to commit: OF=rdp/serial,height=1024
	$(Q)$(B)/depthbench history --of '$(OF)' $(RES) --csv $(B)/history.csv
	$(Q)B=$(B) scripts/plot fps-history
report: $(B)/depthbench ## results/MACHINE/report.html: all of it (MACHINE='A B')
	$(Q)B=$(B) scripts/report $(MACHINE)
reproduce: $(B)/depthbench ## everything, quick protocol (PROTOCOL=paper: the full one)
	$(Q)B=$(B) PROTOCOL=$(or $(PROTOCOL),quick) scripts/reproduce
