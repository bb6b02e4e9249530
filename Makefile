# SPDX-License-Identifier: Apache-2.0
#
#   make bench   install what is missing, build, run the main job
#   make check   install what is missing, build, run the tests
#
# Also: make, make check-full, make lint, make format, make install, make clean; SAN=1 for a sanitizer build.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share/crypto-bench
MANDIR ?= $(PREFIX)/share/man
COMPDIR ?= $(PREFIX)/share/bash-completion/completions

VERSION := 0.1.0
B := build$(if $(SAN),-san)

CC ?= cc
ifeq ($(origin CC),default)
CC := cc
endif
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wconversion $(if $(WERROR),-Werror)
PKGS := libcjson libelf smartcols libcrypto
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS = $(shell pkg-config --libs $(PKGS))
, := ,
SAN_FLAGS := $(if $(SAN),-fsanitize=address$(,)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DCB_VERSION='"$(VERSION)"' $(WARN) $(SAN_FLAGS) $(CFLAGS) $(PKG_CFLAGS)

SRC := $(wildcard src/*.c)
LIB_OBJ := $(patsubst src/%.c,$(B)/src/%.o,$(filter-out src/main.c,$(SRC)))
UNIT := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))

all: $(B)/crypto-bench

$(B)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/libcb.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^

$(B)/crypto-bench: $(B)/src/main.o $(B)/libcb.a
	$(CC) $(SAN_FLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/unit/%: tests/unit/%.c $(B)/libcb.a Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Isrc -MMD -MP -o $@ $< $(B)/libcb.a $(PKG_LIBS) -lcmocka

unit: $(UNIT)

clean:
	rm -rf build build-san

-include $(wildcard $(B)/src/*.d $(B)/unit/*.d)

.PHONY: all unit clean
