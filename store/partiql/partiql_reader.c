/* partiql_reader - one lexeme of look-ahead; error messages with a place in the text; names and paths */
#include "store/partiql/partiql_reader.h"

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

void
reader_stop(struct reader *r, int status)
{
	if (status < 0) {
		r->status = status;
		r->last = r->next;
		r->next = lex(r->text, r->text.len);
	}
}

int
reader_fail(struct reader *r, size_t place, int status)
{
	if (r->status == 0) {
		reader_stop(r, expr_blame(r->c, place, status));
	}
	return r->status;
}

int
reader_malformed(struct reader *r, const char *why)
{
	r->malformed |= r->status == 0;
	/* The service gives no reason for a byte that begins no lexeme. */
	if (r->next.type == LEXEME_OTHER) {
		why = "";
	}
	return reader_refuse(r, r->next, "Statement wasn't well formed, can't be processed: %s",
			     why == NULL ? no_term(r) : why);
}

void
reader_defer(struct reader *r)
{
	if (r->status == 0 || r->malformed) {
		return;
	}
	if (r->late.code == 0) {
		r->late = r->c->error;
	}
	r->c->error = (struct error){0};
	r->status = 0;
	r->next = r->last;
}

void
reader_check_operators(struct reader *r, struct lexeme at)
{
	if (r->operators > LIMIT_OPERATORS) {
		reader_refuse(r, at,
			      "The expression contains too many operators; operator count: %u",
			      r->operators);
	}
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
	return reader_take(r, type) ? r->status : reader_malformed(r, NULL);
}

int
reader_expect_word(struct reader *r, const char *word)
{
	return reader_skip(r, word) ? r->status : reader_malformed(r, NULL);
}

void
reader_enter(struct reader *r)
{
	if (++r->depth > DEPTH_MAX) {
		reader_malformed(r, NULL);
	}
	reader_advance(r);
}

void
reader_leave(struct reader *r, enum lexeme_type close)
{
	assert(r->depth > 0);
	r->depth--;
	reader_expect(r, close);
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

	*out = SLICE("");
	if (!reader_is_name(r)) {
		return reader_malformed(r, NULL);
	}
	*out = at.type == LEXEME_QUOTED ? unquoted(r, at) : reader_text(r, at);
	reader_advance(r);
	return out->len > 0 ? r->status
			    : reader_refuse(r, at, "Path component cannot be an empty string");
}

/* ------------------------------------------------------------ paths */

enum { LIST_INDEX_MAX = 2147483647 };

static struct step
index_step(struct reader *r)
{
	struct lexeme at = r->next;
	struct step s = {.text = reader_text(r, at), .place = at.start, .element = true};

	if (ascii_digits_end(s.text, 0) < s.text.len) { /* a fraction or an exponent */
		reader_refuse(r, at, "Unexpected path component at %s", reader_place(r, at));
		return s;
	}
	for (size_t i = 0; i < s.text.len && s.index <= LIST_INDEX_MAX; i++) {
		s.index = s.index * 10 + (size_t)(s.text.at[i] - '0');
	}
	if (s.index > LIST_INDEX_MAX) {
		reader_refuse(r, at,
			      "List index is not within the allowable range; index: [%.*s] at %s",
			      SLICE_ARG(s.text), reader_place(r, at));
	}
	reader_advance(r);
	return s;
}

/* [index] or ['name']; of the negative indexes, only -0 is valid. */
static struct step
bracket_step(struct reader *r)
{
	struct step s = {0};

	reader_advance(r);
	struct lexeme at = r->next;
	bool negative = at.type == LEXEME_MINUS && lex(r->text, at.end).type == LEXEME_NUMBER;

	if (at.type == LEXEME_STRING) {
		s = (struct step){.place = at.start, .name = reader_string(r)};
		s.text = s.name;
	} else if (at.type == LEXEME_NUMBER || negative) {
		(void)reader_take(r, LEXEME_MINUS);
		at = r->next;
		s = index_step(r);
		if (negative && s.index != 0) {
			reader_refuse(r, at,
				      "List index is not within the allowable range; index: "
				      "[-%.*s] at %s",
				      SLICE_ARG(s.text), reader_place(r, at));
		}
	} else if (at.type == LEXEME_STAR || at.type == LEXEME_END) {
		reader_malformed(r, NULL);
	} else {
		reader_refuse(r, at, "Unexpected path component at %s", reader_place(r, at));
	}
	if (!s.element && s.name.len == 0) {
		reader_refuse(r, at, "Path component cannot be an empty string");
	}
	reader_expect(r, LEXEME_RIGHT);
	return s;
}

static struct step
name_step(struct reader *r)
{
	struct step s = {.place = r->next.start};

	reader_name(r, &s.name);
	s.text = s.name;
	return s;
}

static struct step
next_step(struct reader *r)
{
	if (r->next.type == LEXEME_LEFT) {
		return bracket_step(r);
	}
	reader_advance(r);
	if (r->next.type == LEXEME_STAR) {
		reader_refuse(r, r->next,
			      "Changing item's hierarchy while reading isn't supported");
	}
	if (!reader_is_name(r)) {
		reader_malformed(r, "Invalid path dot component");
	}
	return name_step(r);
}

int
reader_path(struct reader *r, struct path *out)
{
	size_t cap = 0;

	*out = (struct path){0};
	out->at = arena_room(&r->c->arena, out->at, 0, &cap);
	out->at[out->n++] = name_step(r);
	while (r->next.type == LEXEME_DOT || r->next.type == LEXEME_LEFT) {
		out->at = arena_room(&r->c->arena, out->at, out->n, &cap);
		out->at[out->n++] = next_step(r);
	}
	return r->status;
}
