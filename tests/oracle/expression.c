/* expression - random expressions of every kind */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void
expressions_begin(struct expressions *x, struct make *m)
{
	*x = (struct expressions){.m = m};
	buf_init(&x->names, &m->c->arena);
	buf_init(&x->values, &m->c->arena);
}

static void
write_map(struct json_writer *w, const char *name, const struct buf *members)
{
	struct buf text;

	if (members->len == 0) {
		return;
	}
	buf_init(&text, w->out->arena);
	buf_fmt(&text, "{%.*s}", (int)members->len, members->at);
	json_name(w, name);
	json_raw(w, buf_view(&text));
}

void
expressions_end(struct expressions *x, struct json_writer *w)
{
	write_map(w, "ExpressionAttributeNames", &x->names);
	write_map(w, "ExpressionAttributeValues", &x->values);
}

static void
write_text(struct json_writer *w, const char *name, const struct buf *text)
{
	json_name(w, name);
	json_string(w, buf_view(text));
}

/* ------------------------------------------------------------ operands */

static void
put_name(struct expressions *x, struct buf *b, const char *name)
{
	bool reserved = strcmp(name, "name") == 0;

	if (make_chance(x->m, reserved ? 95 : 30)) {
		buf_fmt(&x->names, "%s\"#n%u\":\"%s\"", x->names.len > 0 ? "," : "", x->n, name);
		buf_fmt(b, "#n%u", x->n++);
	} else {
		buf_str(b, name);
	}
}

static void
put_path(struct expressions *x, struct buf *b)
{
	static const char *const names[] = {"a", "b", "c", "m", "l", "name", "g", "h", "pk", "sk"};

	put_name(x, b, names[make_pick(x->m, make_chance(x->m, 85) ? 8 : COUNT(names))]);
	while (make_chance(x->m, 20)) {
		if (make_chance(x->m, 50)) {
			buf_fmt(b, "[%zu]", make_pick(x->m, 3));
		} else {
			buf_char(b, '.');
			put_name(x, b, make_chance(x->m, 50) ? "a" : "b");
		}
	}
}

/* Begin a new placeholder of a value; the caller appends the value's text to x->values. */
static void
new_value(struct expressions *x, struct buf *b)
{
	buf_fmt(&x->values, "%s\":v%u\":", x->values.len > 0 ? "," : "", x->n);
	buf_fmt(b, ":v%u", x->n++);
}

static void
put_value(struct expressions *x, struct buf *b)
{
	new_value(x, b);
	make_value(x->m, &x->values, 1);
}

static void
put_typed(struct expressions *x, struct buf *b, char type)
{
	new_value(x, b);
	make_key_value(x->m, &x->values, type);
}

static void
put_operand(struct expressions *x, struct buf *b)
{
	switch (make_pick(x->m, 8)) {
	case 0:
		buf_str(b, "size(");
		put_path(x, b);
		buf_char(b, ')');
		break;
	case 1:
	case 2:
	case 3:
		put_path(x, b);
		break;
	case 4:
		put_value(x, b);
		break;
	default:
		put_typed(x, b, "SN"[make_pick(x->m, 2)]);
		break;
	}
}

/* ------------------------------------------------------------ conditions */

static void
put_comparison(struct expressions *x, struct buf *b)
{
	static const char *const operators[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};

	put_operand(x, b);
	buf_str(b, operators[make_pick(x->m, COUNT(operators))]);
	put_operand(x, b);
}

static void
put_between_or_in(struct expressions *x, struct buf *b)
{
	char type = "SNB"[make_pick(x->m, 3)];

	put_path(x, b);
	if (make_chance(x->m, 50)) {
		buf_str(b, " BETWEEN ");
		put_typed(x, b, type);
		buf_str(b, " AND ");
		put_typed(x, b, type);
		return;
	}
	buf_str(b, " IN (");
	put_operand(x, b);
	while (make_chance(x->m, 50)) {
		buf_str(b, ", ");
		put_operand(x, b);
	}
	buf_char(b, ')');
}

static void
put_function(struct expressions *x, struct buf *b)
{
	static const char *const types[] = {"S", "N", "B",    "SS",   "NS",
					    "M", "L", "BOOL", "NULL", "X"};
	static const char *const names[] = {"attribute_exists", "attribute_not_exists",
					    "begins_with", "contains", "attribute_type"};
	size_t which = make_pick(x->m, COUNT(names));

	buf_fmt(b, "%s(", names[which]);
	put_path(x, b);
	if (which == 4) {
		buf_str(b, ", ");
		new_value(x, b);
		buf_fmt(&x->values, "{\"S\":\"%s\"}", types[make_pick(x->m, COUNT(types))]);
	} else if (which >= 2) {
		buf_str(b, ", ");
		put_operand(x, b);
	}
	buf_char(b, ')');
}

