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
# those who build kernels, and Yocto's shells, have another ARCH in their environment
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
ifeq ($(CUDA)$(BUILT),yes0)
$(error CUDA=yes, but $(B) was built without CUDA; B=build/cuda keeps both, make clean begins anew)
endif
ifeq ($(CUDA)$(HAVE_CUDA),yes0)
$(error CUDA=yes, but no nvcc on PATH nor in /usr/local/cuda/bin; set NVCC=/path/to/nvcc)
endif
ifneq ($(filter-out auto yes no,$(CUDA)),)
$(error CUDA=$(CUDA): expected auto, yes or no)
endif
ifneq ($(filter-out release debug asan fuzz,$(BUILD)),)
$(error BUILD=$(BUILD): expected release, debug or asan)
endif
# nothing but experiments/scale needs MPI, and nobody gets it unasked; flags from mpicc, which every MPI has (-show: MPICH)
MPI   ?= $(if $(filter 1,$(lastword $(shell sed -n 's/.*-DHAVE_MPI=\([01]\).*/\1/p' $(B)/flags 2>/dev/null))),yes,no)
MPICC ?= mpicc
ifeq ($(MPI),yes)
MPI_FLAGS := $(shell $(MPICC) --showme:compile 2>/dev/null && $(MPICC) --showme:link 2>/dev/null || $(MPICC) -show 2>/dev/null)
ifeq ($(filter -l%,$(MPI_FLAGS)),)
$(error MPI=yes, but $(MPICC) names no library of an MPI; apt-get install libopenmpi-dev, or set MPICC=/path/to/mpicc)
endif
else ifneq ($(MPI),no)
$(error MPI=$(MPI): expected yes or no)
endif
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
ifneq ($(filter 1.% 2.% 3.% 4.% 5.% 6.% 7.% 8.% 9.% 10.0 10.1,$(NVCC_RELEASE)),)
$(error $(NVCC) is of CUDA $(NVCC_RELEASE), which is too old: 10.2 or newer (JetPack 4.4); CUDA=no does without)
endif
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
FAST_CU     := impl_gpu/stixels/float.cu

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
LIBS := -lsqlite3 -lcsv -lpng -linih -lxxhash -lhwloc $(if $(filter 1,$(HAVE_JANSSON)),-ljansson) $(if $(filter 1,$(HAVE_GEOS)),-lgeos_c) \
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
CORE += $(filter-out harness/cli/main.c harness/library/absent.c harness/measure/device_none.c harness/suite/world_$(if $(filter yes,$(MPI)),none,mpi).c,$(wildcard impl_cpu/*/*.cc harness/*.c harness/*/*.c harness/problems/*/*.c impl_cpu/*/*.c))
OBJ  := $(addprefix $(B)/,$(addsuffix .o,$(CORE)))
# LEFT_OUT: names of tests that are neither built nor run.  A sanitizer finds nothing in scripts that draw figures and compare texts:
# those that it runs reach all of main.
ifeq ($(BUILD),asan)
LEFT_OUT += $(filter-out test_cli.sh test_sql.sh test_transfer.sh,$(notdir $(wildcard tests/test_*.sh)))
endif
TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(filter-out $(LEFT_OUT:%=tests/%.c),$(wildcard tests/test_*.c)))
EMULATED := $(if $(filter 1,$(HAVE_CXX)),$(addprefix $(B)/emulated/,test_emulator sm90/test_library sm90/test_watch $(foreach sm,75 90,sm$(sm)/test_emulated sm$(sm)/test_som sm$(sm)/test_stixels)))
# make test has those of the newest architecture, of few settings, in a build without CUDA; make emulate all of them
EMULATED_TESTS := $(if $(filter 0,$(HAVE_CUDA)),$(filter-out $(B)/emulated/sm75/%,$(EMULATED)))
# as scripts/run_tests takes them: test_stixels by hand alone, since pictures of stixels take minutes there
RUN_EMULATED = $(patsubst %/test_stixels,%/test_stixels:by_hand,$(1:$(B)/%=%))
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

