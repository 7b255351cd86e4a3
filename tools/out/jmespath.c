/* jmespath - see jmespath.h; the grammar */
#include "tools/out/jmespath.h"

#include "store/base/text/json.h"

#include "tools/out/jmespath_int.h"

/* Binding powers of the operators after a value, and limits */
enum {
	BIND_PIPE = 1,
	BIND_OR,
	BIND_AND,
	BIND_COMPARE = 5,
	BIND_FLATTEN = 9,
	BIND_STAR = 20,
	BIND_FILTER,
	BIND_DOT = 40,
	BIND_NOT = 45,
	BIND_BRACKET = 55,
	BIND_PROJECTION = 10, /* an operator that binds less ends a projection */
	DEPTH_MAX = 64,
	TEXT_MAX = 2000, /* bytes; bounds the stack for "*.*" and the depth of "[@] | [@]" */
};

/* ------------------------------------------------------------ projections */

static const struct json *jmespath_behind_dot(struct jmespath *j, const struct json *json,
					      unsigned least);
static unsigned jmespath_binds(struct jmespath *j);

/* Evaluate the right side of a projection for one of its elements. */
static const struct json *
jmespath_right(struct jmespath *j, const struct json *json, unsigned least)
{
	if (jmespath_binds(j) < BIND_PROJECTION) {
		return json;
	}
	if (jmespath_take(j, ".")) {
		return jmespath_behind_dot(j, json, least);
	}
	return jmespath_eval(j, json, least);
}

/*
 * Evaluate the right side of a projection for each element of @json, and leave out null results.
 * @json: NULL: there is nothing to project, only parse
 * @only: NULL, or the offset of a filter's condition
 */
static const struct json *
jmespath_project(struct jmespath *j, const struct json *json, unsigned least, const size_t *only)
{
	struct jmespath_list list = jmespath_list(j, JSON_ARRAY);
	size_t begin = j->at;
	size_t end;

	j->blind++; /* find its end */
	(void)jmespath_right(j, &jmespath_null, least);
	j->blind--;
	end = j->at;
	json_each (child, json) {
		if (only != NULL) {
			j->at = *only;
			if (!jmespath_is_true(jmespath_eval(j, child, 0))) {
				continue;
			}
		}
		j->at = begin;
		const struct json *value = jmespath_right(j, child, least);

		if (value->type != JSON_NULL) {
			jmespath_add(j, &list, SLICE(""), value);
		}
	}
	j->at = j->fault == NULL ? end : j->at;
	return list.json;
}

static long
jmespath_within(long at, long least, long most)
{
	return at < least ? least : at > most ? most : at;
}

static const struct json *
jmespath_nth(const struct json *json, long n)
{
	assert(n >= 0 && (size_t)n < json->n);
	const struct json *child = json->child;

	for (long i = 0; i < n; i++) {
		child = child->next;
	}
	return child;
}

/* The elements of [from:to:step]; @is: which of the three are given */
static const struct json *
jmespath_slice(struct jmespath *j, const struct json *json, const long *given, const bool *is)
{
	struct jmespath_list list = jmespath_list(j, JSON_ARRAY);
	long step = is[2] ? given[2] : 1;
	long n = (long)json->n;
	long ends[] = {step > 0 ? 0 : n - 1, step > 0 ? n : -1};

	if (step == 0) {
		return jmespath_wrong(j, "a step must not be 0");
	}
	step = jmespath_within(step, -n - 1, n + 1);
	for (int i = 0; i < 2; i++) {
		if (is[i]) {
			ends[i] = jmespath_within(given[i] < 0 ? given[i] + n : given[i],
						  step > 0 ? 0 : -1, step > 0 ? n : n - 1);
		}
	}
	for (long i = ends[0]; step > 0 ? i < ends[1] : i > ends[1]; i += step) {
		jmespath_add(j, &list, SLICE(""), jmespath_nth(json, i));
	}
	return list.json;
}

