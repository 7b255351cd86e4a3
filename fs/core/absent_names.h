/*
 * absent_names - the set of names that the kernel may have cached as absent
 *
 * A Bloom filter of (directory, name): it may contain too much, never too little. A name that appears in the store
 * needs a notification only if it is in the set.
 */
#ifndef FS_CORE_ABSENT_NAMES_H
#define FS_CORE_ABSENT_NAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/slice.h"

struct node;

enum { ABSENT_BITS = 64 * 1024 };

struct absent {
	_Atomic uint64_t words[ABSENT_BITS / 64];
};

/** absent_add - add a name; call it before the check whether the kernel may cache the reply */
void absent_add(struct absent *a, const struct node *dir, struct slice name);

bool absent_has(const struct absent *a, const struct node *dir, struct slice name);

/** absent_clear - empty the set; the caller then invalidates all names in the kernel */
void absent_clear(struct absent *a);

#endif
