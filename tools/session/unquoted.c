/* unquoted - see unquoted.h */
#include "tools/session/unquoted.h"

#include "store/base/text/json.h"
#include "store/expr/expr.h"
#include "store/expr/inline.h"
#include "store/mend/mend.h"

#include "tools/session/absent.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

enum { UNQUOTED_DEPTH = 16 }; /* of parentheses */

/* What the commas in parentheses separate. */
enum unquoted_list { UNQUOTED_PLAIN, UNQUOTED_VALUES, UNQUOTED_NAME_FIRST };

/* State of a scan through an expression. */
struct unquoted_walk {
	struct slice text;
	size_t at;
	const struct page *sample;
	struct buf *out; /* the corrected expression */
	struct unquoted *found;
	bool changed;        /* something was corrected */
	bool bad;            /* the expression cannot be corrected */
	bool wants;          /* a value is expected next */
	bool between;        /* the next AND belongs to BETWEEN */
	bool update;         /* an update: commas separate assignments */
	bool valued;         /* the last token was a value */
	struct slice before; /* the word before the current one */
	enum unquoted_list lists[UNQUOTED_DEPTH];
	size_t depth;
};

/* ------------------------------------------------------------ values */

bool
bare_value_is_quote(char ch)
{
	return ch == '\'' || ch == '"' || ch == '`';
}

struct slice
bare_value_word(struct slice text, size_t at)
{
	size_t end = at;

	while (end < text.len && (ascii_word(text.at[end]) || (unsigned char)text.at[end] >= 0x80 ||
				  strchr("#:.[]-", text.at[end]) != NULL)) {
		end++;
	}
	return slice_of(text.at + at, end - at);
}

/* Return true for a path that begins with a name; *end: where the name ends. */
static bool
bare_value_is_path(struct slice value, size_t *end)
{
	*end = 0;
	while (*end < value.len && ascii_word(value.at[*end])) {
		++*end;
	}
	if (*end == 0 || ascii_digit(value.at[0])) {
		return false;
	}
	for (size_t i = *end; i < value.len; i++) {
		if (!ascii_word(value.at[i]) && strchr(".[]", value.at[i]) == NULL) {
			return false;
		}
	}
	return true;
}

static bool
bare_value_is_number(struct slice value)
{
	size_t at;

	return value.len > 0 && (ascii_digit(value.at[0]) || value.at[0] == '-') &&
	       json_fault(value, &at) == NULL;
}

/* Return true for a path that begins with an attribute of the sample. */
static bool
bare_value_is_name(const struct page *sample, struct slice value)
{
	size_t end;

	return bare_value_is_path(value, &end) &&
	       (sample == NULL || !absent_is(sample, slice_of(value.at, end)));
}

/* Return true for "n+1", but not for the date "2024-01"; "us-east-1" is a text unless its parts are known names. */
static bool
bare_value_is_sum(const struct page *sample, struct slice value)
{
	bool named = false;
	bool sum = false;

	for (size_t from = 0; from <= value.len;) {
		size_t end = from;

		while (end < value.len && value.at[end] != '+' && value.at[end] != '-') {
			end++;
		}
		struct slice part = slice_of(value.at + from, end - from);
		bool plus = slice_chr(value, '-') == NULL;
		size_t ignored;
		bool name = plus ? bare_value_is_path(part, &ignored)
				 : bare_value_is_name(sample, part);

		named = named || name;
		if (!name && !bare_value_is_number(part)) {
			return false;
		}
		sum = sum || end < value.len;
		from = end + 1;
	}
	return sum && named;
}

/*
 * Return true if @value must be a text: it is no placeholder, constant, number, name or sum.
 * @sample: items whose attributes are names; NULL: each path is a name
 */
static bool
bare_value_is_text(const struct page *sample, struct slice value)
{
	bool alias = value.len > 1 && (value.at[0] == ':' || value.at[0] == '#');

	return !alias && !words_in_any_case("true false null", value) &&
	       !bare_value_is_number(value) && !bare_value_is_name(sample, value) &&
	       !bare_value_is_sum(sample, value);
}

/* ------------------------------------------------------------ the scan */

