#include <stdio.h>
#define UNUSED(x) (void)(x)
#define alloc grow
#define FN(x) pre_##x

typedef struct node node;
typedef int (*visit)(node *one);
struct node { node *next; visit run; struct { int depth; } at; };

static int ready(void) { return 1; }
int grow(int size) { return size; }
int shrink(int size);
static void FN(first)(void) { ready(); }
// ^ calls: functions.c.ready

int shrink(int size)
{
    UNUSED(size);
    // ^ calls: functions.c.UNUSED
    if (ready() && printf("x")) return alloc(size);
    // ^ calls: functions.c.ready, printf, functions.c.grow
    return shrink(size - 1);
    // ^ calls: functions.c.shrink
}

int walk(node *one, visit each)
{
    int (*other)(int) = grow;
    for (; one; one = one->next) {
        each(one);
        // ^ unresolved: unknown value
        one->run(one);
        // ^ unresolved: unknown value
        other(one->at.depth);
        // ^ unresolved: unknown value
    }
    return (grow)(2);
    // ^ calls: functions.c.grow
}

int old_style(a, b)
    int a, b;
{
    return grow(a) + grow(b);
    // ^ calls: functions.c.grow
}

static const struct { const char *name; visit run; } table[] = {{"walk", (visit)walk}};
