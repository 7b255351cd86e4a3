/*
 * document_path - see document_path.h
 *
 * The parser builds paths, bind.c resolves their names, and eval.c follows them for each item.
 */
#include "store/expr/document_path.h"

#include "store/expr/ast.h"
#include "store/model/item.h"

struct step
path_step(struct parser *p)
{
	bool element = parser_skip(p, TOKEN_LEFT);
	struct token t = p->token;
	struct step s = {
		.text = parser_quote(p, t.start, t.end), .place = t.start, .element = element};

	if (element) {
		parser_expect(p, TOKEN_INDEX);
		parser_expect(p, TOKEN_RIGHT);
	} else if (!parser_skip(p, TOKEN_NAME)) {
		parser_expect(p, TOKEN_ALIAS);
	}
	return s;
}

struct path
path_steps(struct parser *p, struct step first)
{
	struct path out = {.n = 1};
	size_t cap = 0;

	out.at = arena_room(&p->c->arena, out.at, 0, &cap);
	out.at[0] = first;
	while (p->token.type == TOKEN_DOT || p->token.type == TOKEN_LEFT) {
		if (parser_skip(p, TOKEN_DOT) && p->token.type == TOKEN_LEFT) {
			parser_error(p);
		}
		out.at = arena_room(&p->c->arena, out.at, out.n, &cap);
		out.at[out.n++] = path_step(p);
	}
	return out;
}

struct path
path_parse(struct parser *p)
{
	if (p->token.type == TOKEN_LEFT) {
		parser_error(p);
	}
	return path_steps(p, path_step(p));
}

struct slice
path_text(struct call *c, const struct path *p)
{
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < p->n; i++) {
		const struct step *s = &p->at[i];

		buf_str(&b, i == 0 ? "[" : ", ");
		if (s->element) {
			buf_fmt(&b, "[%zu]", s->index);
		} else {
			buf_slice(&b, s->name);
		}
	}
	buf_char(&b, ']');
	return buf_view(&b);
}

static bool
same_step(const struct step *a, const struct step *b)
{
	if (a->element != b->element) {
		return false;
	}
	return a->element ? a->index == b->index : slice_eq(a->name, b->name);
}

enum path_relation
path_compare(const struct path *a, const struct path *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		if (!same_step(&a->at[i], &b->at[i])) {
			return a->at[i].element == b->at[i].element ? PATH_APART : PATH_CONFLICT;
		}
	}
	return PATH_OVERLAP;
}

bool
path_same(const struct path *a, const struct path *b)
{
	return a->n == b->n && path_compare(a, b) == PATH_OVERLAP;
}

const struct value *
path_find(const struct path *p, const struct item *it)
{
	const struct value *v = item_get(it, p->at[0].name);

	for (size_t i = 1; v != NULL && i < p->n; i++) {
		const struct step *s = &p->at[i];

		if (s->element) {
			v = v->type == VALUE_L && s->index < v->list.n ? &v->list.at[s->index]
								       : NULL;
		} else {
			v = v->type == VALUE_M ? item_get(&v->map, s->name) : NULL;
		}
	}
	return v;
}
