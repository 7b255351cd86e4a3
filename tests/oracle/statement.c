/* statement - random PartiQL: alone, in batches, in transactions */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct statement {
	struct make *m;
	const struct make_table *t;
	struct buf text;
	struct buf parameters;
	bool exists; /* of a transaction: EXISTS(SELECT ...) */
};

static const char *const names[] = {"a", "b", "c", "m", "l", "g", "h", "\"name\"", "x"};

/* ------------------------------------------------------------ values */

static void
put_parameter(struct statement *s, const struct buf *value)
{
	buf_str(&s->text, "?");
	buf_str(&s->parameters, s->parameters.len > 0 ? "," : "");
	buf_slice(&s->parameters, buf_view(value));
}

/* The text of @value without its quotes if it is {"S":"text"}. */
static struct slice
text_of(const struct buf *value)
{
	return slice_of(value->at + 6, value->len - 8);
}

static void
put_drawn(struct statement *s, char type, const struct buf *value)
{
	if (type == 'B' || make_chance(s->m, 60)) {
		put_parameter(s, value);
	} else {
		buf_fmt(&s->text, type == 'S' ? "'%.*s'" : "%.*s", SLICE_ARG(text_of(value)));
	}
}

static void
put_typed(struct statement *s, char type)
{
	struct buf value;

	buf_init(&value, &s->m->c->arena);
	make_key_value(s->m, &value, type);
	put_drawn(s, type, &value);
}

/* "[v, w]" or "[v]": for a key that is listed twice, Local returns its items twice. */
static void
put_keys(struct statement *s, char type)
{
	struct buf one;
	struct buf two;

	buf_init(&one, &s->m->c->arena);
	buf_init(&two, &s->m->c->arena);
	make_key_value(s->m, &one, type);
	make_key_value(s->m, &two, type);
	buf_str(&s->text, "[");
	put_drawn(s, type, &one);
	if (!slice_eq(buf_view(&one), buf_view(&two))) {
		buf_str(&s->text, ", ");
		put_drawn(s, type, &two);
	}
	buf_str(&s->text, "]");
}

static void
put_value(struct statement *s)
{
	static const char *const literals[] = {
		"'a'",     "1",       "1.50",    "-1",
		"true",    "null",    "[1,'a']", "{'a': 1, 'b': [2]}",
		"[]",      "<<'a'>>", "<<1,2>>", "{}",
		"'it''s'", "missing"};
	struct buf value;

	if (make_chance(s->m, 50)) {
		buf_str(&s->text,
			literals[make_pick(s->m,
					   COUNT(literals) - (make_chance(s->m, 90) ? 1 : 0))]);
		return;
	}
	buf_init(&value, &s->m->c->arena);
	make_value(s->m, &value, 1);
	put_parameter(s, &value);
}

static void
put_path(struct statement *s)
{
	buf_str(&s->text, names[make_pick(s->m, COUNT(names))]);
	while (make_chance(s->m, 15)) {
		buf_str(&s->text, make_chance(s->m, 50) ? "[0]" : ".a");
	}
}

/* ------------------------------------------------------------ conditions */

