/* absent_key - see absent_key.h */
#include "tools/advice/absent_key.h"

#include "store/base/text/near.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/key_text.h"
#include "store/open.h"

#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

enum {
	ABSENT_KEYS = 1000,  /* keys in a page */
	ABSENT_PAGES = 10,   /* pages of partitions to compare */
	ABSENT_SHORTEST = 3, /* bytes: all shorter texts are similar */
};

/* ------------------------------------------------------------ comparing */

bool
absent_key_same(struct slice a, struct slice b, bool digits)
{
	size_t i = 0;
	size_t k = 0;

	for (;; i++, k++) {
		while (i < a.len && ascii_digit(a.at[i]) != digits) {
			i++;
		}
		while (k < b.len && ascii_digit(b.at[k]) != digits) {
			k++;
		}
		if (i == a.len || k == b.len || a.at[i] != b.at[k]) {
			return i == a.len && k == b.len;
		}
	}
}

static void
absent_key_try(struct near *near, const struct value *v)
{
	/* If the texts differ only in their digits, it is unknown which number was meant. */
	if (v != NULL && v->type == VALUE_S && !absent_key_same(near->typed, v->text, false)) {
		near_try(near, v->text);
	}
}

static bool
absent_key_compares(const struct ctl *ctl, const struct value *v)
{
	return v->type == VALUE_S && v->text.len >= ABSENT_SHORTEST && !url_is_far(ctl->store);
}

/* ------------------------------------------------------------ requests */

/* Compare the partitions that ListPartitions lists; false: the store does not support it. */
static bool
absent_key_list(const struct ctl *ctl, struct call *c, const struct absent_key *k,
		struct near *near)
{
	struct list_partitions_in in = {.table = k->table, .index = k->index, .limit = ABSENT_KEYS};
	struct list_partitions_out out = {.more = true};

	for (int page = 0; out.more && page < ABSENT_PAGES; page++) {
		if (engine_list_partitions(ctl->engine, c, &in, &out) < 0) {
			return false;
		}
		for (size_t i = 0; i < out.n_partitions; i++) {
			absent_key_try(near, &out.partitions[i].pk.at[0]);
		}
		out.more = out.more && out.n_partitions > 0;
		if (out.more) {
			in.from = out.partitions[out.n_partitions - 1].pk;
			in.after = true;
		}
	}
	return true;
}

/* Compare the partition keys of the first items. */
static void
absent_key_scan(const struct ctl *ctl, struct call *c, const struct absent_key *k,
		struct near *near)
{
	struct name_alias names[] = {{SLICE("#p"), k->key->pk[0].name}};
	struct scan_in in = {.read = {.table = k->table,
				      .index = k->index,
				      .projection = SLICE("#p"),
				      .ph = {.names = names, .n_names = 1, .names_given = true},
				      .has_limit = true,
				      .limit = ABSENT_KEYS}};
	struct scan_out out = {0};

	if (engine_scan(ctl->engine, c, &in, &out) == 0) {
		for (size_t i = 0; i < out.page.count; i++) {
			absent_key_try(near, item_get(&out.page.items[i], k->key->pk[0].name));
		}
	}
}

/* Query up to @limit sort keys of the partition.  Return: 0 or the error */
static int
absent_key_query(const struct ctl *ctl, struct call *c, const struct absent_key *k, uint32_t limit,
		 struct page *page)
{
	struct query_out out = {0};
	struct query_in in = {.read = {.table = k->table,
				       .index = k->index,
				       .select = SELECT_COUNT,
				       .has_limit = true,
				       .limit = limit}};
	struct exprs exprs = {0};
	struct buf b = {.arena = &c->arena};

	assert(k->pk.n > 0);
	for (size_t i = 0; i < k->pk.n; i++) {
		const char *name = arena_print(&c->arena, "#%c", (int)('a' + i));
		const char *value = arena_print(&c->arena, ":%c", (int)('a' + i));

		exprs_name(c, &exprs, name, k->key->pk[i].name);
		exprs_value(c, &exprs, value, k->pk.at[i]);
		buf_fmt(&b, "%s%s = %s", i == 0 ? "" : " AND ", name, value);
	}
	in.key_condition = buf_view(&b);
	if (limit > 1 && key_schema_has_sort(k->key)) {
		exprs_name(c, &exprs, "#z", k->key->sk[0].name);
		in.read.projection = SLICE("#z");
		in.read.select = SELECT_DEFAULT;
	}
	in.read.ph = exprs.request.ph;
	int r = engine_query(ctl->engine, c, &in, &out);

	*page = out.page;
	return r;
}

/* ------------------------------------------------------------ notes */

static void
absent_key_put(struct buf *b, const struct key_attr *attr, const struct value *v)
{
	buf_fmt(b, "%.*s = ", SLICE_ARG(attr->name));
	if (v->type == VALUE_S) {
		buf_fmt(b, "'%.*s'", SLICE_ARG(v->text));
	} else {
		value_put_json(b, v, ITEM_PLAIN);
	}
}

static void
absent_key_put_partition(struct buf *b, const struct absent_key *k)
{
	for (size_t i = 0; i < k->pk.n; i++) {
		buf_str(b, i == 0 ? "" : " AND ");
		absent_key_put(b, &k->key->pk[i], k->pk.at[i]);
	}
}

static void
absent_key_put_near(struct buf *b, const struct near *near)
{
	if (near->best.len == 0) {
		return;
	}
	buf_str(b, ": ");
	if (!typed_line_meant(b, near)) {
		buf_fmt(b, "did you mean '%.*s'?", SLICE_ARG(near->best));
	}
}

