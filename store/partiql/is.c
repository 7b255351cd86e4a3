/* is - path IS [NOT] (MISSING | NULL | type) */
#include "store/expr/ast.h"
#include "store/model/value.h"
#include "store/partiql/partiql_reader.h"

/*
 * What IS asks of @n; of a value the answer is known, but it takes a comparison to say it.
 * @type: as attribute_type() calls it; NULL: is it missing?
 */
static struct node *
is_test(struct reader *r, struct node *n, const char *type, size_t place)
{
	struct node *two[2] = {n, n};

	r->operators++;
	if (n->type == NODE_VALUE) {
		bool is = type != NULL && strcmp(value_type_name(n->value->type), type) == 0;

		return node_make(r->c, is ? NODE_EQ : NODE_NE, place, two, 2);
	}
	if (type == NULL) {
		return node_call(r->c, "attribute_not_exists", place, two, 1);
	}
	struct value text = value_string(slice_from(type));

	two[1] = node_value(r->c, &text, place);
	return node_call(r->c, "attribute_type", place, two, 2);
}

/* Types that PartiQL has, and DynamoDB does not. */
static bool
is_other_type(struct reader *r)
{
	if (reader_word(r, "INT4") || reader_word(r, "INT8")) {
		return true;
	}
	if (reader_skip(r, "DOUBLE")) {
		return reader_word(r, "PRECISION");
	}
	return reader_skip(r, "CHARACTER") && reader_word(r, "VARYING");
}

/* Is the next lexeme the name of a type?  @type: as attribute_type() calls it; NULL: MISSING */
static bool
is_type(const struct reader *r, const char **type)
{
	static const struct {
		const char *word;
		const char *type;
	} types[] = {
		{"NULL", "NULL"},  {"BOOL", "BOOL"}, {"BOOLEAN", "BOOL"}, {"STRING", "S"},
		{"CHAR", "S"},     {"VARCHAR", "S"}, {"INT", "N"},        {"INTEGER", "N"},
		{"SMALLINT", "N"}, {"DECIMAL", "N"}, {"NUMERIC", "N"},    {"FLOAT", "N"},
		{"REAL", "N"},     {"BLOB", "B"},    {"LIST", "L"},       {"STRUCT", "M"},
		{"TUPLE", "M"},
	};

	*type = NULL;
	if (reader_word(r, "MISSING")) {
		return true;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (reader_word(r, types[i].word)) {
			*type = types[i].type;
			return true;
		}
	}
	return false;
}

static int
is_unsupported(struct reader *r)
{
	return reader_refuse(r, r->next, "Unsupported operation: IsType");
}

int
reader_is_statement(struct reader *r)
{
	const char *type;

	reader_advance(r);
	reader_advance(r);
	(void)reader_skip(r, "NOT");
	return is_type(r, &type) || is_other_type(r) ? is_unsupported(r)
						     : reader_malformed(r, "Expected type name");
}

int
reader_is(struct reader *r, struct node *first, struct node **out)
{
	struct lexeme at = r->next;
	struct lexeme before = {.start = first->place};
	const char *type;

	reader_advance(r);
	bool negated = reader_skip(r, "NOT");

	if (!is_type(r, &type)) {
		return is_other_type(r) ? is_unsupported(r)
					: reader_malformed(r, "Expected type name");
	}
	reader_advance(r);
	if (first->type != NODE_PATH && first->type != NODE_VALUE) {
		return reader_refuse(r, before,
				     "The left hand side argument to IS must be a Variable "
				     "Reference, Literal, or Path");
	}
	*out = is_test(r, first, type, at.start);
	if (negated) {
		*out = node_make(r->c, NODE_NOT, at.start, out, 1);
	}
	return 0;
}
