/*
 * scope - checks that the placeholders of one request are well-formed, defined and used
 *
 * It is opened before the first expression of a request and closed after the last one,
 * because any expression may use a placeholder.
 */
#include <stdlib.h>

#include "store/expr/bind.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/placeholders.h"

/* One placeholder. Entries are sorted, so that look-ups stay fast even if a client sends very many. */
struct entry {
	struct slice key;
	size_t index; /* position in the request */
	bool *used;
};

struct map {
	struct entry *sorted; /* by key */
	bool *used;           /* in the order of the request */
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
	const struct entry *x = a;
	const struct entry *y = b;

	return slice_cmp(x->key, y->key);
}

static struct entry *
map_find(const struct map *m, struct slice key)
{
	struct entry wanted = {.key = key};

	if (m->n == 0) {
		return NULL;
	}
	return bsearch(&wanted, m->sorted, m->n, sizeof(*m->sorted), scope_by_key);
}

static void
map_init(struct call *c, struct map *m, size_t n)
{
	m->n = n;
	m->sorted = arena_new(&c->arena, struct entry, n);
	m->used = arena_new(&c->arena, bool, n);
}

static void
map_set(struct map *m, size_t i, struct slice key)
{
	m->sorted[i] = (struct entry){key, i, &m->used[i]};
}

static void
map_sort(struct map *m)
{
	if (m->n > 1) {
		qsort(m->sorted, m->n, sizeof(*m->sorted), scope_by_key);
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
	for (size_t i = 0; i < values->n; i++) {
		if (r == 0) {
			r = scope_check_value(c, &values->at[i]);
		}
		if (r < 0) {
			return r;
		}
		map_set(&s->values, i, values->at[i].name);
	}
	if (r < 0) {
		return r;
	}
	if (item_size(values) > LIMIT_SUBSTITUTION_BYTES) {
		return call_fail(c, ERR_VALIDATION, "ExpressionAttributeValues exceeds max size");
	}
	map_sort(&s->values);
	return 0;
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
	struct entry *e = map_find(&s->names, alias);

	if (e == NULL) {
		return false;
	}
	*e->used = true;
	*out = s->ph->names[e->index].name;
	return true;
}

const struct value *
scope_value(struct expr_scope *s, struct slice placeholder)
{
	struct entry *e = map_find(&s->values, placeholder);

	if (e == NULL) {
		return NULL;
	}
	*e->used = true;
	return &s->ph->values.at[e->index].value;
}

static int
all_used(struct call *c, const struct map *m, const char *what)
{
	const struct entry **unused = arena_new(&c->arena, const struct entry *, m->n);
	struct buf keys;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		unused[m->sorted[i].index] = *m->sorted[i].used ? NULL : &m->sorted[i];
	}
	buf_init(&keys, &c->arena);
	for (size_t i = 0; i < m->n; i++) {
		if (unused[i] != NULL) {
			buf_str(&keys, n++ == 0 ? "" : ", ");
			buf_slice(&keys, unused[i]->key);
		}
	}
	if (n == 0) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "Value provided in %s unused in expressions: keys: {%.*s}", what,
			 SLICE_ARG(buf_view(&keys)));
}

int
expr_scope_close(struct call *c, struct expr_scope *s)
{
	int r = all_used(c, &s->names, "ExpressionAttributeNames");

	return r < 0 ? r : all_used(c, &s->values, "ExpressionAttributeValues");
}
