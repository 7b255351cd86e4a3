/*
 * assign - "shards assign", see shard.h; a Scan, and changes of the items of each page that belong to one shard
 *
 * An item that has its shard already keeps it, so the command can be repeated after an interruption, and for new items.
 * A value that is none of the N shards stays, because it may mean something.
 */
#include <sys/random.h>

#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/wire/proto/gzip.h"

#include "tools/query/shard.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/keyval.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"
#include "tools/write/bulk.h"

enum { PAGE_ITEMS = 1000 };

struct assign {
	struct ctl *ctl;
	const struct assign_opts *o;
	const struct schema *schema;
	struct slice attr;
	struct slice prefix;
	bool number; /* the attribute is a number */
	uint32_t n;
	unsigned seed;
	struct bulk bulk;
	struct scan_in scan;
	uint64_t seen;
	uint64_t total; /* items to read; 0: unknown */
	uint64_t set;
	uint64_t kept;
	uint64_t without; /* items without the attribute to hash */
	uint64_t other;   /* items with a value that is none of the N shards */
};

/* ------------------------------------------------------------ the shard of an item */

/*
 * Return true if the attribute is a number: it is one in the key of an index, or is in no such key, without a prefix.
 */
static bool
assign_is_number(const struct assign *a)
{
	const struct key_attr *key = schema_key_attr(a->schema, a->attr);

	return key == NULL ? a->prefix.len == 0 : key->type == VALUE_N;
}

static struct value
shard_value(struct call *c, const struct assign *a, uint32_t shard)
{
	assert(shard < a->n);
	struct slice text = fmt_slice(&c->arena, "%.*s%u", SLICE_ARG(a->prefix), shard);

	return (struct value){.type = a->number ? VALUE_N : VALUE_S, .text = text};
}

/* Return the shard that @v denotes; a->n: none. */
static uint32_t
shard_of(const struct assign *a, const struct value *v)
{
	uint64_t shard = 0;
	bool fits = v->type == (a->number ? VALUE_N : VALUE_S) &&
		    slice_starts(v->text, a->prefix) && v->text.len <= a->prefix.len + 5 &&
		    ascii_count(slice_skip(v->text, a->prefix.len), &shard) && shard < a->n;

	return fits ? (uint32_t)shard : a->n;
}

/* Return the shard to assign to @it; a->n: do not change it. */
static uint32_t
choose(struct assign *a, const struct item *it)
{
	const struct value *now = item_get(it, a->attr);
	uint32_t has = now == NULL ? a->n : shard_of(a, now);

	if (now != NULL && has == a->n && !a->o->overwrite) {
		a->other++;
		return a->n;
	}
	if (a->o->hash == NULL) {
		a->kept += has < a->n;
		return has < a->n ? a->n : (uint32_t)rand_r(&a->seed) % a->n;
	}
	const struct value *v = item_get(it, slice_from(a->o->hash));

	if (v == NULL || !(v->type == VALUE_S || v->type == VALUE_N || v->type == VALUE_B)) {
		a->without++;
		return a->n;
	}
	uint32_t shard = gzip_sum(v->text) % a->n;

	a->kept += shard == has;
	return shard == has ? a->n : shard;
}

/* ------------------------------------------------------------ writing */

