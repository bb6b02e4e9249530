/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * What tools/validate-model.py asks: model-measure DRIVER PLUGIN-DIR plugin|log|auto QEMU-WORD...
 * Reads lines "CORE ALG OP BYTES" and answers each with a line of JSON: modelled cycles and
 * instructions of one operation of stream/1, or the reason why not. The driver's environment is
 * this process's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "counter.h"
#include "json.h"
#include "model.h"
#include "number.h"

extern char **environ;

enum { TIMEOUT_MS = 120000, CORES = 8 };

struct session {
    struct counter_setup setup;
    struct counter_choice choice;
    struct counter *counter;
    /* a model is of a core and the running counter */
    struct {
        struct core core;
        struct model *model;
    } v[CORES];
    size_t n;
};

static void session_stop(struct session *s)
{
    for (size_t i = 0; i < s->n; i++) {
        model_close(s->v[i].model);
        core_free(&s->v[i].core);
    }
    s->n = 0;
    counter_close(s->counter);
    s->counter = NULL;
}

static struct model *session_model(struct session *s, const char *core, struct err *e)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->v[i].core.name, core))
            return s->v[i].model;
    if (s->n == CORES) {
        err_set(e, "more than %d cores", CORES);
        return NULL;
    }
    if (core_load(core, &s->v[s->n].core, e))
        return NULL;
    if (model_open(s->setup.driver, counter_symbols(s->counter), &s->v[s->n].core,
                   &s->v[s->n].model, e)) {
        core_free(&s->v[s->n].core);
        return NULL;
    }
    return s->v[s->n++].model;
}

static int work_model(struct session *s, const char *core, const struct count_request *r,
                      struct json *answer, struct err *e)
{
    struct count count = {0};
    struct modelled m = {0};
    int rc = -1;

    if (!s->counter && counter_start(&s->setup, &s->choice, &s->counter, e) != STATUS_OK)
        return -1;
    struct model *model = session_model(s, core, e);
    if (model && counter_check(s->counter, r->alg, e) == STATUS_OK &&
        counter_count(s->counter, r, 1, &count, e) == STATUS_OK &&
        !model_operation(model, &count, &m, e)) {
        json_add_u64(answer, "cycles", m.cycles);
        json_add_u64(answer, "insns", count.insns);
        json_add_u64(answer, "unknown", m.unknown);
        json_add_str(answer, "unknown_names", m.unknown_names);
        rc = 0;
    }
    modelled_free(&m);
    count_free(&count);
    return rc;
}

static void line_answer(struct session *s, char *line)
{
    struct list words = LIST_INIT;
    struct err e = ERR_INIT;
    struct json *answer = json_new_object();
    struct count_request r = {.workload = "stream/1"};

    line[strcspn(line, "\n")] = '\0';
    list_split(&words, line, ' ');
    if (words.n != 4 || number_u64(words.v[3], &r.bytes)) {
        err_set(&e, "expected CORE ALG OP BYTES");
    } else {
        r.alg = words.v[1];
        r.op = words.v[2];
        work_model(s, words.v[0], &r, answer, &e);
    }
    json_add_str(answer, "error", e.text);
    if (e.text)
        session_stop(s);
    char *text = json_line(answer);
    puts(text);
    fflush(stdout);
    free(text);
    list_free(&words);
    json_free(answer);
    err_clear(&e);
}

int main(int argc, char **argv)
{
    struct list prefix = LIST_INIT, env = LIST_INIT;
    struct session s = {.setup = {&prefix, &env, argc > 1 ? argv[1] : "", TIMEOUT_MS}};
    struct err e = ERR_INIT;
    char line[256];
    int kind = argc > 4 ? counter_kind_by_name(argv[3]) : -1, status = EXIT_FAILURE;

    if (kind < 0) {
        fputs("usage: model-measure DRIVER PLUGIN-DIR auto|plugin|log QEMU-WORD...\n", stderr);
        return 2;
    }
    for (int i = 4; i < argc; i++)
        list_add(&prefix, argv[i]);
    for (char **p = environ; *p; p++)
        list_add(&env, *p);
    if (counter_choose(&s.setup, argv[2], (enum counter_kind)kind, &s.choice, &e) == STATUS_OK) {
        while (fgets(line, sizeof line, stdin))
            line_answer(&s, line);
        status = EXIT_SUCCESS;
    } else {
        fprintf(stderr, "model-measure: %s\n", e.text ? e.text : "QEMU cannot be had");
    }
    session_stop(&s);
    counter_choice_free(&s.choice);
    list_free(&prefix);
    list_free(&env);
    err_clear(&e);
    return status;
}
