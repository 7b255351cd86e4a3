/* schemas - see schemas.h; place.c calls it, inval.c empties it when tables come and go */
#include "fs/core/schemas.h"

#include "store/base/core/clock.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"

struct known_schema {
	struct known_schema *next;
	const struct schema *schema;
	struct arena arena;  /* memory of the schema */
	atomic_uint holders; /* the calls that use it, and the cache itself */
	uint64_t until_ms;   /* steady; 0: valid until it is dropped */
};

static void
core_schemas_release(void *what)
{
	struct known_schema *k = what;

	if (atomic_fetch_sub_explicit(&k->holders, 1, memory_order_acq_rel) == 1) {
		arena_drop(&k->arena);
		free(k);
	}
}

void
schemas_init(struct schemas *s, struct engine *e, uint64_t keep_ms)
{
	*s = (struct schemas){.engine = e, .keep_ms = keep_ms};
	(void)pthread_mutex_init(&s->lock, NULL);
}

void
schemas_release(struct schemas *s)
{
	schemas_drop(s, SLICE(""));
	(void)pthread_mutex_destroy(&s->lock);
	*s = (struct schemas){0};
}

static struct known_schema *
core_schemas_find(const struct schemas *s, struct slice table)
{
	assert(lock_held(&s->lock));
	struct known_schema *k = s->known;

	while (k != NULL && !slice_eq(k->schema->table, table)) {
		k = k->next;
	}
	return k;
}

static bool
is_believed(const struct known_schema *k)
{
	return k->until_ms == 0 || clock_steady_ms() < k->until_ms;
}

/* Remove the schemas of @table, or all if @table is empty. */
static void
schemas_take_out(struct schemas *s, struct slice table)
{
	assert(lock_held(&s->lock));
	struct known_schema *k;

	for (struct known_schema **at = &s->known; (k = *at) != NULL;) {
		if (table.len > 0 && !slice_eq(k->schema->table, table)) {
			at = &k->next;
			continue;
		}
		*at = k->next;
		core_schemas_release(k);
	}
}

/* Look a schema up, and hold it until the call is closed. @old: also one that has expired. */
static const struct schema *
schemas_take(struct schemas *s, struct call *c, struct slice table, bool old)
{
	struct known_schema *k;

	{
		lock_scope(&s->lock);
		k = core_schemas_find(s, table);
		if (k == NULL || !(old || is_believed(k))) {
			return NULL;
		}
		(void)atomic_fetch_add_explicit(&k->holders, 1, memory_order_relaxed);
	}
	arena_hold(&c->arena, core_schemas_release, k);
	return k->schema;
}

const struct schema *
schemas_find(struct schemas *s, struct call *c, struct slice table)
{
	return schemas_take(s, c, table, false);
}

/* Cache an answer, unless something was dropped since the request. */
static void
schemas_keep(struct schemas *s, const struct schema *schema, uint64_t drops)
{
	lock_scope(&s->lock);
	struct known_schema *k = core_schemas_find(s, schema->table);

	if (drops != s->drops || (k != NULL && is_believed(k))) {
		return;
	}
	schemas_take_out(s, schema->table);
	k = mem_new(struct known_schema);

	arena_init(&k->arena, SIZE_MAX);
	k->schema = schema_copy(&k->arena, schema);
	k->holders = 1;
	k->until_ms = s->keep_ms == 0 ? 0 : clock_steady_ms() + s->keep_ms;
	k->next = s->known;
	s->known = k;
}

int
schemas_get(struct schemas *s, struct call *c, struct slice table, const struct schema **out)
{
	const struct schema *known = schemas_find(s, c, table);
	struct describe_table_in in = {.table = table};
	struct describe_table_out described = {0};
	uint64_t drops = atomic_load(&s->drops);

	if (known != NULL) {
		*out = known;
		return 0;
	}
	int r = engine_describe_table(s->engine, c, &in, &described);

	/* If the store does not answer, use an expired schema, so that .itemfs can still be read. */
	if (r < 0 && r != -ERR_NO_TABLE && (known = schemas_take(s, c, table, true)) != NULL) {
		c->error = (struct error){0};
		*out = known;
		return 0;
	}
	if (r < 0) {
		return r;
	}
	assert(described.table.schema != NULL);
	if (described.table.status == TABLE_DELETING) {
		return call_fail(c, ERR_NO_TABLE, "Table %.*s is being deleted", SLICE_ARG(table));
	}
	schemas_keep(s, described.table.schema, drops);
	*out = described.table.schema;
	return 0;
}

size_t
schemas_known(struct schemas *s)
{
	size_t n = 0;

	lock_scope(&s->lock);
	for (const struct known_schema *k = s->known; k != NULL; k = k->next) {
		n++;
	}
	return n;
}

void
schemas_drop(struct schemas *s, struct slice table)
{
	lock_scope(&s->lock);
	s->drops++;
	schemas_take_out(s, table);
}
