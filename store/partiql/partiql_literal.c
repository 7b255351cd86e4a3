/*
 * partiql_literal - parses literals and parameters
 *
 * Binary values have no literal: they are passed as parameters.
 */
#include <assert.h>

#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/value.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

#define BAG_TYPES \
	"Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"

/* A growing list of values. */
struct list {
	struct value *at;
	size_t n;
	size_t cap;
};

static int partiql_literal_read_value(struct reader *r, unsigned level, struct value *out);

/* ------------------------------------------------------------ scalars */

/* Turn the error of number_canonical() into that of a statement. */
static int
bad_number(struct reader *r, struct lexeme at)
{
	const char *why = r->c->error.message;

	r->c->error = (struct error){0};
	if (slice_starts(slice_from(why), SLICE("The parameter cannot be converted"))) {
		return reader_refuse(r, at, "Statement wasn't well formed, can't be processed: ");
	}
	return reader_refuse(r, at, "%s under %.*s", why, SLICE_ARG(buf_view(&r->key)));
}

static int
partiql_literal_read_number(struct reader *r, struct value *out)
{
	bool negative = false;
	struct buf text;

	while (r->next.type == LEXEME_MINUS || r->next.type == LEXEME_PLUS) {
		negative ^= r->next.type == LEXEME_MINUS;
		reader_advance(r);
	}
	struct lexeme at = r->next;
	int status = reader_expect(r, LEXEME_NUMBER);

	if (status < 0) {
		return status;
	}
	buf_init(&text, &r->c->arena);
	buf_str(&text, negative ? "-" : "");
	buf_slice(&text, reader_text(r, at));
	out->type = VALUE_N;
	status = number_canonical(r->c, buf_view(&text), &out->text);
	return status < 0 ? bad_number(r, at) : 0;
}

static int
partiql_literal_read_parameter(struct reader *r, struct value *out)
{
	/* statement_parse() compares the numbers of question marks and parameters at the end. */
	*out = r->asked < r->n_parameters ? r->parameters[r->asked]
					  : (struct value){.type = VALUE_NULL};
	r->asked++;
	reader_advance(r);
	return 0;
}

static bool
partiql_literal_is_number(const struct reader *r)
{
	return r->next.type == LEXEME_NUMBER || r->next.type == LEXEME_MINUS ||
	       r->next.type == LEXEME_PLUS;
}

static bool
partiql_literal_read_word(struct reader *r, struct value *out)
{
	bool truth = reader_word(r, "TRUE");

	if (truth || reader_word(r, "FALSE")) {
		*out = (struct value){.type = VALUE_BOOL, .truth = truth};
	} else if (reader_word(r, "NULL")) {
		*out = (struct value){.type = VALUE_NULL};
	} else {
		return false;
	}
	reader_advance(r);
	return true;
}

/* ------------------------------------------------------------ lists, tuples, bags */

static void
partiql_literal_append(struct reader *r, struct list *l, const struct value *v)
{
	l->at = arena_room(&r->c->arena, l->at, l->n, &l->cap);
	l->at[l->n++] = *v;
}

/* Read values separated by commas, up to @close. */
static int
read_elements(struct reader *r, unsigned level, enum lexeme_type close, struct list *l)
{
	size_t key = r->key.len;
	int status = reader_enter(r);

	while (status == 0 && r->next.type != close) {
		struct value v;

		buf_fmt(&r->key, "[%zu]", l->n);
		status = partiql_literal_read_value(r, level + 1, &v);
		r->key.len = key;
		if (status < 0) {
			return status;
		}
		partiql_literal_append(r, l, &v);
		if (!reader_take(r, LEXEME_COMMA)) {
			break;
		}
		if (r->next.type == close) {
			return reader_malformed(r, NULL);
		}
	}
	return status < 0 ? status : reader_leave(r, close);
}

static int
partiql_literal_read_list(struct reader *r, unsigned level, struct value *out)
{
	struct list l = {0};
	int status = read_elements(r, level, LEXEME_RIGHT, &l);

	*out = (struct value){.type = VALUE_L, .list = {l.at, l.n}};
	return status;
}

