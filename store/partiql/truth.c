/*
 * truth - conditions as operands, such as attribute_exists(a) = true; IS
 *
 * Expressions of DynamoDB cannot compare conditions, so these comparisons are rewritten with AND, OR and NOT.
 */
#include "store/expr/ast.h"
#include "store/model/limits.h"
#include "store/model/value.h"
#include "store/partiql/partiql_reader.h"

static struct node *
truth_join(struct call *c, enum node_type type, struct node *a, struct node *b)
{
	struct node *two[2] = {a, b};

	return node_make(c, type, a->place, two, 2);
}

static struct node *
truth_not(struct call *c, struct node *n)
{
	return node_make(c, NODE_NOT, n->place, &n, 1);
}

bool
truth_is(const struct node *n)
{
	bool value = n->type == NODE_PATH || n->type == NODE_VALUE || n->type == NODE_ADD ||
		     n->type == NODE_SUBTRACT;

	return !value && (n->type != NODE_CALL || !slice_is(n->text, "size"));
}

/* Return: a test whether the attribute @n, which may have any type, is the BOOL @which. */
static struct node *
truth_of_attribute(struct call *c, struct node *n, bool which)
{
	struct value v = {.type = VALUE_BOOL, .truth = which};

	return truth_join(c, NODE_EQ, n, node_value(c, &v, n->place));
}

/* Return: the number of nodes of @n; if there are more than @most, some number above @most. */
static size_t
truth_size(const struct node *n, size_t most)
{
	size_t size = 1;

	for (size_t i = 0; i < n->n && size <= most; i++) {
		size += truth_size(n->arg[i], most - size);
	}
	return size;
}

/* Return: a test whether @a and @b are the same; at least one is a condition.  The result contains both twice. */
static struct node *
truth_same(struct call *c, struct node *a, struct node *b)
{
	assert(truth_is(a) || truth_is(b));
	if (!truth_is(a)) {
		return truth_same(c, b, a);
	}
	if (b->type == NODE_VALUE && b->value->type != VALUE_BOOL) {
		return truth_join(c, NODE_AND, a, truth_not(c, a)); /* always false */
	}
	if (b->type == NODE_VALUE) {
		return b->value->truth ? a : truth_not(c, a);
	}
	bool truth = truth_is(b);
	struct node *holds = truth ? b : truth_of_attribute(c, b, true);
	struct node *fails = truth ? truth_not(c, b) : truth_of_attribute(c, b, false);

	return truth_join(c, NODE_OR, truth_join(c, NODE_AND, a, holds),
			  truth_join(c, NODE_AND, truth_not(c, a), fails));
}

/* truth_same(), which doubles its operands: those of a large result count as operators. */
static struct node *
truth_read_same(struct reader *r, struct lexeme at, struct node *a, struct node *b)
{
	size_t size = truth_size(a, LIMIT_OPERATORS) + truth_size(b, LIMIT_OPERATORS);

	r->operators += size > LIMIT_OPERATORS ? (unsigned)size : 0;
	reader_check_operators(r, at);
	return truth_same(r->c, a, b);
}

void
truth_refuse(struct reader *r, struct lexeme op)
{
	struct slice word = reader_text(r, op);

	reader_refuse(r, op,
		      "Incorrect operand type for operator or function; operator or function: %s, "
		      "operand type: BOOL",
		      op.type == LEXEME_WORD ? "BETWEEN" : slice_cstr(&r->c->arena, word));
}

struct node *
truth_compare(struct reader *r, struct lexeme at, struct node *a, struct node *b)
{
	/* Conditions have no order. */
	if (at.type != LEXEME_EQ && at.type != LEXEME_NE) {
		truth_refuse(r, at);
	}
	r->operators++;
	struct node *same = truth_read_same(r, at, a, b);

	return at.type == LEXEME_NE ? node_make(r->c, NODE_NOT, at.start, &same, 1) : same;
}

struct node *
truth_in(struct reader *r, struct lexeme at, struct node *const *arg, size_t n)
{
	assert(n >= 2);

	struct node_list same = {0};

	for (size_t i = 1; i < n; i++) {
		struct node *two[2] = {arg[0], arg[i]};
		bool truth = truth_is(two[0]) || truth_is(two[1]);

		node_list_add(r->c, &same,
			      truth ? truth_read_same(r, at, two[0], two[1])
				    : node_make(r->c, NODE_EQ, two[0]->place, two, 2));
	}
	if (n == 2) {
		return same.at[0];
	}
	r->operators++;
	return node_over(r->c, NODE_OR, arg[0]->place, &same);
}

/* ------------------------------------------------------------ path IS [NOT] (MISSING | NULL | type) */

/*
 * Make the test of IS.  For a constant the result is known, but it must be a comparison.
 * @type: as for attribute_type(); NULL: MISSING
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
		return truth_call(r->c, "attribute_not_exists", place, two, 1);
	}
	struct value text = value_string(slice_from(type));

	two[1] = node_value(r->c, &text, place);
	return truth_call(r->c, "attribute_type", place, two, 2);
}

/* Return: whether the next lexemes are the name of a type that PartiQL has and DynamoDB does not. */
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

/* Return: whether the next lexeme is the name of a type.  @type: as for attribute_type(); NULL: MISSING */
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

static void
refuse_type(struct reader *r)
{
	if (is_other_type(r)) {
		reader_refuse(r, r->next, "Unsupported operation: IsType");
	}
	reader_malformed(r, "Expected type name");
}

void
reader_is_statement(struct reader *r)
{
	const char *type;

	reader_advance(r);
	reader_advance(r);
	(void)reader_skip(r, "NOT");
	if (is_type(r, &type)) {
		reader_refuse(r, r->next, "Unsupported operation: IsType");
	}
	refuse_type(r);
}

struct node *
reader_is(struct reader *r, struct node *first)
{
	struct lexeme at = r->next;
	struct lexeme before = {.start = first->place};
	const char *type;

	reader_advance(r);
	bool negated = reader_skip(r, "NOT");

	if (!is_type(r, &type)) {
		refuse_type(r);
	}
	reader_advance(r);
	if (first->type != NODE_PATH && first->type != NODE_VALUE) {
		reader_refuse(r, before,
			      "The left hand side argument to IS must be a Variable Reference, "
			      "Literal, or Path");
	}
	struct node *test = is_test(r, first, type, at.start);

	return negated ? node_make(r->c, NODE_NOT, at.start, &test, 1) : test;
}

/* ------------------------------------------------------------ calls */

struct node *
truth_call(struct call *c, const char *function, size_t place, struct node *const *arg, size_t n)
{
	struct node *made = node_make(c, NODE_CALL, place, arg, n);

	made->text = slice_from(function);
	return made;
}
