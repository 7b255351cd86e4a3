/*
 * shapes_kinds - items with one template are a kind
 *
 * Kinds that differ in one word alone, and have the same attributes, become one when the word looks like a value: three
 * of them or more, or short ones.  A kind whose entity attribute names several kinds with different
 * attributes is divided.
 */
#include <stdlib.h>
#include <string.h>

#include "store/base/core/max.h"
#include "store/model/schema.h"
#include "store/page/shapes_int.h"

enum {
	KINDS_MOST = 1000, /* that are compared with each other; the rarest are left out */
	PASSES_MOST = 6,   /* of joining kinds */
	SHORTEST_WORD = 2, /* bytes: WA, NE */
	SHORT_WORD = 3,    /* USA, PNW */
	WORDS_FEW = 3,     /* words in one place that look like values */
	WORDS_MANY = 10,   /* likewise, of whatever attributes */
	ENTITIES_MOST = 8, /* kinds that one is divided into */
	RARE_SHARE = 10,   /* an attribute that fewer than one item of so many has says nothing */
	ALIKE_PERCENT =
		70, /* attributes that two kinds have in common, of all that one of them has */
	NAMED_PERCENT = 66, /* items of a kind whose attribute names it: clearly above half */
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

/* The nodes from the root to @leaf. */
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

/* Items by the end of their template; the rarest of very many kinds are left out. */
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

/* ------------------------------------------------------------ what they have */

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

/* Attributes of one kind, whose .members and .items are known. */
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

/* Items, members and attributes of each kind, by the .kind of each item. */
static void
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

/* ------------------------------------------------------------ joining */

/* Does the attribute say something about its kind? */
static bool
counts(const struct shapes_kinds *k, const struct shapes_kind *kind, size_t i)
{
	const struct shapes_kind_attr *a = &kind->attrs[i];

	return !k->is_key[a->name] && (uint64_t)a->items * RARE_SHARE >= kind->items;
}

/* Attributes that both have, of all that one of them has, in percent; 100 when there are none. */
static unsigned
kinds_alike(const struct shapes_kinds *k, const struct shapes_kind *a, const struct shapes_kind *b,
	    size_t *common)
{
	size_t all = 0;
	size_t i = 0;
	size_t j = 0;

	*common = 0;
	while (i < a->n_attrs || j < b->n_attrs) {
		bool left =
			j == b->n_attrs || (i < a->n_attrs && a->attrs[i].name <= b->attrs[j].name);
		bool right =
			i == a->n_attrs || (j < b->n_attrs && b->attrs[j].name <= a->attrs[i].name);
		bool in_a = left && counts(k, a, i);
		bool in_b = right && counts(k, b, j);

		all += in_a || in_b;
		*common += in_a && in_b;
		i += left;
		j += right;
	}
	return all == 0 ? 100 : (unsigned)(*common * 100 / all);
}

static bool
is_caps_word(struct slice word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (word.at[i] >= 'a' && word.at[i] <= 'z') {
			return false;
		}
	}
	return true;
}

/* Bytes that all these words begin with, up to '-' or '_'. */
static size_t
common_prefix(const struct shapes_kinds *k, const uint32_t *cluster, size_t n, size_t piece)
{
	struct slice first = k->at[cluster[0]].pieces[piece].text;
	size_t same = first.len;

	for (size_t i = 1; i < n; i++) {
		struct slice word = k->at[cluster[i]].pieces[piece].text;

		same = word.len < same ? word.len : same;
		while (memcmp(word.at, first.at, same) != 0) {
			same--;
		}
	}
	while (same > 0 && first.at[same - 1] != '-' && first.at[same - 1] != '_') {
		same--;
	}
	return same;
}

/* Do words that stand in one place of kinds with the same attributes look like values? */
static bool
words_vary(const struct shapes_kinds *k, const uint32_t *cluster, size_t n, size_t piece,
	   size_t common)
{
	const struct shapes_node *at = &k->at[cluster[0]].pieces[piece];
	bool leads = at->separator != '\0' && at->attribute < key_part_n(k->sample->key->pk) &&
		     (piece == 0 || at[-1].attribute != at->attribute || at[-1].text.len == 0);
	size_t prefix = common_prefix(k, cluster, n, piece);
	size_t longest = 0;
	bool caps = true;

	for (size_t i = 0; i < n; i++) {
		struct slice word = k->at[cluster[i]].pieces[piece].text;

		longest = max_of(longest, word.len - prefix);
		caps = caps && is_caps_word(word);
	}
	if (leads && caps) { /* names of entities, rather */
		return common > 0 && (n >= WORDS_MANY || longest <= SHORTEST_WORD);
	}
	return (longest <= SHORT_WORD && common > 0) || (n >= WORDS_FEW && common > 1) ||
	       n >= WORDS_MANY;
}

