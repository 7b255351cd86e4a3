/* statements - see statements.h; PartiQL's lexer finds the semicolons outside of strings, names and comments */
#include "tools/text/statements.h"

#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/partiql/partiql_lex.h"

#include "tools/text/words.h"

/* Return true for GO on a line of its own, which ends a statement in other tools. */
static bool
statements_is_go(struct slice text, struct lexeme at)
{
	struct slice before = slice_of(text.at, at.start);
	size_t blanks = 0;

	while (at.end + blanks < text.len && strchr(" \t\r", text.at[at.end + blanks]) != NULL) {
		blanks++;
	}
	return at.type == LEXEME_WORD &&
	       ascii_same(slice_of(text.at + at.start, at.end - at.start), SLICE("GO")) &&
	       slice_ends(before, SLICE("\n")) &&
	       (at.end + blanks == text.len || text.at[at.end + blanks] == '\n');
}

static bool
statements_ends(struct slice text, struct lexeme at)
{
	return at.type == LEXEME_SEMICOLON || statements_is_go(text, at);
}

bool
statements_next(struct statements *s, struct slice *out, size_t *questions)
{
	struct lexeme first = lex(s->text, s->at);
	struct lexeme last;

	while (statements_ends(s->text, first)) {
		first = lex(s->text, first.end);
	}
	if (first.type == LEXEME_END) {
		return false;
	}
	*questions = 0;
	for (last = first; !statements_ends(s->text, last) && last.type != LEXEME_END;
	     last = lex(s->text, last.end)) {
		*questions += last.type == LEXEME_PARAMETER;
		if (last.type ==
		    LEXEME_OTHER) { /* an invalid byte or an unclosed quote: take all */
			last.start = s->text.len;
			last.end = s->text.len;
			break;
		}
	}
	*out = slice_of(s->text.at + first.start, last.start - first.start);
	s->at = last.end;
	return true;
}

static int
statements_parameter(struct call *c, const char *word, struct value *out)
{
	struct slice text = slice_from(word);
	const struct json *json;
	size_t fault;

	if (json_fault(text, &fault) != NULL) {
		*out = value_string(text);
		return 0;
	}
	int r = json_parse(c, text, JSON_STRICT, &json);

	return r < 0 ? r : value_from_json(c, json, out);
}

int
statements_parameters(struct call *c, const struct words *words, size_t from,
		      const struct value **out)
{
	assert(from <= words->n);
	struct value *at = arena_new(&c->arena, struct value, words->n - from);
	int r = 0;

	*out = at;
	for (size_t i = from; r == 0 && i < words->n; i++) {
		r = statements_parameter(c, words->at[i], &at[i - from]);
	}
	return r;
}
