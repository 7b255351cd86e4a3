/* statements - the lexemes of PartiQL know what is a text, a name, a comment */
#include "tools/statements.h"

#include "store/partiql/lex.h"

bool
statements_next(struct statements *s, struct slice *out, size_t *questions)
{
	struct lexeme first = lex(s->text, s->at);
	struct lexeme last;

	while (first.type == LEXEME_SEMICOLON) {
		first = lex(s->text, first.end);
	}
	if (first.type == LEXEME_END) {
		return false;
	}
	*questions = 0;
	for (last = first; last.type != LEXEME_SEMICOLON && last.type != LEXEME_END;
	     last = lex(s->text, last.end)) {
		*questions += last.type == LEXEME_PARAMETER;
		if (last.type ==
		    LEXEME_OTHER) { /* nothing that begins anything: all of the rest is at fault */
			last.start = s->text.len;
			last.end = s->text.len;
			break;
		}
	}
	*out = slice_of(s->text.at + first.start, last.start - first.start);
	s->at = last.end;
	return true;
}