static void
put_simple(struct statement *s)
{
	static const char *const operators[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
	static const char *const functions[] = {"begins_with", "contains", "attribute_type"};
	static const char *const is[] = {" IS MISSING", " IS NOT MISSING", " IS NULL",
					 " IS NOT NULL"};

	switch (make_pick(s->m, 8)) {
	case 0:
		put_path(s);
		buf_str(&s->text, is[make_pick(s->m, COUNT(is))]);
		break;
	case 1:
		buf_fmt(&s->text, "%s(", functions[make_pick(s->m, COUNT(functions))]);
		put_path(s);
		buf_str(&s->text, ", ");
		put_typed(s, "SSN"[make_pick(s->m, 3)]);
		buf_str(&s->text, ")");
		break;
	case 2:
		buf_str(&s->text, "size(");
		put_path(s);
		buf_fmt(&s->text, ")%s", operators[make_pick(s->m, COUNT(operators))]);
		put_typed(s, 'N');
		break;
	case 3:
		put_path(s);
		buf_str(&s->text, " BETWEEN ");
		put_typed(s, 'N');
		buf_str(&s->text, " AND ");
		put_typed(s, 'N');
		break;
	case 4:
		put_path(s);
		buf_str(&s->text, " IN [");
		put_typed(s, 'S');
		buf_str(&s->text, ", ");
		put_typed(s, 'N');
		buf_str(&s->text, "]");
		break;
	default:
		put_path(s);
		buf_str(&s->text, operators[make_pick(s->m, COUNT(operators))]);
		if (make_chance(s->m, 10)) {
			put_path(s);
		} else {
			put_value(s);
		}
		break;
	}
}

static void
put_condition(struct statement *s, int depth)
{
	if (depth > 0 && make_chance(s->m, 25)) {
		buf_str(&s->text, "(");
		put_condition(s, depth - 1);
		buf_str(&s->text, make_chance(s->m, 50) ? " AND " : " OR ");
		put_condition(s, depth - 1);
		buf_str(&s->text, ")");
		return;
	}
	if (depth > 0 && make_chance(s->m, 10)) {
		buf_str(&s->text, "NOT (");
		put_condition(s, depth - 1);
		buf_str(&s->text, ")");
		return;
	}
	put_simple(s);
}

/* "WHERE" and the complete key; sometimes a part is missing */
static void
put_key(struct statement *s)
{
	buf_str(&s->text, " WHERE pk = ");
	put_typed(s, s->t->types[0]);
	if (s->t->types[1] != 0 && make_chance(s->m, 97)) {
		buf_str(&s->text, " AND sk = ");
		put_typed(s, s->t->types[1]);
	}
}

static void
put_more(struct statement *s, unsigned percent)
{
	if (make_chance(s->m, percent)) {
		buf_str(&s->text, " AND ");
		put_condition(s, 1);
	}
}

/* ------------------------------------------------------------ statements */

static void
put_projection(struct statement *s)
{
	if (make_chance(s->m, 60)) {
		buf_str(&s->text, "*");
		return;
	}
	put_path(s);
	while (make_chance(s->m, 40)) {
		buf_str(&s->text, ", ");
		put_path(s);
	}
}

static void
put_range(struct statement *s, const char *range, char type)
{
	static const char *const operators[] = {"=", "<", "<=", ">", ">="};

	buf_str(&s->text, " AND ");
	if (make_chance(s->m, 20) && type != 'N') {
		buf_fmt(&s->text, "begins_with(%s, ", range);
		put_typed(s, type);
		buf_str(&s->text, ")");
	} else if (make_chance(s->m, 20)) {
		buf_fmt(&s->text, "%s BETWEEN ", range);
		put_typed(s, type);
		buf_str(&s->text, " AND ");
		put_typed(s, type);
	} else {
		buf_fmt(&s->text, "%s %s ", range, operators[make_pick(s->m, COUNT(operators))]);
		put_typed(s, type);
	}
}

static void
select_some(struct statement *s, struct request *r)
{
	const char *hash = "pk";
	const char *range = s->t->types[1] != 0 ? "sk" : NULL;
	bool of_key = false;

	buf_str(&s->text, "SELECT ");
	put_projection(s);
	buf_fmt(&s->text, " FROM \"%s\"", s->t->name);
	if (s->t->n_indexes > 0 && make_chance(s->m, 40)) {
		const struct make_index *index = &s->t->index[make_pick(s->m, s->t->n_indexes)];

		buf_fmt(&s->text, ".\"%s\"", index->name);
		hash = index->hash;
		range = index->range;
	}
	if (make_chance(s->m, 75)) {
		of_key = make_chance(s->m, 85);
		buf_fmt(&s->text, " WHERE %s %s ", hash, of_key ? "=" : "IN");
		if (of_key) {
			put_typed(s, make_type(s->t, hash));
		} else {
			put_keys(s, make_type(s->t, hash));
		}
		if (range != NULL && make_chance(s->m, 50)) {
			put_range(s, range, make_type(s->t, range));
		}
		put_more(s, 30);
	} else if (make_chance(s->m, 70)) {
		buf_str(&s->text, " WHERE ");
		put_condition(s, 2);
	}
	if (of_key && range != NULL && make_chance(s->m, 25)) {
		buf_fmt(&s->text, " ORDER BY %s %s", range, make_chance(s->m, 60) ? "DESC" : "ASC");
	}
	r->pages = true;
	r->order = of_key && range != NULL ? range : "";
}

static void
select_one(struct statement *s)
{
	buf_str(&s->text, s->exists ? "EXISTS(SELECT " : "SELECT ");
	put_projection(s);
	buf_fmt(&s->text, " FROM \"%s\"", s->t->name);
	put_key(s);
	put_more(s, s->exists ? 90 : 5);
	buf_str(&s->text, s->exists ? ")" : "");
}

static void
insert(struct statement *s)
{
	buf_fmt(&s->text, "INSERT INTO \"%s\" VALUE {'pk': ", s->t->name);
	put_typed(s, s->t->types[0]);
	if (s->t->types[1] != 0) {
		buf_str(&s->text, ", 'sk': ");
		put_typed(s, s->t->types[1]);
	}
	for (size_t i = 0; i < 7; i++) {
		if (make_chance(s->m, 30)) {
			buf_fmt(&s->text, ", '%s': ", names[i]);
			if (i == 5 || i == 6) {
				put_typed(s, i == 5 ? 'S' : 'N');
			} else {
				put_value(s);
			}
		}
	}
	buf_str(&s->text, "}");
}

static void
put_assignment(struct statement *s)
{
	static const char *const functions[] = {"list_append", "set_add", "set_delete",
						"if_not_exists"};

	put_path(s);
	buf_str(&s->text, " = ");
	switch (make_pick(s->m, 4)) {
	case 0:
		buf_fmt(&s->text, "%s(", functions[make_pick(s->m, COUNT(functions))]);
		put_path(s);
		buf_str(&s->text, ", ");
		put_value(s);
		buf_str(&s->text, ")");
		break;
	case 1:
		put_path(s);
		buf_str(&s->text, make_chance(s->m, 50) ? " + " : " - ");
		put_typed(s, 'N');
		break;
	default:
		put_value(s);
		break;
	}
}

static void
put_returning(struct statement *s)
{
	static const char *const kinds[] = {"ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW"};

	if (make_chance(s->m, 40)) {
		buf_fmt(&s->text, " RETURNING %s *", kinds[make_pick(s->m, COUNT(kinds))]);
	}
}

static void
update(struct statement *s, bool alone)
{
	buf_fmt(&s->text, "UPDATE \"%s\"", s->t->name);
	do {
		if (make_chance(s->m, 75)) {
			buf_str(&s->text, " SET ");
			put_assignment(s);
		} else {
			buf_str(&s->text, " REMOVE ");
			put_path(s);
		}
	} while (make_chance(s->m, 30));
	put_key(s);
	put_more(s, 25);
	if (alone) {
		put_returning(s);
	}
}

static void
remove_item(struct statement *s, bool alone)
{
	buf_fmt(&s->text, "DELETE FROM \"%s\"", s->t->name);
	put_key(s);
	put_more(s, 25);
	if (alone && make_chance(s->m, 30)) {
		buf_str(&s->text, " RETURNING ALL OLD *");
	}
}

/* ------------------------------------------------------------ requests */

static void
begin(struct statement *s, struct make *m)
{
	*s = (struct statement){.m = m, .t = &m->table[make_pick(m, 2)]};
	buf_init(&s->text, &m->c->arena);
	buf_init(&s->parameters, &m->c->arena);
}

static void
end(struct statement *s, struct json_writer *w)
{
	struct buf list;

	json_name(w, "Statement");
	json_string(w, buf_view(&s->text));
	if (s->parameters.len > 0) {
		buf_init(&list, &s->m->c->arena);
		buf_fmt(&list, "[%.*s]", (int)s->parameters.len, s->parameters.at);
		json_name(w, "Parameters");
		json_raw(w, buf_view(&list));
	}
	if (!s->exists && make_chance(s->m, 20)) {
		json_name(w, "ReturnValuesOnConditionCheckFailure");
		json_string(w, SLICE("ALL_OLD"));
	}
}

static void
write_one(struct statement *s, bool alone)
{
	switch (make_pick(s->m, 3)) {
	case 0:
		insert(s);
		break;
	case 1:
		update(s, alone);
		break;
	default:
		remove_item(s, alone);
		break;
	}
}

void
statement_alone(struct make *m, struct json_writer *w, struct request *r)
{
	struct statement s;

	begin(&s, m);
	if (make_chance(m, 40)) {
		write_one(&s, true);
	} else {
		select_some(&s, r);
	}
	end(&s, w);
	if (r->pages && make_chance(m, 30)) {
		json_name(w, "Limit");
		json_uint(w, 1 + make_pick(m, 3));
	}
	if (r->pages && make_chance(m, 20)) {
		json_name(w, "ConsistentRead");
		json_bool(w, true);
	}
}

void
statement_several(struct make *m, struct json_writer *w, const char *list, bool transaction)
{
	bool reads = make_chance(m, 30);

	json_name(w, list);
	json_open(w, '[');
	for (size_t n = 1 + make_pick(m, 4); n > 0; n--) {
		struct statement s;

		begin(&s, m);
		json_open(w, '{');
		s.exists = transaction && !reads && make_chance(m, 25);
		if (s.exists || (reads ? make_chance(m, 97) : make_chance(m, 3))) {
			select_one(&s);
		} else {
			write_one(&s, false);
		}
		end(&s, w);
		json_close(w);
	}
	json_close(w);
}