/* Change one item at a time, for a server that has no operation for many. */
static int
set_single(struct assign *a, struct call *c, const struct change_items_in *in)
{
	for (size_t i = 0; i < in->n_keys; i++) {
		struct update_item_in one = {.write = {.table = a->bulk.table,
						       .item = in->keys[i],
						       .condition = in->condition,
						       .ph = in->ph},
					     .update = in->update};
		struct update_item_out out;
		call_scope(own, c->now_ms);
		int r = engine_update_item(a->ctl->engine, &own, &one, &out);

		a->set += r == 0;
		r = r == 0 || r == -ERR_CONDITION ? 0 : ctl_adopt(c, &own);
		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/*
 * Make the condition of a write: the item exists, still matches the filter, and, without --overwrite, its attribute is
 * still @was, the value that was read.  So changes and deletes since then are not undone.
 */
static int
still_wanted(const struct assign *a, struct call *c, const struct value *was, struct exprs *e,
	     struct slice *condition)
{
	struct slice filter = {0};

	int r = exprs_placeholders(c, e, a->o->names, a->o->values);
	r = r != 0 ? r : exprs_add(c, e, "ConditionExpression", slice_from(a->o->filter), &filter);
	if (r < 0) {
		return r;
	}
	exprs_name(c, e, "#assign_key", a->schema->key.pk->name);
	exprs_name(c, e, "#assign_shard", a->attr);
	struct buf text = {.arena = &c->arena};
	buf_fmt(&text, "attribute_exists(#assign_key)");
	if (filter.len > 0) {
		buf_fmt(&text, " AND (%.*s)", SLICE_ARG(filter));
	}
	if (was != NULL && !a->o->overwrite) {
		exprs_value(c, e, ":assign_was", was);
		buf_str(&text, " AND #assign_shard = :assign_was");
	} else if (!a->o->overwrite) {
		buf_str(&text, " AND attribute_not_exists(#assign_shard)");
	}
	*condition = buf_view(&text);
	return 0;
}

/* Assign one shard to the items with @keys, whose attribute was @was (NULL: missing). */
static int
set_shard(struct assign *a, struct call *c, uint32_t shard, const struct value *was,
	  const struct item *keys, size_t n)
{
	struct value v = shard_value(c, a, shard);
	struct exprs e = {0};
	struct change_items_in in = {.update = SLICE("SET #assign_shard = :assign_shard")};
	struct change_items_out done;

	int r = still_wanted(a, c, was, &e, &in.condition);
	if (r < 0) {
		return r;
	}
	exprs_value(c, &e, ":assign_shard", &v);
	in.ph = e.request.ph;
	r = bulk_change(&a->bulk, c, &in, keys, n, &done);
	a->set += done.changed;
	if (r == BULK_UNKNOWN) {
		in.keys = keys;
		in.n_keys = n;
		r = set_single(a, c, &in);
	}
	return r;
}

/* ------------------------------------------------------------ reading */

/* Return true if items with the values @x and @y can be written with the same condition. */
static bool
same_state(const struct assign *a, const struct value *x, const struct value *y)
{
	return a->o->overwrite || x == y || (x != NULL && y != NULL && value_eq(x, y));
}

/* Assign shards to the items of a page. */
static int
assign_page(struct assign *a, struct call *c, const struct page *page)
{
	uint32_t *shards = arena_new(&c->arena, uint32_t, page->count);
	struct item *keys = arena_new(&c->arena, struct item, page->count);
	int r = 0;

	a->seen += page->count;
	for (size_t i = 0; i < page->count; i++) {
		shards[i] = choose(a, &page->items[i]);
	}
	for (size_t i = 0; r == 0 && i < page->count; i++) {
		uint32_t shard = shards[i];
		const struct value *was = item_get(&page->items[i], a->attr);
		size_t n = 0;

		for (size_t k = i; r == 0 && shard < a->n && k < page->count; k++) {
			if (shards[k] == shard &&
			    same_state(a, was, item_get(&page->items[k], a->attr))) {
				shards[k] = a->n;
				r = keyval_pick(c, &a->schema->key, &page->items[k], &keys[n++]);
			}
		}
		r = r == 0 && n > 0 ? set_shard(a, c, shard, was, keys, n) : r;
	}
	return r;
}

/* Process all pages.  Each page has a call of its own, so memory is bounded. */
static int
all_pages(struct assign *a, struct call *c)
{
	struct progress progress;
	int r;

	stop_listen();
	progress_begin(&progress, a->ctl->quiet, 0);
	progress.total_items = a->total;
	const struct arena_mark before = arena_mark(&c->arena);

	do {
		struct scan_out out = {0};
		call_scope(own, c->now_ms);

		r = stop_check(&own);
		r = r < 0 ? r : engine_scan(a->ctl->engine, &own, &a->scan, &out);
		r = r < 0 ? r : assign_page(a, &own, &out.page);
		arena_reset(&c->arena, before);
		a->scan.read.start = item_copy(&c->arena, &out.page.last);
		if (r < 0) {
			r = ctl_adopt(c, &own);
		}
		progress_show(&progress, a->seen, 0);
	} while (r == 0 && a->scan.read.start.n > 0);
	progress_end(&progress);
	return r;
}

/* ------------------------------------------------------------ the command */

static int
check_opts(struct call *c, const struct assign_opts *o)
{
	if (o->attr == NULL || *o->attr == '\0' || !o->shards.given) {
		return call_fail(c, ERR_USAGE, "shards assign needs --attr and --shards");
	}
	if (o->shards.n == 0 || o->shards.n > SHARDS_MAX) {
		return call_fail(c, ERR_USAGE, "--shards must be 1 to %d", SHARDS_MAX);
	}
	if (o->hash != NULL && *o->hash == '\0') {
		return call_fail(c, ERR_USAGE, "--hash needs the name of an attribute");
	}
	if (o->random && o->hash != NULL) {
		return call_fail(c, ERR_USAGE, "either --random or --hash");
	}
	return 0;
}

static int
prepare_scan(struct assign *a, struct call *c)
{
	struct exprs *e = arena_new(&c->arena, struct exprs, 1);
	struct read_in *read = &a->scan.read;

	a->ctl->exprs = e;
	int r = exprs_placeholders(c, e, a->o->names, a->o->values);
	r = r != 0 ? r
		   : exprs_add(c, e, "FilterExpression", slice_from(a->o->filter), &read->filter);
	read->table = a->bulk.table;
	read->has_limit = true;
	read->limit = PAGE_ITEMS;
	read->ph = e->request.ph;
	return r;
}

static void
assign_say(const struct assign *a)
{
	ctl_note(a->ctl, "%s: %s got a shard, %s had one already", progress_items(a->seen).at,
		 progress_count(a->set).at, progress_count(a->kept).at);
	if (a->without > 0) {
		ctl_note(a->ctl, "%s without %s left unchanged", progress_items(a->without).at,
			 a->o->hash);
	}
}

int
assign_run(struct ctl *ctl, struct call *c, struct slice table, const struct assign_opts *o)
{
	struct assign a = {.ctl = ctl,
			   .o = o,
			   .attr = slice_from(o->attr),
			   .prefix = slice_from(o->prefix),
			   .n = (uint32_t)o->shards.n,
			   .bulk = {.engine = ctl->engine, .table = table}};

	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};

	int r = check_opts(c, o);
	r = r != 0 ? r : engine_describe_table(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	a.schema = answer.table.schema;
	a.total = o->filter == NULL ? answer.table.totals.items : 0;
	assert(a.schema != NULL);
	a.bulk.key = &a.schema->key;
	if (key_schema_has(a.bulk.key, a.attr)) {
		return call_fail(c, ERR_USAGE, "%s is part of the key, which cannot be changed",
				 o->attr);
	}
	a.number = assign_is_number(&a);
	if (a.number && a.prefix.len > 0) {
		return call_fail(c, ERR_USAGE, "%s is a number: it takes no --prefix", o->attr);
	}
	(void)!getrandom(&a.seed, sizeof(a.seed), 0);
	r = confirm_far(ctl, c, "Assign a shard to each item of table", table);
	if (r < 0) {
		return r;
	}
	r = prepare_scan(&a, c);
	r = r != 0 ? r : all_pages(&a, c);
	if (r == 0 || stop_asked() != 0) {
		int synced = bulk_sync(&a.bulk, c);

		r = r < 0 ? r : synced;
	}
	assign_say(&a);
	if (r == 0 && a.other > 0) {
		r = call_fail(c, ERR_USAGE,
			      "%s left unchanged: the value of %s is none of the %u shards; to "
			      "change these, too: --overwrite",
			      progress_items(a.other).at, o->attr, a.n);
	}
	return r;
}
