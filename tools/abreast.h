/* abreast - the same work on many things, several at a time: for requests that somebody elsewhere answers */
#ifndef TOOLS_ABREAST_H
#define TOOLS_ABREAST_H

#include <stdbool.h>
#include <stddef.h>

/** abreast_fn - work on the @i-th, in any thread; false: nothing more is begun */
typedef bool abreast_fn(void *arg, size_t i);

/**
 * abreast - all from 0 to @n - 1, begun in this order, @jobs of them at a time; back when what was begun has ended
 *
 * With one job, or where no thread can be had, one after the other and in the caller's thread.
 *
 * Return: how many were begun: those from 0 on.
 */
size_t abreast(size_t n, unsigned jobs, abreast_fn *fn, void *arg);

#endif
