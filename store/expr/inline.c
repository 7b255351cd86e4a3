/*
 * inline - copies each token of the typed text or replaces it by a placeholder
 *
 * Runs in a front end, before the request exists.  The engine (or DynamoDB itself)
 * parses the rewritten text later.  This file knows just enough grammar to
 * distinguish a sign from an operator and a function from an attribute.
 */
#include "store/expr/inline.h"

#include "store/base/core/utf8.h"
#include "store/expr/lex.h"
#include "store/expr/literal.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/number.h"
#include "store/model/value.h"

/* Class of the token before the current one. */
enum before {
	BEFORE_NOTHING, /* nothing or an operator: an operand may begin */
	BEFORE_OPERAND, /* a name, value, ')' or ']' */
	BEFORE_DOT,
	BEFORE_LEFT, /* '[' */
};

struct rewriter {
	struct call *c;
	struct inline_request *r;
	struct slice user;
	size_t at; /* next byte to read */
	enum before before;
	struct buf text;
	size_t *offset; /* cap entries, more than text.len; see struct inline_text */
	size_t cap;
};

static void
emit(struct rewriter *w, struct slice bytes, size_t from, bool copied)
{
	if (w->text.len + bytes.len >= w->cap) {
		size_t cap = 2 * (w->text.len + bytes.len) + 64;
		size_t *offset = arena_new(&w->c->arena, size_t, cap);

		memcpy(offset, w->offset, w->text.len * sizeof(*offset));
		w->offset = offset;
		w->cap = cap;
	}
	for (size_t i = 0; i < bytes.len; i++) {
		w->offset[w->text.len + i] = copied ? from + i : from;
	}
	buf_slice(&w->text, bytes);
}

/* Copies everything up to @end. */
static void
inline_copy(struct rewriter *w, size_t end, enum before then)
{
	assert(end > w->at && end <= w->user.len);
	emit(w, slice_of(w->user.at + w->at, end - w->at), w->at, true);
	w->at = end;
	w->before = then;
}

static char
inline_peek(const struct rewriter *w, size_t at)
{
	return at < w->user.len ? w->user.at[at] : '\0';
}

static bool
is_letter(char ch)
{
	return ascii_word(ch) || (unsigned char)ch >= 0x80;
}

static size_t
inline_word_end(const struct rewriter *w, size_t at)
{
	while (at < w->user.len && is_letter(w->user.at[at])) {
		at++;
	}
	return at;
}

static size_t
blanks_end(const struct rewriter *w, size_t at)
{
	while (at < w->user.len && ascii_blank(w->user.at[at])) {
		at++;
	}
	return at;
}

static int
inline_fail(struct rewriter *w, size_t place, const char *why)
{
	int r = call_fail(w->c, ERR_VALIDATION, "%s", why);

	w->c->error.place = place + 1;
	return r;
}

/* Returns a placeholder that is not in use: "#i7" or ":i7". */
static struct slice
fresh(struct rewriter *w, char kind)
{
	struct placeholders *ph = &w->r->ph;
	unsigned *next = kind == '#' ? &w->r->next_name : &w->r->next_value;

	for (;;) {
		struct buf b;
		bool taken = false;

		buf_init(&b, &w->c->arena);
		buf_fmt(&b, "%ci%u", kind, (*next)++);
		for (size_t i = 0; kind == '#' && i < ph->n_names && !taken; i++) {
			taken = slice_eq(ph->names[i].alias, buf_view(&b));
		}
		if (!taken && (kind == '#' || item_get(&ph->values, buf_view(&b)) == NULL)) {
			return buf_view(&b);
		}
	}
}

/* Returns true if the placeholder has the form of fresh(). The user's own are not reused for literals. */
static bool
is_ours(struct slice placeholder)
{
	return placeholder.len > 2 && placeholder.at[1] == 'i' && ascii_digit(placeholder.at[2]);
}

static struct slice
alias_of(struct rewriter *w, struct slice name)
{
	struct inline_request *r = w->r;

	for (size_t i = 0; i < r->ph.n_names; i++) {
		if (slice_eq(r->ph.names[i].name, name) && is_ours(r->ph.names[i].alias)) {
			return r->ph.names[i].alias;
		}
	}
	struct slice alias = fresh(w, '#');

	struct name_alias *names = arena_room(&w->c->arena, (struct name_alias *)r->ph.names,
					      r->ph.n_names, &r->cap_names);

	names[r->ph.n_names++] = (struct name_alias){alias, name};
	r->ph.names = names;
	r->ph.names_given = true;
	return alias;
}

static struct slice
placeholder_of(struct rewriter *w, const struct value *v)
{
	struct inline_request *r = w->r;
	struct item *values = &r->ph.values;

	for (size_t i = 0; i < values->n; i++) {
		if (value_eq(&values->at[i].value, v) && is_ours(values->at[i].name)) {
			return values->at[i].name;
		}
	}
	struct slice name = fresh(w, ':');

	values->at = arena_room(&w->c->arena, values->at, values->n, &r->cap_values);
	values->at[values->n++] = (struct attr){name, *v};
	r->ph.values_given = true;
	return name;
}

