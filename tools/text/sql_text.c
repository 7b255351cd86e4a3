/* sql_text - see sql_text.h */
#include "tools/text/sql_text.h"

#include <stdarg.h>

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/model/item_json.h"
#include "store/partiql/partiql_lex.h"

#include "tools/text/words.h"

struct slice
sql_text_of(struct slice text, struct lexeme at)
{
	return slice_of(text.at + at.start, at.end - at.start);
}

bool
sql_text_is(struct slice text, struct lexeme at, const char *words)
{
	return at.type == LEXEME_WORD && words_in_any_case(words, sql_text_of(text, at));
}

struct near
sql_text_near(struct slice word, const char *words)
{
	struct near near = near_start(word);

	while (*words != '\0') {
		near_try(&near, words_in_next(&words));
	}
	return near;
}

bool
sql_text_begins(struct slice text, const char *words)
{
	return sql_text_is(text, lex(text, 0), words);
}

static int
sql_text_depth(enum lexeme_type t)
{
	bool opens = t == LEXEME_OPEN || t == LEXEME_LEFT || t == LEXEME_TUPLE || t == LEXEME_BAG;
	bool closes = t == LEXEME_CLOSE || t == LEXEME_RIGHT || t == LEXEME_TUPLE_END ||
		      t == LEXEME_BAG_END;

	return opens - closes;
}

struct lexeme
sql_text_find(struct slice text, size_t from, const char *words)
{
	struct lexeme at = lex(text, from);
	int depth = 0;

	while (at.type != LEXEME_END && !(depth == 0 && sql_text_is(text, at, words))) {
		depth += sql_text_depth(at.type);
		at = lex(text, at.end);
	}
	return at;
}

size_t
sql_text_close(struct slice text, struct lexeme open)
{
	struct lexeme at = open;
	int depth = 0;

	do {
		depth += sql_text_depth(at.type);
		open = at;
		at = lex(text, at.end);
	} while (depth > 0 && at.type != LEXEME_END);
	return open.end;
}

size_t
sql_text_path(struct slice text, size_t end)
{
	struct lexeme at = lex(text, 0);
	size_t start = end;
	enum lexeme_type before = LEXEME_END;

	for (; at.end <= end && at.type != LEXEME_END; at = lex(text, at.end)) {
		bool joins = before == LEXEME_DOT || at.type == LEXEME_DOT ||
			     at.type == LEXEME_LEFT || at.type == LEXEME_RIGHT ||
			     before == LEXEME_LEFT;

		start = joins ? start : at.start;
		before = at.type;
	}
	return start;
}

size_t
sql_text_end(struct slice text)
{
	size_t end = 0;

	for (struct lexeme at = lex(text, 0); at.type != LEXEME_END && at.type != LEXEME_SEMICOLON;
	     at = lex(text, at.end)) {
		end = at.end;
	}
	return end;
}

void
sql_text_cut(struct sql_text *t, size_t start, size_t end)
{
	sql_text_put(t, start, end, "%s", "");
}

void
sql_text_put(struct sql_text *t, size_t start, size_t end, const char *fmt, ...)
{
	assert(start <= t->text.len && end <= t->text.len);
	va_list args;

	va_start(args, fmt);
	const char *put = arena_vprint(&t->c->arena, fmt, args);

	va_end(args);
	struct buf b = {.arena = &t->c->arena};
	buf_put(&b, t->text.at, start);
	buf_str(&b, put);
	buf_slice(&b, slice_skip(t->text, end));
	t->text = buf_view(&b);
}

struct slice
sql_text_string(struct call *c, struct slice literal)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 1; i + 1 < literal.len; i++) {
		buf_char(&b, literal.at[i]);
		i += literal.at[i] == literal.at[0]; /* a doubled quote is one */
	}
	return buf_view(&b);
}

void
sql_text_quoted(struct buf *out, struct slice s, char quote)
{
	buf_char(out, quote);
	for (size_t i = 0; i < s.len; i++) {
		buf_char(out, s.at[i]);
		if (s.at[i] == quote) {
			buf_char(out, quote);
		}
	}
	buf_char(out, quote);
}

bool
sql_text_name(struct slice text, size_t from, size_t *start, size_t *end)
{
	struct lexeme at = lex(text, from);

	*start = at.start;
	*end = at.start;
	while (at.start == *end &&
	       (at.type == LEXEME_WORD || at.type == LEXEME_QUOTED || at.type == LEXEME_STRING ||
		at.type == LEXEME_NUMBER || at.type == LEXEME_MINUS || at.type == LEXEME_DOT)) {
		*end = at.end;
		at = lex(text, at.end);
	}
	return *end > *start;
}

bool
sql_text_table(struct slice text, size_t *start, size_t *end)
{
	struct lexeme first = lex(text, 0);
	bool update = sql_text_is(text, first, "UPDATE");
	struct lexeme before = update ? first : sql_text_find(text, 0, "FROM");

	if (before.type == LEXEME_END) {
		before = sql_text_find(text, 0, "INTO");
	}
	return sql_text_name(text, before.end, start, end) && before.type != LEXEME_END;
}

struct slice
sql_text_explained(struct slice statement, bool *explain)
{
	struct slice rest = statement;
	struct lexeme at = lex(rest, 0);

	if (!sql_text_is(rest, at, "EXPLAIN")) {
		return statement;
	}
	*explain = true;
	while (sql_text_is(rest, at, "EXPLAIN ANALYZE VERBOSE QUERY PLAN FOR")) {
		rest = slice_skip(rest, lex(rest, at.end).start);
		at = lex(rest, 0);
	}
	return rest;
}

/* ------------------------------------------------------------ several statements */

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
