# emulated.mk - the GPU variants, compiled for the CPU; tests/emulation has the emulator

E := $(B)/emulated
EMULATED_SOURCE := $(addprefix $(E)/source/,$(wildcard impl_gpu/*.cuh impl_gpu/*/*.cu impl_gpu/*/*.cuh))
EMULATOR := $(addprefix $(B)/tests/emulation/,emulator.c.o launch.c.o memory.c.o fibre.c.o device_emulated.c.o)
EMULATED_C := $(filter-out $(B)/harness/measure/device_none.c.o,$(filter %.c.o %.cc.o,$(OBJ))) $(EMULATOR)

$(E)/all.a: $(EMULATED_C)
	$(Q)rm -f $@ && ar rcsT $@ $^

$(B)/tests/emulation/device_emulated.c.o: tests/emulation/device_emulated.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) -Itests/emulation $(ALL_C) -MMD -MP -c $< -o $@

$(E)/source/%: % tests/emulation/source.sed
	@mkdir -p $(@D)
	$(Q){ echo '#line 1 "$<"'; sed -f tests/emulation/source.sed $<; } >$@
# static shared memory has a section of its own: memory.c has one for each block
OBJCOPY = $(if $(NO_CXX),,$(shell $(CXX) -print-prog-name=objcopy))

# $(1): for which architecture the sources are told that they are compiled
define EMULATE
$(E)/sm$(1)/%.cu.o: $(E)/source/%.cu $(B)/flags | $(EMULATED_SOURCE) $(GENERATED)
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

.SECONDARY: $(EMULATED_SOURCE) $(E)/source/tests/emulation/kernels.cu $(addsuffix .c.o,$(TESTS) $(FUZZERS:$(B)/fuzz/%=$(B)/tests/fuzz/%))

-include $(OBJ:.o=.d) $(B)/harness/cli/main.c.d $(wildcard $(B)/tests/*.d $(B)/tests/fuzz/*.d $(B)/tests/emulation/*.d \
  $(E)/sm*/impl_gpu/*/*.d $(E)/sm*/tests/emulation/*.d $(B)/library/*/*/*.d)
