/* bare - see bare.h; an expression as a sequence of tokens */
#include "tools/text/bare.h"

#include "tools/text/words.h"

/* A position in the text. Tokens are borrowed from the text. */
struct bare_walk {
	struct slice text;
	size_t at;
};

static bool
bare_is_name(char ch)
{
	return ascii_word(ch) || ch == '.' || ch == '-' || (unsigned char)ch >= 0x80;
}

static bool
bare_is_operator(char ch)
{
	return ch == '=' || ch == '<' || ch == '>';
}

/* The next token: a name, a placeholder, an operator, a text in quotes, or one other byte; empty at the end */
static struct slice
bare_next(struct bare_walk *w)
{
	struct slice s = w->text;

	while (w->at < s.len &&
	       (s.at[w->at] == ' ' || s.at[w->at] == '\t' || s.at[w->at] == '\n')) {
		w->at++;
	}
	size_t from = w->at;

	if (from == s.len) {
		return (struct slice){0};
	}
	char first = s.at[w->at++];

	if (first == '"' || first == '\'' || first == '`') {
		while (w->at < s.len && s.at[w->at++] != first) {
		}
	} else if (bare_is_name(first) || bare_is_operator(first) || first == '#' ||
		   first == ':') { /* # and : begin a placeholder */
		bool name = !bare_is_operator(first);

		while (w->at < s.len &&
		       (name ? bare_is_name(s.at[w->at]) : bare_is_operator(s.at[w->at]))) {
			w->at++;
		}
	}
	return slice_of(s.at + from, w->at - from);
}

static bool
bare_is_word(struct slice token)
{
	return token.len > 0 && bare_is_name(token.at[0]) && !ascii_digit(token.at[0]) &&
	       token.at[0] != '-' && token.at[0] != '.';
}

static bool
bare_is_constant(struct slice token)
{
	return words_in("true false null", token);
}

bool
bare_find(struct slice expression, struct bare *out)
{
	struct bare_walk w = {.text = expression};
	struct slice before[2] = {{0}}; /* the last token, and the one before it */

	for (struct slice token = bare_next(&w); token.len > 0; token = bare_next(&w)) {
		struct bare_walk ahead = w;
		struct slice next = bare_next(&ahead);
		bool call = next.len > 0 && (next.at[0] == '(' || next.at[0] == '[');

		if (bare_is_word(token) && !bare_is_constant(token) && !call && before[0].len > 0 &&
		    bare_is_operator(before[0].at[0]) && bare_is_word(before[1])) {
			*out = (struct bare){before[1], before[0], token};
			return true;
		}
		before[1] = before[0];
		before[0] = token;
	}
	return false;
}

static bool
bare_is_keyword(struct slice token)
{
	return words_in_any_case("AND OR NOT IN BETWEEN WHERE IS MISSING", token) ||
	       bare_is_constant(token);
}

struct slice
bare_name(struct slice expression, size_t *at)
{
	struct bare_walk w = {.text = expression, .at = *at};
	struct slice found = {0};

	for (struct slice token = bare_next(&w); token.len > 0 && found.len == 0;
	     token = found.len > 0 ? token : bare_next(&w)) {
		struct bare_walk ahead = w;
		struct slice next = bare_next(&ahead);

		if (bare_is_word(token) && !bare_is_keyword(token) &&
		    (next.len == 0 || next.at[0] != '(')) {
			const char *dot = slice_chr(token, '.');

			found = dot == NULL ? token : slice_of(token.at, (size_t)(dot - token.at));
		}
	}
	*at = w.at;
	return found;
}

/* ------------------------------------------------------------ literals */

enum { BARE_BEHIND = 4 };

/* The tokens before the current one, the nearest first */
struct bare_behind {
	struct slice at[BARE_BEHIND];
};

static bool
bare_is_literal(struct slice token)
{
	char first = token.at[0];
	bool number =
		ascii_digit(first) || (first == '-' && token.len > 1 && ascii_digit(token.at[1]));

	return number || bare_is_constant(token) || (first == ':' && token.len > 1) ||
	       (token.len > 1 && (first == '\'' || first == '"') &&
		token.at[token.len - 1] == first);
}

static bool
bare_is_path(struct slice token)
{
	return (token.len > 2 && token.at[0] == '"') ||
	       (bare_is_word(token) && !bare_is_keyword(token)) ||
	       (token.len > 1 && token.at[0] == '#');
}

/* Return true if the token after @b is compared with a name; set the name and the comparator of @out. */
static bool
bare_compared(const struct bare_behind *b, struct bare *out)
{
	const struct slice *at = b->at;

	if (at[0].len == 0) {
		return false;
	}
	if (bare_is_operator(at[0].at[0]) || ascii_same(at[0], SLICE("BETWEEN"))) {
		*out = (struct bare){.name = at[1], .comparator = at[0]};
	} else if (slice_is(at[0], "(") || slice_is(at[0], "[")) {
		*out = (struct bare){.name = at[2], .comparator = at[1]};
		if (!ascii_same(at[1], SLICE("IN"))) {
			return false;
		}
	} else if (slice_is(at[0], ",") && slice_is(at[2], "(") &&
		   ascii_same(at[3], SLICE("begins_with"))) {
		*out = (struct bare){.name = at[1], .comparator = at[3]};
	} else {
		return false;
	}
	if (!bare_is_path(out->name)) {
		return false;
	}
	if (out->name.at[0] == '"') { /* a name in PartiQL */
		out->name = slice_of(out->name.at + 1, out->name.len - 2);
	}
	return true;
}

bool
bare_literal(struct slice expression, size_t *at, struct bare *out)
{
	struct bare_walk w = {.text = expression, .at = *at};
	struct bare_behind behind = {{{0}}};
	bool found = false;

	for (struct slice token = bare_next(&w); token.len > 0 && !found; token = bare_next(&w)) {
		found = bare_is_literal(token) && bare_compared(&behind, out);
		out->word = found ? token : out->word;
		memmove(behind.at + 1, behind.at, sizeof(behind.at) - sizeof(behind.at[0]));
		behind.at[0] = token;
		*at = w.at;
	}
	return found;
}
