/* jmespath_call - values and functions of jmespath, see jmespath_int.h */
#include "store/base/core/utf8.h"
#include "store/base/text/json.h"

#include "tools/out/jmespath_int.h"
#include "tools/text/fmt.h"

/* ------------------------------------------------------------ values */

struct jmespath_list
jmespath_list(struct jmespath *j, enum json_type type)
{
	struct jmespath_list list = {arena_new(&j->c->arena, struct json, 1), NULL};

	*list.json = (struct json){.type = type};
	return list;
}

void
jmespath_add(struct jmespath *j, struct jmespath_list *list, struct slice name,
	     const struct json *json)
{
	if (j->made++ >= j->most) {
		(void)jmespath_fail(j, jmespath_large);
		return;
	}
	struct json *copy = arena_new(&j->c->arena, struct json, 1);

	*copy = *json;
	copy->name = name;
	copy->next = NULL;
	if (list->last == NULL) {
		list->json->child = copy;
	} else {
		list->last->next = copy;
	}
	list->last = copy;
	list->json->n++;
}

const char jmespath_large[] = "the answer would be many times as large as its input";

size_t
jmespath_size(const struct json *json, size_t most)
{
	size_t n = 1;

	json_each (child, json) {
		if (n > most) {
			break;
		}
		n += jmespath_size(child, most - n);
	}
	return n;
}

const struct json *
jmespath_flat(struct jmespath *j, const struct json *json)
{
	struct jmespath_list list = jmespath_list(j, JSON_ARRAY);

	json_each (child, json) {
		if (child->type != JSON_ARRAY) {
			jmespath_add(j, &list, SLICE(""), child);
			continue;
		}
		json_each (inner, child) {
			jmespath_add(j, &list, SLICE(""), inner);
		}
	}
	return list.json;
}

bool
jmespath_is_true(const struct json *json)
{
	return json->type == JSON_TRUE || json->type == JSON_NUMBER ||
	       (json->type == JSON_STRING && json->text.len > 0) ||
	       (json->type >= JSON_ARRAY && json->child != NULL);
}

double
jmespath_number(struct jmespath *j, const struct json *json)
{
	return strtod(slice_cstr(&j->c->arena, json->text), NULL);
}

static bool
jmespath_same_members(struct jmespath *j, const struct json *a, const struct json *b)
{
	const struct json *other = b->child;

	json_each (child, a) {
		const struct json *with =
			a->type == JSON_OBJECT ? json_get_slice(b, child->name) : other;

		if (with == NULL || !jmespath_same(j, child, with)) {
			return false;
		}
		other = other->next;
	}
	return true;
}

bool
jmespath_same(struct jmespath *j, const struct json *a, const struct json *b)
{
	if (a->type != b->type || a->n != b->n) {
		return false;
	}
	if (a->type == JSON_NUMBER && !slice_eq(a->text, b->text)) {
		return jmespath_number(j, a) == jmespath_number(j, b);
	}
	return slice_eq(a->text, b->text) && jmespath_same_members(j, a, b);
}

/* ------------------------------------------------------------ functions */

static const struct json *
call_text(struct jmespath *j, struct slice text)
{
	return jmespath_value(j, JSON_STRING, text);
}

static const struct json *
call_number(struct jmespath *j, double n)
{
	return jmespath_value(j, JSON_NUMBER, fmt_slice(&j->c->arena, "%.17g", n));
}

static const struct json *
call_truth(bool is)
{
	return is ? &jmespath_true : &jmespath_false;
}

static struct slice
call_json(struct jmespath *j, const struct json *json)
{
	struct json_writer w;
	struct buf b = {.arena = &j->c->arena};

	json_writer_init(&w, &b, 0);
	json_value(&w, json);
	return buf_view(&b);
}

static const struct json *
call_length(struct jmespath *j, const struct json *of)
{
	size_t n = of->type == JSON_STRING ? utf8_characters(of->text) : of->n;

	return of->type < JSON_STRING
		       ? jmespath_fail(j, "length() needs a list, an object or a string")
		       : call_number(j, (double)n);
}

static const struct json *
call_members(struct jmespath *j, const struct json *of, bool names)
{
	struct jmespath_list list = jmespath_list(j, JSON_ARRAY);

	if (of->type != JSON_OBJECT) {
		return jmespath_fail(j, "keys() and values() need an object");
	}
	json_each (child, of) {
		jmespath_add(j, &list, SLICE(""), names ? call_text(j, child->name) : child);
	}
	return list.json;
}

