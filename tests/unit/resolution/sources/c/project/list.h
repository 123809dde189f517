struct list { int count; };
void list_push(struct list *all, int value);
static inline int list_inline(struct list *all) { return all->count; }
