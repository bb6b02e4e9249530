/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "defect.h"

#include <limits.h>

#include "driver.h"
#include "spawn.h"

static enum status long_check(const struct lane *l, const struct build *b, const char *alg,
                              int timeout_ms, struct err *e)
{
    struct list argv = LIST_INIT;
    struct driver *d = NULL;
    enum status status = STATUS_RUNNER_MISSING;

    if (!runner_argv(&l->runner, b, &argv, e))
        status = driver_start(&argv, &l->runner.env, timeout_ms, &d, e);
    if (status == STATUS_OK)
        status = driver_check_long(d, alg, e);
    driver_close(d);
    list_free(&argv);
    return status;
}

/* The algorithms of the lane that have numbers for build number b, each once. */
static int has_number(const struct lane *l, size_t b, const struct algorithm *alg)
{
    for (size_t i = b; i < l->ncells; i += l->nbuilds)
        if (l->cells[i].alg == alg && l->cells[i].status == STATUS_OK)
            return 1;
    return 0;
}

void lane_defects(const struct lane *l, const struct measure_settings *s, struct list *warnings)
{
    double ms = s->timeout * 1e3;
    int timeout_ms = ms < INT_MAX ? (int)ms : INT_MAX;

    for (size_t b = 0; b < l->nbuilds; b++) {
        for (size_t a = 0; a < algorithm_count() && !interrupt_pending(); a++) {
            const struct algorithm *alg = algorithm_at(a);
            struct err e = ERR_INIT;
            if (!alg->aead || !has_number(l, b, alg))
                continue;
            enum status status = long_check(l, l->builds[b], alg->name, timeout_ms, &e);
            /* other ends say something of the runner or of an odd driver, not of the library */
            if (status == STATUS_WRONG_ANSWER || status == STATUS_DRIVER_DIED ||
                status == STATUS_ILLEGAL_INSTRUCTION)
                list_addf(
                    warnings,
                    "library-defect: %s fails known answers of %s with 16 bytes of additional "
                    "data or more (%s: %s); what is measured here has less and is right, but "
                    "do not ship this build",
                    l->builds[b]->id, alg->name, status_name(status), e.text);
            err_clear(&e);
        }
    }
}
