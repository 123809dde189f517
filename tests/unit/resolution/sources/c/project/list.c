#include "list.h"
static int hidden(void) { return 1; }
void list_push(struct list *all, int value) { all->count += value + hidden(); }
// ^ calls: list.c.hidden
