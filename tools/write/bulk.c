/* bulk - see bulk.h */
#include "tools/write/bulk.h"

#include <stdlib.h>

#include "store/base/core/mem.h"
#include "store/engine/engine.h"

#include "tools/session/ctl.h"
#include "tools/write/batches.h"

enum { LOAD_ITEMS = 1000 }; /* items in one LoadItems */

/* ------------------------------------------------------------ LoadItems */

static bool
is_unknown(int r)
{
	return r == -ERR_UNKNOWN_OPERATION || r == -ERR_NOT_SUPPORTED;
}

/* Load up to LOAD_ITEMS items.  If the store has no LoadItems, set no_load and return 0. */
static int
bulk_load(struct bulk *b, struct call *c, const struct item *items, size_t n)
{
	struct load_items_in in = {.table = b->table, .items = items, .n_items = n};
	struct load_items_out answer = {0};
	call_scope(own, c->now_ms);
	int r = engine_load_items(b->engine, &own, &in, &answer);

	if (is_unknown(r)) {
		b->no_load = true;
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	return b->no_load ? 0 : r;
}

/* ------------------------------------------------------------ BatchWriteItem */

static int
bulk_write_all(struct bulk *b, struct call *c, const struct item *items, size_t n,
	       enum batch_kind kind, bool *done)
{
	const struct batches batches = {b->engine, b->table, b->key, kind};

	/* A store without these operations is a remote server. */
	b->parallel.foreign = b->parallel.foreign || b->no_load || b->no_change;
	return batches_write(&batches, &b->parallel, c, items, n, done);
}

/* ------------------------------------------------------------ both */

/* Put the items from *done on by BatchWriteItem. */
static int
put_all(struct bulk *b, struct call *c, const struct item *items, size_t n, size_t *done)
{
	bool *put = mem_array(bool, n);
	size_t begun = *done;
	int r = bulk_write_all(b, c, items + begun, n - begun, BATCH_PUT, put + begun);

	while (*done < n && put[*done]) {
		(*done)++;
	}
	free(put);
	return r;
}

int
bulk_put(struct bulk *b, struct call *c, const struct item *items, size_t n, size_t *done)
{
	*done = 0;
	while (*done < n) {
		size_t count = n - *done < LOAD_ITEMS ? n - *done : LOAD_ITEMS;
		int r = b->no_load ? 0 : bulk_load(b, c, items + *done, count);

		if (r == 0 && b->no_load) {
			return put_all(b, c, items, n, done);
		}
		if (r < 0) {
			return r;
		}
		*done += count;
	}
	return 0;
}

int
bulk_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n, bool *done)
{
	return bulk_write_all(b, c, keys, n, BATCH_DELETE, done);
}

int
bulk_change(struct bulk *b, struct call *c, struct change_items_in *in, const struct item *keys,
	    size_t n, struct change_items_out *out)
{
	size_t done = 0;
	int r = b->no_change ? -ERR_UNKNOWN_OPERATION : 0;

	*out = (struct change_items_out){0};
	in->table = b->table;
	while (r == 0 && done < n) {
		struct change_items_out part = {0};

		in->keys = keys + done;
		in->n_keys = n - done;
		call_scope(own, c->now_ms);
		r = engine_change_items(b->engine, &own, in, &part);
		if (r == 0) {
			out->changed += part.changed;
			out->refused += part.refused;
			done = out->changed + out->refused;
		} else if (!is_unknown(r)) {
			r = ctl_adopt(c, &own);
		}
	}
	b->no_change = is_unknown(r);
	return b->no_change ? BULK_UNKNOWN : r;
}

int
bulk_remove(struct bulk *b, struct call *c, const struct item *keys, size_t n, size_t *done)
{
	struct change_items_in in = {0}; /* no update: deletions */
	struct change_items_out out;
	bool *gone = arena_new(&c->arena, bool, n + 1);
	int r = bulk_change(b, c, &in, keys, n, &out);

	*done = out.changed;
	if (r != BULK_UNKNOWN) {
		return r;
	}
	r = bulk_delete(b, c, keys, n, gone);
	while (*done < n && gone[*done]) {
		(*done)++;
	}
	return r;
}

int
bulk_sync(struct bulk *b, struct call *c)
{
	struct sync_in in = {0};
	struct sync_out answer = {0};
	call_scope(own, c->now_ms);
	int r = b->no_load ? 0 : engine_sync(b->engine, &own, &in, &answer);

	if (is_unknown(r)) {
		r = 0; /* a remote server: what it has acknowledged is durable */
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	return r;
}
