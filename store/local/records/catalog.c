/*
 * catalog - sorted array of schemas by table name, in memory
 *
 * The catalog is loaded once. After that any thread reads it and only the commit leader changes it. A schema that was
 * replaced is marked as retired. It is freed when the last call that found it ends.
 */
#include "store/local/records/catalog.h"

#include <stdatomic.h>

#include "store/local/records/definition.h"
#include "store/local/records/keyspace.h"
#include "store/model/arn.h"
#include "store/model/schema.h"

struct table {
	struct schema schema; /* must be first: catalog_current() casts it to the table */
	atomic_uint holders;  /* references: of the catalog, and of calls that found it */
	atomic_bool retired;
	struct arena arena; /* of the schema */
};

struct catalog {
	pthread_rwlock_t lock;
	struct table **tables; /* by name */
	size_t n;
	size_t cap;
};

enum { CATALOG_ARENA_BYTES = 1 << 20 };

/* Index of the table @name, or the index at which to insert it. */
static size_t
catalog_place_of(const struct catalog *cat, struct slice name, bool *found)
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

static void
table_release(void *what)
{
	struct table *t = what;

	if (atomic_fetch_sub_explicit(&t->holders, 1, memory_order_acq_rel) == 1) {
		arena_drop(&t->arena);
		free(t);
	}
}

/* Give @c a reference to the table at @place and unlock the catalog.  Return: NULL if @place is past the end */
static const struct schema *
hand_out(struct catalog *cat, struct call *c, size_t place)
{
	assert(lock_held_any(&cat->lock));
	struct table *t = place < cat->n ? cat->tables[place] : NULL;

	if (t != NULL) {
		(void)atomic_fetch_add_explicit(&t->holders, 1, memory_order_relaxed);
	}
	(void)pthread_rwlock_unlock(&cat->lock);
	if (t == NULL) {
		return NULL;
	}
	arena_hold(&c->arena, table_release, t);
	return &t->schema;
}

const struct schema *
catalog_get(struct catalog *cat, struct call *c, struct slice table)
{
	bool found;

	(void)pthread_rwlock_rdlock(&cat->lock);
	size_t place = catalog_place_of(cat, arn_table(table), &found);

	return hand_out(cat, c, found ? place : cat->n);
}

const struct schema *
catalog_next(struct catalog *cat, struct call *c, struct slice name)
{
	bool found;

	(void)pthread_rwlock_rdlock(&cat->lock);
	size_t place = catalog_place_of(cat, name, &found);

	return hand_out(cat, c, place + found);
}

int
catalog_find(struct catalog *cat, struct call *c, struct slice table, const struct schema **out)
{
	const struct schema *s = catalog_get(cat, c, table);
	bool usable = s != NULL && !s->creating;

	*out = usable ? s : NULL;
	return usable ? 0 : call_fail(c, ERR_NO_TABLE, "Requested resource not found");
}

/* Source: BEHAVIOUR 4.3 */
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
catalog_table_new(const struct schema *s)
{
	struct table *t = mem_new(struct table);

	arena_init(&t->arena, CATALOG_ARENA_BYTES);
	atomic_init(&t->holders, 1);
	t->schema = *schema_copy(&t->arena, s);
	return t;
}

static void
retire(struct table *t)
{
	atomic_store(&t->retired, true);
	table_release(t);
}

void
catalog_replace(struct catalog *cat, const struct schema *s)
{
	struct table *t = catalog_table_new(s);
	bool found;

	(void)pthread_rwlock_wrlock(&cat->lock);
	size_t place = catalog_place_of(cat, s->table, &found);
	assert(found);
	struct table *old = cat->tables[place];

	cat->tables[place] = t;
	(void)pthread_rwlock_unlock(&cat->lock);
	retire(old);
}

void
catalog_add(struct catalog *cat, const struct schema *s)
{
	struct table *t = catalog_table_new(s);
	bool found;

	(void)pthread_rwlock_wrlock(&cat->lock);
	if (cat->n == cat->cap) {
		cat->cap = cat->cap == 0 ? 16 : 2 * cat->cap;
		cat->tables = mem_resized(cat->tables, cat->cap, sizeof(struct table *));
	}
	size_t place = catalog_place_of(cat, s->table, &found);

	assert(!found);
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
	size_t place = catalog_place_of(cat, table, &found);
	struct table *t = found ? cat->tables[place] : NULL;

	if (found) {
		cat->n--;
		memmove(&cat->tables[place], &cat->tables[place + 1],
			(cat->n - place) * sizeof(struct table *));
	}
	(void)pthread_rwlock_unlock(&cat->lock);
	if (t != NULL) {
		retire(t);
	}
}

/* ------------------------------------------------------------ life */

static int
load_tables(struct call *c, struct kv *kv, struct catalog *cat)
{
	struct slice prefix = keyspace_name(&c->arena, KEYSPACE_TABLE, slice_of(NULL, 0));
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);
	int r = 0;

	kv_cursor_seek(cur, prefix);
	for (; r == 0 && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		struct schema s;

		r = definition_decode(c, slice_skip(kv_cursor_key(cur), prefix.len),
				      kv_cursor_value(cur), &s);

		if (r == 0) {
			catalog_add(cat, &s);
		}
	}
	return kv_cursor_end(cur, c, r);
}

void
catalog_free(struct catalog *cat)
{
	if (cat == NULL) {
		return;
	}
	for (size_t i = 0; i < cat->n; i++) {
		table_release(cat->tables[i]);
	}
	free(cat->tables);
	(void)pthread_rwlock_destroy(&cat->lock);
	free(cat);
}

int
catalog_load(struct call *c, struct kv *kv, struct catalog **out)
{
	struct catalog *cat = mem_new(struct catalog);

	*out = cat;
	(void)pthread_rwlock_init(&cat->lock, NULL);
	return load_tables(c, kv, cat);
}
