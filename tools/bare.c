/* bare - a look at the words of an expression, without its grammar */
#include "tools/bare.h"

#include "store/base/ascii.h"

/* Where the look stands; each token is borrowed from the text. */
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

/* The next token: a run of letters, an operator, something in quotes, or one other byte; empty: the end. */
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
	} else if (bare_is_name(first) || bare_is_operator(first)) {
		bool name = bare_is_name(first);

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
	return slice_is(token, "true") || slice_is(token, "false") || slice_is(token, "null");
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
