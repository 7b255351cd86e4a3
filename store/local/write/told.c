/* told - from what the funnel counted to what is answered; Source: BEHAVIOUR 16.4, 16.5 */
#include "store/local/write/told.h"

#include "store/local/meter/capacity.h"
#include "store/model/schema.h"

enum { GB_BITS = 30 };

void
told_ask(struct call *c, const struct write_asked *asked, struct slice table, struct write *w)
{
	w->throttled = w->schema->throttle && w->kind != WRITE_TIME;
	if (asked->capacity != CAPACITY_NONE || w->throttled) {
		w->capacity = capacity_new(c, w->schema, table);
	}
	w->measures = asked->collections && schema_local_indexes(w->schema) > 0;
	w->table = table;
}

struct told
told_begin(struct call *c, const struct write_asked *asked)
{
	return (struct told){.c = c, .sheet = capacity_sheet(c, asked->capacity)};
}

static void
add_collection(struct told *t, const struct write *w)
{
	for (size_t i = 0; i < t->n; i++) {
		if (slice_eq(t->collections[i].last->collection, w->collection)) {
			t->collections[i].last = w;
			return;
		}
	}
	t->collections = arena_room(&t->c->arena, t->collections, t->n, &t->cap);
	t->collections[t->n++].last = w;
}

void
told_add(struct told *t, const struct write *w, uint64_t times)
{
	if (t->sheet.level != CAPACITY_NONE) {
		capacity_add(capacity_on(&t->sheet, w->schema, w->table), w->capacity, times);
	}
	if (w->measures) {
		add_collection(t, w);
	}
}

static struct item
told_partition_key(struct call *c, const struct write *w)
{
	struct attr *at = arena_new(&c->arena, struct attr, 1);

	*at = (struct attr){.name = w->schema->key.pk->name, .value = *w->values.at[0]};
	return (struct item){.at = at, .n = 1};
}

struct write_told
told_end(const struct told *t, enum capacity_kind kind)
{
	struct collection *list = arena_new(&t->c->arena, struct collection, t->n);

	for (size_t i = 0; i < t->n; i++) {
		const struct write *w = t->collections[i].last;
		uint64_t gb = w->collection_bytes >> GB_BITS;

		list[i] = (struct collection){
			.table = w->table,
			.key = told_partition_key(t->c, w),
			.low_gb = gb,
			.high_gb = gb + 1,
		};
	}
	return (struct write_told){
		.consumed = capacity_tell(&t->sheet, kind),
		.collections = {list, t->n},
	};
}
