/*
 * sweep - Sweep: deletes the items of a table that are past their time to live
 *
 * A page scans a part of the table without a lock and looks at one attribute of
 * each record.  write.c then deletes the expired items, but only those that are
 * still exactly what was read: an item that was changed in the meantime is kept.
 * "next" names the table and the key to continue at.
 */
#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/catalog.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/tables/tables.h"
#include "store/local/write/write.h"
#include "store/model/limits.h"

enum {
	PAGE_BYTES = 4 << 20, /* size of the records read */
	PAGE_DELETES = 100,   /* they are one operation, which other writers wait for */
	MS_PER_S = 1000,
	DIGITS_MAX = 18, /* fit into an int64_t; longer numbers are far from any real time */
};

/* Where a page begins. */
struct place {
	struct slice table; /* empty: the first table */
	struct slice key;   /* empty: the beginning of the table */
};

/* A page in progress. */
struct sweep {
	struct local *local;
	struct call *c;
	const struct schema *s;
	uint64_t now_s;
	bool any_age;
	uint64_t items; /* number of items read */
	struct write deletes[PAGE_DELETES];
	size_t n;
	size_t bytes; /* write_bytes() of the deletes */
};

/* ------------------------------------------------------------ "next" */

/* "table key"; table names contain no space. */
static struct slice
print_place(struct call *c, const struct place *p)
{
	struct buf b = {.arena = &c->arena};

	buf_slice(&b, p->table);
	buf_char(&b, ' ');
	buf_slice(&b, p->key);
	return buf_view(&b);
}

static struct place
sweep_read_place(struct slice next)
{
	struct place p = {.table = next};
	const char *blank = slice_chr(next, ' ');

	if (blank != NULL) {
		p.table.len = (size_t)(blank - next.at);
		p.key = slice_skip(next, p.table.len + 1);
	}
	return p;
}

/* Return: the first table after @name that has a time to live, or NULL. */
static const struct schema *
next_table(struct catalog *cat, struct call *c, struct slice name)
{
	const struct schema *s = catalog_next(cat, c, name);

	while (s != NULL && s->ttl.len == 0) {
		s = catalog_next(cat, c, s->table);
	}
	return s;
}

/* Find the table at @p.  A sweep of all tables skips those without a time to live; *@out: NULL: none is left. */
static int
sweep_find_table(struct local *l, struct call *c, const struct sweep_in *in, struct place *p,
		 const struct schema **out)
{
	if (in->table.len > 0) {
		*out = catalog_get(l->catalog, c, in->table);
		if (*out == NULL) {
			return fail_no_table(c, in->table);
		}
		return (*out)->ttl.len > 0 ? 0
					   : call_fail(c, ERR_VALIDATION,
						       "TimeToLive is not enabled on table %.*s",
						       SLICE_ARG(in->table));
	}
	*out = p->table.len == 0 ? NULL : catalog_get(l->catalog, c, p->table);
	if (*out == NULL || (*out)->ttl.len == 0) {
		*out = next_table(l->catalog, c, p->table);
		p->key = slice_of(NULL, 0);
	}
	return 0;
}

/* ------------------------------------------------------------ scanning */

/* Whole seconds of a canonical number, rounded down. */
static int64_t
seconds_of(struct slice number)
{
	bool negative = number.at[0] == '-';
	int64_t seconds = 0;
	size_t i = negative;

	for (; i < number.len && number.at[i] != '.'; i++) {
		if (i - negative == DIGITS_MAX) {
			return negative ? INT64_MIN : INT64_MAX;
		}
		seconds = 10 * seconds + (number.at[i] - '0');
	}
	return negative ? -seconds - (i < number.len) : seconds;
}

/* Whether an item with the time-to-live attribute @v has expired.  Source: BEHAVIOUR 8.2, 8.3 */
static bool
sweep_is_over(const struct value *v, uint64_t now_s, bool any_age)
{
	if (v->type != VALUE_N) {
		return false;
	}
	int64_t now = (int64_t)now_s;
	int64_t end = seconds_of(v->text);

	return end < now && (any_age || end >= now - LIMIT_TTL_PAST_S);
}

static int
sweep_take(struct sweep *w, struct slice key, struct slice record)
{
	assert(w->n < PAGE_DELETES);

	struct write *d = &w->deletes[w->n];
	struct item *old = arena_new(&w->c->arena, struct item, 1);
	struct value room[KEY_VALUES_MAX];
	struct values values = {room, 0};
	int r = keyspace_parse_item(w->c, w->s, NULL, slice_copy(&w->c->arena, key), &values);

	if (r == 0) {
		r = record_decode(w->c, slice_copy(&w->c->arena, record), NULL, old);
	}
	if (r == 0) {
		*d = (struct write){
			.local = w->local,
			.schema = w->s,
			.kind = WRITE_DELETE,
			.item = key_to_item(w->c, w->s, NULL, &values),
			.seen.item = old,
			.service = true,
		};
		r = write_prepare(w->c, d);
	}
	if (r < 0) {
		return r;
	}
	w->bytes += write_bytes(d);
	w->n++;
	return 0;
}