/* Append a line with --begins-with if the sort key is a pattern of a shell or of SQL: "B*", "B%". */
static bool
absent_key_put_prefix(struct buf *b, const struct absent_key *k)
{
	struct slice sk = k->sk->text;
	bool is = k->sk->type == VALUE_S && sk.len > 1 &&
		  (sk.at[sk.len - 1] == '*' || sk.at[sk.len - 1] == '%');

	if (is) {
		buf_fmt(b, ": itemctl query %.*s ", SLICE_ARG(k->table));
		fmt_shell(b, "% --begins-with %", key_text_of(b->arena, k->pk.at[0]),
			  slice_of(sk.at, sk.len - 1));
	}
	return is;
}

/* The most similar partition, in @own's memory. */
static struct near
absent_key_near(const struct ctl *ctl, struct call *own, const struct absent_key *k)
{
	struct near near = near_start(k->pk.at[0]->text);
	bool lists =
		!store_is_remote(ctl->store) && (k->index.len > 0 || key_schema_has_sort(k->key));

	if (k->pk.n == 1 && absent_key_compares(ctl, k->pk.at[0]) &&
	    !(lists && absent_key_list(ctl, own, k, &near))) {
		own->error = (struct error){0};
		absent_key_scan(ctl, own, k, &near);
	}
	return near;
}

/* The most similar sort key of the partition; near.typed.len is 0 if the partition does not exist. */
static struct near
absent_key_near_sort(const struct ctl *ctl, struct call *own, const struct absent_key *k)
{
	struct near near = near_start(k->sk->text);
	struct page page = {0};

	if (absent_key_query(ctl, own, k, ABSENT_KEYS, &page) == 0 && page.count == 0) {
		near.typed = (struct slice){0};
	}
	for (size_t i = 0; i < page.count && absent_key_compares(ctl, k->sk); i++) {
		absent_key_try(&near, item_get(&page.items[i], k->key->sk[0].name));
	}
	return near;
}

bool
absent_key_partition(const struct ctl *ctl, struct call *c, const struct absent_key *k, bool empty)
{
	if (ctl->quiet || (!empty && !ctl_may_look(ctl))) {
		return false;
	}
	call_scope(own, c->now_ms);
	struct page page = {0};

	if (!empty && (absent_key_query(ctl, &own, k, 1, &page) != 0 || page.scanned > 0)) {
		return false;
	}
	struct near near = absent_key_near(ctl, &own, k);
	struct buf b = {.arena = &own.arena};

	buf_fmt(&b, "no item %s%.*s%shas ", k->index.len > 0 ? "of index " : "",
		SLICE_ARG(k->index), k->index.len > 0 ? " " : "");
	absent_key_put_partition(&b, k);
	absent_key_put_near(&b, &near);
	if (!k->counted || near.best.len > 0) {
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return true;
}

bool
absent_key_finds(const struct ctl *ctl, struct call *c, struct query_in in)
{
	struct query_out out = {0};
	call_scope(own, c->now_ms);

	in.read.has_limit = true;
	in.read.limit = 1;
	return engine_query(ctl->engine, &own, &in, &out) == 0 && out.page.scanned > 0;
}

bool
absent_key_there(const struct ctl *ctl, struct call *c, const struct absent_key *k)
{
	struct page page = {0};

	return absent_key_query(ctl, c, k, 1, &page) == 0 && page.scanned > 0;
}

bool
absent_key_item(const struct ctl *ctl, struct call *c, const struct absent_key *k)
{
	assert(k->sk != NULL);
	if (ctl->quiet) {
		return false;
	}
	call_scope(own, c->now_ms);
	struct near near = near_start(k->sk->text);

	if (absent_key_compares(ctl, k->sk)) {
		near = absent_key_near_sort(ctl, &own, k);
	}
	struct buf b = {.arena = &own.arena};
	buf_str(&b, "no item has ");
	absent_key_put_partition(&b, k);
	buf_str(&b, " AND ");
	absent_key_put(&b, &k->key->sk[0], k->sk);
	bool prefix = absent_key_put_prefix(&b, k);

	if (!prefix) {
		absent_key_put_near(&b, &near);
	}
	if (!k->counted || prefix || near.best.len > 0) {
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return prefix;
}

void
absent_key_range(const struct ctl *ctl, struct call *c, const struct absent_key *k)
{
	assert(k->range != NULL);
	if (k->counted) {
		return;
	}
	struct buf b = {.arena = &c->arena};
	absent_key_put_partition(&b, k);
	ctl_note(ctl, "no item %s%.*s%shas %.*s AND %s", k->index.len > 0 ? "of index " : "",
		 SLICE_ARG(k->index), k->index.len > 0 ? " " : "", SLICE_ARG(buf_view(&b)),
		 k->range);
}

void
absent_key_nearest(const struct ctl *ctl, struct call *c, const struct absent_key *k)
{
	const struct key_attr *attr = &k->key->pk[0];
	struct near near = {0};
	call_scope(own, c->now_ms);
	if (k->sk != NULL && absent_key_compares(ctl, k->sk)) {
		near = absent_key_near_sort(ctl, &own, k);
		attr = &k->key->sk[0];
	}
	if (near.typed.len == 0) {
		near = absent_key_near(ctl, &own, k);
		attr = &k->key->pk[0];
	}
	if (near.best.len > 0 && !slice_eq(near.best, near.typed)) {
		struct buf b = {.arena = &own.arena};

		if (!typed_line_meant(&b, &near)) {
			buf_fmt(&b, "did you mean %.*s = '%.*s'?", SLICE_ARG(attr->name),
				SLICE_ARG(near.best));
		}
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
}