/* Replaces everything up to @end by a placeholder. */
static void
inline_replace(struct rewriter *w, struct slice placeholder, size_t end)
{
	assert(end > w->at && end <= w->user.len);
	emit(w, placeholder, w->at, false);
	w->at = end;
	w->before = BEFORE_OPERAND;
}

/* A string; or a list, a map, or a typed value: {"SS":["a"]} */
static int
inline_take_literal(struct rewriter *w, bool string)
{
	struct value v = {.type = VALUE_S};
	size_t end;
	int r = string ? literal_string(w->c, w->user, w->at, &v.text, &end)
		       : literal_json(w->c, w->user, w->at, &v, &end);

	if (r == 0) {
		inline_replace(w, placeholder_of(w, &v), end);
	}
	return r;
}

/* `any name`, where two backquotes mean one */
static int
take_quoted_name(struct rewriter *w)
{
	struct buf name;
	size_t at = w->at + 1;

	buf_init(&name, &w->c->arena);
	for (; inline_peek(w, at) != '`' || inline_peek(w, at + 1) == '`'; at++) {
		if (at >= w->user.len) {
			return inline_fail(w, w->at, "The name has no closing backquote");
		}
		at += inline_peek(w, at) == '`';
		buf_char(&name, w->user.at[at]);
	}
	if (name.len == 0) {
		return inline_fail(w, w->at, "The name between the backquotes is empty");
	}
	inline_replace(w, alias_of(w, buf_view(&name)), at + 1);
	return 0;
}

static int
inline_take_number(struct rewriter *w)
{
	struct value v = {.type = VALUE_N};
	size_t end = literal_number_end(w->user, w->at);

	if (is_letter(inline_peek(w, end)) || inline_peek(w, end) == '.') {
		return inline_fail(w, w->at,
				   "This is not a number; a name that begins with a digit needs "
				   "backquotes");
	}
	int r = number_canonical(w->c, slice_of(w->user.at + w->at, end - w->at), &v.text);

	if (r < 0) {
		w->c->error.place = w->at + 1;
		return r;
	}
	inline_replace(w, placeholder_of(w, &v), end);
	return 0;
}

/* Returns true if a list, a map or a typed value begins here. After an operand '[' begins an index. */
static bool
begins_json(const struct rewriter *w)
{
	char ch = w->user.at[w->at];

	return (ch == '[' && w->before == BEFORE_NOTHING) || (ch == '{' && w->before != BEFORE_DOT);
}

static bool
is_connective(struct slice word)
{
	enum token_type t = lex_keyword(word);

	return t >= TOKEN_AND && t <= TOKEN_BETWEEN;
}

/* SET, ADD, REMOVE, DELETE begin a clause if a name follows; otherwise they are names. */
static bool
begins_clause(const struct rewriter *w, struct slice word, size_t end)
{
	size_t next = blanks_end(w, end);
	char ch = inline_peek(w, next);
	struct slice follower = slice_of(w->user.at + next, inline_word_end(w, next) - next);

	if (lex_keyword(word) == TOKEN_NAME || next == end) {
		return false;
	}
	return ch == '#' || ch == '`' ||
	       (is_letter(ch) && !ascii_digit(ch) && !is_connective(follower));
}

/* TRUE in another case is refused: it is a reserved word of DynamoDB, and the user does not mean an attribute. */
static int
inline_take_word(struct rewriter *w)
{
	size_t end = inline_word_end(w, w->at);
	struct slice word = slice_of(w->user.at + w->at, end - w->at);
	bool member = w->before == BEFORE_DOT;
	struct value v;

	if (!member && (is_connective(word) || begins_clause(w, word, end) ||
			inline_peek(w, blanks_end(w, end)) == '(')) {
		inline_copy(w, end, BEFORE_NOTHING);
	} else if (!member && literal_word(word, &v)) {
		inline_replace(w, placeholder_of(w, &v), end);
	} else if (!member && literal_looks_like_word(word)) {
		return inline_fail(
			w, w->at,
			"true, false and null are written in lower case; an attribute with such a name "
			"needs backquotes");
	} else {
		inline_replace(w, alias_of(w, word), end);
	}
	return 0;
}

/* Returns true if a number begins here, with a digit or, after an operator, with a sign or a dot. */
static bool
begins_number(const struct rewriter *w)
{
	size_t at = w->at;

	if (ascii_digit(inline_peek(w, at))) {
		return true;
	}
	if (w->before != BEFORE_NOTHING) {
		return false;
	}
	if (inline_peek(w, at) == '-' || inline_peek(w, at) == '+') {
		at++;
	}
	if (inline_peek(w, at) == '.') {
		at++;
	}
	return at > w->at && ascii_digit(inline_peek(w, at));
}

