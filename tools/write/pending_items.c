/* pending_items - see pending_items.h */
#include "tools/write/pending_items.h"

#include <assert.h>
#include <stdlib.h>

#include "store/base/core/mem.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/sort_key.h"

enum { SLOTS_FIRST = 1024 };

/* The items of a page. */
struct pending_batch {
	struct arena arena;
	size_t n;  /* items that still wait */
	bool full; /* no more items are added */
};

void
pending_items_key(struct buf *out, const struct key_schema *k, const struct item *it)
{
	struct key_values values = {.n = 0};

	buf_clear(out);
	if (key_from_item(k, it, &values) != 0) {
		return;
	}
	for (size_t i = 0; i < values.n; i++) {
		sort_key_put(out, values.at[i]);
		sort_key_end(out);
	}
}

static struct pending_entry **
pending_slot(const struct pending *p, struct slice key)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	assert(p->n_slots > 0);
	for (size_t i = 0; i < key.len; i++) {
		h = (h ^ (uint8_t)key.at[i]) * UINT64_C(0x100000001b3);
	}
	return &p->slots[(h ^ h >> 32) & (p->n_slots - 1)];
}

static void
pending_grow(struct pending *p)
{
	free(p->slots);
	p->n_slots = p->n_slots == 0 ? SLOTS_FIRST : p->n_slots * 2;
	p->slots = mem_array(struct pending_entry *, p->n_slots);
	for (struct pending_entry *e = p->oldest; e != NULL; e = e->newer) {
		struct pending_entry **slot = pending_slot(p, e->key);

		e->chain = *slot;
		*slot = e;
	}
}

void
pending_items_add(struct pending *p, struct slice key, const struct item *it)
{
	if (p->n >= p->n_slots) {
		pending_grow(p);
	}
	if (p->batch == NULL) {
		p->batch = mem_new(struct pending_batch);
		arena_init(&p->batch->arena, SIZE_MAX);
	}
	struct arena *a = &p->batch->arena;
	struct pending_entry *e = arena_new(a, struct pending_entry, 1);
	struct pending_entry **slot = pending_slot(p, key);

	*e = (struct pending_entry){.item = item_copy(a, it),
				    .key = slice_copy(a, key),
				    .batch = p->batch,
				    .chain = *slot,
				    .older = p->newest};
	*slot = e;
	*(p->newest == NULL ? &p->oldest : &p->newest->newer) = e;
	p->newest = e;
	p->batch->n++;
	p->n++;
}

static void
pending_free(struct pending *p, struct pending_batch *batch)
{
	assert(batch->n == 0);
	p->bytes -= batch->full ? batch->arena.used : 0;
	arena_drop(&batch->arena);
	free(batch);
}

void
pending_items_full(struct pending *p)
{
	struct pending_batch *batch = p->batch;

	p->batch = NULL;
	if (batch == NULL) {
		return;
	}
	batch->full = true;
	p->bytes += batch->arena.used;
	if (batch->n == 0) {
		pending_free(p, batch);
	}
}

struct pending_entry *
pending_items_find(const struct pending *p, struct slice key)
{
	struct pending_entry *e = p->n == 0 ? NULL : *pending_slot(p, key);

	while (e != NULL && !slice_eq(e->key, key)) {
		e = e->chain;
	}
	return e;
}

void
pending_items_drop(struct pending *p, struct pending_entry *e)
{
	struct pending_entry **at = pending_slot(p, e->key);
	struct pending_batch *batch = e->batch;

	while (*at != e) {
		assert(*at != NULL);
		at = &(*at)->chain;
	}
	*at = e->chain;
	*(e->older == NULL ? &p->oldest : &e->older->newer) = e->newer;
	*(e->newer == NULL ? &p->newest : &e->newer->older) = e->older;
	p->n--;
	if (--batch->n == 0 && batch->full) {
		pending_free(p, batch);
	}
}

void
pending_items_release(struct pending *p)
{
	pending_items_full(p);
	while (p->oldest != NULL) {
		pending_items_drop(p, p->oldest);
	}
	free(p->slots);
	*p = (struct pending){0};
}
