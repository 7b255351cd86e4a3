#include "store/base/mem.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
mem_out(void)
{
	(void)fputs("itemfs: out of memory\n", stderr);
	abort();
}

void *
mem_zeroed(size_t n, size_t bytes)
{
	void *at = calloc(n, bytes);

	if (at == NULL) {
		mem_out();
	}
	return at;
}

void *
mem_resized(void *at, size_t n, size_t bytes)
{
	at = reallocarray(at, n, bytes);
	if (at == NULL) {
		mem_out();
	}
	return at;
}

char *
mem_string(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL) {
		mem_out();
	}
	return copy;
}

void
mem_few_heaps(void)
{
#ifdef M_ARENA_MAX
	(void)mallopt(M_ARENA_MAX, 2); /* NOLINT(concurrency-mt-unsafe): before any thread */
#endif
}