static void
put_condition(struct expressions *x, struct buf *b, int depth)
{
	if (depth > 0 && make_chance(x->m, 30)) {
		put_condition(x, b, depth - 1);
		buf_str(b, make_chance(x->m, 50) ? " AND " : " OR ");
		put_condition(x, b, depth - 1);
		return;
	}
	if (depth > 0 && make_chance(x->m, 15)) {
		buf_str(b, make_chance(x->m, 50) ? "NOT (" : "(");
		put_condition(x, b, depth - 1);
		buf_char(b, ')');
		return;
	}
	switch (make_pick(x->m, 4)) {
	case 0:
	case 1:
		put_function(x, b);
		break;
	case 2:
		put_between_or_in(x, b);
		break;
	default:
		put_comparison(x, b);
		break;
	}
}

void
expression_condition(struct expressions *x, struct json_writer *w, const char *parameter)
{
	struct buf text;

	buf_init(&text, &x->m->c->arena);
	put_condition(x, &text, 2);
	write_text(w, parameter, &text);
}

void
expression_projection(struct expressions *x, struct json_writer *w)
{
	struct buf text;

	buf_init(&text, &x->m->c->arena);
	put_path(x, &text);
	while (make_chance(x->m, 60)) {
		buf_str(&text, ", ");
		put_path(x, &text);
	}
	write_text(w, "ProjectionExpression", &text);
}

void
expression_key(struct expressions *x, struct json_writer *w, const struct make_table *t,
	       const char *hash, const char *range)
{
	static const char *const operators[] = {"=", "<", "<=", ">", ">="};
	struct buf text;

	buf_init(&text, &x->m->c->arena);
	put_name(x, &text, hash);
	buf_str(&text, " = ");
	put_typed(x, &text, make_type(t, hash));
	if (range != NULL && make_chance(x->m, 60)) {
		char type = make_type(t, range);
		size_t which = make_pick(x->m, COUNT(operators) + 2);

		buf_str(&text, which > COUNT(operators) ? " AND begins_with(" : " AND ");
		put_name(x, &text, range);
		if (which < COUNT(operators)) {
			buf_fmt(&text, " %s ", operators[which]);
		} else {
			buf_str(&text, which > COUNT(operators) ? ", " : " BETWEEN ");
		}
		put_typed(x, &text, type);
		if (which == COUNT(operators)) {
			buf_str(&text, " AND ");
			put_typed(x, &text, type);
		} else if (which > COUNT(operators)) {
			buf_char(&text, ')');
		}
	}
	write_text(w, "KeyConditionExpression", &text);
}

/* ------------------------------------------------------------ updates */

static void
put_set(struct expressions *x, struct buf *b)
{
	put_path(x, b);
	buf_str(b, " = ");
	switch (make_pick(x->m, 5)) {
	case 0:
		buf_str(b, "list_append(");
		put_path(x, b);
		buf_str(b, ", ");
		put_value(x, b);
		buf_char(b, ')');
		break;
	case 1:
		buf_str(b, "if_not_exists(");
		put_path(x, b);
		buf_str(b, ", ");
		put_value(x, b);
		buf_char(b, ')');
		break;
	case 2:
		put_path(x, b);
		buf_str(b, make_chance(x->m, 50) ? " + " : " - ");
		put_typed(x, b, 'N');
		break;
	case 3:
		put_path(x, b);
		break;
	default:
		put_value(x, b);
		break;
	}
}

static void
put_clause(struct expressions *x, struct buf *b, size_t verb)
{
	static const char *const verbs[] = {"SET", "REMOVE", "ADD", "DELETE"};
	const char *before = " ";

	buf_str(b, verbs[verb]);
	do {
		buf_str(b, before);
		before = ", ";
		if (verb == 0) {
			put_set(x, b);
			continue;
		}
		put_path(x, b);
		if (verb >= 2) {
			buf_char(b, ' ');
			put_value(x, b);
		}
	} while (make_chance(x->m, 30));
	buf_char(b, ' ');
}

void
expression_update(struct expressions *x, struct json_writer *w)
{
	size_t first = make_pick(x->m, 4);
	struct buf text;

	buf_init(&text, &x->m->c->arena);
	put_clause(x, &text, first);
	for (size_t verb = 0; verb < 4; verb++) {
		if (verb != first && make_chance(x->m, 15)) {
			put_clause(x, &text, verb);
		}
	}
	write_text(w, "UpdateExpression", &text);
}
