/*
 * partiql_literal - parses literals and parameters
 *
 * Binary values have no literal: they are passed as parameters.
 */
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

static struct value partiql_literal_read_value(struct reader *r, unsigned level);

/* ------------------------------------------------------------ scalars */

/* Turn the error of number_canonical() into that of a statement. */
static void
bad_number(struct reader *r, struct lexeme at)
{
	const char *why = r->c->error.message;

	r->c->error = (struct error){0};
	if (slice_starts(slice_from(why), SLICE("The parameter cannot be converted"))) {
		reader_refuse(r, at, "Statement wasn't well formed, can't be processed: ");
	} else {
		reader_refuse(r, at, "%s under %.*s", why, SLICE_ARG(buf_view(&r->key)));
	}
}

static struct value
partiql_literal_read_number(struct reader *r)
{
	struct value v = {.type = VALUE_N, .text = SLICE("0")};
	bool negative = false;
	struct buf text;

	while (r->next.type == LEXEME_MINUS || r->next.type == LEXEME_PLUS) {
		negative ^= r->next.type == LEXEME_MINUS;
		reader_advance(r);
	}
	struct lexeme at = r->next;

	reader_expect(r, LEXEME_NUMBER);
	buf_init(&text, &r->c->arena);
	buf_str(&text, negative ? "-" : "");
	buf_slice(&text, reader_text(r, at));
	if (r->status == 0 && number_canonical(r->c, buf_view(&text), &v.text) < 0) {
		bad_number(r, at);
	}
	return v;
}

static struct value
partiql_literal_read_parameter(struct reader *r)
{
	size_t i = r->asked++;

	reader_advance(r);
	/* statement_parse() compares the numbers of question marks and parameters at the end. */
	return i < r->n_parameters ? r->parameters[i] : (struct value){.type = VALUE_NULL};
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
partiql_literal_append(struct reader *r, struct list *l, struct value v)
{
	l->at = arena_room(&r->c->arena, l->at, l->n, &l->cap);
	l->at[l->n++] = v;
}

static struct value
partiql_literal_read_list(struct reader *r, unsigned level)
{
	struct list l = {0};
	size_t key = r->key.len;

	reader_enter(r);
	while (r->status == 0 && r->next.type != LEXEME_RIGHT) {
		buf_fmt(&r->key, "[%zu]", l.n);
		partiql_literal_append(r, &l, partiql_literal_read_value(r, level + 1));
		r->key.len = key;
		if (!reader_take(r, LEXEME_COMMA)) {
			break;
		}
		if (r->next.type == LEXEME_RIGHT) {
			reader_malformed(r, NULL);
		}
	}
	reader_leave(r, LEXEME_RIGHT);
	return (struct value){.type = VALUE_L, .list = {l.at, l.n}};
}

/* Read a member of a bag: a string or a number, of the type of the first member. */
static void
partiql_literal_read_member(struct reader *r, struct list *l)
{
	struct lexeme at = r->next;
	struct value v = {.type = VALUE_NULL};

	if (at.type == LEXEME_STRING) {
		v = value_string(reader_string(r));
	} else if (partiql_literal_is_number(r)) {
		v = partiql_literal_read_number(r);
	}
	if (v.type == VALUE_NULL || (l->n > 0 && l->at[0].type != v.type)) {
		reader_refuse(r, at, BAG_TYPES " at %s", reader_place(r, at));
	}
	partiql_literal_append(r, l, v);
}

/* Refuse a bag with duplicates, which begins at @begin; the message has the members as they are written. */
static void
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
	reader_refuse(r, begin,
		      "One or more parameter values were invalid: Input collection [%.*s] "
		      "contains duplicates%s",
		      SLICE_ARG(buf_view(&members)), type == VALUE_SS ? "." : "! under root");
}

static struct value
read_bag(struct reader *r)
{
	struct lexeme begin = r->next;
	struct list l = {0};

	reader_enter(r);
	if (r->next.type == LEXEME_BAG_END) {
		reader_refuse(r, begin, "Empty bags are not supported");
	}
	do {
		partiql_literal_read_member(r, &l);
	} while (reader_take(r, LEXEME_COMMA));
	reader_leave(r, LEXEME_BAG_END);
	assert(l.at != NULL);
	struct value v = {.type = l.at[0].type == VALUE_S ? VALUE_SS : VALUE_NS,
			  .list = {l.at, l.n}};

	if (r->status == 0 && !values_unique(&v.list)) {
		twice_in_bag(r, begin, v.type);
	}
	if (r->status == 0) {
		values_sort(&v.list);
	}
	return v;
}

