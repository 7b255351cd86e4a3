/* fresh - open-addressing set of hashes; a collision only costs an unnecessary read */
#include "store/local/commit/fresh.h"

#include "store/local/records/hash.h"
#include "store/local/records/keyspace.h"

/* At most 32 MiB. */
enum { FIRST_SLOTS = 1024, SLOTS_MAX = 4 << 20 };

void
fresh_release(struct fresh *f)
{
	free(f->tables);
	free(f->slots);
	*f = (struct fresh){0};
}

static bool
fresh_may_hold(const struct fresh *f, struct slice key)
{
	if (f->n_tables == 0 || key.at[0] != KEYSPACE_PARTITION) {
		return false;
	}
	assert(key.len >= KEYSPACE_HEAD_BYTES);
	uint32_t id = (uint32_t)slice_be(slice_of(key.at + 1, sizeof(id)));

	for (size_t i = 0; i < f->n_tables; i++) {
		if (f->tables[i] == id) {
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
fresh_begin(struct fresh *f, uint32_t id)
{
	f->tables = mem_resized(f->tables, f->n_tables + 1, sizeof(*f->tables));
	f->tables[f->n_tables++] = id;
}

void
fresh_end(struct fresh *f, uint32_t id)
{
	for (size_t i = 0; i < f->n_tables; i++) {
		if (f->tables[i] == id) {
			f->tables[i] = f->tables[--f->n_tables];
			break;
		}
	}
	if (f->n_tables == 0) {
		fresh_release(f);
	}
}

bool
fresh_absent(const struct fresh *f, struct slice key)
{
	return fresh_may_hold(f, key) &&
	       (f->n_slots == 0 ||
		f->slots[fresh_slot_of(f->slots, f->n_slots, fresh_hash_of(key))] == 0);
}

/* Double the number of slots.  Return: false if that would exceed the maximum */
static bool
fresh_grow(struct fresh *f)
{
	size_t n_slots = f->n_slots == 0 ? FIRST_SLOTS : 2 * f->n_slots;

	if (n_slots > SLOTS_MAX) {
		return false;
	}
	uint64_t *slots = mem_array(uint64_t, n_slots);

	for (size_t i = 0; i < f->n_slots; i++) {
		if (f->slots[i] != 0) {
			slots[fresh_slot_of(slots, n_slots, f->slots[i])] = f->slots[i];
		}
	}
	free(f->slots);
	f->slots = slots;
	f->n_slots = n_slots;
	return true;
}

void
fresh_add(struct fresh *f, struct slice key)
{
	if (!fresh_may_hold(f, key)) {
		return;
	}
	if (2 * (f->n + 1) > f->n_slots && !fresh_grow(f)) {
		fresh_release(f);
		return;
	}
	uint64_t hash = fresh_hash_of(key);
	size_t slot = fresh_slot_of(f->slots, f->n_slots, hash);

	f->n += f->slots[slot] == 0;
	f->slots[slot] = hash;
}
