/*
 * inline - tokens of what was typed into placeholders; the parser sees only the result
 *
 *   word             -> #i0    unless it is a keyword, or a function: '(' follows
 *   "text" 'text'    -> :i0    S; "..." with JSON's escapes, in '...' a quote is doubled
 *   12 -0.5 1e3      -> :i0    N; but [12] stays
 *   true false null  -> :i0    BOOL, NULL
 *   #name :value and everything else stay as they are
 */
#include "store/expr/inline.h"

#include "store/base/json.h"
#include "store/expr/lex.h"
#include "store/model/number.h"

/* One expression on its way. */
struct rewrite {
	struct call *c;
	struct inline_request *r;
	struct slice user;
	struct buf out;
	size_t *offset;
	size_t room;   /* entries of @offset */
	bool update;   /* begins with a verb: SET, ADD, REMOVE and DELETE are verbs */
	bool operand;  /* the token before is one: a '-' behind it subtracts */
	bool in_index; /* the token before is '[' */
};

/* Append what stands for the user's byte @from. */
static void
emit(struct rewrite *w, struct slice text, size_t from, bool copied)
{
	size_t need = w->out.len + text.len + 1;

	if (need > w->room) {
		size_t room = need * 2;
		size_t *offset = arena_new(&w->c->arena, size_t, room);

		memcpy(offset, w->offset, w->out.len * sizeof(*offset));
		w->offset = offset;
		w->room = room;
	}
	for (size_t i = 0; i < text.len; i++) {
		w->offset[w->out.len + i] = from + (copied ? i : 0);
	}
	buf_slice(&w->out, text);
}

/* A placeholder that neither the user nor we have used. */
static struct slice
fresh(struct rewrite *w, char sigil)
{
	const struct placeholders *ph = &w->r->ph;

	for (;;) {
		struct buf b;
		bool taken = false;

		buf_init(&b, &w->c->arena);
		buf_fmt(&b, "%ci%u", sigil, w->r->next++);
		for (size_t i = 0; i < ph->n_names && !taken; i++) {
			taken = slice_eq(ph->names[i].alias, buf_view(&b));
		}
		if (!taken && item_get(&ph->values, buf_view(&b)) == NULL) {
			return buf_view(&b);
		}
	}
}

static struct slice
name_placeholder(struct rewrite *w, struct slice name)
{
	struct inline_request *r = w->r;

	for (size_t i = 0; i < r->ph.n_names; i++) {
		if (slice_eq(r->ph.names[i].name, name) &&
		    slice_starts(r->ph.names[i].alias, SLICE("#i"))) {
			return r->ph.names[i].alias;
		}
	}
	struct slice alias = fresh(w, '#');

	if (r->ph.n_names >= r->cap_names) {
		size_t cap = r->ph.n_names * 2 + 8;
		struct name_alias *names = arena_new(&w->c->arena, struct name_alias, cap);

		if (r->ph.n_names > 0) {
			memcpy(names, r->ph.names, r->ph.n_names * sizeof(*names));
		}
		r->ph.names = names;
		r->cap_names = cap;
	}
	/* The array is ours: the user's own was copied when it first grew. */
	((struct name_alias *)r->ph.names)[r->ph.n_names++] =
		(struct name_alias){.alias = alias, .name = name};
	r->ph.names_given = true;
	return alias;
}

static struct slice
value_placeholder(struct rewrite *w, const struct value *v)
{
	struct inline_request *r = w->r;
	struct slice alias = fresh(w, ':');

	if (r->ph.values.n >= r->cap_values) {
		size_t cap = r->ph.values.n * 2 + 8;
		struct attr *values = arena_new(&w->c->arena, struct attr, cap);

		if (r->ph.values.n > 0) {
			memcpy(values, r->ph.values.at, r->ph.values.n * sizeof(*values));
		}
		r->ph.values.at = values;
		r->cap_values = cap;
	}
	r->ph.values.at[r->ph.values.n++] = (struct attr){.name = alias, .value = *v};
	r->ph.values_given = true;
	return alias;
}

static int
fail_at(struct rewrite *w, size_t at, const char *what)
{
	if (w->c->error.code == ERR_NONE) {
		(void)!call_fail(w->c, ERR_VALIDATION, "%s", what);
	}
	w->c->error.code = ERR_VALIDATION;
	w->c->error.place = at + 1;
	return -ERR_VALIDATION;
}

/* The end of the literal that begins with a quote at @at, behind its closing quote; 0: unfinished. */
static size_t
string_end(struct slice s, size_t at)
{
	char quote = s.at[at];

	for (size_t i = at + 1; i < s.len; i++) {
		if (quote == '"' && s.at[i] == '\\') {
			i++;
		} else if (s.at[i] == quote) {
			if (quote == '"' || i + 1 == s.len || s.at[i + 1] != quote) {
				return i + 1;
			}
			i++; /* '' */
		}
	}
	return 0;
}

/* The text between single quotes, '' made one. */
static struct slice
unquoted(struct arena *a, struct slice s)
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 1; i + 1 < s.len; i++) {
		buf_char(&b, s.at[i]);
		i += s.at[i] == '\'';
	}
	return buf_view(&b);
}

static int
string_literal(struct rewrite *w, size_t at, size_t *next)
{
	const struct json *json = NULL;
	size_t end = string_end(w->user, at);
	struct value v = {.type = VALUE_S};

	if (end == 0) {
		return fail_at(w, at, "the string is not closed");
	}
	struct slice text = slice_of(w->user.at + at, end - at);

	if (text.at[0] == '"') {
		if (json_parse(w->c, text, JSON_STRICT, &json) < 0) {
			return fail_at(w, at, "not a string");
		}
		v.text = json->text;
	} else {
		v.text = unquoted(&w->c->arena, text);
	}
	emit(w, value_placeholder(w, &v), at, false);
	*next = end;
	return 0;
}

