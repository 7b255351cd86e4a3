/*
 * update_parse - an UpdateExpression to clauses
 *
 * Behind lex.c, before update.c.  A verb that comes a second time is only noted:
 * faults of names and functions are reported before it.
 */
#include "store/expr/document_path.h"
#include "store/expr/parse.h"
#include "store/expr/parser.h"
#include "store/expr/update.h"

struct room {
	size_t clauses;
	size_t paths;
};

/* The verbs stand in the same order in both lists. */
static bool
is_verb(enum token_type token, enum update_verb *out)
{
	if (token < TOKEN_SET || token > TOKEN_DELETE) {
		return false;
	}
	*out = (enum update_verb)(UPDATE_SET + (token - TOKEN_SET));
	return true;
}

/* The operand of ADD and DELETE. */
static int
parse_placeholder(struct parser *p, struct node **out)
{
	return p->token.type == TOKEN_VALUE ? parse_bare(p, out) : parser_error(p);
}

static int
parse_clause(struct parser *p, enum update_verb verb, struct path *path, struct clause *out)
{
	int r = path_parse(p, path);

	out->verb = verb;
	if (r < 0 || verb == UPDATE_REMOVE) {
		return r;
	}
	if (verb != UPDATE_SET) {
		return parse_placeholder(p, &out->value);
	}
	r = parser_expect(p, TOKEN_EQ);
	return r < 0 ? r : parse_value(p, &out->value);
}

/* The clauses of one verb, which is the next token. */
static int
parse_section(struct parser *p, enum update_verb verb, struct expr_update *u, struct room *room)
{
	do {
		parser_advance(p);
		u->clause = arena_room(&p->c->arena, u->clause, u->n, &room->clauses);
		u->path = arena_room(&p->c->arena, u->path, u->n, &room->paths);
		u->clause[u->n] = (struct clause){0};
		int r = parse_clause(p, verb, &u->path[u->n], &u->clause[u->n]);

		if (r < 0) {
			return r;
		}
		u->n++;
	} while (p->token.type == TOKEN_COMMA);
	return 0;
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
	int r = parser_start(&p, c, EXPR_UPDATE, text);

	*out = (struct expr_update){.repeated = UPDATE_VERBS};
	while (r == 0 && is_verb(p.token.type, &verb)) {
		note_verb(&p, verb, seen, out);
		r = parse_section(&p, verb, out, &room);
	}
	if (r == 0 && out->n == 0) {
		r = parser_error(&p);
	}
	return r < 0 ? r : parse_end(&p);
}