static const struct json *
call_contains(struct jmespath *j, const struct json *in, const struct json *what)
{
	bool is = in->type == JSON_STRING && what->type == JSON_STRING &&
		  memmem(in->text.at, in->text.len, what->text.at, what->text.len) != NULL;

	if (in->type != JSON_STRING && in->type != JSON_ARRAY) {
		return jmespath_fail(j, "contains() needs a list or a string");
	}
	json_each (child, in->type == JSON_ARRAY ? in : NULL) {
		is = is || jmespath_same(j, child, what);
	}
	return call_truth(is);
}

static const struct json *
call_ends(struct jmespath *j, const struct json *of, const struct json *with, bool starts)
{
	if (of->type != JSON_STRING || with->type != JSON_STRING) {
		return jmespath_fail(j, "starts_with() and ends_with() need two strings");
	}
	return call_truth(starts ? slice_starts(of->text, with->text)
				 : slice_ends(of->text, with->text));
}

static const struct json *
call_join(struct jmespath *j, const struct json *by, const struct json *list)
{
	struct buf b = {.arena = &j->c->arena};

	if (by->type != JSON_STRING || list->type != JSON_ARRAY) {
		return jmespath_fail(j, "the syntax is join(',', LIST)");
	}
	json_each (child, list) {
		if (child->type != JSON_STRING) {
			return jmespath_fail(j, "join() needs a list of strings");
		}
		buf_slice(&b, child == list->child ? SLICE("") : by->text);
		buf_slice(&b, child->text);
	}
	return call_text(j, buf_view(&b));
}

/* ------------------------------------------------------------ order */

struct call_ranked {
	const struct json *json;
	struct slice text;
	double number;
	bool is_text;
	size_t at; /* keeps elements of the same rank in order */
};

static int
call_by_rank(const void *a, const void *b)
{
	const struct call_ranked *x = a;
	const struct call_ranked *y = b;
	int order = x->is_text              ? slice_cmp(x->text, y->text)
		    : x->number < y->number ? -1
					    : x->number > y->number;

	return order != 0 ? order : x->at < y->at ? -1 : 1;
}

/* The elements of @list, sorted by themselves, or by an expression if @by is not NULL; NULL after a fault */
static struct call_ranked *
call_ranks(struct jmespath *j, const struct json *list, const struct jmespath_arg *by)
{
	struct call_ranked *ranked = arena_new(&j->c->arena, struct call_ranked, list->n + 1);
	size_t n = 0;

	if (list->type != JSON_ARRAY || (by != NULL && by->expression == SIZE_MAX)) {
		(void)jmespath_fail(
			j, "the syntax is sort(LIST), sort_by(LIST, &EXPRESSION), and so on");
		return NULL;
	}
	json_each (child, list) {
		const struct json *rank = child;

		if (by != NULL) {
			j->at = by->expression;
			rank = jmespath_eval(j, child, 0);
		}
		if ((rank->type != JSON_STRING && rank->type != JSON_NUMBER) ||
		    (n > 0 && ranked[0].is_text != (rank->type == JSON_STRING))) {
			(void)jmespath_fail(j, "all values must be strings, or all numbers");
			return NULL;
		}
		ranked[n] =
			(struct call_ranked){child, rank->text, 0, rank->type == JSON_STRING, n};
		ranked[n].number = ranked[n].is_text ? 0 : jmespath_number(j, rank);
		n++;
	}
	qsort(ranked, n, sizeof(*ranked), call_by_rank);
	return ranked;
}

static const struct json *
call_sort(struct jmespath *j, const struct json *of, const struct jmespath_arg *by)
{
	struct jmespath_list list = jmespath_list(j, JSON_ARRAY);
	const struct call_ranked *ranked = call_ranks(j, of, by);

	for (size_t i = 0; ranked != NULL && i < of->n; i++) {
		jmespath_add(j, &list, SLICE(""), ranked[i].json);
	}
	return list.json;
}

static const struct json *
call_most(struct jmespath *j, const struct json *of, const struct jmespath_arg *by, bool least)
{
	const struct call_ranked *ranked = call_ranks(j, of, by);

	if (ranked == NULL || of->n == 0) {
		return &jmespath_null;
	}
	size_t at = least ? 0 : of->n - 1;

	while (!least && at > 0 && ranked[at - 1].number == ranked[at].number &&
	       slice_eq(ranked[at - 1].is_text ? ranked[at - 1].text : SLICE(""),
			ranked[at].is_text ? ranked[at].text : SLICE(""))) {
		at--; /* the first one of the same rank */
	}
	return ranked[at].json;
}