MACHINE ?= $(shell $(B)/depthbench env --machine)
RES     ?= results/$(MACHINE)

.DEFAULT_GOAL := all
.PHONY: all help info test emulate reproduce bench plots claims claims-expect report regress regress-selftest pipelines-selftest history symbols docs format format-check tidy shell-check layering profile-ncu profile-nsys roofline realtime cut \
        jetson-compile aarch64-test gpu-check gpu-pack fuzz fuzzers ci-full clean FORCE

all: $(B)/depthbench ## build the program (default)
	@echo "built $(B)/depthbench for $(BUILT_FOR)"
	@$(if $(NO_CXX),echo "$(NO_CXX)")
	@echo "a first picture: $(B)/depthbench apply stixels/openmp scene:1 --picture stixels.png"

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' Makefile
	@for paper in $(PAPERS); do scripts/figures_of $$paper | while read -r name title; do \
	  printf '  %-16s %s\n' "$$paper-$$name" "$$title"; done; done
	@echo "  rdp, stixels, som  all of a paper's"
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

# ---- compiling -------------------------------------------------------------------------------------

# A file is made beside its place, under a name of this make's own, and put there whole, when it differs.
NEW = $@.$$PPID.new
PUT = @cmp -s $(NEW) $@ && rm $(NEW) || mv $(NEW) $@

BUILT_FOR = $(if $(filter 1,$(HAVE_CUDA)),CPU and GPU (sm $(SM)),the CPU only ($(if $(filter no,$(CUDA)),CUDA=no,$(if $(NVCC),as before; CUDA=yes B=build/cuda builds for GPUs,no nvcc found))))
BUILT_NOTE = $(if $(filter 1,$(HAVE_CUDA)),: minutes$(comma) CUDA=no does without,$(if $(filter 1,$(BUILT)),; it had CUDA$(comma) B=build/cpu keeps both))

# Changes only when the command line does, so that new flags rebuild everything; says what for.
ALL_FLAGS = $(ALL_C) | $(ALL_CC) $(LIBS) | $(ALL_CU) $(NVFPFLAGS) $(FAST_CU) $(NVFASTFLAGS) | $(NVCC) $(NVCC_OWN) | $(CXX) $(ALL_CXX)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(ALL_FLAGS)' | cmp -s - $@ || { echo "building $(B) for $(BUILT_FOR)$(BUILT_NOTE)"; echo '$(ALL_FLAGS)' >$@; }

# nvcc reads two of these by itself
NVCC_OWN = $(strip $(NVCC_PREPEND_FLAGS) $(NVCCFLAGS) $(NVCC_APPEND_FLAGS))
# flags of a user's, but for those that say where the tree lies
RECORDED = $(strip $(foreach flag,$(CPPFLAGS) $(CFLAGS),$(if $(findstring prefix-map,$(flag)),,$(flag))))
# Looked at on every build, rewritten when it differs: no CSV carries a stale commit.
$(B)/buildinfo.h: FORCE
	@mkdir -p $(@D)
	@scripts/buildinfo '$(CC)' '$(if $(filter 1,$(HAVE_CUDA)),$(NVCC))' \
	  '$(MODE_$(BUILD)) $(FPFLAGS)$(if $(RECORDED), $(RECORDED))$(if $(filter 1,$(HAVE_CUDA)), | nvcc $(if $(NVCC_OWN),$(NVCC_OWN) )$(NVFPFLAGS) ($(FAST_CU): $(NVFASTFLAGS)) sm $(SM)$(FALLBACK:%= by instructions of %))' '$(BUILD)' >$(NEW)
	$(PUT)

