/* value - see value.h */
#include "store/model/value.h"

#include "store/base/text/base64.h"
#include "store/model/item.h"
#include "store/model/number.h"

enum {
	FEW_VALUES = 16, /* up to this number, members are compared in pairs; more are sorted */
	POINTER_BYTES = sizeof(void *),
	CONTAINER_BYTES = 3, /* DynamoDB's count for a list or map itself, BEHAVIOUR 2.12 */
};

static const char *const type_names[VALUE_TYPES] = {
	[VALUE_S] = "S",       [VALUE_N] = "N",   [VALUE_B] = "B", [VALUE_BOOL] = "BOOL",
	[VALUE_NULL] = "NULL", [VALUE_L] = "L",   [VALUE_M] = "M", [VALUE_SS] = "SS",
	[VALUE_NS] = "NS",     [VALUE_BS] = "BS",
};

const char *
value_type_name(enum value_type type)
{
	return type_names[type];
}

const char *
value_type_title(enum value_type type)
{
	static const char *const names[VALUE_TYPES] = {
		[VALUE_S] = "STRING",      [VALUE_N] = "NUMBER",      [VALUE_B] = "BINARY",
		[VALUE_BOOL] = "BOOLEAN",  [VALUE_NULL] = "NULL",     [VALUE_L] = "LIST",
		[VALUE_M] = "MAP",         [VALUE_SS] = "STRING_SET", [VALUE_NS] = "NUMBER_SET",
		[VALUE_BS] = "BINARY_SET",
	};

	return names[type];
}

enum value_type
value_type_from_name(struct slice name)
{
	if (name.len >= 1 && name.len <= 4) {
		for (int t = 0; t < VALUE_TYPES; t++) {
			if (type_names[t][0] == name.at[0] && slice_is(name, type_names[t])) {
				return (enum value_type)t;
			}
		}
	}
	return VALUE_TYPES;
}

/* Compares the texts: numbers are not in numeric order, but equal values are equal. */
static int
value_by_text(const void *a, const void *b)
{
	const struct value *const *x = a;
	const struct value *const *y = b;

	return slice_cmp((*x)->text, (*y)->text);
}

/* Pointers to the members, sorted by text, on the heap. */
static const struct value **
sort_members(const struct values *set)
{
	const struct value **sorted = mem_zeroed(set->n, POINTER_BYTES);

	for (size_t i = 0; i < set->n; i++) {
		sorted[i] = &set->at[i];
	}
	qsort(sorted, set->n, POINTER_BYTES, value_by_text);
	return sorted;
}

static bool
value_has_member(const struct values *set, struct slice text)
{
	for (size_t i = 0; i < set->n; i++) {
		if (slice_eq(set->at[i].text, text)) {
			return true;
		}
	}
	return false;
}

static bool
is_among(const struct value **sorted, const struct values *set, const struct value *v)
{
	return bsearch(&v, sorted, set->n, POINTER_BYTES, value_by_text) != NULL;
}

static int
by_order(const void *a, const void *b)
{
	return value_cmp(a, b);
}

void
values_sort(struct values *set)
{
	for (size_t i = 1; i < set->n; i++) {
		if (value_cmp(&set->at[i - 1], &set->at[i]) > 0) {
			qsort(set->at, set->n, sizeof(*set->at), by_order);
			return;
		}
	}
}

struct values
values_union(struct arena *a, const struct values *x, const struct values *y)
{
	const struct value **sorted = sort_members(x);
	struct values out = {arena_new(a, struct value, x->n + y->n), 0};

	for (size_t i = 0; i < x->n; i++) {
		out.at[out.n++] = x->at[i];
	}
	for (size_t i = 0; i < y->n; i++) {
		if (!is_among(sorted, x, &y->at[i])) {
			out.at[out.n++] = y->at[i];
		}
	}
	free(sorted);
	values_sort(&out);
	return out;
}

struct values
values_minus(struct arena *a, const struct values *x, const struct values *y)
{
	const struct value **sorted = sort_members(y);
	struct values out = {arena_new(a, struct value, x->n), 0};

	for (size_t i = 0; i < x->n; i++) {
		if (!is_among(sorted, y, &x->at[i])) {
			out.at[out.n++] = x->at[i];
		}
	}
	free(sorted);
	values_sort(&out);
	return out;
}

/* The number of members before the first one that repeats an earlier one. */
static size_t
values_before_repeat(const struct values *set)
{
	const struct value **sorted = sort_members(set);
	const struct value *repeat = set->at + set->n;

	for (size_t i = 0; i < set->n; i++) {
		const struct value *first = sorted[i]; /* the first member with this text */
		const struct value *second = set->at + set->n;

		for (; i + 1 < set->n && slice_eq(sorted[i + 1]->text, first->text); i++) {
			const struct value *next = sorted[i + 1];

			second = next < first ? first : next < second ? next : second;
			first = next < first ? next : first;
		}
		repeat = second < repeat ? second : repeat;
	}
	free(sorted);
	return (size_t)(repeat - set->at);
}

