/*
 * absent_names - see absent_names.h
 *
 * Replies to LOOKUP fill the set. The thread that notifies the kernel (inval.c) reads and empties it.
 *
 * All operations are sequentially consistent. LOOKUP adds a name and then checks whether the store has changed; a
 * change is published before the set is read. So either LOOKUP sees the change and forbids the kernel to cache its
 * reply, or the set has the name.
 */
#include "fs/core/absent_names.h"

#include "fs/core/inode.h"

static uint32_t
absent_bit(const struct node *dir, struct slice name)
{
	return inode_hash(dir, name) % ABSENT_BITS;
}

void
absent_add(struct absent *a, const struct node *dir, struct slice name)
{
	uint32_t bit = absent_bit(dir, name);

	atomic_fetch_or(&a->words[bit / 64], (uint64_t)1 << (bit % 64));
}

bool
absent_has(const struct absent *a, const struct node *dir, struct slice name)
{
	uint32_t bit = absent_bit(dir, name);

	return (atomic_load(&a->words[bit / 64]) >> (bit % 64) & 1) != 0;
}

void
absent_clear(struct absent *a)
{
	for (size_t i = 0; i < ABSENT_BITS / 64; i++) {
		atomic_store(&a->words[i], 0);
	}
}
