/*
 * Copyright (c) somebody. Licensed under something.
 */
/* A queue of jobs. */
#include <stdio.h>
#include "util/list.h"

/* A job. */
struct job { //= class/struct job
    int id;
    struct { int x; } at;
};

typedef struct {
    struct job *head;
} queue_t; //= class/struct queue_t

typedef enum colour { RED, GREEN } colour_t; //= class/enum colour
union word { int i; float f; }; //= class/union word

#define MAX(a, b) ((a) > (b) ? (a) : (b)) //= function/macro MAX

struct job *find(queue_t *q, int id);
static int count;

/**
 * Finds a job.
 *
 * More of it.
 */
struct job *find(queue_t *q, int id) //= function find
{
    for (struct job *j = q->head; j; j = next(j))
        if (j->id == id) return j;
    return NULL;
}

static inline void (*handler(int signal))(int) { return 0; } //= function handler

int old_style(a, b) //= function old_style
    int a, b;
{
    return a ? b : a;
}

#ifdef WIN32
void only_here(void) {} //= function only_here
#else
void only_there(void) {} //= function only_there
#endif
