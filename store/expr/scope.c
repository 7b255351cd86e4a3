/*
 * scope - checks that the placeholders of one request are well-formed, defined and used
 *
 * It is opened before the first expression of a request and closed after the last one,
 * because any expression may use a placeholder.
 */
#include "store/expr/bind.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/placeholders.h"

/* One placeholder. */
struct entry {
	struct slice key;
	bool used;
};

/* They are sorted, too, so that look-ups stay fast even if a client sends very many. */
struct map {
	struct entry *at; /* in the order of the request */
	struct entry **sorted;
	size_t n;
};

struct expr_scope {
	const struct placeholders *ph;
	struct map names;
	struct map values;
	bool entered; /* scope_enter() has been called */
};

static int
scope_by_key(const void *a, const void *b)
{
	return slice_cmp((*(struct entry *const *)a)->key, (*(struct entry *const *)b)->key);
}

/* Returns the position of the placeholder in the request, and marks it as used; m->n if there is none. */
static size_t
map_use(const struct map *m, struct slice key)
{
	struct entry wanted = {.key = key};
	struct entry *const pointer = &wanted;
	struct entry **found =
		m->n == 0 ? NULL : bsearch(&pointer, m->sorted, m->n, sizeof(void *), scope_by_key);

	if (found == NULL) {
		return m->n;
	}
	(*found)->used = true;
	return (size_t)(*found - m->at);
}

static void
map_init(struct call *c, struct map *m, size_t n)
{
	*m = (struct map){arena_new(&c->arena, struct entry, n),
			  arena_new(&c->arena, struct entry *, n), n};
}

static void
map_set(struct map *m, size_t i, struct slice key)
{
	m->at[i].key = key;
	m->sorted[i] = &m->at[i];
}

static void
map_sort(struct map *m)
{
	if (m->n > 1) {
		qsort(m->sorted, m->n, sizeof(void *), scope_by_key);
	}
}

struct expr_scope *
expr_scope_open(struct call *c, const struct placeholders *ph)
{
	struct expr_scope *s = arena_new(&c->arena, struct expr_scope, 1);

	s->ph = ph;
	return s;
}

const struct trees *
scope_trees(const struct expr_scope *s)
{
	return s->ph->trees;
}

static int
enter_names(struct call *c, struct expr_scope *s)
{
	const struct placeholders *ph = s->ph;
	int r = placeholders_check_names(c, ph);

	if (r < 0) {
		return r;
	}
	map_init(c, &s->names, ph->n_names);
	for (size_t i = 0; i < ph->n_names; i++) {
		map_set(&s->names, i, ph->names[i].alias);
	}
	map_sort(&s->names);
	return 0;
}

/* Checks the limits of stored values; messages name the placeholder. */
static int
scope_check_value(struct call *c, struct attr *a)
{
	struct item one = {a, 1};
	int r = item_check(c, &one);

	return r < 0 ? item_fail_value(c, r, a->name) : 0;
}

static int
enter_values(struct call *c, struct expr_scope *s)
{
	const struct item *values = &s->ph->values;
	int r = placeholders_check_keys(c, s->ph);

	map_init(c, &s->values, values->n);
	for (size_t i = 0; i < values->n && r == 0; i++) {
		r = scope_check_value(c, &values->at[i]);
		map_set(&s->values, i, values->at[i].name);
	}
	if (r == 0 && item_size(values) > LIMIT_SUBSTITUTION_BYTES) {
		r = call_fail(c, ERR_VALIDATION, "ExpressionAttributeValues exceeds max size");
	}
	if (r == 0) {
		map_sort(&s->values);
	}
	return r;
}

int
scope_enter(struct call *c, struct expr_scope *s)
{
	if (s->entered) {
		return 0;
	}
	s->entered = true;
	int r = enter_names(c, s);

	return r < 0 ? r : enter_values(c, s);
}

bool
scope_name(struct expr_scope *s, struct slice alias, struct slice *out)
{
	size_t i = map_use(&s->names, alias);

	if (i < s->names.n) {
		*out = s->ph->names[i].name;
	}
	return i < s->names.n;
}

const struct value *
scope_value(struct expr_scope *s, struct slice placeholder)
{
	size_t i = map_use(&s->values, placeholder);

	return i < s->values.n ? &s->ph->values.at[i].value : NULL;
}

static int
all_used(struct call *c, const struct map *m, const char *what)
{
	struct buf keys;

	buf_init(&keys, &c->arena);
	for (size_t i = 0; i < m->n; i++) {
		if (!m->at[i].used) {
			buf_fmt(&keys, "%s%.*s", keys.len == 0 ? "" : ", ",
				SLICE_ARG(m->at[i].key));
		}
	}
	return keys.len == 0 ? 0
			     : call_fail(c, ERR_VALIDATION,
					 "Value provided in %s unused in expressions: keys: {%.*s}",
					 what, SLICE_ARG(buf_view(&keys)));
}

int
expr_scope_close(struct call *c, struct expr_scope *s)
{
	int r = all_used(c, &s->names, "ExpressionAttributeNames");

	return r < 0 ? r : all_used(c, &s->values, "ExpressionAttributeValues");
}
