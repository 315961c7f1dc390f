# check.mk - what looks at the tree

MUTATED := $(sort $(shell sed -n 's/^[a-z0-9-]*: \([^ ]*\) .*/\1/p' tests/mutants.ini))
MUTATED := $(addprefix $(B)/tests/,$(filter test_%,$(MUTATED))) $(addprefix $(B)/emulated/,$(filter-out test_% cases,$(MUTATED))) $(B)/depthbench

ifeq ($(HAVE_CUDA),1)
mutants: # faults in GPU variants are met where these are emulated
	$(Q)$(MAKE) CUDA=no B=build/mutants-cpu mutants
else
mutants: $(OBJ) $(MUTATED) ## put faults in one by one: tests must see each (ONLY=name)
	$(Q)B=$(B) BUILD=$(BUILD) CC='$(CC)' CXX='$(CXX)' ARCH=$(ARCH) ONLY='$(ONLY)' FILES='$(FILES)' MOST='$(MOST)' scripts/mutants
endif
kill-ranks: $(B)/depthbench # a hundred ranks are killed, each at another moment
	$(Q)B=$(B) KILLS=100 TEST_TIMEOUT=3600 scripts/run_tests test_ranks.sh
fuzz: ## each fuzz target for FUZZ_SECONDS (20), by clang's libFuzzer
	$(Q)FUZZ_SECONDS=$(or $(FUZZ_SECONDS),20) scripts/run_fuzz
fuzzers: $(FUZZERS)
symbols: $(OBJ) ## an implementation exports exactly one strong global symbol
	$(Q)scripts/check_symbols $(B) $(filter impl_%,$(CORE))

# asserts stay in: they tell the analyser what it cannot see
# the analyzer follows a function over 75000 nodes; clang's own 225000 take it three times as long
OWN_C := $(filter %.c,$(CORE)) harness/cli/main.c harness/library/absent.c
TIDIED ?= $(OWN_C)
tidy: $(GENERATED) ## clang-tidy over the C files that this build compiles
	$(Q)printf '%s\n' $(filter $(OWN_C),$(TIDIED)) | xargs -P $(shell nproc) -I{} clang-tidy --quiet {} -- \
	  $(filter-out -march=% -DNDEBUG -ffile-prefix-map=%,$(ALL_C)) -Wno-unknown-warning-option -Xclang -analyzer-config -Xclang max-nodes=75000
shell-check: ## shellcheck over the scripts
	$(Q)shellcheck -S warning .ci/run tests/roots $(shell $(GIT) ls-files 'tests/*.sh') scripts/start scripts/from_debian \
	  $(shell $(GIT) ls-files scripts | xargs grep -lE '^#!/bin/(ba)?sh')

# A target that starts the script of its name.
STARTS := profile-ncu profile-nsys regress-selftest instructions aarch64-test gpu-check gpu-pack docs abi-check
STARTS_WITH = $(if $(filter abi-check,$@),check)$(if $(filter profile-%,$@),$(EXP))$(if $(filter aarch64-test,$@),build/aarch64)
$(STARTS):
	$(Q)B=$(B) DEPTHBENCH=$(B)/depthbench scripts/$(subst -,_,$@) $(STARTS_WITH)
docs: $(B)/depthbench ## write what README and docs/ have of results and figures
profile-ncu: $(B)/depthbench ## Nsight Compute's counters of EXP on a GPU
profile-nsys: $(B)/depthbench ## Nsight Systems' timelines of EXP on a GPU
regress-selftest: $(B)/depthbench ## a variant slowed on purpose must be found
instructions: ## do variants on a CPU take more of them than in the parent?
aarch64-test: ## cross-build for aarch64, test under qemu (ALL=yes: all of it)
gpu-check: $(B)/depthbench $(TESTS) ## compute-sanitizer over the tests, on a machine with a GPU
gpu-pack: ## build/pack: all that another machine with a GPU needs to run
# types and functions of the library that a program was built against: none may change (abi-write: they are to)
abi-check: ## is the library's interface as committed?
abi-write:
	$(Q)B=$(B) scripts/abi_check write
jetson-compile: ## compile for TX2, Xavier, Orin, Thor; CUDA 11.8: build/jetson
	$(Q)scripts/jetson_compile build/jetson
	$(Q)scripts/jetson_compile build/jetson newer || [ $$? = 77 ]
