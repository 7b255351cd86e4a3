/*
 * update_parse - parses an UpdateExpression to clauses, and computes the bytes that it counts
 *
 * Runs after lex.c, before update.c.  A repeated verb is only recorded:
 * faults of names and functions are reported before it.
 */
#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/expr/parse.h"
#include "store/expr/update.h"
#include "store/model/value.h"

struct room {
	size_t clauses;
	size_t paths;
};

/* The verbs are in the same order in both enums. */
static bool
is_verb(enum token_type token, enum update_verb *out)
{
	if (token < TOKEN_SET || token > TOKEN_DELETE) {
		return false;
	}
	*out = (enum update_verb)(UPDATE_SET + (token - TOKEN_SET));
	return true;
}

/* Parses what follows the path of a clause: the value of SET, the placeholder of ADD and DELETE. */
static struct clause
parse_clause(struct parser *p, enum update_verb verb)
{
	struct clause out = {.verb = verb};

	if (verb == UPDATE_SET) {
		parser_expect(p, TOKEN_EQ);
		out.value = parse_value(p);
	} else if (verb != UPDATE_REMOVE) {
		if (p->token.type != TOKEN_VALUE) {
			parser_error(p);
		}
		out.value = parse_bare(p);
	}
	return out;
}

/* Parses the clauses of one verb, which is the next token. */
static void
parse_section(struct parser *p, enum update_verb verb, struct expr_update *u, struct room *room)
{
	do {
		parser_advance(p);
		u->clause = arena_room(&p->c->arena, u->clause, u->n, &room->clauses);
		u->path = arena_room(&p->c->arena, u->path, u->n, &room->paths);
		u->path[u->n] = path_parse(p);
		u->clause[u->n++] = parse_clause(p, verb);
	} while (p->token.type == TOKEN_COMMA);
}

static void
note_verb(const struct parser *p, enum update_verb verb, bool seen[UPDATE_VERBS],
	  struct expr_update *u)
{
	if (seen[verb] && u->repeated == UPDATE_VERBS) {
		u->repeated = verb;
		u->repeated_place = p->token.start;
	}
	seen[verb] = true;
}

int
parse_update(struct call *c, struct slice text, struct expr_update *out)
{
	bool seen[UPDATE_VERBS] = {false};
	struct room room = {0};
	struct parser p;
	enum update_verb verb;

	parser_start(&p, c, EXPR_UPDATE, text);
	*out = (struct expr_update){.repeated = UPDATE_VERBS};
	while (is_verb(p.token.type, &verb)) {
		note_verb(&p, verb, seen, out);
		parse_section(&p, verb, out, &room);
	}
	if (out->n == 0) {
		parser_error(&p);
	}
	return parse_end(&p);
}

/* ------------------------------------------------------------ bytes that count toward the limit of an item's size */

enum {
	CHARGE_UPDATE = 3,
	CHARGE_WRITE = 19, /* SET and ADD, in addition to the target and the operand */
	CHARGE_REMOVE = 1, /* REMOVE and DELETE, in addition to the target */
	CHARGE_STEP = 4,   /* each component of a target after the first, in addition to its text */
	CHARGE_PATH = 1,   /* a path as an operand */
	CHARGE_READ = 14,  /* each of its components, in addition to its text */
};

static size_t
charge_step(const struct step *s)
{
	size_t digits = 1;

	if (!s->element) {
		return s->name.len;
	}
	for (size_t i = s->index; i >= 10; i /= 10) {
		digits++;
	}
	return digits;
}

/* @each: bytes for each component, in addition to its text */
static size_t
charge_path(const struct path *p, size_t each)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		n += each + charge_step(&p->at[i]);
	}
	return n;
}

/* A sum, a difference, if_not_exists() or list_append(), without its operands. */
static size_t
charge_function(const struct node *n)
{
	if (n->type == NODE_ADD) {
		return 34;
	}
	return n->function == FUNCTION_IF_NOT_EXISTS ? 39 : 37;
}

static size_t
charge_operand(const struct node *n)
{
	if (n->type == NODE_VALUE) {
		return value_size(n->value);
	}
	if (n->type == NODE_PATH) {
		return CHARGE_PATH + charge_path(&n->path, CHARGE_READ);
	}
	size_t sum = charge_function(n);

	for (size_t i = 0; i < n->n; i++) {
		sum += charge_operand(n->arg[i]);
	}
	return sum;
}

size_t
expr_update_charge(const struct expr_update *u)
{
	size_t sum = CHARGE_UPDATE;

	for (size_t i = 0; u != NULL && i < u->n; i++) {
		enum update_verb verb = u->clause[i].verb;
		bool writes = verb == UPDATE_SET || verb == UPDATE_ADD;

		sum += charge_path(&u->path[i], CHARGE_STEP) - CHARGE_STEP;
		sum += writes ? CHARGE_WRITE : CHARGE_REMOVE;
		sum += writes ? charge_operand(u->clause[i].value) : 0;
	}
	return sum;
}
