/*
 * shapes_kinds - makes a kind of all items that have the same template
 *
 * Similar kinds are joined (shapes_join.c).  A kind is divided if its entity attribute has several values and the
 * items with different values have different attributes.
 */
#include "store/model/schema.h"
#include "store/page/shapes_int.h"

enum {
	KINDS_MOST = 1000,  /* kinds that are compared with each other; the rarest are left out */
	ENTITIES_MOST = 8,  /* a kind is divided into at most this number of kinds */
	NAMED_PERCENT = 66, /* share of items with the same entity that gives a kind its name */
};

enum { NO_KIND = UINT32_MAX };

/* ------------------------------------------------------------ kinds */

static int
compare_nodes(const void *a, const void *b)
{
	const struct shapes_item *x = *(struct shapes_item *const *)a;
	const struct shapes_item *y = *(struct shapes_item *const *)b;

	return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : (x > y) - (x < y);
}

static int
compare_kinds(const void *a, const void *b)
{
	const struct shapes_item *x = *(struct shapes_item *const *)a;
	const struct shapes_item *y = *(struct shapes_item *const *)b;

	if (x->kind != y->kind) {
		return x->kind < y->kind ? -1 : 1;
	}
	return x->entity != y->entity ? (x->entity > y->entity) - (x->entity < y->entity)
				      : (x > y) - (x < y);
}

static int
shapes_kinds_compare_counts(const void *a, const void *b)
{
	const struct shapes_kind *x = a;
	const struct shapes_kind *y = b;

	return (x->items < y->items) - (x->items > y->items);
}

/* Set the pieces of @k to the nodes from the root to @leaf. */
static void
kind_pieces(struct shapes_sample *s, struct shapes_kind *k, uint32_t leaf)
{
	for (uint32_t i = leaf; i != 0; i = s->nodes[i].parent) {
		k->n++;
	}
	k->pieces = arena_new(&s->arena, struct shapes_node, k->n);
	for (uint32_t i = leaf, at = (uint32_t)k->n; i != 0; i = s->nodes[i].parent) {
		k->pieces[--at] = s->nodes[i];
	}
}

static struct shapes_kind *
kinds_add(struct shapes_kinds *k, struct shapes_kind kind)
{
	k->at = arena_room(&k->sample->arena, k->at, k->n, &k->room);
	k->at[k->n] = kind;
	k->at[k->n].into = (uint32_t)k->n;
	return &k->at[k->n++];
}

/* Make a kind of the items of each node; leave the rarest out if there are too many. */
static void
kinds_make(struct shapes_kinds *k)
{
	struct shapes_sample *s = k->sample;
	size_t end;

	k->sorted = arena_new(&s->arena, struct shapes_item *, s->n + 1);
	for (size_t i = 0; i < s->n; i++) {
		k->sorted[i] = &s->items[i];
	}
	qsort(k->sorted, s->n, sizeof(struct shapes_item *), compare_nodes);
	for (size_t i = 0; i < s->n; i = end) {
		struct shapes_kind kind = {.members = &k->sorted[i]};

		for (end = i; end < s->n && k->sorted[end]->node == k->sorted[i]->node; end++) {
			kind.items++;
		}
		(void)kinds_add(k, kind);
	}
	if (k->n > 0) {
		qsort(k->at, k->n, sizeof(struct shapes_kind), shapes_kinds_compare_counts);
	}
	for (size_t i = 0; i < k->n; i++) {
		k->at[i].into = (uint32_t)i;
		for (size_t m = 0; m < k->at[i].items; m++) {
			k->at[i].members[m]->kind = i < KINDS_MOST ? (uint32_t)i : NO_KIND;
		}
		if (i >= KINDS_MOST) {
			k->left_out++;
			k->items_left_out += k->at[i].items;
		}
	}
	k->n = k->n < KINDS_MOST ? k->n : KINDS_MOST;
	for (size_t i = 0; i < k->n; i++) {
		kind_pieces(s, &k->at[i], k->at[i].members[0]->node);
	}
}

static uint32_t
kinds_root(const struct shapes_kinds *k, uint32_t kind)
{
	while (kind != NO_KIND && k->at[kind].into != kind) {
		kind = k->at[kind].into;
	}
	return kind;
}

/* ------------------------------------------------------------ attributes of kinds */

static int
compare_names(const void *a, const void *b)
{
	const struct shapes_kind_attr *x = a;
	const struct shapes_kind_attr *y = b;

	return (x->name > y->name) - (x->name < y->name);
}

static void
kind_count(struct shapes_kinds *k, struct shapes_kind *kind, uint32_t signature, uint32_t items,
	   size_t *room)
{
	struct shapes_sample *s = k->sample;
	struct slice seen = s->signatures.at[signature];

	for (size_t i = 0; i < seen.len / sizeof(struct shapes_seen); i++) {
		struct shapes_seen one;

		memcpy(&one, seen.at + i * sizeof(one), sizeof(one));
		if (k->where[one.name] == 0) {
			kind->attrs = arena_room(&s->arena, kind->attrs, kind->n_attrs, room);
			kind->attrs[kind->n_attrs++] = (struct shapes_kind_attr){.name = one.name};
			k->where[one.name] = (uint32_t)kind->n_attrs;
		}
		struct shapes_kind_attr *at = &kind->attrs[k->where[one.name] - 1];

		at->items += items;
		at->types[one.type] += items;
	}
}