/* Read a member of a bag: a string or a number, of the type of the first member. */
static int
partiql_literal_read_member(struct reader *r, struct list *l)
{
	struct lexeme at = r->next;
	struct value v = {.type = VALUE_S};
	int status = 0;

	if (at.type == LEXEME_STRING) {
		v.text = reader_string(r);
	} else if (partiql_literal_is_number(r)) {
		status = partiql_literal_read_number(r, &v);
	} else {
		return reader_refuse(r, at, BAG_TYPES " at %s", reader_place(r, at));
	}
	if (status == 0 && l->n > 0 && l->at[0].type != v.type) {
		return reader_refuse(r, at, BAG_TYPES " at %s", reader_place(r, at));
	}
	partiql_literal_append(r, l, &v);
	return status;
}

/* Refuse a bag with duplicates, which begins at @begin; the message has the members as they are written. */
static int
twice_in_bag(struct reader *r, struct lexeme begin, enum value_type type)
{
	struct reader again = {.c = r->c, .text = r->text, .next = begin};
	struct buf members;

	buf_init(&members, &r->c->arena);
	for (reader_advance(&again); again.next.type != LEXEME_BAG_END;) {
		if (again.next.type == LEXEME_STRING) {
			buf_slice(&members, reader_string(&again));
			continue;
		}
		buf_slice(&members, reader_text(&again, again.next));
		buf_str(&members, again.next.type == LEXEME_COMMA ? " " : "");
		reader_advance(&again);
	}
	return reader_refuse(r, begin,
			     "One or more parameter values were invalid: Input collection [%.*s] "
			     "contains duplicates%s",
			     SLICE_ARG(buf_view(&members)),
			     type == VALUE_SS ? "." : "! under root");
}

static int
read_bag(struct reader *r, struct value *out)
{
	struct lexeme begin = r->next;
	struct list l = {0};
	int status = reader_enter(r);

	if (status == 0 && r->next.type == LEXEME_BAG_END) {
		return reader_refuse(r, begin, "Empty bags are not supported");
	}
	if (status < 0) {
		return status;
	}
	do {
		status = partiql_literal_read_member(r, &l);
	} while (status == 0 && reader_take(r, LEXEME_COMMA));
	status = status < 0 ? status : reader_leave(r, LEXEME_BAG_END);
	if (status < 0) {
		return status;
	}
	assert(l.at != NULL);
	*out = (struct value){.type = l.at[0].type == VALUE_S ? VALUE_SS : VALUE_NS,
			      .list = {l.at, l.n}};
	if (!values_unique(&out->list)) {
		return twice_in_bag(r, begin, out->type);
	}
	values_sort(&out->list);
	return 0;
}

static int
partiql_literal_read_key(struct reader *r, const struct item *before, struct slice *out)
{
	struct lexeme at = r->next;

	if (at.type != LEXEME_STRING) {
		bool name = at.type == LEXEME_WORD || at.type == LEXEME_QUOTED;

		return name ? reader_refuse(r, at,
					    "Tuple keys must be of type String. Actual type: "
					    "VariableReference under %.*s at %s",
					    SLICE_ARG(buf_view(&r->key)), reader_place(r, at))
			    : reader_malformed(r, NULL);
	}
	*out = reader_string(r);
	if (out->len == 0) {
		return reader_refuse(r, at, "Path component cannot be an empty string");
	}
	if (item_get(before, *out) != NULL) {
		return reader_refuse(r, at, "Duplicate keys in tuple. Key: %.*s under %.*s at %s",
				     SLICE_ARG(*out), SLICE_ARG(buf_view(&r->key)),
				     reader_place(r, at));
	}
	return reader_expect(r, LEXEME_COLON);
}