static void
inline_take_sign(struct rewriter *w, char ch)
{
	inline_copy(w, w->at + 1,
		    ch == ')' || ch == ']' ? BEFORE_OPERAND
		    : ch == '.'            ? BEFORE_DOT
		    : ch == '['            ? BEFORE_LEFT
					   : BEFORE_NOTHING);
}

static int
inline_take(struct rewriter *w)
{
	char ch = w->user.at[w->at];

	if (ascii_blank(ch)) {
		inline_copy(w, blanks_end(w, w->at), w->before);
	} else if (ch == '"' || ch == '\'' || begins_json(w)) {
		return inline_take_literal(w, ch == '"' || ch == '\'');
	} else if (ch == '`') {
		return take_quoted_name(w);
	} else if (ch == '#' || ch == ':') {
		inline_copy(w, inline_word_end(w, w->at + 1), BEFORE_OPERAND);
	} else if (w->before == BEFORE_LEFT && ascii_digit(ch)) {
		inline_copy(w, inline_word_end(w, w->at), BEFORE_OPERAND);
	} else if (w->before != BEFORE_DOT && begins_number(w)) {
		return inline_take_number(w);
	} else if (is_letter(ch)) {
		return inline_take_word(w);
	} else {
		inline_take_sign(w, ch);
	}
	return 0;
}

int
inline_expression(struct call *c, struct inline_request *r, struct slice user,
		  struct inline_text *out)
{
	struct rewriter w = {.c = c, .r = r, .user = user};

	buf_init(&w.text, &c->arena);
	w.cap = user.len + 1;
	w.offset = arena_new(&c->arena, size_t, w.cap);
	if (!utf8_valid(user)) {
		return call_fail(c, ERR_VALIDATION, "The expression is not UTF-8 text");
	}
	while (w.at < user.len) {
		int status = inline_take(&w);

		if (status < 0) {
			return status;
		}
	}
	emit(&w, slice_of("", 0), user.len, false);
	w.offset[w.text.len] = user.len;
	out->text = user.len == 0 ? user : buf_view(&w.text);
	out->offset = w.offset;
	return 0;
}

/* ------------------------------------------------------------ a caller's own placeholders */

void
inline_value(struct call *c, struct inline_request *r, struct slice alias, const struct value *v)
{
	struct placeholders *ph = &r->ph;
	struct attr *values = arena_new(&c->arena, struct attr, ph->values.n + 1);

	if (ph->values.n > 0) {
		memcpy(values, ph->values.at, ph->values.n * sizeof(*values));
	}
	values[ph->values.n] = (struct attr){.name = alias, .value = *v};
	ph->values = (struct item){.at = values, .n = ph->values.n + 1};
	ph->values_given = true;
	r->cap_values = ph->values.n;
}

void
inline_name(struct call *c, struct inline_request *r, struct slice alias, struct slice name)
{
	struct placeholders *ph = &r->ph;
	struct name_alias *names = arena_new(&c->arena, struct name_alias, ph->n_names + 1);

	if (ph->n_names > 0) {
		memcpy(names, ph->names, ph->n_names * sizeof(*names));
	}
	names[ph->n_names] = (struct name_alias){.alias = alias, .name = name};
	ph->names = names;
	ph->n_names++;
	ph->names_given = true;
	r->cap_names = ph->n_names;
}

/* ------------------------------------------------------------ messages */

/* Returns true if the user typed the placeholder. */
static bool
is_users(const struct slice *typed, size_t n, struct slice alias)
{
	for (size_t i = 0; i < n; i++) {
		if (typed[i].len > 0 &&
		    memmem(typed[i].at, typed[i].len, alias.at, alias.len) != NULL) {
			return true;
		}
	}
	return false;
}

/* Appends the name or value of a placeholder of the rewriting ("#i0", ":i0"). Returns false if it is not one. */
static bool
inline_put_meant(const struct inline_request *r, struct slice alias, struct buf *out)
{
	const struct placeholders *ph = &r->ph;

	for (size_t i = r->own_names; i < ph->n_names; i++) {
		if (slice_eq(ph->names[i].alias, alias)) {
			buf_slice(out, ph->names[i].name);
			return true;
		}
	}
	for (size_t i = r->own_values; i < ph->values.n; i++) {
		if (slice_eq(ph->values.at[i].name, alias)) {
			value_put_json(out, &ph->values.at[i].value, ITEM_PLAIN);
			return true;
		}
	}
	return false;
}

void
inline_say(const struct inline_request *r, const struct slice *typed, size_t n_typed,
	   const char *message, struct buf *out)
{
	const char *at = message;

	while (*at != '\0') {
		size_t n = *at == '#' || *at == ':' ? 1 : 0;

		while (n > 0 && ascii_word(at[n])) {
			n++;
		}
		struct slice alias = slice_of(at, n);

		if (n < 2 || is_users(typed, n_typed, alias) || !inline_put_meant(r, alias, out)) {
			n = n == 0 ? 1 : n;
			buf_put(out, at, n);
		}
		at += n;
	}
}
