/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "screen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "number.h"

enum {
    USUAL_COLUMNS = 80,
    MOST_COLUMNS = 10000 /* more is a slip in the environment */
};

static size_t columns_of(int fd)
{
    const char *text = getenv("COLUMNS");
    struct winsize w;
    uint64_t v;
    if (text && !number_u64(text, &v) && v && v <= MOST_COLUMNS)
        return (size_t)v;
    return !ioctl(fd, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : USUAL_COLUMNS;
}

struct screen screen_of(FILE *f)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    int fd = fileno(f); /* -1: a stream in memory */
    if (fd < 0 || !isatty(fd))
        return (struct screen){0, 0};
    return (struct screen){columns_of(fd), !(none && *none) && term && strcmp(term, "dumb") != 0};
}

static const struct {
    const char *colour, *sequence; /* ECMA-48, select graphic rendition */
} tones[TONE_COUNT] = {
    [TONE_PLAIN] = {NULL, "\033[0m"},
    [TONE_GOOD] = {"green", "\033[32m"},
    [TONE_BAD] = {"red", "\033[31m"},
    [TONE_WARNING] = {"yellow", "\033[33m"},
};

const char *tone_colour(enum tone t)
{
    return tones[t].colour;
}

void tone_print(FILE *f, const struct screen *s, enum tone t)
{
    if (s->colour)
        fputs(tones[t].sequence, f);
}
