/* legacy - random legacy parameters, from before expressions */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {"a", "b", "c", "m", "l", "name", "g", "h"};

static void
put_raw(struct json_writer *w, const char *name, const struct buf *text)
{
	json_name(w, name);
	json_raw(w, buf_view(text));
}

/* @n values of @type; ' ': any type, and not all of the same one */
static void
put_values(struct make *m, struct json_writer *w, size_t n, char type)
{
	json_name(w, "AttributeValueList");
	json_open(w, '[');
	for (size_t i = 0; i < n; i++) {
		struct buf text;

		buf_init(&text, &m->c->arena);
		if (type == ' ') {
			make_value(m, &text, 1);
		} else {
			make_key_value(m, &text, type);
		}
		json_raw(w, buf_view(&text));
	}
	json_close(w);
}

static void
put_comparison(struct make *m, struct json_writer *w)
{
	static const struct {
		const char *name;
		size_t values;
	} operators[] = {
		{"EQ", 1},          {"NE", 1},   {"IN", 2},       {"LE", 1},
		{"LT", 1},          {"GE", 1},   {"GT", 1},       {"BETWEEN", 2},
		{"NOT_NULL", 0},    {"NULL", 0}, {"CONTAINS", 1}, {"NOT_CONTAINS", 1},
		{"BEGINS_WITH", 1},
	};
	size_t which = make_pick(m, COUNT(operators));
	size_t n = operators[which].values;
	char type = "SNB  "[make_pick(m, n < 2 ? 5 : 3)];

	json_name(w, "ComparisonOperator");
	json_string(w, slice_from(operators[which].name));
	if (n > 0 || make_chance(m, 20)) {
		put_values(m, w, make_chance(m, 98) ? n : make_pick(m, 3), type);
	}
}

static void
put_expected(struct make *m, struct json_writer *w)
{
	struct buf text;

	if (make_chance(m, 30)) {
		json_name(w, "Exists");
		json_bool(w, false);
		return;
	}
	buf_init(&text, &m->c->arena);
	make_value(m, &text, 1);
	put_raw(w, "Value", &text);
	if (make_chance(m, 20)) {
		json_name(w, "Exists");
		json_bool(w, true);
	}
}

void
legacy_conditions(struct make *m, struct json_writer *w, const char *parameter)
{
	size_t first = make_pick(m, COUNT(names));
	size_t n = 1 + make_pick(m, 3);

	json_name(w, parameter);
	json_open(w, '{');
	for (size_t i = 0; i < n; i++) {
		json_name(w, names[(first + i) % COUNT(names)]);
		json_open(w, '{');
		if (strcmp(parameter, "Expected") == 0 && make_chance(m, 40)) {
			put_expected(m, w);
		} else {
			put_comparison(m, w);
		}
		json_close(w);
	}
	json_close(w);
	if (n > 1 ? make_chance(m, 40) : make_chance(m, 2)) {
		json_name(w, "ConditionalOperator");
		json_string(w, slice_from(make_chance(m, 70) ? "OR" : "AND"));
	}
}

void
legacy_key(struct make *m, struct json_writer *w, const struct make_table *t, const char *hash,
	   const char *range)
{
	static const char *const operators[] = {"EQ", "LT",      "LE",          "GT",
						"GE", "BETWEEN", "BEGINS_WITH", "NE"};

	json_name(w, "KeyConditions");
	json_open(w, '{');
	json_name(w, hash);
	json_open(w, '{');
	json_name(w, "ComparisonOperator");
	json_string(w, slice_from(make_chance(m, 97) ? "EQ" : "GT"));
	put_values(m, w, 1, make_type(t, hash));
	json_close(w);
	if (range != NULL && make_chance(m, 60)) {
		const char *op = operators[make_pick(m, COUNT(operators))];

		json_name(w, range);
		json_open(w, '{');
		json_name(w, "ComparisonOperator");
		json_string(w, slice_from(op));
		put_values(m, w, strcmp(op, "BETWEEN") == 0 ? 2 : 1, make_type(t, range));
		json_close(w);
	}
	json_close(w);
}

void
legacy_attributes(struct make *m, struct json_writer *w)
{
	size_t first = make_pick(m, COUNT(names));

	json_name(w, "AttributesToGet");
	json_open(w, '[');
	for (size_t n = 1 + make_pick(m, 3); n > 0; n--) {
		json_string(w, slice_from(names[(first + n) % COUNT(names)]));
	}
	json_close(w);
}

void
legacy_updates(struct make *m, struct json_writer *w)
{
	static const char *const actions[] = {"PUT", "ADD", "ADD", "DELETE"};
	size_t first = make_pick(m, COUNT(names));

	json_name(w, "AttributeUpdates");
	json_open(w, '{');
	for (size_t n = make_pick(m, 4); n > 0; n--) {
		const char *action = actions[make_pick(m, COUNT(actions))];
		struct buf text;

		json_name(w, names[(first + n) % COUNT(names)]);
		json_open(w, '{');
		json_name(w, "Action");
		json_string(w, slice_from(action));
		if (strcmp(action, "DELETE") != 0 || make_chance(m, 50)) {
			buf_init(&text, &m->c->arena);
			make_value(m, &text, 1);
			put_raw(w, "Value", &text);
		}
		json_close(w);
	}
	json_close(w);
}