/* The end of the value that begins here; sets w->bad if that is unknown. */
static size_t
unquoted_end(struct unquoted_walk *w)
{
	struct slice s = w->text;
	size_t at = w->at;

	for (; at < s.len && strchr(",)", s.at[at]) == NULL; at++) {
		if (bare_value_is_quote(s.at[at]) || strchr("(=<>{", s.at[at]) != NULL) {
			w->bad = true;
			return at;
		}
		if (ascii_blank(s.at[at]) && at + 1 < s.len &&
		    (strchr("+-&|", s.at[at + 1]) != NULL ||
		     words_in_any_case("AND OR SET REMOVE ADD DELETE",
				       bare_value_word(s, at + 1)))) {
			return at;
		}
	}
	return at;
}

/* Copy a value, and add quotes to an unquoted text. */
static void
unquoted_value(struct unquoted_walk *w)
{
	size_t end = unquoted_end(w);
	struct slice value = ascii_trim(slice_of(w->text.at + w->at, end - w->at));
	struct slice behind = ascii_trim(slice_skip(w->text, end));
	bool sum = behind.len > 0 && strchr("+-", behind.at[0]) != NULL;
	bool text = !w->bad && !sum && value.len > 0 && bare_value_is_text(w->sample, value);

	w->valued = true;
	if (w->bad && end > w->at && w->text.at[end] == '(' &&
	    bare_value_word(w->text, w->at).len == end - w->at) {
		w->bad = false; /* a function */
		value = (struct slice){0};
	}
	w->wants = false;
	if (text) {
		buf_fmt(w->out, "'%.*s'", SLICE_ARG(value));
		w->found->text = w->found->text.len == 0 ? value : w->found->text;
		w->changed = true;
	} else {
		buf_slice(w->out, value);
	}
	w->at += value.len;
}

/* Copy text in quotes, in [] or in {} unchanged. */
static void
unquoted_copy(struct unquoted_walk *w)
{
	char open = w->text.at[w->at];
	char close = open == '[' ? ']' : open == '{' ? '}' : open;
	size_t depth = 0;
	size_t from = w->at;

	do {
		char ch = w->text.at[w->at++];

		depth += ch == open && (open != close || depth == 0);
		depth -= ch == close && (open != close || w->at - 1 > from);
	} while (depth > 0 && w->at < w->text.len);
	w->bad = w->bad || depth > 0;
	w->wants = false;
	w->valued = true;
	buf_slice(w->out, slice_of(w->text.at + from, w->at - from));
}

/* Copy a word, or replace it if it belongs to another language. */
static void
unquoted_foreign(struct unquoted_walk *w, struct slice word, enum mend_foreign_kind kind)
{
	const char *ours = mend_foreign(word, kind);

	if (ours == NULL) {
		buf_slice(w->out, word);
		return;
	}
	if (w->found->sign.len == 0) {
		w->found->sign = word;
		w->found->ours = ours;
	}
	buf_str(w->out, ours);
	w->changed = true;
}

/* The quoted text after @at, with its quotes; empty: there is something else. */
static struct slice
unquoted_text_at(struct slice text, size_t at)
{
	struct slice rest = ascii_trim(slice_skip(text, at));
	const char *end = rest.len < 2 || !bare_value_is_quote(rest.at[0])
				  ? NULL
				  : memchr(rest.at + 1, rest.at[0], rest.len - 1);

	return end == NULL ? SLICE("") : slice_of(rest.at, (size_t)(end + 1 - rest.at));
}