/* @named: messages about a value contain the name of its attribute. */
static int
read_tuple(struct reader *r, unsigned level, bool named, struct item *out)
{
	size_t cap = 0;
	size_t key = r->key.len;
	int status = reader_enter(r);

	*out = (struct item){0};
	while (status == 0 && r->next.type != LEXEME_TUPLE_END) {
		out->at = arena_room(&r->c->arena, out->at, out->n, &cap);
		struct attr *a = &out->at[out->n];

		status = partiql_literal_read_key(r, out, &a->name);
		if (status < 0) {
			return status;
		}
		if (named) {
			buf_fmt(&r->key, ".%.*s", SLICE_ARG(a->name));
		}
		status = partiql_literal_read_value(r, level + 1, &a->value);
		r->key.len = key;
		out->n++;
		if (status < 0 || !reader_take(r, LEXEME_COMMA)) {
			break;
		}
		if (r->next.type == LEXEME_TUPLE_END) {
			return reader_malformed(r, NULL);
		}
	}
	return status < 0 ? status : reader_leave(r, LEXEME_TUPLE_END);
}

int
reader_tuple(struct reader *r, struct item *out)
{
	return read_tuple(r, 0, false, out);
}

/* ------------------------------------------------------------ all values */

static int
unsupported(struct reader *r)
{
	bool missing = reader_word(r, "MISSING");

	if (!missing && !reader_is_name(r)) {
		return reader_malformed(r, NULL);
	}
	bool call = r->next.type == LEXEME_WORD && lex(r->text, r->next.end).type == LEXEME_OPEN;
	struct slice what = call      ? reader_function(r, r->next)
			    : missing ? SLICE("MISSING")
				      : SLICE("VariableReference");

	return reader_refuse(r, r->next, "Unsupported data type: %.*s under key %.*s at %s",
			     SLICE_ARG(what), SLICE_ARG(buf_view(&r->key)),
			     reader_place(r, r->next));
}

static int
inner_parameter(struct reader *r)
{
	return reader_refuse(r, r->next, "Unsupported data type: Parameter under key %.*s at %s",
			     SLICE_ARG(buf_view(&r->key)), reader_place(r, r->next));
}

static int
partiql_literal_read_value(struct reader *r, unsigned level, struct value *out)
{
	if (level > LIMIT_NESTING) {
		return reader_refuse(r, r->next,
				     "Nesting Levels have exceeded supported limits under %.*s",
				     SLICE_ARG(buf_view(&r->key)));
	}
	switch ((int)r->next.type) {
	case LEXEME_STRING:
		*out = value_string(reader_string(r));
		return 0;
	case LEXEME_NUMBER:
	case LEXEME_MINUS:
	case LEXEME_PLUS:
		return partiql_literal_read_number(r, out);
	case LEXEME_PARAMETER:
		return level > 1 && !r->condition ? inner_parameter(r)
						  : partiql_literal_read_parameter(r, out);
	case LEXEME_LEFT:
		return partiql_literal_read_list(r, level, out);
	case LEXEME_BAG:
		return read_bag(r, out);
	case LEXEME_TUPLE:
		*out = (struct value){.type = VALUE_M};
		return read_tuple(r, level, true, &out->map);
	default:
		return partiql_literal_read_word(r, out) ? 0 : unsupported(r);
	}
}

int
reader_value(struct reader *r, struct value *out)
{
	int status = partiql_literal_read_value(r, 1, out);

	/* The value of a nested parameter may have levels of its own. */
	return status < 0 ? status : value_check_nesting(r->c, out, 1);
}

bool
reader_at_signed(const struct reader *r)
{
	struct lexeme at = r->next;

	while (at.type == LEXEME_MINUS || at.type == LEXEME_PLUS) {
		at = lex(r->text, at.end);
	}
	return at.type == LEXEME_NUMBER && at.start != r->next.start;
}

bool
reader_at_value(const struct reader *r)
{
	switch ((int)r->next.type) {
	case LEXEME_STRING:
	case LEXEME_NUMBER:
	case LEXEME_PARAMETER:
	case LEXEME_LEFT:
	case LEXEME_BAG:
	case LEXEME_TUPLE:
		return true;
	default:
		return reader_word(r, "TRUE") || reader_word(r, "FALSE") || reader_word(r, "NULL");
	}
}
