/* partiql_reader - one lexeme of look-ahead; error messages with a place in the text; names and paths */
#include "store/partiql/partiql_reader.h"

#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/core/utf8.h"
#include "store/expr/ast.h"
#include "store/model/limits.h"
#include "store/partiql/partiql_lex.h"

/* Bounds the stack.  The limits for operators and nested values refuse most statements before this does. */
enum { DEPTH_MAX = LIMIT_OPERATORS + 20 };

void
reader_start(struct reader *r, struct call *c, struct slice text)
{
	*r = (struct reader){.c = c, .text = text, .next = lex(text, 0)};
	buf_init(&r->key, &c->arena);
	buf_str(&r->key, "root");
}

void
reader_advance(struct reader *r)
{
	r->next = lex(r->text, r->next.end);
}

bool
reader_at_end(const struct reader *r)
{
	return r->next.type == LEXEME_END || r->next.type == LEXEME_SEMICOLON;
}

/* Return: why no term begins at the next lexeme. */
static const char *
no_term(const struct reader *r)
{
	static const char *const operators[] = {"AND", "BETWEEN", "IN", "IS", "LIKE", "OR", NULL};

	for (size_t i = 0; operators[i] != NULL; i++) {
		if (reader_word(r, operators[i])) {
			return "Unexpected operator";
		}
	}
	return r->next.type == LEXEME_WORD ? "Unexpected keyword" : "Unexpected term";
}

int
reader_malformed(struct reader *r, const char *why)
{
	r->malformed = true;
	/* The service gives no reason for a byte that begins no lexeme. */
	if (r->next.type == LEXEME_OTHER) {
		why = "";
	}
	return reader_refuse(r, r->next, "Statement wasn't well formed, can't be processed: %s",
			     why == NULL ? no_term(r) : why);
}

int
reader_defer(struct reader *r, int status)
{
	if (status == 0 || r->malformed) {
		return status;
	}
	if (r->late.code == 0) {
		r->late = r->c->error;
	}
	r->c->error = (struct error){0};
	return 0;
}

int
reader_check_operators(struct reader *r, struct lexeme at)
{
	if (r->operators <= LIMIT_OPERATORS) {
		return 0;
	}
	return reader_refuse(r, at,
			     "The expression contains too many operators; operator count: %u",
			     r->operators);
}

const char *
reader_place(const struct reader *r, struct lexeme at)
{
	size_t line = 1;
	size_t begin = 0;

	for (size_t i = 0; i < at.start; i++) {
		if (r->text.at[i] == '\n') {
			line++;
			begin = i + 1;
		}
	}
	return arena_print(&r->c->arena, "%zu:%zu:%zu", line,
			   utf8_characters(slice_of(r->text.at + begin, at.start - begin)) + 1,
			   utf8_characters(reader_text(r, at)));
}

struct slice
reader_text(const struct reader *r, struct lexeme at)
{
	return slice_of(r->text.at + at.start, at.end - at.start);
}

struct slice
reader_function(const struct reader *r, struct lexeme at)
{
	struct slice text = reader_text(r, at);
	char *copy = arena_bytes(&r->c->arena, text.len);

	for (size_t i = 0; i < text.len; i++) {
		copy[i] = ascii_lower(text.at[i]);
	}
	return slice_of(copy, text.len);
}

bool
reader_word(const struct reader *r, const char *word)
{
	struct slice s = reader_text(r, r->next);

	return r->next.type == LEXEME_WORD && ascii_same(s, slice_from(word));
}

bool
reader_skip(struct reader *r, const char *word)
{
	bool is = reader_word(r, word);

	if (is) {
		reader_advance(r);
	}
	return is;
}

bool
reader_take(struct reader *r, enum lexeme_type type)
{
	bool is = r->next.type == type;

	if (is) {
		reader_advance(r);
	}
	return is;
}

int
reader_expect(struct reader *r, enum lexeme_type type)
{
	return reader_take(r, type) ? 0 : reader_malformed(r, NULL);
}

int
reader_expect_word(struct reader *r, const char *word)
{
	return reader_skip(r, word) ? 0 : reader_malformed(r, NULL);
}

int
reader_enter(struct reader *r)
{
	if (++r->depth > DEPTH_MAX) {
		return reader_malformed(r, NULL);
	}
	reader_advance(r);
	return 0;
}

int
reader_leave(struct reader *r, enum lexeme_type close)
{
	assert(r->depth > 0);
	r->depth--;
	return reader_expect(r, close);
}

/* ------------------------------------------------------------ names */

bool
reader_is_name(const struct reader *r)
{
	return r->next.type == LEXEME_QUOTED ||
	       (r->next.type == LEXEME_WORD && !lex_reserved(reader_text(r, r->next)));
}

