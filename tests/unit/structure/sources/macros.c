#define FN(x) pre_##x //= function/macro FN
#define QUIET __attribute__((unused))
static void sink(void) { } //= function sink
static void FN(first)(void) { sink(); } //= function first
static int FN(second)(int a) { return a; } //= function second
static const char *name(int a) NOEXCEPT { return ""; } //= function name
SYSCALL_DEFINE2(third, int, a, int, b) { return a; } //= function third
LIB_INLINE int LIB_CALL fourth(int a) { return a; } //= function fourth
QUIET static int fifth(QUIET int a) { //= function fifth
#ifdef ONE
    if (a) {
#else
    if (!a) {
#endif
        return 1;
    }
    return 0;
}
int last(void) { return 0; } //= function last
