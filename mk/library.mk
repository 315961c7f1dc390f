# library.mk - libdepthbench (docs/LIBRARY.md), and the program, installed (docs/INSTALL.md)

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
VERSION := $(shell sed -n 's/^\#define DEPTHBENCH_VERSION "\(.*\)"/\1/p' harness/library/depthbench.h)
SONAME  := libdepthbench.so.0
# What a static library needs besides; the compiler's OpenMP by its name, for those who link with another (nvcc).
PRIVATE = $(strip $(if $(filter 1,$(HAVE_CUDA)),$(CUDA_LIBS) -ldl) $(or $(shell $(CC) -fopenmp -\#\#\# -x c /dev/null 2>&1 | grep -oE -m 1 -e '-l(gomp|omp)'),-fopenmp) -lpthread -lm)
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

DATADIR := $(DESTDIR)$(PREFIX)/share
# what it reads, and scripts that need no checkout
SHARED := $(filter-out experiments/peers/%,$(wildcard experiments/*/*.ini experiments/*/*.sql plots/*.awk plots/*.gp plots/*.sql results/paper/*.csv)) \
          scripts/places scripts/start
SHARED_SCRIPTS := $(addprefix scripts/,fetch_data plot report)
PAGES := man/man1/depthbench.1 bash-completion/completions/depthbench
install-program: $(B)/depthbench ## program, experiments and man page: PREFIX=, DESTDIR=
	$(Q)install -D $(B)/depthbench $(DESTDIR)$(PREFIX)/bin/depthbench
	$(Q)for file in $(SHARED); do install -D -m 644 $$file $(DATADIR)/depthbench/$$file || exit; done
	$(Q)for file in $(SHARED_SCRIPTS); do install -D $$file $(DATADIR)/depthbench/$$file || exit; done
	$(Q)install -d $(dir $(PAGES:%=$(DATADIR)/%))
	$(Q)$(B)/depthbench help man >$(DATADIR)/$(word 1,$(PAGES))
	$(Q)DEPTHBENCH_HOME=$(PREFIX)/share/depthbench $(B)/depthbench help bash >$(DATADIR)/$(word 2,$(PAGES))
uninstall-program: ## remove what install-program has put there
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/bin/depthbench $(DATADIR)/depthbench $(PAGES:%=$(DATADIR)/%)
package: ## Debian package of this commit in build/package (PACKAGE=cuda)
	$(Q)scripts/package build/package $(PACKAGE)
