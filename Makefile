# SPDX-License-Identifier: Apache-2.0
# Copyright the crypto-bench authors
#
#   make bench   install what is missing, build, run the main job
#   make check   install what is missing, build, run the tests
#
# `make help` lists the rest. Settings, on the command line: SAN=1 (address and undefined-behaviour
# sanitizers, in build-san/), WERROR=1, V=1 (show commands), CC, CFLAGS, LDFLAGS, PREFIX, DESTDIR.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
# The program looks for its data in ../share/crypto-bench, seen from where it is.
DATADIR ?= $(PREFIX)/share/crypto-bench
LIBDIR ?= $(PREFIX)/lib/crypto-bench
DOCDIR ?= $(PREFIX)/share/doc/crypto-bench
MANDIR ?= $(PREFIX)/share/man
COMPDIR ?= $(PREFIX)/share/bash-completion/completions
INSTALL ?= install

BENCH_TARGET ?= aarch64
BENCH_ALG ?= aes-256-gcm
BENCH_ARGS ?=
VALIDATE_ARGS ?=

VERSION := 0.1.0
B := build$(if $(SAN),-san)

ifeq ($(origin CC),default)
CC := cc
endif
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wconversion $(if $(WERROR),-Werror)
PKGS := libcjson libelf smartcols libcrypto capstone
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
, := ,
SAN_FLAGS := $(if $(SAN),-fsanitize=address$(,)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DCB_VERSION='"$(VERSION)"' $(WARN) $(SAN_FLAGS) $(CPPFLAGS) $(CFLAGS) $(PKG_CFLAGS)

# One short line per command; V=1 shows the command.
SAY = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)