/* [5], [-1] and [1:3] after the value @json; the opening bracket has been taken. */
static const struct json *
jmespath_index(struct jmespath *j, const struct json *json)
{
	long given[3] = {0};
	bool is[3] = {false};
	int parts = 0;

	do {
		jmespath_blanks(j);
		is[parts] = jmespath_whole(j, &given[parts]);
	} while (jmespath_take(j, ":") && ++parts < 3);
	jmespath_expect(j, "]", "expected ] after an index");
	if (parts > 0) {
		const struct json *some =
			json->type == JSON_ARRAY ? jmespath_slice(j, json, given, is) : NULL;
		const struct json *all = jmespath_project(j, some, BIND_STAR, NULL);

		return some == NULL ? &jmespath_null : all;
	}
	long at = given[0] < 0 ? given[0] + (long)json->n : given[0];

	return json->type == JSON_ARRAY && at >= 0 && at < (long)json->n ? jmespath_nth(json, at)
									 : &jmespath_null;
}

/* [*], [], [?condition] or an index after the value @json; false if there is none */
static bool
jmespath_bracket(struct jmespath *j, const struct json *json, const struct json **out)
{
	const struct json *list = json->type == JSON_ARRAY ? json : NULL;
	const struct json *found;
	size_t before = j->at;

	if (jmespath_take(j, "[?")) {
		size_t condition = j->at;

		j->blind++;
		(void)jmespath_eval(j, &jmespath_null, 0);
		j->blind--;
		jmespath_expect(j, "]", "expected ] after a condition");
		found = jmespath_project(j, list, BIND_FILTER, &condition);
	} else if (jmespath_take(j, "[]")) {
		list = list == NULL ? NULL : jmespath_flat(j, list);
		found = jmespath_project(j, list, BIND_FLATTEN, NULL);
	} else if (jmespath_take(j, "[")) {
		if (jmespath_take(j, "*")) {
			if (!jmespath_take(j, "]")) {
				j->at = before;
				return false;
			}
			found = jmespath_project(j, list, BIND_STAR, NULL);
		} else if (jmespath_at(j, ":") || jmespath_at(j, "-") ||
			   (j->at < j->text.len && ascii_digit(j->text.at[j->at]))) {
			*out = jmespath_index(j, json);
			return true;
		} else {
			j->at = before;
			return false;
		}
	} else {
		return false;
	}
	*out = list == NULL ? &jmespath_null : found;
	return true;
}

/* Project the values of an object; the "*" has been taken. */
static const struct json *
jmespath_values(struct jmespath *j, const struct json *json)
{
	bool object = json->type == JSON_OBJECT;
	const struct json *found = jmespath_project(j, object ? json : NULL, BIND_STAR, NULL);

	return object ? found : &jmespath_null;
}

/* ------------------------------------------------------------ expressions */

/* [a, b] or {A: a, B: b}; the opening bracket has been taken. */
static const struct json *
jmespath_several(struct jmespath *j, const struct json *json, bool named)
{
	struct jmespath_list list = jmespath_list(j, named ? JSON_OBJECT : JSON_ARRAY);

	do {
		struct slice name = named ? jmespath_name(j) : SLICE("");

		if (named) {
			jmespath_expect(j, ":",
					"expected a name and a colon before each value: {A: a, B: "
					"b}");
		}
		jmespath_add(j, &list, name, jmespath_eval(j, json, 0));
	} while (j->fault == NULL && jmespath_take(j, ","));
	jmespath_expect(j, named ? "}" : "]", "a closing bracket is missing");
	if (jmespath_size(list.json, j->most) > j->most) {
		return jmespath_wrong(j, jmespath_large);
	}
	return json->type == JSON_NULL ? &jmespath_null : list.json;
}