/* A number's characters: digits, points, letters that can only be an exponent or a mistake. */
static size_t
number_end(struct slice s, size_t at)
{
	size_t i = at + (s.at[at] == '-' || s.at[at] == '+');

	while (i < s.len && (lex_is_word(s.at[i]) || s.at[i] == '.' ||
			     ((s.at[i] == '-' || s.at[i] == '+') &&
			      (s.at[i - 1] == 'e' || s.at[i - 1] == 'E')))) {
		i++;
	}
	return i;
}

static int
number_literal(struct rewrite *w, size_t at, size_t *next)
{
	struct value v = {.type = VALUE_N};
	size_t end = number_end(w->user, at);

	if (number_canonical(w->c, slice_of(w->user.at + at, end - at), &v.text) < 0) {
		return fail_at(w, at, "not a number");
	}
	emit(w, value_placeholder(w, &v), at, false);
	*next = end;
	return 0;
}

static bool
literal_word(struct slice word, struct value *v)
{
	if (slice_is(word, "true") || slice_is(word, "false")) {
		*v = (struct value){.type = VALUE_BOOL, .truth = word.len == 4};
		return true;
	}
	*v = (struct value){.type = VALUE_NULL, .truth = true};
	return slice_is(word, "null");
}

/* Does a '(' follow, as behind the name of a function? */
static bool
opens(struct slice s, size_t at)
{
	return lex_token(s, at).type == TOKEN_OPEN;
}

static bool
is_verb(enum token_type type)
{
	return type == TOKEN_SET || type == TOKEN_ADD || type == TOKEN_REMOVE ||
	       type == TOKEN_DELETE;
}

static void
word(struct rewrite *w, struct slice text, size_t at, bool member)
{
	enum token_type type = lex_keyword(text);
	struct value v;

	w->operand = true;
	if (type != TOKEN_NAME && !(is_verb(type) && !w->update) && !member) {
		emit(w, text, at, true);
		w->operand = false;
	} else if (!member && opens(w->user, at + text.len)) {
		emit(w, text, at, true);
	} else if (!member && literal_word(text, &v)) {
		emit(w, value_placeholder(w, &v), at, false);
	} else {
		emit(w, name_placeholder(w, text), at, false);
	}
}

/* Letters, and everything beyond ASCII: names that DynamoDB takes only as an alias. */
static bool
begins_word(char ch)
{
	return (lex_is_word(ch) && !lex_is_digit(ch)) || (unsigned char)ch >= 0x80;
}

static bool
begins_number(const struct rewrite *w, size_t at)
{
	struct slice s = w->user;
	size_t digit = at;

	if (w->in_index ||
	    (w->operand && (s.at[at] == '-' || s.at[at] == '+' || s.at[at] == '.'))) {
		return false;
	}
	digit += s.at[digit] == '-' || s.at[digit] == '+';
	digit += digit < s.len && s.at[digit] == '.';
	return digit < s.len && lex_is_digit(s.at[digit]);
}

/* One token, or one character that is none; @next is where the following begins. */
static int
step(struct rewrite *w, size_t at, size_t *next)
{
	struct slice s = w->user;
	char ch = s.at[at];
	size_t end = at + 1;

	if (ch == '"' || ch == '\'') {
		w->operand = true;
		return string_literal(w, at, next);
	}
	if (begins_number(w, at)) {
		w->operand = true;
		return number_literal(w, at, next);
	}
	if (begins_word(ch) || ch == '#' || ch == ':') {
		while (end < s.len && (lex_is_word(s.at[end]) || begins_word(s.at[end]))) {
			end++;
		}
		struct slice text = slice_of(s.at + at, end - at);

		if (ch == '#' || ch == ':') {
			emit(w, text, at, true);
			w->operand = true;
		} else {
			/* Behind a point every word is a name. */
			word(w, text, at, w->out.len > 0 && w->out.at[w->out.len - 1] == '.');
		}
	} else {
		emit(w, slice_of(&s.at[at], 1), at, true);
		if (!lex_is_blank(ch)) {
			w->operand = ch == ')' || ch == ']' || lex_is_digit(ch);
			w->in_index = ch == '[' || (w->in_index && lex_is_digit(ch));
		}
	}
	*next = end;
	return 0;
}

/* "SET x = ..." and not "Set = 1", which compares an attribute of that name. */
static bool
is_update(struct slice s)
{
	struct token first = lex_token(s, 0);
	struct token second = lex_token(s, first.end);

	return is_verb(first.type) && (second.type == TOKEN_NAME || second.type == TOKEN_ALIAS);
}

int
inline_expression(struct call *c, struct inline_request *r, struct slice user,
		  struct inline_text *out)
{
	struct rewrite w = {.c = c, .r = r, .user = user, .update = is_update(user)};
	size_t at = 0;

	buf_init(&w.out, &c->arena);
	w.room = user.len + 1;
	w.offset = arena_new(&c->arena, size_t, w.room);
	while (at < user.len) {
		int failed = step(&w, at, &at);

		if (failed < 0) {
			return failed;
		}
	}
	emit(&w, slice_of(NULL, 0), 0, true);
	w.offset[w.out.len] = user.len;
	*out = (struct inline_text){.text = buf_view(&w.out), .offset = w.offset};
	return 0;
}