SRC := $(wildcard src/*.c)
LIB_OBJ := $(patsubst src/%.c,$(B)/src/%.o,$(filter-out src/main.c,$(SRC)))
UNIT := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))
# One plugin for each API version in plugin_apis (src/counter.c).
PLUGINS := $(patsubst %,$(B)/qemu/count-%.so,1 2 7)
FAKE := $(patsubst tests/driver/%.c,$(B)/tests/%,$(wildcard tests/driver/fake.c))

DEPS := CC='$(CC)' CRYPTO_BENCH='$(B)/crypto-bench' tools/deps.sh
# Sub-makes use all processors unless -j says otherwise.
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))
# What the programs run here build is no part of this make: its settings must not reach OpenSSL's.
RUN := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u CC -u CFLAGS -u CPPFLAGS -u LDFLAGS -u SAN -u PREFIX -u DESTDIR
CHECK = $(RUN) SAN='$(SAN)' tests/run.sh $(B)

all: $(B)/crypto-bench $(PLUGINS)     ## build crypto-bench (the default)

bench:                                 ## install what is missing, build, run the main job (BENCH_TARGET, BENCH_ALG, BENCH_ARGS)
	@$(DEPS) tool library
	@$(SUBMAKE) all
	@$(DEPS) target:$(BENCH_TARGET)
	@echo '$(B)/crypto-bench --target $(BENCH_TARGET) --alg $(BENCH_ALG) $(BENCH_ARGS)' >&2
	@$(RUN) $(B)/crypto-bench --target $(BENCH_TARGET) --alg $(BENCH_ALG) $(BENCH_ARGS)

check: check-build                     ## install what is missing, build, run the tests
	@$(DEPS) target:x86_64,aarch64
	@$(CHECK) unit cli

check-full: check-build                ## make check, and the full default matrix
	@$(DEPS) full target:x86_64,aarch64,arm,mips
	@$(CHECK) unit cli full

check-build:
	@$(DEPS) tool library test
	@$(SUBMAKE) WERROR=$(if $(filter undefined,$(origin WERROR)),1,$(WERROR)) all unit fake

validate-model: check-build $(B)/model/model-measure ## model every published figure (builds much: hours with an empty cache), write docs/model.md
	@$(DEPS) validate target:aarch64,arm,mips
	@$(RUN) tools/validate-model.py --build $(B) --write $(VALIDATE_ARGS)

lint:                                  ## format, warnings of gcc and clang, clang-tidy, shellcheck, house rules
	@$(DEPS) tool test lint
	@tools/lint.sh

format:                                ## run clang-format over all C files
	clang-format -i $(wildcard libraries/*/*.c libraries/*/*/*/*.h src/*.[ch] bench/*.[ch] bench/*/*.[ch] tests/*/*.[ch] tools/*.[ch])

unit: $(UNIT)
fake: $(FAKE)

# Changes whenever a compile or link line would, so that everything is built again. -Werror alone
# changes no object.
$(B)/flags: export FLAGS = $(CC) $(filter-out -Werror,$(ALL_CFLAGS)) $(LDFLAGS) $(PKG_LIBS)
$(B)/flags: FORCE
	@$(DEPS) --check tool
	@mkdir -p $(@D)
	@printf '%s\n' "$$FLAGS" | cmp -s - $@ || printf '%s\n' "$$FLAGS" >$@

$(B)/src/%.o: src/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/libcb.a: $(LIB_OBJ)
	@rm -f $@
	$(call SAY,AR)ar rcs $@ $^

$(B)/crypto-bench: $(B)/src/main.o $(B)/libcb.a
	$(call SAY,LD)$(CC) $(SAN_FLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/unit/%: tests/unit/%.c $(B)/libcb.a $(B)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(ALL_CFLAGS) -iquote src -MMD -MP -o $@ $< $(B)/libcb.a $(LDFLAGS) $(PKG_LIBS) -lcmocka

# Loaded into QEMU, so never with sanitizers.
$(B)/qemu/count-%.so: bench/qemu/count.c bench/qemu/count.h $(B)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -fPIC -fvisibility=hidden -DCOUNT_API=$* -shared -o $@ $<

# A stand-in for the driver, so never with sanitizers.
$(B)/tests/fake: tests/driver/fake.c $(B)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) -std=c99 -D_POSIX_C_SOURCE=200809L $(WARN) $(CFLAGS) -MMD -MP -o $@ $<

$(B)/model/model-measure: tests/model/measure.c $(B)/libcb.a $(B)/flags
	@mkdir -p $(@D)
	$(call SAY,CC)$(CC) $(ALL_CFLAGS) -iquote src -MMD -MP -o $@ $< $(B)/libcb.a $(LDFLAGS) $(PKG_LIBS)

$(B)/crypto-bench.1: $(B)/crypto-bench
	$< docs man >$@

$(B)/crypto-bench.bash: $(B)/crypto-bench
	$< docs bash >$@

%.gz: %
	gzip -9nc $< >$@

docs: $(B)/crypto-bench.1.gz $(B)/crypto-bench.bash ## manual page and bash completion, in build/

DATA := report targets targets/cores configs suites $(shell find libraries -type d) $(wildcard bench bench/*/.)
install: all docs                      ## install below PREFIX (and DESTDIR)
	$(INSTALL) -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(COMPDIR) $(DESTDIR)$(DOCDIR)
	$(INSTALL) -m 755 $(B)/crypto-bench $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 644 $(B)/crypto-bench.1.gz $(DESTDIR)$(MANDIR)/man1
	$(INSTALL) -m 644 $(B)/crypto-bench.bash $(DESTDIR)$(COMPDIR)/crypto-bench
	for d in $(DATA); do \
	    $(INSTALL) -d $(DESTDIR)$(DATADIR)/$$d || exit 1; \
	    for f in $$d/*.json $$d/*.[chS] $$d/*.css $$d/*.js; do \
	        [ ! -f $$f ] || $(INSTALL) -m 644 $$f $(DESTDIR)$(DATADIR)/$$d || exit 1; \
	    done; \
	done
	$(INSTALL) -m 644 $(wildcard README.md docs/*.md docs/*.json docs/*.yaml docs/*.svg docs/*.tsv) $(DESTDIR)$(DOCDIR)

uninstall:                             ## remove what install put there
	rm -rf $(DESTDIR)$(DATADIR) $(DESTDIR)$(DOCDIR) $(DESTDIR)$(LIBDIR)
	rm -f $(DESTDIR)$(BINDIR)/crypto-bench $(DESTDIR)$(MANDIR)/man1/crypto-bench.1.gz $(DESTDIR)$(COMPDIR)/crypto-bench

clean:                                 ## remove what was built (not the cache)
	rm -rf build build-san

help:                                  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

# These run makes of their own that build the same files: one after the other. Those still use -j.
ifneq ($(filter bench check check-full check-build validate-model lint,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

-include $(wildcard $(B)/src/*.d $(B)/unit/*.d $(B)/tests/*.d $(B)/model/*.d)

FORCE:
.PHONY: all bench check check-full check-build validate-model lint format unit fake docs install uninstall clean help FORCE