/* Reverse the characters, not the bytes. */
static const struct json *
call_reverse_text(struct jmespath *j, struct slice text)
{
	struct buf b = {.arena = &j->c->arena};

	for (size_t end = text.len, at = text.len; at-- > 0;) {
		if (utf8_begins(text.at[at]) || at == 0) {
			buf_put(&b, text.at + at, end - at);
			end = at;
		}
	}
	return call_text(j, buf_view(&b));
}

static const struct json *
call_reverse(struct jmespath *j, const struct json *of)
{
	struct jmespath_list list = jmespath_list(j, JSON_ARRAY);
	const struct json **all = arena_new(&j->c->arena, const struct json *, of->n + 1);
	size_t n = 0;

	if (of->type == JSON_STRING) {
		return call_reverse_text(j, of->text);
	}
	if (of->type != JSON_ARRAY) {
		return jmespath_fail(j, "reverse() needs a list or a string");
	}
	json_each (child, of) {
		all[n++] = child;
	}
	while (n > 0) {
		jmespath_add(j, &list, SLICE(""), all[--n]);
	}
	return list.json;
}

static const struct json *
call_sum(struct jmespath *j, const struct json *of)
{
	double sum = 0;

	if (of->type != JSON_ARRAY) {
		return jmespath_fail(j, "sum() needs a list");
	}
	json_each (child, of) {
		if (child->type != JSON_NUMBER) {
			return jmespath_fail(j, "sum() needs numbers: sum(Items[].to_number(a.N))");
		}
		sum += jmespath_number(j, child);
	}
	return call_number(j, sum);
}

/* ------------------------------------------------------------ others */

static const struct json *
call_to_number(struct jmespath *j, const struct json *of)
{
	char first = of->type == JSON_STRING && of->text.len > 0 ? of->text.at[0] : '\0';
	size_t at;
	bool number = (ascii_digit(first) || first == '-') && json_fault(of->text, &at) == NULL;

	return of->type == JSON_NUMBER ? of
	       : number                ? call_number(j, jmespath_number(j, of))
				       : &jmespath_null;
}

static const struct json *
call_type(struct jmespath *j, const struct json *of)
{
	static const char *const names[] = {"null",   "boolean", "boolean", "number",
					    "string", "array",   "object"};

	return call_text(j, slice_from(names[of->type]));
}

static const struct json *
call_not_null(const struct jmespath_arg *args, size_t n)
{
	size_t i = 0;

	while (i + 1 < n && args[i].value->type == JSON_NULL) {
		i++;
	}
	return args[i].value;
}

const struct json *
jmespath_call(struct jmespath *j, struct slice name, const struct jmespath_arg *args, size_t n)
{
	static const struct {
		const char *name;
		size_t args;
	} rows[] = {{"length", 1},    {"keys", 1},        {"values", 1},  {"contains", 2},
		    {"ends_with", 2}, {"starts_with", 2}, {"join", 2},    {"sort", 1},
		    {"sort_by", 2},   {"max", 1},         {"max_by", 2},  {"min", 1},
		    {"min_by", 2},    {"reverse", 1},     {"sum", 1},     {"to_number", 1},
		    {"to_string", 1}, {"type", 1},        {"not_null", 0}};
	assert(n <= JMESPATH_ARGS && j->blind == 0 && j->fault == NULL);
	const struct json *a = n > 0 ? args[0].value : NULL;
	const struct jmespath_arg *by = n > 1 ? &args[1] : NULL;
	size_t row = 0;

	while (row < sizeof(rows) / sizeof(rows[0]) && !slice_is(name, rows[row].name)) {
		row++;
	}
	if (row == sizeof(rows) / sizeof(rows[0])) {
		return jmespath_fail(j, "unknown function");
	}
	if (n == 0 || (rows[row].args > 0 && n != rows[row].args)) {
		return jmespath_fail(j, "the function takes another number of arguments");
	}
	switch (row) {
	case 0:
		return call_length(j, a);
	case 1:
	case 2:
		return call_members(j, a, row == 1);
	case 3:
		return call_contains(j, a, by->value);
	case 4:
	case 5:
		return call_ends(j, a, by->value, row == 5);
	case 6:
		return call_join(j, a, by->value);
	case 7:
	case 8:
		return call_sort(j, a, by);
	case 9:
	case 10:
	case 11:
	case 12:
		return call_most(j, a, by, row >= 11);
	case 13:
		return call_reverse(j, a);
	case 14:
		return call_sum(j, a);
	case 15:
		return call_to_number(j, a);
	case 16:
		return a->type == JSON_STRING ? a : call_text(j, call_json(j, a));
	case 17:
		return call_type(j, a);
	default:
		return call_not_null(args, n);
	}
}
