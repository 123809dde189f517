/* Preloaded library in which writes below one folder fail as on a full disk, from the n-th on.

   full_disk_arm(folder, n) arms it in the calling process: n writes succeed, and then every write, growth, new name and copy below the
   folder fails with ENOSPC. full_disk_count() returns the number of counted calls. Descriptors are known by /proc/self/fd. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long left = -1, calls;

void full_disk_arm(const char *path, long writes) {
  strncpy(folder, path, sizeof folder - 1);
  left = writes;
  calls = 0;
}
long full_disk_count(void) { return calls; }

static int is_below(const char *path) {
  size_t length = strlen(folder);
  return length && path && strncmp(path, folder, length) == 0;
}
static int is_full(const char *path) {
  if (left < 0 || !is_below(path)) return 0;
  calls++;
  if (left > 0) return left--, 0;
  errno = ENOSPC;
  return 1;
}
static int is_full_at(int descriptor) {
  char link[64], path[PATH_MAX];
  if (left < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_full(path);
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define GUARDED(type, name, parameters, arguments, condition) \
  type name parameters { return condition ? -1 : REAL(name) arguments; }

GUARDED(ssize_t, write, (int d, const void *b, size_t n), (d, b, n), is_full_at(d))
GUARDED(ssize_t, writev, (int d, const struct iovec *v, int n), (d, v, n), is_full_at(d))
GUARDED(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o), is_full_at(d))
GUARDED(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), (d, b, n, o), is_full_at(d))
GUARDED(int, link, (const char *a, const char *b), (a, b), is_full(b))
GUARDED(int, mkdir, (const char *p, mode_t m), (p, m), is_full(p))

int posix_fallocate(int d, off_t o, off_t n) {
  return is_full_at(d) ? ENOSPC : REAL(posix_fallocate)(d, o, n);
}
int posix_fallocate64(int d, off64_t o, off64_t n) {
  return is_full_at(d) ? ENOSPC : REAL(posix_fallocate64)(d, o, n);
}
static int creates(const char *path, int flags) {
  return (flags & O_CREAT) && access(path, F_OK) != 0 && is_full(path);
}
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    int mode = va_arg(rest, int); \
    va_end(rest); \
    return creates(path, flags) ? -1 : REAL(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define STATVFS(name, kind) \
  int name(const char *path, struct kind *found) { \
    int code = REAL(name)(path, found); \
    if (code == 0 && left == 0 && is_below(path)) found->f_bavail = found->f_bfree = 0; \
    return code; \
  }
STATVFS(statvfs, statvfs)
STATVFS(statvfs64, statvfs64)
