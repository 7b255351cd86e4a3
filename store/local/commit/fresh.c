/* fresh - open-addressing set of hashes; a collision only costs an unnecessary read */
#include "store/local/commit/fresh.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>

#include "store/base/core/mem.h"
#include "store/local/records/hash.h"
#include "store/local/records/keyspace.h"

/* At most 32 MiB. */
enum { FIRST_SLOTS = 1024, SLOTS_MAX = 4 << 20 };

void
fresh_release(struct fresh *y)
{
	free(y->tables);
	free(y->slots);
	*y = (struct fresh){0};
}

static bool
is_young(const struct fresh *y, struct slice key)
{
	uint32_t id;

	assert(key.len >= KEYSPACE_HEAD_BYTES && key.at[0] == KEYSPACE_PARTITION);
	memcpy(&id, key.at + 1, sizeof(id));
	id = be32toh(id);
	for (size_t i = 0; i < y->n_tables; i++) {
		if (y->tables[i] == id) {
			return true;
		}
	}
	return false;
}

/* The slot of @hash, or the free slot into which it goes. Its middle bits select the first slot to try. */
static size_t
fresh_slot_of(const uint64_t *slots, size_t n_slots, uint64_t hash)
{
	size_t slot = (hash >> 16) & (n_slots - 1);

	while (slots[slot] != 0 && slots[slot] != hash) {
		slot = (slot + 1) & (n_slots - 1);
	}
	return slot;
}

static uint64_t
fresh_hash_of(struct slice key)
{
	uint64_t hash = hash_bytes(key);

	return hash == 0 ? 1 : hash;
}

void
fresh_begin(struct fresh *y, uint32_t id)
{
	y->tables = mem_resized(y->tables, y->n_tables + 1, sizeof(*y->tables));
	y->tables[y->n_tables++] = id;
}

void
fresh_end(struct fresh *y, uint32_t id)
{
	for (size_t i = 0; i < y->n_tables; i++) {
		if (y->tables[i] == id) {
			y->tables[i] = y->tables[--y->n_tables];
			break;
		}
	}
	if (y->n_tables == 0) {
		fresh_release(y);
	}
}

bool
fresh_absent(const struct fresh *y, struct slice key)
{
	if (y->n_tables == 0 || !is_young(y, key)) {
		return false;
	}
	return y->n_slots == 0 ||
	       y->slots[fresh_slot_of(y->slots, y->n_slots, fresh_hash_of(key))] == 0;
}

/* Double the number of slots.  Return: false if that would exceed the maximum */
static bool
fresh_grow(struct fresh *y)
{
	size_t n_slots = y->n_slots == 0 ? FIRST_SLOTS : 2 * y->n_slots;

	if (n_slots > SLOTS_MAX) {
		return false;
	}
	uint64_t *slots = mem_array(uint64_t, n_slots);

	for (size_t i = 0; i < y->n_slots; i++) {
		if (y->slots[i] != 0) {
			slots[fresh_slot_of(slots, n_slots, y->slots[i])] = y->slots[i];
		}
	}
	free(y->slots);
	y->slots = slots;
	y->n_slots = n_slots;
	return true;
}

void
fresh_add(struct fresh *y, struct slice key)
{
	if (y->n_tables == 0 || !is_young(y, key)) {
		return;
	}
	if (2 * (y->n + 1) > y->n_slots && !fresh_grow(y)) {
		fresh_release(y);
		return;
	}
	uint64_t hash = fresh_hash_of(key);
	size_t slot = fresh_slot_of(y->slots, y->n_slots, hash);

	y->n += y->slots[slot] == 0;
	y->slots[slot] = hash;
}
