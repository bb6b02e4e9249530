/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "status.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    const char *summary;
} rows[STATUS_COUNT] = {
    [STATUS_OK] = {"ok", "built, checked and measured"},
    [STATUS_BUILD_FAILED] = {"build-failed",
                             "Configure, compiler, assembler or linker failed; see the build log"},
    [STATUS_SOURCE_MISSING] = {"source-missing",
                               "the library's sources could not be had; put the archive in place"},
    [STATUS_COMPILER_MISSING] =
        {"compiler-missing",
         "no compiler for the target: none of that name, or it makes code for another machine"},
    [STATUS_RUNNER_MISSING] = {"runner-missing",
                               "QEMU or ssh is absent, or QEMU lacks the CPU model"},
    [STATUS_WRONG_MACHINE] = {"wrong-machine",
                              "the driver was built for another machine than the target"},
    [STATUS_WRONG_LIBRARY] = {"wrong-library",
                              "the library at run time is not the one that was built"},
    [STATUS_ILLEGAL_INSTRUCTION] = {"illegal-instruction",
                                    "the CPU model lacks an instruction that the build uses"},
    [STATUS_DRIVER_DIED] = {"driver-died", "the driver ended by a signal or in the middle of work"},
    [STATUS_TIMEOUT] = {"timeout", "no answer in time; see --timeout"},
    [STATUS_BAD_ANSWER] = {"bad-answer", "the driver's answer was not the protocol"},
    [STATUS_BAD_CLOCK] = {"bad-clock",
                          "the clock stood still or gave durations that cannot be true"},
    [STATUS_WRONG_ANSWER] = {"wrong-answer",
                             "a known-answer test failed: the library computes wrong results"},
    [STATUS_UNSUPPORTED] =
        {"unsupported", "the library does not offer the algorithm, or the machine no such counter"},
    [STATUS_SKIPPED] = {"skipped", "not measured: the run was interrupted, or left this out"},
};

const char *status_name(enum status s)
{
    return rows[s].name;
}

const char *status_summary(enum status s)
{
    return rows[s].summary;
}

int status_by_name(const char *name)
{
    for (int i = 0; i < STATUS_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}
