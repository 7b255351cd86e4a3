/* bulk - cuts many items into operations; knows no files */
#include "tools/bulk.h"

#include "store/model/limits.h"

#include "tools/ctl.h"
#include "tools/stop.h"

enum {
	LOAD_ITEMS = 1000,   /* items of one LoadItems */
	AGAIN_MAX = 10,      /* rounds for what BatchWriteItem left over */
	AGAIN_FIRST_MS = 50, /* wait before the second round; then doubled */
};

/* ------------------------------------------------------------ LoadItems */

static bool
is_unknown(int r)
{
	return r == -ERR_UNKNOWN_OPERATION || r == -ERR_NOT_SUPPORTED;
}

/* Own call: "unknown operation" is no failure of the caller's. */
static int
load(struct bulk *b, struct call *c, const struct item *items, size_t n)
{
	struct load_items_in in = {.table = b->table, .items = items, .n_items = n};
	struct load_items_out answer = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_load_items(b->engine, &own, &in, &answer);

	if (is_unknown(r)) {
		b->no_load = true;
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return b->no_load ? 0 : r;
}

/* ------------------------------------------------------------ BatchWriteItem */

static bool
same_key(const struct key_schema *key, const struct item *a, const struct item *b)
{
	struct key_values k[2] = {{.n = 0}, {.n = 0}};

	if (key_from_item(key, a, &k[0]) != 0 || key_from_item(key, b, &k[1]) != 0) {
		return false; /* the engine says what is wrong with it */
	}
	for (size_t i = 0; i < k[0].n; i++) {
		if (!value_eq(k[0].at[i], k[1].at[i])) {
			return false;
		}
	}
	return true;
}

/* One request, repeated for what it left unprocessed. */
static int
write_batch(struct bulk *b, struct call *c, const struct batch_action *actions, size_t n)
{
	struct batch_write table = {.table = b->table, .actions = actions, .n_actions = n};
	struct batch_write_item_in in = {.tables = &table, .n_tables = 1};
	unsigned wait = AGAIN_FIRST_MS;

	for (int round = 0; round < AGAIN_MAX; round++) {
		struct batch_write_item_out answer = {0};

		int r = engine_batch_write_item(b->engine, c, &in, &answer);
		if (r < 0 || answer.n_unprocessed == 0) {
			return r;
		}
		in.tables = answer.unprocessed;
		in.n_tables = answer.n_unprocessed;
		if (!stop_pause(wait)) {
			return stop_check(c);
		}
		wait *= 2;
	}
	return call_fail(c, ERR_THROTTLED, "BatchWriteItem leaves items unprocessed");
}

/* Batches without a key twice, as the API demands; order is kept.  @done: the first ones, also on failure. */
static int
write_all(struct bulk *b, struct call *c, const struct item *items, size_t n, enum batch_kind kind,
	  size_t *done)
{
	struct batch_action actions[LIMIT_BATCH_WRITE];
	size_t count = 0;
	int r = 0;

	*done = 0;
	for (size_t i = 0; i < n; i++) {
		bool twice = false;

		for (size_t j = 0; j < count && !twice; j++) {
			twice = same_key(b->key, &actions[j].item, &items[i]);
		}
		if (twice || count == LIMIT_BATCH_WRITE) {
			r = write_batch(b, c, actions, count);
			if (r < 0) {
				return r;
			}
			*done = i;
			count = 0;
		}
		actions[count++] = (struct batch_action){.kind = kind, .item = items[i]};
	}
	r = count == 0 ? 0 : write_batch(b, c, actions, count);
	*done = r < 0 ? *done : n;
	return r;
}

/* ------------------------------------------------------------ both */

int
bulk_put(struct bulk *b, struct call *c, const struct item *items, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t count = n - i < LOAD_ITEMS ? n - i : LOAD_ITEMS;
		int r = b->no_load ? 0 : load(b, c, items + i, count);

		if (r == 0 && b->no_load) {
			size_t done;

			return write_all(b, c, items + i, n - i, BATCH_PUT, &done);
		}
		if (r < 0) {
			return r;
		}
		i += count;
	}
	return 0;
}

int
bulk_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n, size_t *done)
{
	return write_all(b, c, keys, n, BATCH_DELETE, done);
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
		struct call own;

		in->keys = keys + done;
		in->n_keys = n - done;
		call_open(&own, c->now_ms, CTL_BUDGET);
		r = engine_change_items(b->engine, &own, in, &part);
		if (r == 0) {
			out->changed += part.changed;
			out->refused += part.refused;
			done = out->changed + out->refused;
		} else if (!is_unknown(r)) {
			r = ctl_adopt(c, &own);
		}
		call_close(&own);
	}
	b->no_change = is_unknown(r);
	return b->no_change ? BULK_UNKNOWN : r;
}

int
bulk_sync(struct bulk *b, struct call *c)
{
	struct sync_in in = {0};
	struct sync_out answer = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = b->no_load ? 0 : engine_sync(b->engine, &own, &in, &answer);

	if (is_unknown(r)) {
		r = 0; /* a foreign endpoint: what it has answered is durable */
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}