/* Replace the infix operator in "a contains 'x'", "a starts_with 'x'" or "a LIKE 'x%'" by a function call. */
static bool
unquoted_infix(struct unquoted_walk *w, struct slice word)
{
	const char *ours = mend_foreign(word, MEND_FUNCTION);
	struct slice by = ours == NULL ? word : slice_from(ours);
	struct slice text = unquoted_text_at(w->text, w->at + word.len);
	size_t end;

	if (text.len < 3 || !bare_value_is_path(w->before, &end)) {
		return false;
	}
	struct slice bare = slice_of(text.at + 1, text.len - 2);

	if (ascii_same(word, SLICE("LIKE"))) {
		bool begins = bare.at[0] != '%';
		bool ends = bare.at[bare.len - 1] != '%';

		by = begins ? SLICE("begins_with") : SLICE("contains");
		bare = slice_of(bare.at + !begins, bare.len - !begins - !ends);
		if (ends || bare.len == 0 || slice_chr(bare, '%') != NULL ||
		    slice_chr(bare, '_') != NULL) {
			return false;
		}
	} else if (!slice_is(by, "contains") && !slice_is(by, "begins_with")) {
		return false;
	}
	while (w->out->len > 0 && ascii_blank(w->out->at[w->out->len - 1])) {
		w->out->len--;
	}
	w->out->len -= w->before.len;
	buf_fmt(w->out, "%.*s(%.*s, '%.*s')", SLICE_ARG(by), SLICE_ARG(w->before), SLICE_ARG(bare));
	w->at = (size_t)(text.at + text.len - w->text.at);
	w->changed = true;
	w->valued = true;
	return true;
}

static void
unquoted_operator(struct unquoted_walk *w)
{
	size_t from = w->at;

	while (w->at < w->text.len && strchr("=<>!&|", w->text.at[w->at]) != NULL) {
		w->at++;
	}
	struct slice sign = slice_of(w->text.at + from, w->at - from);

	w->wants = strchr("&|", sign.at[0]) == NULL;
	unquoted_foreign(w, sign, MEND_SIGN);
}

/* In an update: put the missing comma before this word. */
static void
unquoted_comma(struct unquoted_walk *w)
{
	while (w->out->len > 0 && ascii_blank(w->out->at[w->out->len - 1])) {
		w->out->len--;
	}
	buf_char(w->out, ',');
	w->valued = false;
	w->changed = true;
}

/* Correct "a = 1, SET b = 2", "a = 1 AND b = 2" and "a = 1 b = 2".  Return: true: skip the word */
static bool
unquoted_assignment(struct unquoted_walk *w, struct slice word)
{
	struct slice behind = ascii_trim(slice_skip(w->text, w->at + word.len));
	struct slice before = ascii_trim(slice_of(w->text.at, w->at));

	if (!w->update || w->depth > 0) {
		return false;
	}
	if (ascii_same(word, SLICE("AND")) && w->valued) {
		unquoted_comma(w);
		return true;
	}
	if (ascii_same(word, SLICE("SET")) && before.len > 0 && before.at[before.len - 1] == ',') {
		w->changed = true;
		w->at += word.len < w->text.len - w->at; /* and the blank after it */
		return true;
	}
	if (w->valued && slice_starts(behind, SLICE("="))) {
		unquoted_comma(w);
		buf_char(w->out, ' ');
	}
	w->valued = false;
	return false;
}

static void
unquoted_name(struct unquoted_walk *w)
{
	struct slice word = bare_value_word(w->text, w->at);

	word.len += word.len == 0; /* any other character */
	if (unquoted_assignment(w, word)) {
		w->at += word.len;
		return;
	}
	if (ascii_same(word, SLICE("BETWEEN"))) {
		w->between = true;
		w->wants = true;
	} else if (ascii_same(word, SLICE("AND")) && w->between) {
		w->between = false;
		w->wants = true;
	} else if (unquoted_infix(w, word)) {
		return;
	}
	w->at += word.len;
	w->before = word;
	if (w->at < w->text.len && w->text.at[w->at] == '(') {
		unquoted_foreign(w, word, MEND_FUNCTION);
	} else {
		buf_slice(w->out, word);
	}
}

static void
unquoted_bracket(struct unquoted_walk *w, char ch)
{
	assert(w->depth <= UNQUOTED_DEPTH);
	buf_char(w->out, ch);
	w->at++;
	w->valued = ch == ')';
	if (ch == '(' && w->depth == UNQUOTED_DEPTH) {
		w->bad = true;
	} else if (ch == '(') {
		bool in = ascii_same(w->before, SLICE("IN"));

		w->lists[w->depth++] =
			in ? UNQUOTED_VALUES
			: words_in_any_case("begins_with contains attribute_type if_not_exists",
					    w->before)
				? UNQUOTED_NAME_FIRST
				: UNQUOTED_PLAIN;
		w->wants = in;
	} else {
		w->wants = ch == ',' && w->depth > 0 && w->lists[w->depth - 1] != UNQUOTED_PLAIN;
		w->depth -= ch == ')' && w->depth > 0;
	}
	w->before = (struct slice){0};
}

