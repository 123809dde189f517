#include "list.h"
static int size(void) { return 1; }
int run(struct list *all)
{
    list_push(all, size());
    // ^ calls: list.c.list_push, a.c.size
    return list_inline(all) + hidden();
    // ^ calls: list.h.list_inline, hidden
}
