/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "sides.h"

#include "request.h"

int sides_open(const struct options *o, struct sides *s, struct err *e)
{
    if (o->args.n == 2 && !o->config.n) {
        if (result_file_read(o->args.v[0], &s->base_file, e) ||
            result_file_read(o->args.v[1], &s->new_file, e))
            return -1;
        s->base = &s->base_file;
        s->now = &s->new_file;
        return 0;
    }
    if (o->args.n != 1 || o->config.n != 2)
        return err_usage(e, "explain: give two result files, BASE NEW, or one file and --config "
                            "BASE,NEW");
    if (result_file_read(o->args.v[0], &s->base_file, e))
        return -1;
    s->base = s->now = &s->base_file;
    s->base_config = o->config.v[0];
    s->new_config = o->config.v[1];
    return request_configs_known(&s->base_file, &o->config, e);
}

void sides_free(struct sides *s)
{
    result_file_free(&s->base_file);
    result_file_free(&s->new_file);
}
