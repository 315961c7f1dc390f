# compile.mk - what becomes of each source file

# A file is made beside its place, under a name of this make's own, and put there whole, when it differs.
NEW = $@.$$PPID.new
PUT = @cmp -s $(NEW) $@ && rm $(NEW) || mv $(NEW) $@

BUILT_FOR = $(if $(filter 1,$(HAVE_CUDA)),CPU and GPU (sm $(SM)),the CPU only ($(if $(filter no,$(CUDA)),CUDA=no,$(if $(NVCC),as before; CUDA=yes B=build/cuda builds for GPUs,no nvcc found))))
BUILT_NOTE = $(if $(filter 1,$(HAVE_CUDA)),: minutes$(comma) CUDA=no does without,$(if $(filter 1,$(BUILT)),; it had CUDA$(comma) B=build/cpu keeps both))

# Changes only when the command line does, so that new flags rebuild everything; says what for.
ALL_FLAGS = $(ALL_C) | $(ALL_CC) $(LIBS) | $(ALL_CU) $(NVFPFLAGS) $(FAST_CU) $(NVFASTFLAGS) $(NVTEXTFLAGS) | $(NVCC) $(NVCC_OWN) | $(CXX) $(ALL_CXX)
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
	  '$(MODE_$(BUILD)) $(FPFLAGS)$(if $(RECORDED), $(RECORDED))$(if $(filter 1,$(HAVE_CUDA)), | nvcc $(if $(NVCC_OWN),$(NVCC_OWN) )$(NVFPFLAGS) ($(FAST_CU): $(NVFASTFLAGS); $(TEXT_CU): $(NVTEXTFLAGS)) sm $(SM)$(FALLBACK:%= by instructions of %))' '$(BUILD)' >$(NEW)
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

# The tables of stixels/model.h.
TABLES := $(B)/harness/problems/stixels/tables.h
$(TABLES): harness/problems/stixels/tables.awk
	@mkdir -p $(@D)
	@LC_ALL=C awk -f $< >$(NEW) && mv $(NEW) $@

# A file as an array of bytes that is called as the file, report.css: report_css
BYTES = @mkdir -p $(@D); { echo 'static const unsigned char $(subst .,_,$(<F))[] = {'; od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g'; \
        echo '};'; } >$(NEW) && mv $(NEW) $@
AS_BYTES := $(addprefix harness/analysis/,report.css report.html slower.html) $(wildcard harness/analysis/*.sql harness/analysis/*.txt)
header = $(B)/$(subst .,_,$(notdir $(1))).h
$(foreach file,$(AS_BYTES),$(eval $(call header,$(file)): $(file); $$(BYTES)))
# all that a file may include is there before it is compiled; what it includes, its .d says from then on
GENERATED := $(B)/buildinfo.h $(B)/presets.h $(TABLES) $(foreach file,$(AS_BYTES),$(call header,$(file)))

$(B)/%.c.o: %.c $(B)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(call say,CC    $<)
	$(Q)$(CCACHE) $(CC) $(ALL_C) $(if $(filter tests/%,$<),-Wno-unused-parameter) -MMD -MP -c $< -o $@

$(B)/%.cc.o: %.cc $(B)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(call say,$(if $(filter 1,$(HAVE_CXX)),CXX   $<,CC    $<))
	$(Q)$(CCACHE) $(if $(filter 1,$(HAVE_CXX)),$(CXX) $(ALL_CC),$(CC) $(ALL_C) -x c) -MMD -MP -c $< -o $@

COMPILE_CU = $(if $(filter 1,$(HAVE_CUDA)),$(NVCC) $(ALL_CU) $(if $(filter $<,$(FAST_CU)),$(NVFASTFLAGS),$(if $(filter $<,$(TEXT_CU)),$(NVTEXTFLAGS),$(NVFPFLAGS))),$(CCACHE) $(CC) $(ALL_C) -x c)
$(B)/%.cu.o: %.cu $(B)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(if $(filter 1,$(HAVE_CUDA)),$(call say,NVCC  $< (sm $(SM))))
	$(Q)$(COMPILE_CU) -MMD -MP -c $< -o $@
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
CARD_CALLS := flush block_stream mark marked_ms clock_mhz sync stream take_sms n_sms pin unpin take_slots slot_stream slot_mark slot_done take_graphs graph_begin graph_end graph_launch touch_make touch touch_free
$(B)/tests/test_suite: WRAP := -Wl,--wrap=bench_once
$(B)/tests/test_library: WRAP := $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc)
$(B)/tests/test_measure_card: WRAP := $(CARD_CALLS:%=-Wl,--wrap=bench_device_%)
$(B)/tests/test_watch $(B)/emulated/sm90/test_watch: WRAP := $(patsubst %,-Wl$(comma)--wrap=%,$(addprefix bench_device_,take_slots slot_stream slot_mark slot_done) \
        depthbench_run depthbench_wake pthread_mutex_lock pthread_cond_wait sysconf fsync fclose access)