static const struct json *
jmespath_function(struct jmespath *j, const struct json *json, struct slice name)
{
	struct jmespath_arg args[JMESPATH_ARGS] = {{0}};
	size_t n = 0;

	while (j->fault == NULL && !jmespath_at(j, ")")) {
		bool expression = jmespath_take(j, "&");

		if (n == JMESPATH_ARGS && j->blind == 0 && slice_is(name, "not_null")) {
			args[0].value = jmespath_call(j, name, args, n); /* any number of values */
			n = 1;
		} else if (n == JMESPATH_ARGS) {
			return jmespath_wrong(j, "a function has too many arguments");
		}
		args[n].expression = expression ? j->at : SIZE_MAX;
		j->blind += expression;
		args[n++].value = jmespath_eval(j, json, 0);
		j->blind -= expression;
		if (!jmespath_take(j, ",")) {
			break;
		}
	}
	jmespath_expect(j, ")", "expected ) after the arguments of a function");
	size_t end = j->at;
	const struct json *value = j->fault == NULL && j->blind == 0
					   ? jmespath_call(j, name, args, n)
					   : &jmespath_null;

	j->at = j->fault == NULL ? end : j->at;
	return value;
}

/* The member of a name, or the value of a function */
static const struct json *
jmespath_named(struct jmespath *j, const struct json *json)
{
	struct slice name = jmespath_name(j);
	const struct json *member;

	if (name.at == NULL || (name.len == 0 && !(j->at > 0 && j->text.at[j->at - 1] == '"'))) {
		return jmespath_wrong(j, "expected a name");
	}
	if (jmespath_take(j, "(")) {
		return jmespath_function(j, json, name);
	}
	member = json->type == JSON_OBJECT ? json_get_slice(json, name) : NULL;
	return member == NULL ? &jmespath_null : member;
}

static const struct json *
jmespath_behind_dot(struct jmespath *j, const struct json *json, unsigned least)
{
	const struct json *value;

	if (jmespath_take(j, "*")) {
		return jmespath_values(j, json);
	}
	if (jmespath_at(j, "[") || jmespath_at(j, "{")) {
		bool named = !jmespath_take(j, "[") && jmespath_take(j, "{");

		return jmespath_several(j, json, named);
	}
	value = jmespath_named(j, json);
	/* Operators that bind tighter than the surrounding projection apply to the element. */
	while (j->fault == NULL && jmespath_binds(j) > least) {
		if (jmespath_take(j, ".")) {
			value = jmespath_behind_dot(j, value, least);
		} else if (!jmespath_bracket(j, value, &value)) {
			return jmespath_wrong(j, "expected an index, [*], [] or [?...]");
		}
	}
	return value;
}

/* The first value of an expression */
static const struct json *
jmespath_begin(struct jmespath *j, const struct json *json)
{
	const struct json *value = &jmespath_null;

	if (jmespath_take(j, "@")) {
		return json;
	}
	if (jmespath_at(j, "`") || jmespath_at(j, "'")) {
		return jmespath_at(j, "`") ? jmespath_literal(j) : jmespath_raw(j);
	}
	if (jmespath_take(j, "(")) {
		value = jmespath_eval(j, json, 0);
		jmespath_expect(j, ")", "a closing bracket is missing");
		return value;
	}
	if (jmespath_take(j, "!")) {
		value = jmespath_eval(j, json, BIND_NOT);
		return jmespath_is_true(value) ? &jmespath_false : &jmespath_true;
	}
	if (jmespath_take(j, "*")) {
		return jmespath_values(j, json);
	}
	if (jmespath_bracket(j, json, &value)) {
		return value;
	}
	return jmespath_take(j, "[")   ? jmespath_several(j, json, false)
	       : jmespath_take(j, "{") ? jmespath_several(j, json, true)
				       : jmespath_named(j, json);
}

static const char *const jmespath_comparisons[] = {"==", "!=", "<=", ">=", "<", ">", NULL};

/* The binding power of the next operator; 0 if the expression ends */
static unsigned
jmespath_binds(struct jmespath *j)
{
	static const struct {
		const char *sign;
		unsigned binds;
	} rows[] = {{"==", BIND_COMPARE}, {"!=", BIND_COMPARE}, {"<", BIND_COMPARE},
		    {">", BIND_COMPARE},  {"||", BIND_OR},      {"&&", BIND_AND},
		    {"|", BIND_PIPE},     {"[]", BIND_FLATTEN}, {"[?", BIND_FILTER},
		    {".", BIND_DOT},      {"[", BIND_BRACKET}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (jmespath_at(j, rows[i].sign)) {
			return rows[i].binds;
		}
	}
	return 0;
}

