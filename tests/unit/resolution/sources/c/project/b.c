static int size(void) { return 2; }
int other(void) { return size(); }
// ^ calls: b.c.size
