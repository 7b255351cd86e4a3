/*
 * lex - splits a text into tokens, one at a time
 *
 * First stage of all expressions.  It never fails: a character that begins no token becomes
 * a TOKEN_OTHER, which the parser refuses.
 */
#include "store/expr/lex.h"

static const struct {
	const char *word;
	enum token_type type;
} keywords[] = {
	{"AND", TOKEN_AND}, {"OR", TOKEN_OR},           {"NOT", TOKEN_NOT},
	{"IN", TOKEN_IN},   {"BETWEEN", TOKEN_BETWEEN}, {"SET", TOKEN_SET},
	{"ADD", TOKEN_ADD}, {"REMOVE", TOKEN_REMOVE},   {"DELETE", TOKEN_DELETE},
};

enum token_type
lex_keyword(struct slice word)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		if (ascii_same(word, slice_from(keywords[i].word))) {
			return keywords[i].type;
		}
	}
	return TOKEN_NAME;
}

static size_t
lex_word_end(struct slice text, size_t from)
{
	while (from < text.len && ascii_word(text.at[from])) {
		from++;
	}
	return from;
}

/* Returns the length of the UTF-8 character that begins with @first; 1 if it begins none. */
static size_t
character_length(unsigned char first)
{
	if (first >= 0xf0) {
		return 4;
	}
	if (first >= 0xe0) {
		return 3;
	}
	return first >= 0xc0 ? 2 : 1;
}

static struct token
mark(enum token_type type, size_t start, size_t length)
{
	return (struct token){type, start, start + length};
}

static struct token
lex_symbol(struct slice text, size_t at)
{
	static const unsigned char single[] = {
		['='] = TOKEN_EQ,    ['<'] = TOKEN_LT,   ['>'] = TOKEN_GT,    ['('] = TOKEN_OPEN,
		[')'] = TOKEN_CLOSE, ['['] = TOKEN_LEFT, [']'] = TOKEN_RIGHT, [','] = TOKEN_COMMA,
		['.'] = TOKEN_DOT,   ['+'] = TOKEN_PLUS, ['-'] = TOKEN_MINUS,
	};
	unsigned char ch = (unsigned char)text.at[at];
	char next = at + 1 < text.len ? text.at[at + 1] : '\0';

	if (ch == '<' && next == '>') {
		return mark(TOKEN_NE, at, 2);
	}
	if ((ch == '<' || ch == '>') && next == '=') {
		return mark(ch == '<' ? TOKEN_LE : TOKEN_GE, at, 2);
	}
	if (ch < sizeof(single) && single[ch] != TOKEN_END) {
		return mark((enum token_type)single[ch], at, 1);
	}
	size_t length = character_length(ch);

	return mark(TOKEN_OTHER, at, at + length > text.len ? text.len - at : length);
}

struct token
lex_token(struct slice text, size_t from)
{
	assert(from <= text.len);
	while (from < text.len && ascii_blank(text.at[from])) {
		from++;
	}
	if (from == text.len) {
		return mark(TOKEN_END, from, 0);
	}
	char ch = text.at[from];

	if (ch == '#' || ch == ':') {
		size_t end = lex_word_end(text, from + 1);

		if (end > from + 1) {
			return mark(ch == '#' ? TOKEN_ALIAS : TOKEN_VALUE, from, end - from);
		}
		return mark(TOKEN_OTHER, from, 1);
	}
	if (ascii_digit(ch)) {
		return mark(TOKEN_INDEX, from, ch == '0' ? 1 : ascii_digits_end(text, from) - from);
	}
	if (ascii_word(ch) && ch != '_') {
		size_t length = lex_word_end(text, from) - from;

		return mark(lex_keyword(slice_of(text.at + from, length)), from, length);
	}
	return lex_symbol(text, from);
}
