/* parser - one token of look-ahead over an expression, and how its faults are reported */
#include "store/expr/parser.h"

#include "store/expr/ast.h"
#include "store/expr/lex.h"
#include "store/model/limits.h"

int
parser_start(struct parser *p, struct call *c, enum expr_kind kind, struct slice text)
{
	*p = (struct parser){.c = c, .kind = kind, .text = text};
	if (text.len == 0) {
		return expr_fail(c, kind, 0, "The expression can not be empty;");
	}
	if (text.len > LIMIT_EXPRESSION_BYTES && kind == EXPR_UPDATE) {
		return expr_fail(c, kind, LIMIT_EXPRESSION_BYTES,
				 "Expression size has exceeded the maximum allowed size;");
	}
	if (text.len > LIMIT_EXPRESSION_BYTES) {
		static const char long_text[] =
			"Expression size has exceeded the maximum allowed size;";

		return kind == EXPR_UPDATE
			       ? expr_fail(c, kind, LIMIT_EXPRESSION_BYTES, "%s", long_text)
			       : expr_fail(c, kind, LIMIT_EXPRESSION_BYTES,
					   "%s expression size: %zu", long_text, text.len);
	}
	p->token = lex_token(text, 0);
	return 0;
}

void
parser_advance(struct parser *p)
{
	p->previous = p->token.start;
	p->token = lex_token(p->text, p->token.end);
}

struct slice
parser_quote(const struct parser *p, size_t start, size_t end)
{
	return slice_of(p->text.at + start, end - start);
}

int
parser_error(struct parser *p)
{
	struct token t = p->token;
	struct slice near = parser_quote(p, p->previous, lex_token(p->text, t.end).end);

	if (t.type == TOKEN_END) {
		return expr_fail(p->c, p->kind, t.start,
				 "Syntax error; token: \"<EOF>\", near: \"%.*s\"", SLICE_ARG(near));
	}
	return expr_fail(p->c, p->kind, t.start, "Syntax error; token: \"%.*s\", near: \"%.*s\"",
			 SLICE_ARG(parser_quote(p, t.start, t.end)), SLICE_ARG(near));
}

int
parser_expect(struct parser *p, enum token_type type)
{
	if (p->token.type != type) {
		return parser_error(p);
	}
	parser_advance(p);
	return 0;
}