bool
values_unique(const struct values *set)
{
	bool unique = true;

	if (set->n <= FEW_VALUES) {
		for (size_t i = 1; i < set->n && unique; i++) {
			unique = !value_has_member(&(struct values){set->at, i}, set->at[i].text);
		}
		return unique;
	}
	return values_before_repeat(set) == set->n;
}

static bool
set_eq(const struct values *a, const struct values *b)
{
	bool same = true;

	if (a->n != b->n) {
		return false;
	}
	if (a->n <= FEW_VALUES) {
		for (size_t i = 0; i < a->n && same; i++) {
			same = value_has_member(b, a->at[i].text);
		}
		return same;
	}
	const struct value **x = sort_members(a);
	const struct value **y = sort_members(b);

	for (size_t i = 0; i < a->n && same; i++) {
		same = slice_eq(x[i]->text, y[i]->text);
	}
	free(x);
	free(y);
	return same;
}

static bool
list_eq(const struct values *a, const struct values *b)
{
	if (a->n != b->n) {
		return false;
	}
	for (size_t i = 0; i < a->n; i++) {
		if (!value_eq(&a->at[i], &b->at[i])) {
			return false;
		}
	}
	return true;
}

bool
value_eq(const struct value *a, const struct value *b)
{
	if (a->type != b->type) {
		return false;
	}
	switch (a->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		return slice_eq(a->text, b->text);
	case VALUE_BOOL:
		return a->truth == b->truth;
	case VALUE_L:
		return list_eq(&a->list, &b->list);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		return set_eq(&a->list, &b->list);
	case VALUE_M:
		return item_eq(&a->map, &b->map);
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return true;
}

int
value_cmp(const struct value *a, const struct value *b)
{
	if (a->type != VALUE_N) {
		return slice_cmp(a->text, b->text);
	}
	struct number x = number_read(a->text);
	struct number y = number_read(b->text);

	return number_cmp(&x, &y);
}

size_t
value_size(const struct value *v)
{
	size_t n = 0;

	switch (v->type) {
	case VALUE_S:
	case VALUE_B:
		return v->text.len;
	case VALUE_N:
		return number_size(v->text);
	case VALUE_L:
		n = CONTAINER_BYTES + v->list.n;
		break;
	case VALUE_M:
		return CONTAINER_BYTES + v->map.n + item_size(&v->map);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		break;
	case VALUE_BOOL:
	case VALUE_NULL:
	case VALUE_TYPES:
		return 1;
	}
	for (size_t i = 0; i < v->list.n; i++) {
		n += value_size(&v->list.at[i]);
	}
	return n;
}

struct value
value_copy(struct arena *a, const struct value *v)
{
	struct value copy = *v;

	switch (v->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		copy.text = slice_copy(a, v->text);
		break;
	case VALUE_L:
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		copy.list.at = arena_new(a, struct value, v->list.n);
		for (size_t i = 0; i < v->list.n; i++) {
			copy.list.at[i] = value_copy(a, &v->list.at[i]);
		}
		break;
	case VALUE_M:
		copy.map = item_copy(a, &v->map);
		break;
	case VALUE_BOOL:
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return copy;
}

static void
set_put_member(struct buf *b, enum value_type type, struct slice member, const char *quote)
{
	buf_str(b, quote);
	if (type == VALUE_BS) {
		base64_encode(b, member);
	} else {
		buf_slice(b, member);
	}
	buf_str(b, quote);
}

/*
 * The members as the service prints them. The older layer prints them as they were sent, [b, a, b]. The current one
 * sorts the members before the first repeated one, and uses quotes: ["a", "b", "b"].
 */
static struct slice
set_words(struct call *c, const struct value *v)
{
	const struct values *set = &v->list;
	size_t n = c->older ? 0 : values_before_repeat(set);
	const struct value **sorted = sort_members(&(struct values){set->at, n});
	const char *between = v->type == VALUE_BS && !c->older ? "," : ", ";
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < set->n; i++) {
		buf_str(&b, i == 0 ? "[" : between);
		set_put_member(&b, v->type, i < n ? sorted[i]->text : set->at[i].text,
			       c->older ? "" : "\"");
	}
	buf_char(&b, ']');
	free(sorted);
	return buf_view(&b);
}

int
value_check_set(struct call *c, const struct value *v)
{
	static const char invalid[] = "One or more parameter values were invalid: ";
	static const char *const empty[VALUE_TYPES] = {
		[VALUE_SS] = "An string set  may not be empty",
		[VALUE_NS] = "An number set  may not be empty",
		[VALUE_BS] = "Binary sets should not be empty",
	};

	assert(value_is_set(v->type));
	if (v->list.n == 0) {
		return call_fail(c, ERR_VALIDATION, "%s%s", invalid, empty[v->type]);
	}
	if (values_unique(&v->list)) {
		return 0;
	}
	if (v->type == VALUE_NS) {
		return call_fail(c, ERR_VALIDATION, "%sInput collection contains duplicates%s",
				 c->older ? "" : invalid, c->older ? "" : ".");
	}
	return call_fail(c, ERR_VALIDATION, "%sInput collection %.*s%s contains duplicates.",
			 invalid, SLICE_ARG(set_words(c, v)),
			 v->type == VALUE_BS ? "of type BS" : "");
}