static const struct json *
jmespath_compare(struct jmespath *j, const struct json *left, const char *how,
		 const struct json *right)
{
	bool texts = left->type == JSON_STRING && right->type == JSON_STRING;
	bool numbers = left->type == JSON_NUMBER && right->type == JSON_NUMBER;
	bool is;

	if (how[0] == '=' || how[0] == '!') {
		is = jmespath_same(j, left, right) == (how[0] == '=');
	} else if (!numbers && !texts) {
		return &jmespath_null;
	} else {
		double difference = texts ? slice_cmp(left->text, right->text)
					  : jmespath_number(j, left) - jmespath_number(j, right);

		is = how[0] == '<' ? difference < 0 : difference > 0;
		is = is || (how[1] == '=' && difference == 0);
	}
	return is ? &jmespath_true : &jmespath_false;
}

/* The left side of && or || if it decides, and the right side is only parsed; otherwise the right side */
static const struct json *
jmespath_either(struct jmespath *j, const struct json *json, const struct json *left,
		unsigned binds, bool decides)
{
	j->blind += decides;
	const struct json *right = jmespath_eval(j, json, binds);

	j->blind -= decides;
	return decides ? left : right;
}

/* Take an operator after the value @left, and evaluate its right side. */
static const struct json *
jmespath_operator(struct jmespath *j, const struct json *json, const struct json *left)
{
	const struct json *right;

	for (size_t i = 0; jmespath_comparisons[i] != NULL; i++) {
		if (jmespath_take(j, jmespath_comparisons[i])) {
			right = jmespath_eval(j, json, BIND_COMPARE);
			return jmespath_compare(j, left, jmespath_comparisons[i], right);
		}
	}
	if (jmespath_take(j, "||")) {
		return jmespath_either(j, json, left, BIND_OR, jmespath_is_true(left));
	}
	if (jmespath_take(j, "&&")) {
		return jmespath_either(j, json, left, BIND_AND, !jmespath_is_true(left));
	}
	if (jmespath_take(j, "|")) {
		return jmespath_eval(j, left, BIND_PIPE);
	}
	if (jmespath_take(j, ".")) {
		return jmespath_behind_dot(j, left, BIND_DOT);
	}
	if (!jmespath_bracket(j, left, &left)) {
		return jmespath_wrong(j, "expected an index, [*], [] or [?...]");
	}
	return left;
}

const struct json *
jmespath_eval(struct jmespath *j, const struct json *json, unsigned least)
{
	const struct json *value;

	if (++j->depth > DEPTH_MAX) {
		return jmespath_wrong(j, "it is nested too deeply");
	}
	value = jmespath_begin(j, json);
	while (j->fault == NULL && jmespath_binds(j) > least) {
		value = jmespath_operator(j, json, value);
	}
	j->depth--;
	return value;
}

int
jmespath(struct call *c, const char *text, const struct json *json, const struct json **out)
{
	struct jmespath j = {.c = c, .text = slice_from(text), .most = SIZE_MAX};

	if (j.text.len > TEXT_MAX) {
		return call_fail(c, ERR_USAGE, "--query has more than %d bytes", TEXT_MAX);
	}
	j.most = JMESPATH_TIMES * jmespath_size(json, SIZE_MAX / JMESPATH_TIMES - JMESPATH_LEAST) +
		 JMESPATH_LEAST;
	*out = jmespath_eval(&j, json, 0);
	jmespath_blanks(&j);
	if (j.fault == NULL && j.at < j.text.len) {
		(void)jmespath_wrong(&j, "expected an operator or the end");
	}
	return j.fault == NULL ? 0
			       : call_fail(c, ERR_USAGE, "--query \"%s\": %s at byte %zu", text,
					   j.fault, j.at + 1);
}
