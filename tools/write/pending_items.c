/* pending_items - see pending_items.h */
#include "tools/write/pending_items.h"

#include <search.h>

#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/sort_key.h"

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

static int
pending_compare(const void *a, const void *b)
{
	const struct pending_entry *x = a;
	const struct pending_entry *y = b;

	return slice_cmp(x->key, y->key);
}

void
pending_items_add(struct pending *p, struct slice key, const struct item *it)
{
	if (p->batch == NULL) {
		p->batch = mem_new(struct pending_batch);
		arena_init(&p->batch->arena, SIZE_MAX);
	}
	struct arena *a = &p->batch->arena;
	struct pending_entry *e = arena_new(a, struct pending_entry, 1);

	*e = (struct pending_entry){.item = item_copy(a, it),
				    .key = slice_copy(a, key),
				    .batch = p->batch,
				    .older = p->newest};
	if (tsearch(e, &p->keys, pending_compare) == NULL) {
		mem_out();
	}
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
	const struct pending_entry wanted = {.key = key};
	struct pending_entry **found = tfind(&wanted, &p->keys, pending_compare);

	return found == NULL ? NULL : *found;
}

void
pending_items_drop(struct pending *p, struct pending_entry *e)
{
	struct pending_batch *batch = e->batch;

	(void)tdelete(e, &p->keys, pending_compare);
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
	*p = (struct pending){0};
}
