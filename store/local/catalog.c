/*
 * catalog - schemas by table name, in memory
 *
 * Loaded once, then changed only by the commit leader; found by everybody.
 * Schemas that were replaced stay, marked as retired, until the engine closes:
 * requests under way still read them.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "store/base/mem.h"
#include "store/local/catalog_int.h"
#include "store/local/definition.h"
#include "store/local/keyspace.h"
#include "store/model/arn.h"

struct table {
	struct schema schema; /* first: a schema found here is a table */
	struct table *retired_next;
	atomic_bool retired;
	struct arena arena; /* of the schema */
};

struct catalog {
	pthread_rwlock_t lock;
	struct table **tables; /* by name */
	size_t n;
	size_t cap;
	struct table *retired;
};

enum { CATALOG_ARENA_BYTES = 1 << 20 };

/* Where @name stands or belongs. */
static size_t
place_of(const struct catalog *cat, struct slice name, bool *found)
{
	size_t lo = 0;
	size_t hi = cat->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (slice_cmp(cat->tables[mid]->schema.table, name) < 0) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	*found = lo < cat->n && slice_eq(cat->tables[lo]->schema.table, name);
	return lo;
}

const struct schema *
catalog_get(struct catalog *cat, struct slice table)
{
	bool found;

	(void)pthread_rwlock_rdlock(&cat->lock);
	size_t place = place_of(cat, arn_table(table), &found);
	const struct schema *s = found ? &cat->tables[place]->schema : NULL;

	(void)pthread_rwlock_unlock(&cat->lock);
	return s;
}

const struct schema *
catalog_next(struct catalog *cat, struct slice name)
{
	bool found;

	(void)pthread_rwlock_rdlock(&cat->lock);
	size_t place = place_of(cat, name, &found) + found;
	const struct schema *s = place < cat->n ? &cat->tables[place]->schema : NULL;

	(void)pthread_rwlock_unlock(&cat->lock);
	return s;
}

int
catalog_find(struct catalog *cat, struct call *c, struct slice table, const struct schema **out)
{
	*out = catalog_get(cat, table);
	return *out != NULL && !(*out)->creating
		       ? 0
		       : call_fail(c, ERR_NO_TABLE, "Requested resource not found");
}

/* Source: behaviour list 4.3 */
static int
check_readable(struct call *c, const struct index *ix, struct slice name)
{
	if (ix == NULL || ix->state == INDEX_DELETING) {
		return call_fail(c, ERR_NO_INDEX,
				 "The table does not have the specified index: %.*s",
				 SLICE_ARG(name));
	}
	if (ix->state != INDEX_ACTIVE) {
		return call_fail(c, ERR_NO_INDEX,
				 "Cannot read from backfilling global secondary index: %.*s",
				 SLICE_ARG(name));
	}
	return 0;
}

int
catalog_find_index(struct catalog *cat, struct call *c, struct slice table, struct slice index,
		   const struct schema **schema, const struct index **ix)
{
	int r = catalog_find(cat, c, table, schema);

	if (r < 0) {
		return r;
	}
	*ix = index.len == 0 ? NULL : schema_index(*schema, index);
	return index.len == 0 ? 0 : check_readable(c, *ix, index);
}

bool
catalog_current(const struct schema *s)
{
	return !atomic_load(&((const struct table *)s)->retired);
}

static struct table *
table_new(const struct schema *s)
{
	struct table *t = mem_new(struct table);

	arena_init(&t->arena, CATALOG_ARENA_BYTES);
	t->schema = *schema_copy(&t->arena, s);
	return t;
}

/* The lock is held. */
static void
retire(struct catalog *cat, struct table *t)
{
	atomic_store(&t->retired, true);
	t->retired_next = cat->retired;
	cat->retired = t;
}

const struct schema *
catalog_replace(struct catalog *cat, const struct schema *s)
{
	struct table *t = table_new(s);
	bool found;

	(void)pthread_rwlock_wrlock(&cat->lock);
	size_t place = place_of(cat, s->table, &found);

	retire(cat, cat->tables[place]);
	cat->tables[place] = t;
	(void)pthread_rwlock_unlock(&cat->lock);
	return &t->schema;
}

void
catalog_add(struct catalog *cat, const struct schema *s)
{
	struct table *t = table_new(s);
	bool found;

	(void)pthread_rwlock_wrlock(&cat->lock);
	if (cat->n == cat->cap) {
		cat->cap = cat->cap == 0 ? 16 : 2 * cat->cap;
		cat->tables = mem_resized(cat->tables, cat->cap, sizeof(struct table *));
	}
	size_t place = place_of(cat, s->table, &found);

	memmove(&cat->tables[place + 1], &cat->tables[place],
		(cat->n - place) * sizeof(struct table *));
	cat->tables[place] = t;
	cat->n++;
	(void)pthread_rwlock_unlock(&cat->lock);
}

void
catalog_drop(struct catalog *cat, struct slice table)
{
	bool found;

	(void)pthread_rwlock_wrlock(&cat->lock);
	size_t place = place_of(cat, table, &found);

	if (found) {
		struct table *t = cat->tables[place];

		cat->n--;
		memmove(&cat->tables[place], &cat->tables[place + 1],
			(cat->n - place) * sizeof(struct table *));
		retire(cat, t);
	}
	(void)pthread_rwlock_unlock(&cat->lock);
}

void
catalog_key(struct buf *out, struct slice table)
{
	buf_char(out, KEYSPACE_TABLE);
	buf_slice(out, table);
}

/* ------------------------------------------------------------ life */

static int
load_tables(struct call *c, struct kv *kv, struct catalog *cat)
{
	static const char first[] = {KEYSPACE_TABLE};
	struct slice prefix = slice_of(first, sizeof(first));
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);

	for (cur->ops->seek(cur, prefix); kv_cursor_in(cur, prefix); cur->ops->next(cur)) {
		struct schema s;
		int r = definition_decode(c, slice_skip(cur->ops->key(cur), prefix.len),
					  cur->ops->value(cur), &s);

		if (r < 0) {
			return r;
		}
		catalog_add(cat, &s);
	}
	return cur->ops->status(cur, c);
}

static void
table_free(struct table *t)
{
	arena_drop(&t->arena);
	free(t);
}

void
catalog_free(struct catalog *cat)
{
	if (cat == NULL) {
		return;
	}
	for (size_t i = 0; i < cat->n; i++) {
		table_free(cat->tables[i]);
	}
	for (struct table *t = cat->retired, *next; t != NULL; t = next) {
		next = t->retired_next;
		table_free(t);
	}
	free(cat->tables);
	(void)pthread_rwlock_destroy(&cat->lock);
	free(cat);
}

int
catalog_load(struct call *c, struct kv *kv, struct catalog **out)
{
	struct catalog *cat = mem_new(struct catalog);

	(void)pthread_rwlock_init(&cat->lock, NULL);
	int r = load_tables(c, kv, cat);

	if (r < 0) {
		catalog_free(cat);
		return r;
	}
	*out = cat;
	return 0;
}
