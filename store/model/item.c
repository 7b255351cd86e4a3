/* item - see item.h; an item and a map value have the same type */
#include "store/model/item.h"

#include "store/model/limits.h"
#include "store/model/value.h"

enum {
	FEW_ATTRIBUTES = 16, /* up to this number, attributes are searched; more are sorted */
	POINTER_BYTES = sizeof(void *),
};

const struct value *
item_get(const struct item *it, struct slice name)
{
	for (size_t i = 0; i < it->n; i++) {
		if (slice_eq(it->at[i].name, name)) {
			return &it->at[i].value;
		}
	}
	return NULL;
}

size_t
item_size(const struct item *it)
{
	size_t n = 0;

	for (size_t i = 0; i < it->n; i++) {
		n += it->at[i].name.len + value_size(&it->at[i].value);
	}
	return n;
}

static int
item_by_name(const void *a, const void *b)
{
	const struct attr *const *x = a;
	const struct attr *const *y = b;

	return slice_cmp((*x)->name, (*y)->name);
}

/* Pointers to the attributes, sorted by name, on the heap. */
static const struct attr **
sort_attributes(const struct item *it)
{
	const struct attr **sorted = mem_zeroed(it->n, POINTER_BYTES);

	for (size_t i = 0; i < it->n; i++) {
		sorted[i] = &it->at[i];
	}
	qsort(sorted, it->n, POINTER_BYTES, item_by_name);
	return sorted;
}

static bool
sorted_eq(const struct item *a, const struct item *b)
{
	const struct attr **x = sort_attributes(a);
	const struct attr **y = sort_attributes(b);
	bool same = true;

	for (size_t i = 0; i < a->n && same; i++) {
		same = slice_eq(x[i]->name, y[i]->name) && value_eq(&x[i]->value, &y[i]->value);
	}
	free(x);
	free(y);
	return same;
}

bool
item_eq(const struct item *a, const struct item *b)
{
	size_t i = 0;

	if (a->n != b->n) {
		return false;
	}
	/* Usually both have the same order. */
	while (i < a->n && slice_eq(a->at[i].name, b->at[i].name)) {
		if (!value_eq(&a->at[i].value, &b->at[i].value)) {
			return false;
		}
		i++;
	}
	if (i == a->n) {
		return true;
	}
	struct item rest_a = {a->at + i, a->n - i};
	struct item rest_b = {b->at + i, b->n - i};

	if (rest_a.n > FEW_ATTRIBUTES) {
		return sorted_eq(&rest_a, &rest_b);
	}
	for (size_t k = 0; k < rest_a.n; k++) {
		const struct value *other = item_get(&rest_b, rest_a.at[k].name);

		if (other == NULL || !value_eq(&rest_a.at[k].value, other)) {
			return false;
		}
	}
	return true;
}

struct item
item_copy(struct arena *a, const struct item *it)
{
	struct item copy = {arena_new(a, struct attr, it->n), it->n};

	for (size_t i = 0; i < it->n; i++) {
		copy.at[i].name = slice_copy(a, it->at[i].name);
		copy.at[i].value = value_copy(a, &it->at[i].value);
	}
	return copy;
}

static int item_check_value(struct call *c, const struct value *v, size_t level, bool sets);

static int
check_item(struct call *c, const struct item *it, size_t level, bool sets)
{
	for (size_t i = 0; i < it->n; i++) {
		const struct attr *a = &it->at[i];

		if (a->name.len == 0) {
			return item_fail_no_name(c);
		}
		if (a->name.len > LIMIT_NAME_BYTES) {
			return call_fail(c, ERR_VALIDATION,
					 "Attribute name is too large, must be less than %d bytes",
					 LIMIT_NAME_BYTES + 1);
		}
		int r = item_check_value(c, &a->value, level, sets);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/* @level: 1 for an attribute of an item; @sets: check them, too */
static int
item_check_value(struct call *c, const struct value *v, size_t level, bool sets)
{
	if (value_is_set(v->type) && sets) {
		return value_check_set(c, v);
	}
	if (v->type != VALUE_L && v->type != VALUE_M) {
		return 0;
	}
	if (level >= LIMIT_NESTING) {
		return item_fail_nesting(c);
	}
	if (v->type == VALUE_M) {
		return check_item(c, &v->map, level + 1, sets);
	}
	for (size_t i = 0; i < v->list.n; i++) {
		int r = item_check_value(c, &v->list.at[i], level + 1, sets);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

int
item_fail_no_name(struct call *c)
{
	return call_fail(c, ERR_VALIDATION, "Empty attribute name");
}

int
item_fail_nesting(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "Nesting Levels have exceeded supported limits: Attributes in the item "
			 "have nested levels beyond supported limit");
}

int
item_fail_value(struct call *c, int r, struct slice name)
{
	const char *why = c->error.message;

	if (r != -ERR_VALIDATION) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_VALIDATION,
			 "ExpressionAttributeValues contains invalid value: %s for key %.*s", why,
			 SLICE_ARG(name));
}

int
value_check_nesting(struct call *c, const struct value *v, size_t level)
{
	assert(level >= 1);
	return item_check_value(c, v, level, false);
}

int
item_fail_size(struct call *c)
{
	return call_fail(c, ERR_ITEM_TOO_BIG, "Item size has exceeded the maximum allowed size");
}

int
item_fail_update_size(struct call *c)
{
	return call_fail(c, ERR_ITEM_TOO_BIG,
			 "Item size to update has exceeded the maximum allowed size");
}

int
item_check(struct call *c, const struct item *it)
{
	return check_item(c, it, 1, true);
}
