/*
 * absent_names - the names that the kernel may remember as absent
 *
 * A set of (directory, name) that may say yes to a name that is not in it, and
 * never no to one that is.  A name that appears in the store needs a
 * notification only if it is in the set.
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

/** absent_add - call before the check that decides whether the kernel may keep the answer */
void absent_add(struct absent *a, const struct node *dir, struct slice name);

bool absent_has(const struct absent *a, const struct node *dir, struct slice name);

/** absent_clear - empty the set; the caller then makes the kernel forget all names */
void absent_clear(struct absent *a);

#endif
