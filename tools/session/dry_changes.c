/* dry_changes - see dry_changes.h */
#include "tools/session/dry_changes.h"

#include "store/engine/engine.h"
#include "store/model/schema.h"

/* A table that would have been created or dropped. */
struct dry_table {
	struct dry_table *next;
	const struct engine *below; /* its store */
	struct slice name;
	const struct schema *schema; /* NULL: dropped */
};

struct dry_sum {
	struct dry_sum *next;
	const char *does; /* "put", "delete" ...; an operation's name */
	const char *to;   /* preposition before the table: "into"; "" if no items are counted */
	struct slice table;
	uint64_t n;
};

struct dry {
	pthread_mutex_t lock;
	struct arena arena;
	struct dry_table *tables; /* the newest first */
	struct dry_sum *sums;     /* in the order of their first use */
	const char *untried;      /* why conditions and updates were not tested; NULL: they were */
};

struct dry *
dry_new(void)
{
	struct dry *d = mem_new(struct dry);

	(void)pthread_mutex_init(&d->lock, NULL);
	arena_init(&d->arena, SIZE_MAX);
	return d;
}

void
dry_free(struct dry *d)
{
	if (d != NULL) {
		(void)pthread_mutex_destroy(&d->lock);
		arena_drop(&d->arena);
		free(d);
	}
}

/* ------------------------------------------------------------ counting */

void
dry_changes_count(struct dry *d, const char *does, const char *to, struct slice table, uint64_t n)
{
	lock_scope(&d->lock);
	struct dry_sum **at = &d->sums;

	while (*at != NULL && !(strcmp((*at)->does, does) == 0 && slice_eq((*at)->table, table))) {
		at = &(*at)->next;
	}
	if (*at == NULL) {
		*at = arena_new(&d->arena, struct dry_sum, 1);
		**at = (struct dry_sum){
			.does = does, .to = to, .table = slice_copy(&d->arena, table)};
	}
	(*at)->n += n;
}

void
dry_changes_untried(struct dry *d, const char *why)
{
	lock_scope(&d->lock);
	d->untried = d->untried == NULL ? why : d->untried;
}

void
dry_print(struct dry *d, struct buf *out)
{
	lock_scope(&d->lock);
	buf_str(out, "dry run: nothing was changed\n");
	for (const struct dry_sum *s = d->sums; s != NULL; s = s->next) {
		buf_fmt(out, "would %s ", s->does);
		if (s->to[0] != '\0') {
			buf_fmt(out, "%lu item%s %s ", (unsigned long)s->n, s->n == 1 ? "" : "s",
				s->to);
		}
		buf_fmt(out, "%.*s\n", SLICE_ARG(s->table));
	}
	if (d->untried != NULL) {
		buf_fmt(out, "conditions and updates were not tried: %s\n", d->untried);
	}
}

/* ------------------------------------------------------------ tables that would be created or dropped */

const struct dry_table *
dry_changes_table(struct dry *d, const struct engine *below, struct slice name)
{
	lock_scope(&d->lock);
	const struct dry_table *t = d->tables;

	while (t != NULL && !(t->below == below && slice_eq(t->name, name))) {
		t = t->next;
	}
	return t;
}

void
dry_changes_add_table(struct dry *d, const struct engine *below, struct slice name,
		      const struct schema *schema)
{
	lock_scope(&d->lock);
	struct dry_table *t = arena_new(&d->arena, struct dry_table, 1);

	*t = (struct dry_table){
		.next = d->tables,
		.below = below,
		.name = slice_copy(&d->arena, name),
		.schema = schema == NULL ? NULL : schema_copy(&d->arena, schema),
	};
	d->tables = t;
}

int
dry_changes_describe(struct dry *d, struct engine *below, struct call *c, struct slice name,
		     struct table_info *out)
{
	struct describe_table_in in = {.table = name};
	struct describe_table_out answer = {0};
	const struct dry_table *t = dry_changes_table(d, below, name);

	*out = (struct table_info){.status = TABLE_ACTIVE};
	if (t != NULL && t->schema == NULL) {
		return call_fail(c, ERR_NO_TABLE,
				 "Requested resource not found: Table: %.*s not found",
				 SLICE_ARG(name));
	}
	if (t != NULL) {
		out->schema = t->schema;
		out->index_totals = arena_new(&c->arena, struct totals, t->schema->n_index + 1);
		return 0;
	}
	int r = engine_describe_table(below, c, &in, &answer);

	*out = r == 0 ? answer.table : *out;
	return r;
}
