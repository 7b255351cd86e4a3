/*
 * absent_items - items that were absent from the store a moment ago
 *
 * A new file is looked for three times within microseconds: by LOOKUP, by CREATE and by WRITE. As long as nothing was
 * committed in between, the first answer holds for the others.
 *
 * A slot holds one number, made of the item's inode number and of the number of the newest change from before the store
 * was asked. All functions may be called by any thread.
 */
#ifndef FS_CORE_ABSENT_ITEMS_H
#define FS_CORE_ABSENT_ITEMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { ABSENT_ITEMS_SLOTS = 16 };

struct absent_items {
	_Atomic uint64_t slots[ABSENT_ITEMS_SLOTS]; /* 0: none */
};

static inline uint64_t
absent_items_mark(uint64_t ino, uint64_t newest)
{
	/* An odd factor maps different numbers to different ones, and moves the low bits up. */
	return (ino ^ newest * 0x9E3779B97F4A7C15) | 1;
}

/** absent_items_add - the store does not have the item @ino; @newest: of feed_newest(), read before it was asked */
static inline void
absent_items_add(struct absent_items *a, uint64_t ino, uint64_t newest)
{
	atomic_store(&a->slots[ino % ABSENT_ITEMS_SLOTS], absent_items_mark(ino, newest));
}

/** absent_items_has - Return: whether absent_items_add() was called with these numbers, and the slot still has them */
static inline bool
absent_items_has(const struct absent_items *a, uint64_t ino, uint64_t newest)
{
	return atomic_load(&a->slots[ino % ABSENT_ITEMS_SLOTS]) == absent_items_mark(ino, newest);
}

#endif