# The named models of stixels travel in the program, as bytes, so that nothing in them needs quoting:
# PRESETS(X) is X("b12", bytes_of_the_first) X("b6", ...) ...
PRESETS := $(sort $(wildcard harness/problems/stixels/presets/*.ini))
$(B)/presets.h: FORCE
	@mkdir -p $(@D)
	@i=0; list=; for f in $(PRESETS); do \
	  echo "static const unsigned char preset_$$i[] = {"; od -An -v -tu1 "$$f" | sed 's/[0-9][0-9]*/&,/g'; echo '};'; \
	  list="$$list X(\"$$(basename "$$f" .ini)\", preset_$$i)"; i=$$((i + 1)); \
	done >$(NEW); echo "#define PRESETS(X)$$list" >>$(NEW)
	$(PUT)

# A file as an array of bytes that is called as the file, report.css: report_css
BYTES = @mkdir -p $(@D); { echo 'static const unsigned char $(subst .,_,$(<F))[] = {'; od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g'; \
        echo '};'; } >$(NEW) && mv $(NEW) $@
$(B)/report_%.h: harness/analysis/report.%
	$(BYTES)
$(B)/%_sql.h: harness/analysis/%.sql
	$(BYTES)
$(B)/%_txt.h: harness/analysis/%.txt
	$(BYTES)

# all that a file may include is there before it is compiled; what it includes, its .d says from then on
GENERATED := $(addprefix $(B)/,buildinfo.h presets.h report_css.h report_html.h report_js.h $(patsubst harness/analysis/%.sql,%_sql.h,$(wildcard harness/analysis/*.sql)) \
             $(patsubst harness/analysis/%.txt,%_txt.h,$(wildcard harness/analysis/*.txt)))

# -g: abidw reads types of it
$(B)/%.c.o: %.c $(B)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(call say,CC    $<)
	$(Q)$(CCACHE) $(CC) $(ALL_C) $(if $(filter tests/%,$<),-Wno-unused-parameter) $(if $(filter harness/library/%,$<),-g) -MMD -MP -c $< -o $@

$(B)/%.cc.o: %.cc $(B)/flags
	@mkdir -p $(@D)
	$(call say,$(if $(filter 1,$(HAVE_CXX)),CXX   $<,CC    $<))
	$(Q)$(CCACHE) $(if $(filter 1,$(HAVE_CXX)),$(CXX) $(ALL_CC),$(CC) $(ALL_C) -x c) -MMD -MP -c $< -o $@

ifeq ($(HAVE_CUDA),1)
$(B)/%.cu.o: %.cu $(B)/flags
	@mkdir -p $(@D)
	$(call say,NVCC  $< (sm $(SM)))
	$(Q)$(NVCC) $(ALL_CU) $(if $(filter $<,$(FAST_CU)),$(NVFASTFLAGS),$(NVFPFLAGS)) -MMD -MP -c $< -o $@
else
$(B)/%.cu.o: %.cu $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(ALL_C) -MMD -MP -c -x c $< -o $@
endif

.PHONY: kernels
kernels: $(filter %.cu.o,$(OBJ)) # GPU code alone

$(B)/depthbench: $(OBJ) $(B)/harness/cli/main.c.o
	$(call say,LINK  $@)
	$(Q)$(LINK) $^ $(CUDA_LIBS) $(LIBS) -o $@

# A test has the objects that it calls and no other, so that it is the same program after a change elsewhere.
$(B)/all.a: $(OBJ)
	$(Q)rm -f $@ && ar rcsT $@ $^

$(B)/tests/%: $(B)/tests/%.c.o $(B)/tests/filter.c.o $(B)/all.a
	$(Q)$(LINK) $(WRAP) $^ $(CUDA_LIBS) $(LIBS) -lcmocka -o $@

# a card that is made up answers measure.c's calls
CARD_CALLS := flush block_stream mark marked_ms graph_begin graph_end graph_launch graph_drop clock_mhz sync stream take_sms n_sms pin unpin take_slots slot_stream slot_mark slot_done take_frames frame_begin frame_end frame_launch
$(B)/tests/test_suite: WRAP := -Wl,--wrap=bench_once
$(B)/tests/test_library: WRAP := $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc)
$(B)/tests/test_measure_card: WRAP := $(CARD_CALLS:%=-Wl,--wrap=bench_device_%)
$(B)/tests/test_watch $(B)/emulated/sm90/test_watch: WRAP := $(patsubst %,-Wl$(comma)--wrap=%,$(addprefix bench_device_,take_slots slot_stream slot_mark slot_done) \
        depthbench_run pthread_mutex_lock pthread_cond_wait sysconf fsync fclose)

# ---- the GPU variants, emulated ----

E := $(B)/emulated
EMULATED_SOURCE := $(addprefix $(E)/source/,$(wildcard impl_gpu/*.cuh impl_gpu/*/*.cu impl_gpu/*/*.cuh))
EMULATOR := $(addprefix $(B)/tests/emulation/,emulator.c.o launch.c.o memory.c.o fibre.c.o device_emulated.c.o)
EMULATED_C := $(filter-out $(B)/harness/measure/device_none.c.o,$(filter %.c.o %.cc.o,$(OBJ))) $(EMULATOR)

$(E)/all.a: $(EMULATED_C)
	$(Q)rm -f $@ && ar rcsT $@ $^

$(B)/tests/emulation/device_emulated.c.o: tests/emulation/device_emulated.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) -Itests/emulation $(ALL_C) -MMD -MP -c $< -o $@

.SECONDARY: $(EMULATED_SOURCE) $(E)/source/tests/emulation/kernels.cu

$(E)/source/%: % tests/emulation/source.sed
	@mkdir -p $(@D)
	$(Q){ echo '#line 1 "$<"'; sed -f tests/emulation/source.sed $<; } >$@

# static shared memory has a section of its own: memory.c has one for each block
OBJCOPY = $(if $(NO_CXX),,$(shell $(CXX) -print-prog-name=objcopy))

# $(1): for which architecture the sources are told that they are compiled
define EMULATE
$(E)/sm$(1)/%.cu.o: $(E)/source/%.cu $(B)/flags | $(EMULATED_SOURCE)
	@mkdir -p $$(@D)
	$(call say,CXX   $$(<:$(E)/source/%=%) as for sm $(1))
	$(Q)$(CCACHE) $(CXX) $(ALL_CXX) -D__CUDA_ARCH__=$(1)0 -MMD -MP -c $$< -o $$@
	$(Q)$(OBJCOPY) --rename-section .bss=emulated_shared $$@

$(E)/sm$(1)/test_%: $(B)/tests/test_%.c.o $(call EMULATED_WITH,$(1))
	$(LINK_EMULATED)

$(E)/sm$(1)/test_emulated: $(B)/tests/emulation/test_emulated.c.o $(call EMULATED_WITH,$(1))
	$(LINK_EMULATED)
endef
# what each such test is linked with besides its own object
EMULATED_WITH = $(B)/tests/filter.c.o $(patsubst %,$(E)/sm$(1)/%.o,$(CU)) $(E)/all.a
LINK_EMULATED = $(Q)$(LINK) $$(WRAP) $$^ $(LIBS) -lcmocka -o $$@
$(foreach sm,75 90,$(eval $(call EMULATE,$(sm))))

$(E)/test_emulator: $(B)/tests/emulation/test_emulator.c.o $(E)/sm90/tests/emulation/kernels.cu.o $(call EMULATED_WITH,90)
	$(Q)$(LINK) $^ $(LIBS) -lcmocka -o $@

$(B)/fuzz/%: $(B)/tests/fuzz/%.c.o $(OBJ)
	@mkdir -p $(@D)
	$(Q)$(LINK) -fsanitize=fuzzer $^ $(LIBS) -o $@

.SECONDARY: $(addsuffix .c.o,$(TESTS) $(FUZZERS:$(B)/fuzz/%=$(B)/tests/fuzz/%))

-include $(OBJ:.o=.d) $(B)/harness/cli/main.c.d $(wildcard $(B)/tests/*.d $(B)/tests/fuzz/*.d $(B)/tests/emulation/*.d \
  $(E)/sm*/impl_gpu/*/*.d $(E)/sm*/tests/emulation/*.d $(B)/library/*/*/*.d)

# ---- the library: docs/LIBRARY.md ------------------------------------------------------------------

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
VERSION := $(shell sed -n 's/^\#define DEPTHBENCH_VERSION "\(.*\)"/\1/p' harness/library/depthbench.h)
SONAME  := libdepthbench.so.0
# What a static library needs besides; the compiler's OpenMP by its name, for those who link with another (nvcc).
PRIVATE = $(strip $(if $(filter 1,$(HAVE_CUDA)),$(CUDA_LIBS) -ldl) -linih $(or $(shell $(CC) -fopenmp -\#\#\# -x c /dev/null 2>&1 | grep -oE -m 1 -e '-l(gomp|omp)'),-fopenmp) -lpthread -lm)
AT := $(DESTDIR)$(LIBDIR)
API := $(shell sed -n 's/^[a-z].*[ *]\(depthbench_[a-z_]*\)[^a-z_ ].*/\1/p' harness/library/depthbench.h)

# variants of other libraries stay out: these are their names
NAMES_OF_PEERS := $(patsubst %,$(B)/library/%.o,$(wildcard $(foreach peer,geos opencv boost,impl_cpu/*/$(peer).c*)))
$(B)/library/%.o: % $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(filter-out -DHAVE_GEOS=% -DHAVE_BOOST=% -DHAVE_OPENCV=%,$(ALL_C)) -DHAVE_GEOS=0 -DHAVE_BOOST=0 -DHAVE_OPENCV=0 -MMD -MP -c -x c $< -o $@

# what its own functions call, and no more
LIBRARY = $(B)/harness/library/library.c.o $(B)/harness/library/absent.c.o $(NAMES_OF_PEERS) $(B)/all.a
LIBRARY_OF = -Wl,--gc-sections $(API:%=-Wl,-u,%) $(LIBRARY)

$(B)/$(SONAME): $(LIBRARY) harness/library/depthbench.map
	$(call say,LINK  $@)
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME),--version-script=harness/library/depthbench.map,-z,defs,--as-needed $(LIBRARY_OF) $(PRIVATE) -o $@

# one object, in which all other names are its own
$(B)/libdepthbench.a: $(LIBRARY)
	$(Q)$(CC) -nostdlib -no-pie -Wl,-r $(LIBRARY_OF) -o $(B)/library/depthbench.o
	$(Q)$(shell $(CC) -print-prog-name=objcopy) --wildcard --keep-global-symbol='depthbench_*' --strip-unneeded $(B)/library/depthbench.o
	$(Q)rm -f $@ && ar rcs $@ $(B)/library/depthbench.o

INSTALLED = $(AT)/$(SONAME) $(AT)/libdepthbench.so $(AT)/libdepthbench.a $(AT)/pkgconfig/depthbench.pc \
            $(AT)/cmake/depthbench/depthbench-config.cmake $(AT)/cmake/depthbench/depthbench-config-version.cmake $(DESTDIR)$(PREFIX)/include/depthbench.h
FILL = sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$(LIBDIR)|g' -e 's|@VERSION@|$(VERSION)|g' -e 's|@PRIVATE@|$(PRIVATE)|g'

.PHONY: library install uninstall abi-check abi-write
library: $(B)/$(SONAME) $(B)/libdepthbench.a ## libdepthbench, to link (docs/LIBRARY.md)

install: library ## the library, header, .pc and CMake files: PREFIX=, DESTDIR=
	$(Q)install -d $(sort $(dir $(INSTALLED)))
	$(Q)install -m 644 $(B)/$(SONAME) $(B)/libdepthbench.a $(AT)
	$(Q)ln -sf $(SONAME) $(AT)/libdepthbench.so
	$(Q)install -m 644 harness/library/depthbench.h $(DESTDIR)$(PREFIX)/include
	$(Q)$(FILL) harness/library/depthbench.pc.in >$(AT)/pkgconfig/depthbench.pc
	$(Q)for file in config config-version; do \
	  $(FILL) harness/library/depthbench-$$file.cmake.in >$(AT)/cmake/depthbench/depthbench-$$file.cmake; done

uninstall: ## remove what install has put there
	$(Q)rm -f $(INSTALLED)
	$(Q)-rmdir $(AT)/cmake/depthbench $(AT)/cmake $(AT)/pkgconfig 2>/dev/null || true

# types and functions of the library that a program was built against: none may change
abi-check: $(B)/$(SONAME) ## is the library's interface as committed? (abigail-tools)
	$(Q)B=$(B) scripts/abi_check check
abi-write: $(B)/$(SONAME)
	$(Q)B=$(B) scripts/abi_check write

# ---- the program, installed: docs/INSTALL.md -------------------------------------------------------

PREFIX ?= /usr/local
DATADIR := $(DESTDIR)$(PREFIX)/share
# what it reads, and scripts that need no checkout
SHARED := $(filter-out experiments/peers/%,$(wildcard experiments/*/*.ini experiments/*/*.sql plots/*.awk plots/*.gp plots/*.sql results/paper/*.csv)) \
          scripts/places scripts/start
SHARED_SCRIPTS := $(addprefix scripts/,fetch_data plot report)
PAGES := man/man1/depthbench.1 bash-completion/completions/depthbench

.PHONY: install-program uninstall-program
install-program: $(B)/depthbench ## program, experiments and man page: PREFIX=, DESTDIR=
	$(Q)install -D $(B)/depthbench $(DESTDIR)$(PREFIX)/bin/depthbench
	$(Q)for file in $(SHARED); do install -D -m 644 $$file $(DATADIR)/depthbench/$$file || exit; done
	$(Q)for file in $(SHARED_SCRIPTS); do install -D $$file $(DATADIR)/depthbench/$$file || exit; done
	$(Q)install -d $(dir $(PAGES:%=$(DATADIR)/%))
	$(Q)$(B)/depthbench help man >$(DATADIR)/$(word 1,$(PAGES))
	$(Q)DEPTHBENCH_HOME=$(PREFIX)/share/depthbench $(B)/depthbench help bash >$(DATADIR)/$(word 2,$(PAGES))

uninstall-program: ## remove what install-program has put there
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/bin/depthbench $(DATADIR)/depthbench $(PAGES:%=$(DATADIR)/%)

.PHONY: package
package: ## Debian package of this commit in build/package (PACKAGE=cuda)
	$(Q)scripts/package build/package $(PACKAGE)

# ---- experiments -----------------------------------------------------------------------------------

# A table or figure is a section of experiments/PAPER/figures.ini, and a target: PAPER-NAME.
PAPERS := rdp stixels som
define PAPER
$(1)_FIGURES := $(shell scripts/figures_of $(1) | cut -d ' ' -f 1)
.PHONY: $(1) $$(addprefix $(1)-,$$($(1)_FIGURES))
$(1): $$(addprefix $(1)-,$$($(1)_FIGURES))
$$(addprefix $(1)-,$$($(1)_FIGURES)): $(1)-%: $$(B)/depthbench
	$$(Q)B=$$(B) PROTOCOL=$$(PROTOCOL) scripts/figure $(1) $$*
endef
$(foreach paper,$(PAPERS),$(eval $(call PAPER,$(paper))))

# short names are of the RDP paper; stx is the older name of stixels
SHORT := $(filter-out cut roofline,$(rdp_FIGURES))
.PHONY: stx $(SHORT)
$(SHORT): %: rdp-%
stx: stixels
stx-%: stixels-% ;

# Results are measurements, not build products: no rule makes a CSV out of date.
bench: $(B)/depthbench ## run experiments/EXP.ini into results/MACHINE/: EXP=rdp/fig9
	$(Q)$(B)/depthbench run $(EXP) $(if $(filter quick,$(PROTOCOL)),--quick) --resume

plots: $(B)/depthbench ## draw every figure from the results that are there; no GPU
	$(Q)B=$(B) scripts/plot all

roofline: rdp-roofline stixels-roofline som-roofline ## each paper's variants beneath the machine's ceilings
realtime: $(B)/depthbench ## frames on a clock: latencies, rates that are kept, energy
	$(Q)for paper in $(PAPERS); do B=$(B) PROTOCOL=$(PROTOCOL) scripts/figure $$paper stream || exit; done
cut: rdp-cut stixels-cut som-cut ## times on a part of the GPU as large as the paper's, and more

# folders that have rows
CLAIMED = $(or $(RESULTS),$(sort $(dir $(wildcard results/*/[0-9]*T[0-9]*Z-*.env.txt))))

claims: $(B)/depthbench ## verdicts on what the papers say (RESULTS='DIR ...')
	$(Q)$(B)/depthbench claims $(CLAIMED)

claims-expect: $(B)/depthbench ## write down the verdicts of now, as those to expect
	$(Q)$(B)/depthbench claims --expect results/expected.csv $(CLAIMED)

regress: $(B)/depthbench ## is HEAD slower than BASE (HEAD~1)? builds and runs both
	$(Q)$(B)/depthbench regress $(or $(BASE),HEAD~1) $(or $(HEAD),HEAD) $(REGRESS)

history: $(B)/depthbench ## from commit to commit: OF=rdp/serial,height=1024
	$(Q)$(B)/depthbench history --of '$(OF)' $(RES) --csv $(B)/history.csv
	$(Q)B=$(B) scripts/plot fps-history

report: $(B)/depthbench ## results/MACHINE/report.html: all of it (MACHINE='A B')
	$(Q)B=$(B) scripts/report $(MACHINE)

reproduce: $(B)/depthbench ## everything, quick protocol (PROTOCOL=paper: the full one)
	$(Q)B=$(B) PROTOCOL=$(or $(PROTOCOL),quick) scripts/reproduce

# ---- checks ----------------------------------------------------------------------------------------

test: $(if $(NAMES),$(patsubst %,$(B)/tests/%,$(filter-out %.sh,$(NAMES))),$(EMULATED_TESTS) $(TESTS)) $(if $(filter-out $(LEFT_OUT),$(filter $(or $(NAMES),%),test_install.sh test_stereo.sh)),library) $(B)/depthbench ## all tests, or NAMES='test_rdp ...'; no CUDA: emulated
	$(Q)B=$(B) HAVE_CUDA=$(HAVE_CUDA) EMULATED='$(call RUN_EMULATED,$(EMULATED_TESTS))' NVTX=$(NVTX) LEFT_OUT='$(LEFT_OUT)' NO_CXX='$(NO_CXX)' FEW=yes scripts/run_tests $(NAMES)

emulate: $(EMULATED) $(if $(EMULATED),$(addprefix $(B)/emulated/,sm75/test_rdp sm90/test_rdp)) ## the GPU variants on the CPU in more tests than make test has
	$(Q)B=$(B) scripts/run_tests $(if $(EMULATED),$(call RUN_EMULATED,$(filter %/test_emulated %/test_som %/test_stixels,$(EMULATED))) $(addprefix emulated/,sm75/test_emulated:barriers sm75/test_rdp sm90/test_rdp))

.PHONY: mutants
MUTATED := $(sort $(shell sed -n 's/^test *= *\([^ ]*\) .*/\1/p' tests/mutants.ini))
MUTATED := $(addprefix $(B)/tests/,$(filter test_%,$(MUTATED))) $(addprefix $(B)/emulated/,$(filter-out test_%,$(MUTATED)))

ifeq ($(HAVE_CUDA),1)
mutants: # faults in GPU variants are met where these are emulated
	$(Q)$(MAKE) CUDA=no B=build/mutants-cpu mutants
else
mutants: $(OBJ) $(MUTATED) ## put faults in one by one: tests must see each (ONLY=name)
	$(Q)B=$(B) BUILD=$(BUILD) CC='$(CC)' CXX='$(CXX)' ARCH=$(ARCH) ONLY='$(ONLY)' FILES='$(FILES)' MOST='$(MOST)' scripts/mutants
endif

ci-full: ## what takes many minutes, or PART=NAME of it
	$(Q).ci/run full $(PART)

.PHONY: kill-ranks
kill-ranks: $(B)/depthbench # a hundred ranks are killed, each at another moment
	$(Q)B=$(B) KILLS=100 TEST_TIMEOUT=3600 scripts/run_tests test_ranks.sh

fuzz: ## each fuzz target for FUZZ_SECONDS (20), by clang's libFuzzer
	$(Q)FUZZ_SECONDS=$(or $(FUZZ_SECONDS),20) scripts/run_fuzz

fuzzers: $(FUZZERS)

symbols: $(OBJ) ## an implementation exports exactly one strong global symbol
	$(Q)scripts/check_symbols $(B) $(filter impl_%,$(CORE))

docs: $(B)/depthbench ## write what README and docs/ have of results and figures
	$(Q)B=$(B) scripts/docs

layering: ## each floor includes and calls only what it may
	$(Q)tests/layering.sh

format: ## format all C and CUDA files with clang-format
	$(Q)clang-format -i $(shell $(GIT) ls-files '*.c' '*.cc' '*.h' '*.cu' '*.cuh')

format-check: ## fail when clang-format would change a file
	$(Q)clang-format --dry-run -Werror $(shell $(GIT) ls-files '*.c' '*.cc' '*.h' '*.cu' '*.cuh')

# asserts stay in: they tell the analyser what it cannot see
# how far the analyzer follows a function; clang's own 225000 take it three times as long
TIDY_NODES ?= 75000

TIDIED ?= $(filter %.c,$(CORE)) harness/cli/main.c harness/library/absent.c
tidy: $(GENERATED) ## clang-tidy over the C files
	$(Q)printf '%s\n' $(TIDIED) | xargs -P $(shell nproc) -I{} clang-tidy --quiet {} -- \
	  $(filter-out -march=% -DNDEBUG -ffile-prefix-map=%,$(ALL_C)) -Wno-unknown-warning-option -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES)

shell-check: ## shellcheck over the scripts
	$(Q)shellcheck -S warning .ci/run tests/roots $(shell $(GIT) ls-files 'tests/*.sh') scripts/start \
	  $(shell $(GIT) ls-files scripts | xargs grep -lE '^#!/bin/(ba)?sh')

profile-ncu: $(B)/depthbench ## Nsight Compute's counters of EXP on a GPU
	$(Q)DEPTHBENCH=$(B)/depthbench scripts/profile_ncu $(EXP)

profile-nsys: $(B)/depthbench ## Nsight Systems' timelines of EXP on a GPU
	$(Q)DEPTHBENCH=$(B)/depthbench scripts/profile_nsys $(EXP)

regress-selftest: $(B)/depthbench ## a variant slowed on purpose must be found
	$(Q)B=$(B) scripts/regress_selftest

pipelines-selftest: $(B)/depthbench ## the jobs of docs/pipelines and bisect must find it, too
	$(Q)B=$(B) scripts/pipelines_selftest

jetson-compile: ## compile for TX2, Xavier, Orin, Thor; CUDA 11.8: build/jetson
	$(Q)scripts/jetson_compile build/jetson
	$(Q)scripts/jetson_compile build/jetson newer || [ $$? = 77 ]

aarch64-test: ## cross-build for aarch64, test under qemu (ALL=yes: all of it)
	$(Q)scripts/aarch64_test build/aarch64

gpu-check: $(B)/depthbench $(TESTS) ## compute-sanitizer over the tests, on a machine with a GPU
	$(Q)B=$(B) scripts/gpu_check

gpu-pack: ## build/pack: all that another machine with a GPU needs to run
	$(Q)scripts/gpu_pack

clean: ## remove build/
	rm -rf build
