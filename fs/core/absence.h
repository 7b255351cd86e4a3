/*
 * absence - names and items that were absent a moment ago
 *
 * struct absent has the names that the kernel may have cached as absent. It is a Bloom filter of (directory, name): it
 * may contain too much, never too little. A name that appears in the store needs a notification only if it is in the
 * set. Replies to LOOKUP fill the set; the thread that notifies the kernel (inval.c) reads and empties it.
 *
 * All operations are sequentially consistent. LOOKUP adds a name and then checks whether the store has changed; a
 * change is published before the set is read. So either LOOKUP sees the change and forbids the kernel to cache its
 * reply, or the set has the name.
 *
 * struct absent_items has items that the store did not have. A new file is looked for three times within microseconds:
 * by LOOKUP, by CREATE and by WRITE. As long as nothing was committed in between, the first answer holds for the
 * others. A slot holds one number, made of the item's inode number and of the number of the newest change from before the store
 * was asked.
 *
 * All functions may be called by any thread.
 */
#ifndef FS_CORE_ABSENCE_H
#define FS_CORE_ABSENCE_H

#include <stdatomic.h>

#include "fs/core/inode.h"

enum { ABSENT_BITS = 64 * 1024, ABSENT_ITEMS_SLOTS = 16 };

struct absent {
	_Atomic uint64_t words[ABSENT_BITS / 64];
};

struct absent_items {
	_Atomic uint64_t slots[ABSENT_ITEMS_SLOTS]; /* 0: none */
};

/** absent_add - add a name; call it before the check whether the kernel may cache the reply */
static inline void
absent_add(struct absent *a, const struct node *dir, struct slice name)
{
	uint32_t bit = inode_hash(dir, name) % ABSENT_BITS;

	atomic_fetch_or(&a->words[bit / 64], (uint64_t)1 << (bit % 64));
}

static inline bool
absent_has(const struct absent *a, const struct node *dir, struct slice name)
{
	uint32_t bit = inode_hash(dir, name) % ABSENT_BITS;

	return (atomic_load(&a->words[bit / 64]) >> (bit % 64) & 1) != 0;
}

/** absent_clear - empty the set; the caller then invalidates all names in the kernel */
static inline void
absent_clear(struct absent *a)
{
	for (size_t i = 0; i < ABSENT_BITS / 64; i++) {
		atomic_store(&a->words[i], 0);
	}
}

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
