/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "mem.h"
#include "spawn.h"

enum {
    FILE_CHUNK = 64 * 1024,  /* bytes per read(); larger gains nothing measurable */
    INTERRUPT_CHECK_MS = 200 /* while a pipe has nothing to read */
};

static int err_file(struct err *e, const char *verb, const char *path)
{
    return err_set(e, "cannot %s '%s': %s", verb, path, strerror(errno));
}

static int file_open_read(const char *path, struct err *e)
{
    /* a pipe that nobody writes to yet is waited for below, where an interrupt ends it */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        err_file(e, "read", path);
    return fd;
}

/* read() that waits for a pipe's writer and goes on after signals, but not after an interrupt. */
static ssize_t read_some(int fd, void *buf, size_t n)
{
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, 1, INTERRUPT_CHECK_MS);
        if (!ready && interrupt_pending()) {
            errno = EINTR;
            return -1;
        }
        if (!ready || (ready < 0 && errno == EINTR))
            continue;
        ssize_t got = ready < 0 ? -1 : read(fd, buf, n);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
    }
}

static int write_all(int fd, const void *data, size_t n)
{
    const char *p = data;
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

int file_read(const char *path, size_t max, struct str *out, struct err *e)
{
    int fd = file_open_read(path, e);
    if (fd < 0)
        return -1;
    int r = -1;
    char *buf = xmalloc(FILE_CHUNK);
    size_t before = out->n, total = 0;
    struct stat st;
    /* Known to be too large before a gigabyte of it was read. */
    int regular = !fstat(fd, &st) && S_ISREG(st.st_mode);
    int large = regular && (uint64_t)st.st_size > max;
    if (large)
        err_set(e, "cannot read '%s': it has more than %zu bytes", path, max);
    else if (regular)
        str_reserve(out, (size_t)st.st_size);
    while (!large) {
        ssize_t got = read_some(fd, buf, FILE_CHUNK);
        if (got < 0) {
            err_file(e, "read", path);
            break;
        }
        if (got == 0) {
            str_addn(out, "", 0); /* an empty file still gives a terminated string */
            r = 0;
            break;
        }
        total += (size_t)got;
        if (total > max) {
            err_set(e, "cannot read '%s': it has more than %zu bytes", path, max);
            break;
        }
        str_addn(out, buf, (size_t)got);
    }
    if (r && out->p) {
        out->n = before;
        out->p[before] = '\0';
    }
    free(buf);
    close(fd);
    return r;
}

/* A new file that takes the place of `path` only when it is complete. */
struct new_file {
    char *path; /* with links resolved, so that a link keeps pointing to the new file */
    char *temp; /* NULL: path is a device or pipe, written to directly */
    int fd;
};

static int new_file_open(struct new_file *f, const char *path, mode_t mode, struct err *e)
{
    struct stat st;
    int there = stat(path, &st) == 0;
    *f = (struct new_file){.fd = -1};
    if (there && S_ISDIR(st.st_mode))
        return err_set(e, "cannot write '%s': it is a directory", path);
    if (there && !S_ISREG(st.st_mode)) {
        f->path = xstrdup(path);
        f->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (f->fd < 0)
            goto fail;
        return 0;
    }
    f->path = there ? realpath(path, NULL) : NULL;
    if (!f->path)
        f->path = xstrdup(path);
    int dir_length = (int)(path_base(f->path) - f->path);
    for (int attempt = 0; attempt < 100; attempt++) {
        uint64_t token = 0;
        if (getrandom(&token, sizeof token, 0) < 0)
            token = (uint64_t)getpid() * 100 + (uint64_t)attempt;
        /* The name is short whatever the length of the final one. open() rather than mkstemp():
         * the permissions are to be those of an ordinary file under the user's umask. */
        free(f->temp);
        f->temp = xasprintf("%.*s.cb-%016" PRIx64 ".tmp", dir_length, f->path, token);
        f->fd = open(f->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (f->fd >= 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
fail:
    err_file(e, "write", path);
    free(f->temp);
    free(f->path);
    return -1;
}

/* keep: 1 puts the file into place, 0 drops it (e is set already). Frees f. */
static int new_file_close(struct new_file *f, int keep, const char *path, struct err *e)
{
    int r = keep ? 0 : -1;
    if (keep && f->temp && fsync(f->fd) != 0)
        r = err_file(e, "write", path);
    if (close(f->fd) != 0 && r == 0)
        r = err_file(e, "write", path);
    if (f->temp) {
        if (r == 0 && rename(f->temp, f->path) != 0)
            r = err_file(e, "write", path);
        if (r)
            unlink(f->temp);
    }
    free(f->temp);
    free(f->path);
    return r;
}

int file_write_atomic(const char *path, const void *data, size_t n, struct err *e)
{
    struct new_file f;
    if (new_file_open(&f, path, 0666, e))
        return -1;
    int keep = 1;
    if (write_all(f.fd, data, n)) {
        err_file(e, "write", path);
        keep = 0;
    }
    return new_file_close(&f, keep, path, e);
}

int file_copy(const char *from, const char *to, struct err *e)
{
    int in = file_open_read(from, e);
    if (in < 0)
        return -1;
    int r = -1;
    char *buf = xmalloc(FILE_CHUNK);
    struct stat st;
    struct new_file f;
    if (fstat(in, &st) != 0) {
        err_file(e, "read", from);
        goto out;
    }
    if (new_file_open(&f, to, st.st_mode & 0777, e))
        goto out;
    int keep = 0;
    for (;;) {
        ssize_t got = read_some(in, buf, FILE_CHUNK);
        if (got < 0) {
            err_file(e, "read", from);
            break;
        }
        if (got == 0) {
            keep = 1;
            break;
        }
        if (write_all(f.fd, buf, (size_t)got)) {
            err_file(e, "write", to);
            break;
        }
    }
    r = new_file_close(&f, keep, to, e);
out:
    free(buf);
    close(in);
    return r;
}

int dir_make(const char *path, struct err *e)
{
    char *part = xstrdup(path);
    int r = 0;
    for (char *p = part; *p && r == 0;) {
        p += strspn(p, "/");
        p += strcspn(p, "/");
        char c = *p;
        *p = '\0';
        /* Another process may make it between a look and mkdir(): only try. */
        if (*part && mkdir(part, 0777) != 0 && !path_is_dir(part)) {
            if (errno == EEXIST || errno == ENOENT)
                errno = ENOTDIR;
            r = err_file(e, "make directory", part);
        }
        *p = c;
    }
    free(part);
    return r;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in an open directory, in no order. Takes fd over. -1 with errno. */
static int dir_names(int fd, const char *suffix, struct list *out)
{
    DIR *d = fdopendir(fd);
    if (!d) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    size_t want = strlen(suffix);
    struct dirent *entry;
    while (errno = 0, (entry = readdir(d)) != NULL) {
        const char *name = entry->d_name;
        size_t n = strlen(name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (n >= want && strcmp(name + n - want, suffix) == 0)
            list_add(out, name);
    }
    int saved = errno;
    closedir(d);
    errno = saved;
    return saved ? -1 : 0;
}

int dir_list(const char *path, const char *suffix, struct list *out, struct err *e)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_file(e, "list directory", path);
    struct list names = LIST_INIT;
    int r = dir_names(fd, suffix, &names);
    if (r)
        err_file(e, "list directory", path);
    else if (names.n)
        qsort(names.v, names.n, sizeof *names.v, compare_names);
    if (r == 0)
        list_add_all(out, &names);
    list_free(&names);
    return r;
}

static int tree_remove_at(int parent, const char *name, const char *shown, struct err *e);

/* Empties the directory `name` of `parent`. */
static int tree_empty_at(int parent, const char *name, const char *shown, struct err *e)
{
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    int r = -1;
    struct list names = LIST_INIT;
    int fd = openat(parent, name, FLAGS);
    if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0)
        fd = openat(parent, name, FLAGS);
    if (fd < 0)
        return err_file(e, "remove", shown);
    /* Nothing can be unlinked in a directory without write permission. */
    if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
        fchmod(fd, 0700);
    /* All names first: removing while reading may make readdir() skip some. */
    int again = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (again < 0 || dir_names(again, "", &names)) {
        err_file(e, "remove", shown);
        goto out;
    }
    r = 0;
    for (size_t i = 0; i < names.n && r == 0; i++) {
        char *below = path_join(shown, names.v[i]);
        r = tree_remove_at(fd, names.v[i], below, e);
        free(below);
    }
out:
    list_free(&names);
    close(fd);
    return r;
}

static int tree_remove_at(int parent, const char *name, const char *shown, struct err *e)
{
    struct stat st;
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : err_file(e, "remove", shown);
    int is_dir = S_ISDIR(st.st_mode);
    if (is_dir && tree_empty_at(parent, name, shown, e))
        return -1;
    if (unlinkat(parent, name, is_dir ? AT_REMOVEDIR : 0) != 0 && errno != ENOENT)
        return err_file(e, "remove", shown);
    return 0;
}

int tree_remove(const char *path, struct err *e)
{
    /* "link/" would mean what the link points to. */
    size_t n = strlen(path);
    while (n && path[n - 1] == '/')
        n--;
    if (n == 0)
        return err_set(e, "will not remove '%s': it names no directory below the root", path);
    char *bare = xstrndup(path, n);
    int r = tree_remove_at(AT_FDCWD, bare, bare, e);
    free(bare);
    return r;
}

int path_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int path_is_dir(const char *path)
{
    int saved = errno;
    struct stat st;
    int yes = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    errno = saved;
    return yes;
}

char *path_join(const char *dir, const char *name)
{
    size_t n = strlen(dir);
    const char *slash = n == 0 || dir[n - 1] == '/' ? "" : "/";
    return xasprintf("%s%s%s", dir, slash, name);
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* path made absolute without resolving links (a compiler's name can decide what it does), if
 * it can be executed. */
static char *program_at(const char *path)
{
    if (!path_is_file(path) || access(path, X_OK) != 0)
        return NULL;
    if (path[0] == '/')
        return xstrdup(path);
    char *cwd = getcwd(NULL, 0);
    char *full = cwd ? path_join(cwd, path) : xstrdup(path);
    free(cwd);
    return full;
}

char *path_program(const char *name)
{
    if (!*name)
        return NULL;
    if (strchr(name, '/'))
        return program_at(name);
    const char *path = getenv("PATH");
    struct list dirs = LIST_INIT;
    char *found = NULL;
    list_split(&dirs, path ? path : "/usr/local/bin:/usr/bin:/bin", ':');
    for (size_t i = 0; i < dirs.n && !found; i++) {
        /* An empty part means the working directory (POSIX). */
        char *candidate = path_join(*dirs.v[i] ? dirs.v[i] : ".", name);
        found = program_at(candidate);
        free(candidate);
    }
    list_free(&dirs);
    return found;
}

struct hash {
    EVP_MD_CTX *ctx;
};

/* SHA-256 in memory fails only when libcrypto is unusable (memory, a broken provider
 * configuration): no caller could go on. */
static void hash_check(int ok)
{
    if (ok == 1)
        return;
    fputs("crypto-bench: libcrypto cannot compute SHA-256\n", stderr);
    exit(EXIT_FAILED);
}

struct hash *hash_new(void)
{
    struct hash *h = xmalloc(sizeof *h);
    h->ctx = EVP_MD_CTX_new();
    hash_check(h->ctx != NULL);
    hash_check(EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL));
    return h;
}

void hash_add(struct hash *h, const void *p, size_t n)
{
    hash_check(EVP_DigestUpdate(h->ctx, p, n));
}

/* A kind and a number of what follows, the same bytes on every machine. */
static void hash_add_head(struct hash *h, char kind, size_t n)
{
    unsigned char head[9] = {(unsigned char)kind};
    uint64_t value = n;
    for (int i = 1; i < 9; i++, value >>= 8)
        head[i] = (unsigned char)(value & 0xff);
    hash_add(h, head, sizeof head);
}

void hash_add_str(struct hash *h, const char *s)
{
    hash_add_head(h, s ? 's' : 'n', s ? strlen(s) : 0);
    if (s)
        hash_add(h, s, strlen(s));
}

void hash_add_list(struct hash *h, const struct list *l)
{
    hash_add_head(h, 'l', l->n);
    for (size_t i = 0; i < l->n; i++)
        hash_add_str(h, l->v[i]);
}

int hash_add_file(struct hash *h, const char *path, struct err *e)
{
    int fd = file_open_read(path, e);
    if (fd < 0)
        return -1;
    char *buf = xmalloc(FILE_CHUNK);
    ssize_t got;
    while ((got = read_some(fd, buf, FILE_CHUNK)) > 0)
        hash_add(h, buf, (size_t)got);
    int r = got < 0 ? err_file(e, "read", path) : 0;
    free(buf);
    close(fd);
    return r;
}

void hash_end(struct hash *h, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char md[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    hash_check(EVP_DigestFinal_ex(h->ctx, md, &n));
    for (size_t i = 0; i < 32; i++) {
        hex[2 * i] = digits[md[i] >> 4];
        hex[2 * i + 1] = digits[md[i] & 15];
    }
    hex[64] = '\0';
    EVP_MD_CTX_free(h->ctx);
    free(h);
}

int file_sha256(const char *path, char hex[65], struct err *e)
{
    struct hash *h = hash_new();
    int r = hash_add_file(h, path, e);
    hash_end(h, hex);
    if (r)
        hex[0] = '\0';
    return r;
}

int file_write_probe(const char *dir, struct err *e)
{
    char *path = xasprintf("%s/.crypto-bench-XXXXXX", dir);
    int fd = mkstemp(path);
    int rc = fd < 0 ? err_set(e, "%s: no file can be made there: %s", dir, strerror(errno)) : 0;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    free(path);
    return rc;
}
