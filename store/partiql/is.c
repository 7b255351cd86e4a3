/* is - path IS [NOT] (MISSING | NULL | type) */
#include "store/partiql/reader.h"

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

/* Is the next lexeme the name of a type?  @type: as attribute_type() calls it */
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

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (reader_word(r, types[i].word)) {
			*type = types[i].type;
			return true;
		}
	}
	return false;
}

int
reader_is(struct reader *r, struct node *first, struct node **out)
{
	struct lexeme at = r->next;
	struct lexeme before = {.start = first->place};

	reader_advance(r);
	bool negated = reader_skip(r, "NOT");
	const char *type = NULL;

	if (!reader_word(r, "MISSING") && !is_type(r, &type)) {
		return reader_malformed(r, "Expected type name");
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