static int
sweep_look(struct sweep *w, struct kv_cursor *cur)
{
	struct slice record = kv_cursor_value(cur);
	struct value v;
	int r = record_find(w->c, record, w->s->ttl, &v);

	if (r == 0 && sweep_is_over(&v, w->now_s, w->any_age)) {
		r = sweep_take(w, kv_cursor_key(cur), record);
	}
	return r < 0 ? r : 0;
}

/* Scan from @key, or from the table's beginning if @key is not in the table; @next: empty at the end. */
static int
walk(struct sweep *w, struct slice key, struct slice *next)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_once(w->local->kv, NULL);
	struct slice prefix = keyspace_head(&w->c->arena, KEYSPACE_ITEM, w->s, NULL);
	size_t bytes = 0;
	int r = 0;

	kv_cursor_seek(cur, slice_starts(key, prefix) ? key : prefix);
	for (; r == 0 && kv_cursor_in(cur, prefix) && bytes < PAGE_BYTES && w->n < PAGE_DELETES;
	     kv_cursor_next(cur)) {
		r = sweep_look(w, cur);
		bytes += kv_cursor_value(cur).len;
		w->items++;
	}
	*next = kv_cursor_in(cur, prefix) ? slice_copy(&w->c->arena, kv_cursor_key(cur))
					  : slice_of(NULL, 0);
	return kv_cursor_end(cur, w->c, r);
}

/* ------------------------------------------------------------ deleting */

static int
run_deletes(struct txn *t, struct call *c, void *arg)
{
	struct sweep *w = arg;

	for (size_t i = 0; i < w->n; i++) {
		int r = write_try(t, c, &w->deletes[i]);

		if (r != 0 && r != WRITE_REFUSED) {
			return r;
		}
	}
	return 0;
}

static uint64_t
deleted(const struct sweep *w)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		n += w->deletes[i].seq != 0;
	}
	return n;
}

/* Return: 0, TXN_REBIND, < 0 */
static int
sweep_piece(struct sweep *w, struct slice key, struct slice *next)
{
	int r = walk(w, key, next);

	return r < 0 || w->n == 0
		       ? r
		       : txn_run(w->local->queue, w->c,
				 &(struct txn_op){.run = run_deletes, .arg = w, .bytes = w->bytes});
}

static int
tables_sweep_page(struct local *l, struct call *c, const struct sweep_in *in, struct sweep_out *out)
{
	struct sweep *w = arena_new(&c->arena, struct sweep, 1);
	struct place place = sweep_read_place(in->next);
	struct slice next;
	int r;

	do {
		*w = (struct sweep){.local = l, .c = c, .any_age = in->any_age};
		w->now_s = in->now_s != 0 ? in->now_s : c->now_ms / MS_PER_S;
		r = sweep_find_table(l, c, in, &place, &w->s);
		if (r < 0 || w->s == NULL) {
			return r;
		}
		place.table = w->s->table;
		r = sweep_piece(w, place.key, &next);
	} while (r == TXN_REBIND);
	if (r < 0) {
		return r;
	}
	out->items = w->items;
	out->deleted = deleted(w);
	place.key = next;
	if (next.len == 0) {
		w->s = in->table.len > 0 ? NULL : next_table(l->catalog, c, place.table);
		place.table = w->s == NULL ? slice_of(NULL, 0) : w->s->table;
	}
	if (place.table.len > 0) {
		out->next = print_place(c, &place);
	}
	return 0;
}

/* Add up the items of all tables of the sweep.  Damaged totals do not prevent the sweep. */
static int
sweep_count_items(struct local *l, struct call *c, const struct sweep_in *in, uint64_t *n)
{
	cleanup(call_close) struct call own;
	struct place begin = {0};
	const struct schema *s = NULL;

	call_open(&own, c->now_ms, SIZE_MAX);
	int r = sweep_find_table(l, &own, in, &begin, &s);

	while (r == 0 && s != NULL) {
		struct totals totals;

		r = table_totals(l, &own, NULL, s, NULL, &totals);
		*n += totals.items;
		s = in->table.len > 0 ? NULL : next_table(l->catalog, &own, s->table);
	}
	return r == 0 || r == -ERR_CORRUPT ? 0
					   : call_fail(c, own.error.code, "%s", own.error.message);
}

/* Each page also triggers the clean-up of other expired data: tasks_sweep(), and that of scans (local.c). */
int
local_exec_sweep(struct local *l, struct call *c, const struct sweep_in *in, struct sweep_out *out)
{

	*out = (struct sweep_out){0};
	int r = in->next.len == 0 ? sweep_count_items(l, c, in, &out->ahead) : 0;

	r = r < 0 ? r : tables_sweep_page(l, c, in, out);
	if (r == 0) {
		tasks_sweep(l->tasks, c->now_ms);
	}
	return r;
}