static struct slice
partiql_literal_read_key(struct reader *r, const struct item *before)
{
	struct lexeme at = r->next;

	if (at.type != LEXEME_STRING) {
		if (at.type == LEXEME_WORD || at.type == LEXEME_QUOTED) {
			reader_refuse(r, at,
				      "Tuple keys must be of type String. Actual type: "
				      "VariableReference under %.*s at %s",
				      SLICE_ARG(buf_view(&r->key)), reader_place(r, at));
		}
		reader_malformed(r, NULL);
		return SLICE("");
	}
	struct slice key = reader_string(r);

	if (key.len == 0) {
		reader_refuse(r, at, "Path component cannot be an empty string");
	}
	if (item_get(before, key) != NULL) {
		reader_refuse(r, at, "Duplicate keys in tuple. Key: %.*s under %.*s at %s",
			      SLICE_ARG(key), SLICE_ARG(buf_view(&r->key)), reader_place(r, at));
	}
	reader_expect(r, LEXEME_COLON);
	return key;
}

/* @named: messages about a value contain the name of its attribute. */
static struct item
read_tuple(struct reader *r, unsigned level, bool named)
{
	struct item out = {0};
	size_t cap = 0;
	size_t key = r->key.len;

	reader_enter(r);
	while (r->status == 0 && r->next.type != LEXEME_TUPLE_END) {
		out.at = arena_room(&r->c->arena, out.at, out.n, &cap);
		struct attr *a = &out.at[out.n];

		a->name = partiql_literal_read_key(r, &out);
		if (named) {
			buf_fmt(&r->key, ".%.*s", SLICE_ARG(a->name));
		}
		a->value = partiql_literal_read_value(r, level + 1);
		r->key.len = key;
		out.n++;
		if (!reader_take(r, LEXEME_COMMA)) {
			break;
		}
		if (r->next.type == LEXEME_TUPLE_END) {
			reader_malformed(r, NULL);
		}
	}
	reader_leave(r, LEXEME_TUPLE_END);
	return out;
}

struct item
reader_tuple(struct reader *r)
{
	return read_tuple(r, 0, false);
}

/* ------------------------------------------------------------ all values */

static void
unsupported(struct reader *r)
{
	bool missing = reader_word(r, "MISSING");

	if (!missing && !reader_is_name(r)) {
		reader_malformed(r, NULL);
	}
	bool call = r->next.type == LEXEME_WORD && lex(r->text, r->next.end).type == LEXEME_OPEN;
	struct slice what = call      ? reader_function(r, r->next)
			    : missing ? SLICE("MISSING")
				      : SLICE("VariableReference");

	reader_refuse(r, r->next, "Unsupported data type: %.*s under key %.*s at %s",
		      SLICE_ARG(what), SLICE_ARG(buf_view(&r->key)), reader_place(r, r->next));
}

static struct value
partiql_literal_read_value(struct reader *r, unsigned level)
{
	struct value v = {.type = VALUE_NULL};

	if (level > LIMIT_NESTING) {
		reader_refuse(r, r->next,
			      "Nesting Levels have exceeded supported limits under %.*s",
			      SLICE_ARG(buf_view(&r->key)));
	}
	switch ((int)r->next.type) {
	case LEXEME_STRING:
		return value_string(reader_string(r));
	case LEXEME_NUMBER:
	case LEXEME_MINUS:
	case LEXEME_PLUS:
		return partiql_literal_read_number(r);
	case LEXEME_PARAMETER:
		if (level > 1 && !r->condition) {
			reader_refuse(r, r->next,
				      "Unsupported data type: Parameter under key %.*s at %s",
				      SLICE_ARG(buf_view(&r->key)), reader_place(r, r->next));
		}
		return partiql_literal_read_parameter(r);
	case LEXEME_LEFT:
		return partiql_literal_read_list(r, level);
	case LEXEME_BAG:
		return read_bag(r);
	case LEXEME_TUPLE:
		return (struct value){.type = VALUE_M, .map = read_tuple(r, level, true)};
	default:
		if (!partiql_literal_read_word(r, &v)) {
			unsupported(r);
		}
		return v;
	}
}

int
reader_value(struct reader *r, struct value *out)
{
	*out = partiql_literal_read_value(r, 1);
	if (r->status == 0) {
		/* The value of a nested parameter may have levels of its own. */
		reader_stop(r, value_check_nesting(r->c, out, 1));
	}
	return r->status;
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