/* Set the attributes of a kind whose .members and .items are set. */
static void
kind_gather(struct shapes_kinds *k, struct shapes_kind *kind)
{
	size_t room = 0;

	kind->attrs = NULL;
	kind->n_attrs = 0;
	for (size_t i = 0; i < kind->items; i++) {
		uint32_t run = 1;

		while (i + 1 < kind->items &&
		       kind->members[i + 1]->signature == kind->members[i]->signature) {
			i++;
			run++;
		}
		kind_count(k, kind, kind->members[i]->signature, run, &room);
	}
	for (size_t i = 0; i < kind->n_attrs; i++) {
		k->where[kind->attrs[i].name] = 0;
	}
	if (kind->n_attrs > 0) {
		qsort(kind->attrs, kind->n_attrs, sizeof(*kind->attrs), compare_names);
	}
}

void
shapes_kinds_gather(struct shapes_kinds *k)
{
	struct shapes_sample *s = k->sample;
	size_t end;

	for (size_t i = 0; i < k->n; i++) {
		k->at[i].items = 0;
	}
	for (size_t i = 0; i < s->n; i++) {
		s->items[i].kind = kinds_root(k, s->items[i].kind);
	}
	qsort(k->sorted, s->n, sizeof(struct shapes_item *), compare_kinds);
	for (size_t i = 0; i < s->n && k->sorted[i]->kind != NO_KIND; i = end) {
		struct shapes_kind *kind = &k->at[k->sorted[i]->kind];

		for (end = i; end < s->n && k->sorted[end]->kind == k->sorted[i]->kind; end++) {
		}
		kind->members = &k->sorted[i];
		kind->items = end - i;
		kind_gather(k, kind);
	}
}

/* ------------------------------------------------------------ entities */

/* Divide a kind by entity if the attributes of each two entities differ. */
static void
kind_divide(struct shapes_kinds *k, uint32_t number, size_t n_entities)
{
	struct shapes_kind parts[ENTITIES_MOST + 1];
	const struct shapes_kind whole = k->at[number];
	size_t n = 0;
	size_t common = 0;
	bool differ = n_entities > 1;

	for (size_t i = 0; i < whole.items && n <= ENTITIES_MOST; i++) {
		if (i == 0 || whole.members[i]->entity != whole.members[i - 1]->entity) {
			parts[n] = whole;
			parts[n].members = &whole.members[i];
			parts[n].items = 0;
			parts[n++].entity = whole.members[i]->entity;
		}
		parts[n - 1].items++;
	}
	for (size_t i = 0; i < n; i++) {
		kind_gather(k, &parts[i]);
		for (size_t j = 0; j < i; j++) {
			differ = differ && !shapes_alike(k, &parts[i], &parts[j], &common);
		}
	}
	for (size_t i = 0; differ && i < n; i++) {
		struct shapes_kind *kind = i == 0 ? &k->at[number] : kinds_add(k, parts[i]);

		kind->entity = parts[i].entity;
		for (size_t m = 0; i > 0 && m < parts[i].items; m++) {
			parts[i].members[m]->kind = (uint32_t)(k->n - 1);
		}
	}
}

static void
kinds_name(struct shapes_kinds *k)
{
	size_t n = k->n;

	for (size_t i = 0; i < n; i++) {
		struct shapes_kind *kind = &k->at[i];
		size_t entities = 0;
		uint64_t run = 0;
		uint64_t most = 0; /* number of items of the most frequent entity */

		/* Members are sorted by entity; those without one (0) come first. */
		for (size_t m = 0; kind->into == i && m < kind->items; m++) {
			uint32_t entity = kind->members[m]->entity;

			run = m == 0 || entity != kind->members[m - 1]->entity ? 1 : run + 1;
			entities += run == 1;
			if (entity != 0 && run > most) {
				most = run;
				kind->entity = entity;
			}
		}
		if (most == 0) {
			continue;
		}
		if (most * 100 < kind->items * NAMED_PERCENT) {
			kind->entity = 0;
		}
		if (entities > 1 && entities <= ENTITIES_MOST && kind->members[0]->entity != 0) {
			kind_divide(k, (uint32_t)i, entities);
		}
	}
}

/* ------------------------------------------------------------ all kinds */

static int
compare_members(const void *a, const void *b)
{
	const struct shapes_kind *x = a;
	const struct shapes_kind *y = b;

	/* With equal counts, the kind whose first member was read first comes first. */
	return x->items != y->items ? shapes_kinds_compare_counts(a, b)
	       : x->items == 0      ? 0
			       : (x->members[0] > y->members[0]) - (x->members[0] < y->members[0]);
}

void
shapes_kinds_find(struct shapes_kinds *k)
{
	struct shapes_sample *s = k->sample;

	(void)shapes_name(&s->arena, &s->names, SLICE(""));
	k->where = arena_new(&s->arena, uint32_t, s->names.n + 1);
	k->is_key = arena_new(&s->arena, bool, s->names.n + 1);
	for (size_t i = 0; i < s->names.n; i++) {
		for (size_t x = 0; x < s->schema->n_index; x++) {
			k->is_key[i] = k->is_key[i] ||
				       key_schema_has(&s->schema->index[x].key, s->names.at[i]);
		}
	}
	kinds_make(k);
	shapes_join(k);
	kinds_name(k);
	shapes_kinds_gather(k);
	if (k->n > 0) {
		qsort(k->at, k->n, sizeof(struct shapes_kind), compare_members);
	}
}