/* Return: the text in the quotes of @at, unescaped. */
static struct slice
unquoted(struct reader *r, struct lexeme at)
{
	assert(at.type == LEXEME_STRING || at.type == LEXEME_QUOTED);

	struct slice inside = slice_of(r->text.at + at.start + 1, at.end - at.start - 2);
	char quote = r->text.at[at.start];
	struct buf b;

	if (inside.len == 0 || slice_chr(inside, quote) == NULL) {
		return inside;
	}
	buf_init(&b, &r->c->arena);
	for (size_t i = 0; i < inside.len; i++) {
		buf_char(&b, inside.at[i]);
		i += inside.at[i] == quote;
	}
	return buf_view(&b);
}

struct slice
reader_string(struct reader *r)
{
	struct slice s = unquoted(r, r->next);

	reader_advance(r);
	return s;
}

int
reader_name(struct reader *r, struct slice *out)
{
	struct lexeme at = r->next;

	if (!reader_is_name(r)) {
		return reader_malformed(r, NULL);
	}
	*out = at.type == LEXEME_QUOTED ? unquoted(r, at) : reader_text(r, at);
	reader_advance(r);
	return out->len > 0 ? 0 : reader_refuse(r, at, "Path component cannot be an empty string");
}

/* ------------------------------------------------------------ paths */

enum { LIST_INDEX_MAX = 2147483647 };

static int
index_step(struct reader *r, struct step *out)
{
	struct lexeme at = r->next;
	struct slice text = reader_text(r, at);

	if (slice_chr(text, '.') != NULL || slice_chr(text, 'e') != NULL ||
	    slice_chr(text, 'E') != NULL) {
		return reader_refuse(r, at, "Unexpected path component at %s", reader_place(r, at));
	}
	*out = (struct step){.text = text, .place = at.start, .element = true};
	for (size_t i = 0; i < text.len && out->index <= LIST_INDEX_MAX; i++) {
		out->index = out->index * 10 + (size_t)(text.at[i] - '0');
	}
	if (out->index > LIST_INDEX_MAX) {
		return reader_refuse(
			r, at, "List index is not within the allowable range; index: [%.*s] at %s",
			SLICE_ARG(text), reader_place(r, at));
	}
	reader_advance(r);
	return 0;
}

/* An index after a minus: only -0 is valid. */
static int
negative_step(struct reader *r, struct step *out)
{
	struct lexeme at = r->next;
	int status = index_step(r, out);

	return status < 0 || out->index == 0
		       ? status
		       : reader_refuse(r, at,
				       "List index is not within the allowable range; index: "
				       "[-%.*s] at %s",
				       SLICE_ARG(out->text), reader_place(r, at));
}

/* [index] or ['name'] */
static int
bracket_step(struct reader *r, struct step *out)
{
	int status = 0;

	reader_advance(r);
	struct lexeme at = r->next;

	if (at.type == LEXEME_STRING) {
		*out = (struct step){.place = at.start, .name = reader_string(r)};
		out->text = out->name;
	} else if (at.type == LEXEME_NUMBER) {
		status = index_step(r, out);
	} else if (at.type == LEXEME_MINUS && lex(r->text, at.end).type == LEXEME_NUMBER) {
		reader_advance(r);
		status = negative_step(r, out);
	} else if (at.type == LEXEME_STAR || at.type == LEXEME_END) {
		status = reader_malformed(r, NULL);
	} else {
		status = reader_refuse(r, at, "Unexpected path component at %s",
				       reader_place(r, at));
	}
	if (status == 0 && !out->element && out->name.len == 0) {
		status = reader_refuse(r, at, "Path component cannot be an empty string");
	}
	return status < 0 ? status : reader_expect(r, LEXEME_RIGHT);
}

static int
name_step(struct reader *r, struct step *out)
{
	*out = (struct step){.place = r->next.start};
	int status = reader_name(r, &out->name);

	out->text = out->name;
	return status;
}

static int
next_step(struct reader *r, struct step *out)
{
	if (r->next.type == LEXEME_LEFT) {
		return bracket_step(r, out);
	}
	reader_advance(r);
	if (r->next.type == LEXEME_STAR) {
		return reader_refuse(r, r->next,
				     "Changing item's hierarchy while reading isn't supported");
	}
	if (!reader_is_name(r)) {
		return reader_malformed(r, "Invalid path dot component");
	}
	return name_step(r, out);
}

int
reader_path(struct reader *r, struct path *out)
{
	size_t cap = 0;
	int status;

	*out = (struct path){0};
	out->at = arena_room(&r->c->arena, out->at, 0, &cap);
	status = name_step(r, &out->at[0]);
	out->n = 1;
	while (status == 0 && (r->next.type == LEXEME_DOT || r->next.type == LEXEME_LEFT)) {
		out->at = arena_room(&r->c->arena, out->at, out->n, &cap);
		status = next_step(r, &out->at[out->n++]);
	}
	return status;
}