/* The first of @cluster has the items of all; the piece in which they differ varies. */
static void
shapes_kinds_join(struct shapes_kinds *k, const uint32_t *cluster, size_t n, size_t piece,
		  bool words)
{
	struct shapes_node *into = &k->at[cluster[0]].pieces[piece];
	struct shapes_node joined = *into;

	joined.piece = PIECE_ID;
	joined.looks = words ? 0 : LOOK_MIXED;
	joined.text =
		words ? slice_of(into->text.at, common_prefix(k, cluster, n, piece)) : SLICE("");
	for (size_t i = 0; i < n; i++) {
		const struct shapes_node *one = &k->at[cluster[i]].pieces[piece];

		joined.looks |= one->piece == PIECE_FIXED ? LOOK_WORD : one->looks;
		k->at[cluster[i]].into = cluster[0];
	}
	*into = joined;
	for (size_t p = 0; p < k->at[cluster[0]].n; p++) {
		for (size_t i = 1; p != piece && i < n; i++) {
			k->at[cluster[0]].pieces[p].looks |= k->at[cluster[i]].pieces[p].looks;
		}
	}
}

/* A kind, and what its template is without one piece. */
struct rest {
	struct slice text;
	uint64_t items;
	uint32_t kind;
	bool done;
};

static int
compare_rests(const void *a, const void *b)
{
	const struct rest *x = a;
	const struct rest *y = b;
	int r = slice_cmp(x->text, y->text);

	return r != 0 ? r : (x->items < y->items) - (x->items > y->items);
}

/* The kinds of a run that have the attributes of @seed; Return: were they joined? */
static bool
try_join(struct shapes_kinds *k, struct rest *run, size_t n, size_t seed, size_t piece,
	 uint32_t *cluster)
{
	size_t least = SIZE_MAX;
	size_t in = 0;
	size_t fixed = 0;

	for (size_t i = seed; i < n; i++) {
		const struct shapes_kind *kind = &k->at[run[i].kind];
		size_t common = 0;

		if (!run[i].done &&
		    kinds_alike(k, &k->at[run[seed].kind], kind, &common) >= ALIKE_PERCENT) {
			run[i].done = true;
			cluster[in++] = run[i].kind;
			fixed += kind->pieces[piece].piece == PIECE_FIXED;
			least = common < least ? common : least;
		}
	}
	bool joins = in > 1 && (fixed == 0    ? true
				: fixed == in ? words_vary(k, cluster, in, piece, least)
					      : least > 0);

	if (joins) {
		shapes_kinds_join(k, cluster, in, piece, fixed == in);
	}
	return joins;
}

static void
put_rest(struct buf *b, const struct shapes_kind *kind, size_t without)
{
	for (size_t i = 0; i < kind->n; i++) {
		const struct shapes_node *p = &kind->pieces[i];

		buf_fmt(b, "%u%c", p->attribute, p->separator == '\0' ? '0' : p->separator);
		if (i == without) {
			/* An empty segment stays one. */
			buf_str(b, p->piece == PIECE_FIXED && p->text.len == 0 ? "!" : "?");
		} else if (p->piece == PIECE_FIXED) {
			buf_fmt(b, "f%zu:", p->text.len);
			buf_slice(b, p->text);
		} else {
			buf_fmt(b, "v%d", (int)p->piece);
		}
	}
}

/* Join kinds that differ in the piece @piece alone; Return: were there any? */
static bool
join_at(struct shapes_kinds *k, size_t piece)
{
	struct arena *a = &k->sample->arena;
	struct arena_mark mark = arena_mark(a);
	struct rest *rests = arena_new(a, struct rest, k->n + 1);
	uint32_t *cluster = arena_new(a, uint32_t, k->n + 1);
	bool any = false;
	size_t n = 0;
	size_t end;

	for (size_t i = 0; i < k->n; i++) {
		struct buf b;

		if (k->at[i].into != i || k->at[i].n <= piece || k->at[i].items == 0) {
			continue;
		}
		buf_init(&b, a);
		put_rest(&b, &k->at[i], piece);
		rests[n++] = (struct rest){buf_view(&b), k->at[i].items, (uint32_t)i, false};
	}
	qsort(rests, n, sizeof(*rests), compare_rests);
	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && slice_eq(rests[end].text, rests[i].text); end++) {
		}
		for (size_t seed = i; seed < end; seed++) {
			any = (!rests[seed].done &&
			       try_join(k, rests + i, end - i, seed - i, piece, cluster)) ||
			      any;
		}
	}
	arena_reset(a, mark);
	return any;
}

static void
kinds_join(struct shapes_kinds *k)
{
	bool any = true;

	for (int pass = 0; any && pass < PASSES_MOST; pass++) {
		size_t most = 0;

		any = false;
		shapes_kinds_gather(k);
		for (size_t i = 0; i < k->n; i++) {
			most = k->at[i].n > most ? k->at[i].n : most;
		}
		for (size_t piece = 0; piece < most; piece++) {
			any = join_at(k, piece) || any;
		}
	}
}

/* ------------------------------------------------------------ entities */

/* Several entities with different attributes are kinds of their own. */
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
			differ = differ &&
				 kinds_alike(k, &parts[i], &parts[j], &common) < ALIKE_PERCENT;
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
		uint64_t most = 0; /* items of the most frequent entity */

		/* By entity; those without one are 0, and first. */
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

/* ------------------------------------------------------------ all of it */

static int
compare_members(const void *a, const void *b)
{
	const struct shapes_kind *x = a;
	const struct shapes_kind *y = b;

	/* Of equally many the ones that come first in the table. */
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
	kinds_join(k);
	kinds_name(k);
	shapes_kinds_gather(k);
	if (k->n > 0) {
		qsort(k->at, k->n, sizeof(struct shapes_kind), compare_members);
	}
}
