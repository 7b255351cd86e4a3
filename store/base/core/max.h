/* max - the larger of two sizes */
#ifndef STORE_BASE_CORE_MAX_H
#define STORE_BASE_CORE_MAX_H

#include <stddef.h>

static inline size_t
max_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

#endif
