/* pending_writes - hash map in order of insertion, with an undo list */
#include "store/local/commit/pending_writes.h"

#include "store/local/records/hash.h"
#include "store/local/records/record.h"

enum { FIRST_SLOTS = 64 };

struct pending_writes_entry {
	struct slice key;
	uint32_t hash;
	uint32_t slot;      /* its index in slots */
	uint32_t saved_for; /* operation that has already saved this entry's state */
	struct pending_writes_state state;
};

struct pending_writes_saved {
	uint32_t entry;
	struct pending_writes_state state;
};

/* Make room for one more element by doubling the array. */
static void *
pending_writes_grow(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap) {
		return array;
	}
	*cap = *cap == 0 ? FIRST_SLOTS : 2 * *cap;
	array = mem_resized(array, *cap, size);
	return array;
}

static void
make_slots(struct pending_writes *o, size_t n_slots)
{
	assert((n_slots & (n_slots - 1)) == 0);
	free(o->slots);
	o->slots = mem_zeroed(n_slots, sizeof(*o->slots));
	o->n_slots = n_slots;
}

void
pending_writes_init(struct pending_writes *o)
{
	*o = (struct pending_writes){0};
	make_slots(o, FIRST_SLOTS);
}

void
pending_writes_release(struct pending_writes *o)
{
	free(o->entries);
	free(o->slots);
	free(o->saved);
	*o = (struct pending_writes){0};
}

/* The slot of @key, or the free slot into which it goes. */
static size_t
pending_writes_slot_of(const struct pending_writes *o, struct slice key, uint32_t hash)
{
	size_t slot = hash & (o->n_slots - 1);

	while (o->slots[slot] != 0) {
		const struct pending_writes_entry *e = &o->entries[o->slots[slot] - 1];

		if (e->hash == hash && slice_eq(e->key, key)) {
			break;
		}
		slot = (slot + 1) & (o->n_slots - 1);
	}
	return slot;
}

static void
pending_writes_place(struct pending_writes *o, size_t entry)
{
	struct pending_writes_entry *e = &o->entries[entry];
	size_t slot = pending_writes_slot_of(o, e->key, e->hash);

	e->slot = (uint32_t)slot;
	o->slots[slot] = (uint32_t)entry + 1;
}

static struct pending_writes_entry *
pending_writes_entry_of(struct pending_writes *o, struct slice key)
{
	uint32_t hash = (uint32_t)hash_bytes(key);
	uint32_t found = o->slots[pending_writes_slot_of(o, key, hash)];

	if (found != 0) {
		return &o->entries[found - 1];
	}
	o->entries = pending_writes_grow(o->entries, o->n, &o->cap, sizeof(*o->entries));
	o->entries[o->n++] = (struct pending_writes_entry){.key = key, .hash = hash};
	if (2 * o->n > o->n_slots) {
		make_slots(o, 2 * o->n_slots);
		for (size_t i = 0; i < o->n; i++) {
			pending_writes_place(o, i);
		}
	} else {
		pending_writes_place(o, o->n - 1);
	}
	return &o->entries[o->n - 1];
}

void
pending_writes_begin(struct pending_writes *o)
{
	o->operation++;
	o->n_saved = 0;
}

void
pending_writes_undo(struct pending_writes *o)
{
	while (o->n_saved > 0) {
		const struct pending_writes_saved *s = &o->saved[--o->n_saved];

		o->entries[s->entry].state = s->state;
		o->entries[s->entry].saved_for = 0;
	}
}

const struct pending_writes_state *
pending_writes_find(const struct pending_writes *o, struct slice key)
{
	uint32_t found = o->slots[pending_writes_slot_of(o, key, (uint32_t)hash_bytes(key))];

	if (found == 0 || o->entries[found - 1].state.kind == PENDING_UNKNOWN) {
		return NULL;
	}
	return &o->entries[found - 1].state;
}

void
pending_writes_set(struct pending_writes *o, struct slice key,
		   const struct pending_writes_state *state)
{
	assert(!state->dirty || o->operation > 0);
	struct pending_writes_entry *e = pending_writes_entry_of(o, key);

	if (state->dirty && e->saved_for != o->operation) {
		e->saved_for = o->operation;
		o->saved =
			pending_writes_grow(o->saved, o->n_saved, &o->cap_saved, sizeof(*o->saved));
		o->saved[o->n_saved++] = (struct pending_writes_saved){
			.entry = (uint32_t)(e - o->entries),
			.state = e->state,
		};
	}
	e->state = *state;
}

static void
entry_to_batch(const struct pending_writes_entry *e, struct kv_batch *b, struct buf *scratch)
{
	struct slice value = slice_of(NULL, 0);
	bool there = false;

	buf_clear(scratch);
	switch (e->state.kind) {
	case PENDING_VALUE:
		value = e->state.value;
		there = true;
		break;
	case PENDING_COUNTS:
		record_counts_encode(scratch, &e->state.counts);
		value = buf_view(scratch);
		there = e->state.counts.items > 0;
		break;
	case PENDING_UNKNOWN:
	case PENDING_ABSENT:
		break;
	}
	if (there) {
		b->ops->put(b, e->key, value);
	} else {
		b->ops->del(b, e->key);
	}
}

size_t
pending_writes_to_batch(const struct pending_writes *o, struct kv_batch *b)
{
	cleanup(buf_release) struct buf scratch = {0};
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		if (o->entries[i].state.dirty) {
			entry_to_batch(&o->entries[i], b, &scratch);
			n++;
		}
	}
	return n;
}

void
pending_writes_settle(struct pending_writes *o)
{
	struct pending_writes_entry counts[PENDING_KEPT];
	size_t n = 0;

	for (size_t i = 0; i < o->n && n < PENDING_KEPT; i++) {
		const struct pending_writes_entry *e = &o->entries[i];

		if (e->state.kind == PENDING_COUNTS && e->state.dirty &&
		    e->state.counts.items > 0 && e->key.len <= PENDING_KEPT_BYTES) {
			counts[n++] = *e;
		}
	}
	pending_writes_clear(o);
	for (size_t i = 0; i < n; i++) {
		struct pending_writes_state state = {.kind = PENDING_COUNTS,
						     .counts = counts[i].state.counts};

		/* The key may be one that was kept before, at this place or a later one. */
		memmove(o->kept[i], counts[i].key.at, counts[i].key.len);
		pending_writes_set(o, slice_of(o->kept[i], counts[i].key.len), &state);
	}
}

void
pending_writes_clear(struct pending_writes *o)
{
	for (size_t i = 0; i < o->n; i++) {
		o->slots[o->entries[i].slot] = 0;
	}
	o->n = 0;
	o->n_saved = 0;
}