static void
unquoted_step(struct unquoted_walk *w)
{
	char ch = w->text.at[w->at];

	if (ascii_blank(ch)) {
		buf_char(w->out, ch);
		w->at++;
	} else if (bare_value_is_quote(ch) || (w->wants && (ch == '[' || ch == '{'))) {
		unquoted_copy(w);
	} else if (strchr("=<>!&|", ch) != NULL) {
		unquoted_operator(w);
	} else if (strchr("(),", ch) != NULL) {
		unquoted_bracket(w, ch);
	} else if (w->wants) {
		unquoted_value(w);
	} else {
		unquoted_name(w);
	}
}

/* Return true if @expression has a valid syntax. */
static bool
unquoted_is_right(struct call *c, const char *field, struct slice expression)
{
	struct inline_request request = {0};
	struct inline_text sent;
	enum expr_kind kind = strcmp(field, "UpdateExpression") == 0      ? EXPR_UPDATE
			      : strcmp(field, "ConditionExpression") == 0 ? EXPR_CONDITION
									  : EXPR_FILTER;

	return inline_expression(c, &request, expression, &sent) == 0 &&
	       expr_syntax(c, kind, sent.text) == 0;
}

bool
unquoted_has_clause(struct slice expression)
{
	return words_in_any_case("SET REMOVE ADD DELETE",
				 bare_value_word(ascii_trim(expression), 0));
}

/* Add a missing SET, or replace a first word of another language by a clause.  Return: false: the clause is right */
static bool
unquoted_clause(struct unquoted_walk *w)
{
	struct slice first = bare_value_word(w->text, 0);
	const char *clause = mend_foreign(first, MEND_CLAUSE);

	/* "DELETE a", without the elements to remove from a set, means REMOVE. */
	if (clause == NULL || first.len == w->text.len ||
	    (ascii_same(first, SLICE("DELETE")) &&
	     slice_chr(w->text, ' ') != slice_rchr(w->text, ' '))) {
		clause = "SET ";
	} else {
		w->at = first.len;
	}
	if (w->at == 0 && unquoted_has_clause(w->text)) {
		return false;
	}
	buf_str(w->out, clause);
	return true;
}

bool
unquoted_find(struct call *c, const char *field, struct slice expression, const struct page *sample,
	      struct unquoted *out)
{
	struct buf fixed = {.arena = &c->arena};
	struct unquoted_walk w = {
		.text = expression, .sample = sample, .out = &fixed, .found = out};

	*out = (struct unquoted){0};
	w.update = strcmp(field, "UpdateExpression") == 0;
	w.changed = w.update && unquoted_clause(&w);
	out->clause = w.changed && w.at == 0; /* else it replaces a word */
	if (w.update && slice_ends(w.text, SLICE(","))) {
		w.text.len--;
		w.changed = true;
	}
	while (w.at < w.text.len && !w.bad) {
		unquoted_step(&w);
	}
	if (w.update && w.wants) { /* "name=" */
		buf_str(w.out, "''");
		w.changed = true;
	}
	out->fixed = buf_view(&fixed);
	call_scope(own, c->now_ms);
	return w.changed && !w.bad && unquoted_is_right(&own, field, out->fixed);
}

void
unquoted_put_named(struct buf *out, struct slice expression, const struct unquoted *found)
{
	size_t end;

	if (found->clause) {
		buf_str(out, "an update begins with SET, REMOVE, ADD or DELETE: ");
	} else if (found->sign.len > 0) {
		buf_fmt(out, "%.*s is written %s: ", SLICE_ARG(found->sign), found->ours);
	} else {
		if (bare_value_is_path(found->text, &end)) {
			buf_fmt(out, "%.*s was taken for an attribute name. ",
				SLICE_ARG(found->text));
		}
		buf_str(out, found->text.len > 0 ? "Quote text: " : "write: ");
	}
	if (!typed_line_with(out, expression, found->fixed)) {
		buf_slice(out, found->fixed);
	}
}
