/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "rivals.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "judge.h"
#include "mem.h"
#include "prediction.h"

static const char chacha[] = "chacha20-poly1305";
/* The one of equal key length first. */
static const char *const aes[] = {"aes-256-gcm", "aes-128-gcm"};

enum { PAIRS = sizeof aes / sizeof *aes };

static double spread(const struct result_cell *c)
{
    return fmax(c->null.n ? noise_floor(&c->null) : 0, series_spread(&c->series));
}

/* Algorithms are not timed in turn with one another: as between two runs, differences between
 * processes count as noise. */
static enum verdict cell_judge(const struct result_cell *a, const struct result_cell *c,
                               enum metric m, double *ratio)
{
    struct estimate x;
    if (m == METRIC_JUDGED_INSNS) {
        *ratio = (double)c->insns.per_op / (double)a->insns.per_op;
        return judge(*ratio, *ratio, *ratio, 1, 0, 0);
    }
    if (m == METRIC_JUDGED_MODELLED) {
        *ratio = prediction_ratio(&a->modelled, &c->modelled);
        return judge(*ratio, *ratio, *ratio, 1, 0, PREDICTION_CLOSE);
    }
    int none = estimate_unpaired(&a->series, &c->series, &x);
    *ratio = none ? c->time.median / a->time.median : x.median;
    return judge(*ratio, x.low, x.high, !none && x.have_interval, 0, fmax(spread(a), spread(c)));
}

static void band_add(int range[2], int band, int first)
{
    range[0] = first || band < range[0] ? band : range[0];
    range[1] = first || band > range[1] ? band : range[1];
}

static void bands_add(struct rivals *r, const struct prediction *a, const struct prediction *c)
{
    double ratio = prediction_ratio(a, c), most = (1 + a->band / 100.0) * (1 + c->band / 100.0);
    band_add(r->aes_band, a->band, !r->sizes);
    band_add(r->chacha_band, c->band, !r->sizes);
    r->within += ratio <= most && ratio >= 1 / most;
}

static void size_add(struct rivals *r, const struct result_cell *a, const struct result_cell *c,
                     enum metric m)
{
    double ratio;
    if (m == METRIC_JUDGED_MODELLED) {
        if (a->modelled.band < 0 || c->modelled.band < 0) {
            r->bandless++;
            return;
        }
        bands_add(r, &a->modelled, &c->modelled);
    }
    enum verdict v = cell_judge(a, c, m, &ratio);
    if (!r->sizes || ratio < r->least) {
        r->least = ratio;
        r->least_bytes = a->bytes;
    }
    if (!r->sizes || ratio > r->most) {
        r->most = ratio;
        r->most_bytes = a->bytes;
    }
    r->sizes++;
    if (v == VERDICT_WORSE)
        list_addf(&r->aes_at, "%" PRIu64, a->bytes);
    if (v == VERDICT_BETTER)
        list_addf(&r->chacha_at, "%" PRIu64, a->bytes);
}

static struct rivals *rivals_at(struct rivals *v, size_t *n, const char *name, const char *op)
{
    for (size_t i = 0; i < *n; i++)
        if (v[i].aes == name && !strcmp(v[i].op, op))
            return &v[i];
    v[*n] = (struct rivals){.aes = name, .chacha = chacha, .op = op};
    return &v[(*n)++];
}

size_t rivals_find(const struct cell_group *g, const struct result_build *b, enum metric m,
                   struct rivals **out)
{
    const struct result_cell **own = xcalloc(g->n, sizeof(struct result_cell *));
    size_t nown = 0, n = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->v[i]->build == b && advise_usable(g->v[i], m))
            own[nown++] = g->v[i];
    *out = xcalloc(nown + 1, sizeof **out);
    for (size_t p = 0; p < PAIRS; p++)
        for (size_t i = 0; i < nown; i++)
            for (size_t k = 0; k < nown && !strcmp(own[i]->alg, aes[p]); k++)
                if (!strcmp(own[k]->alg, chacha) && !strcmp(own[k]->op, own[i]->op) &&
                    own[k]->bytes == own[i]->bytes)
                    size_add(rivals_at(*out, &n, aes[p], own[i]->op), own[i], own[k], m);
    free(own);
    return n;
}

void rivals_free(struct rivals *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        list_free(&r[i].aes_at);
        list_free(&r[i].chacha_at);
    }
    free(r);
}
