/*
 * schemas - a cache of DescribeTable.  place.c asks it for every request,
 * inval.c empties it when tables come and go.
 */
#include "fs/schemas.h"

#include "store/base/cleanup.h"

struct known_schema {
	struct known_schema *next;
	const struct schema *schema;
	bool current;
};

void
schemas_init(struct schemas *s, struct engine *e)
{
	*s = (struct schemas){.engine = e};
	(void)pthread_mutex_init(&s->lock, NULL);
	arena_init(&s->arena, SIZE_MAX);
}

void
schemas_release(struct schemas *s)
{
	arena_drop(&s->arena);
	(void)pthread_mutex_destroy(&s->lock);
	*s = (struct schemas){0};
}

const struct schema *
schemas_find(struct schemas *s, struct slice table)
{
	lock_scope(&s->lock);
	for (const struct known_schema *k = s->known; k != NULL; k = k->next) {
		if (k->current && slice_eq(k->schema->table, table)) {
			return k->schema;
		}
	}
	return NULL;
}

/* An answer that is older than a drop serves its request and is not kept as current. */
static const struct schema *
keep(struct schemas *s, const struct schema *schema, uint64_t drops)
{
	lock_scope(&s->lock);
	struct known_schema *k = arena_new(&s->arena, struct known_schema, 1);

	*k = (struct known_schema){
		.next = s->known,
		.schema = schema_copy(&s->arena, schema),
		.current = drops == s->drops,
	};
	s->known = k;
	return k->schema;
}

int
schemas_get(struct schemas *s, struct call *c, struct slice table, const struct schema **out)
{
	const struct schema *known = schemas_find(s, table);
	struct describe_table_in in = {.table = table};
	struct describe_table_out described = {0};
	uint64_t drops = atomic_load(&s->drops);

	if (known != NULL) {
		*out = known;
		return 0;
	}
	int r = engine_describe_table(s->engine, c, &in, &described);

	if (r < 0) {
		return r;
	}
	if (described.table.status == TABLE_DELETING) {
		return call_fail(c, ERR_NO_TABLE, "Table %.*s is being deleted", SLICE_ARG(table));
	}
	*out = keep(s, described.table.schema, drops);
	return 0;
}

void
schemas_drop(struct schemas *s, struct slice table)
{
	lock_scope(&s->lock);
	s->drops++;
	for (struct known_schema *k = s->known; k != NULL; k = k->next) {
		k->current = k->current && !slice_eq(k->schema->table, table);
	}
}

void
schemas_clear(struct schemas *s)
{
	lock_scope(&s->lock);
	s->drops++;
	for (struct known_schema *k = s->known; k != NULL; k = k->next) {
		k->current = false;
	}
}
