/* sort_words - see sort_words.h */
#include "tools/text/sort_words.h"

#include "store/base/text/shell_word.h"

#include "tools/text/fmt.h"
#include "tools/text/words.h"

enum { SORT_WORDS_MAX = 8 }; /* NAME >= A AND NAME <= B has 7; the eighth is one too many */

/* The option for an operator; NULL if @sign is not an operator */
static const char *
sort_words_option(const char *sign)
{
	static const char *const rows[][2] = {
		{"= == eq", "eq"},
		{"< lt", "lt"},
		{"<= le lte", "le"},
		{"> gt", "gt"},
		{">= ge gte", "ge"},
		{"begins_with begins-with beginswith starts_with starts-with startswith like",
		 "begins-with"},
		{"between", "between"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (words_in_any_case(rows[i][0], slice_from(sign))) {
			return rows[i][1];
		}
	}
	return NULL;
}

bool
sort_words_like(struct call *c, const char *pattern, struct sort_words *out)
{
	size_t n = strcspn(pattern, "%_*");
	const char *dots = strstr(pattern, "..");

	if (dots != NULL && dots > pattern && dots[2] != '\0') {
		*out = (struct sort_words){
			"between",
			slice_cstr(&c->arena, slice_of(pattern, (size_t)(dots - pattern))),
			dots + 2};
		return true;
	}
	if (pattern[n] == '_' || pattern[n] == '\0' || pattern[n + 1] != '\0' || n == 0) {
		return false;
	}
	*out = (struct sort_words){"begins-with", slice_cstr(&c->arena, slice_of(pattern, n)),
				   NULL};
	return true;
}

bool
sort_words_read(struct call *c, struct slice name, const char *const *words, size_t n,
		struct sort_words *out)
{
	const char *sign = NULL;
	size_t at = 0;

	*out = (struct sort_words){0};
	for (; at < n && at < 2; at++) { /* the name may precede or follow the operator */
		if (sign == NULL && sort_words_option(words[at]) != NULL) {
			sign = words[at];
			out->option = sort_words_option(sign);
		} else if (!slice_is(name, words[at])) {
			break;
		}
	}
	if (sign == NULL || at == n) {
		return false;
	}
	out->a = words[at++];
	if (strcmp(out->option, "between") == 0) {
		at += at + 1 < n && strcasecmp(words[at], "and") == 0;
		out->b = at < n ? words[at++] : NULL;
		return out->b != NULL && at == n;
	}
	struct sort_words high;

	if (at + 1 < n && strcmp(out->option, "ge") == 0 && strcasecmp(words[at], "and") == 0 &&
	    sort_words_read(c, name, words + at + 1, n - at - 1, &high) &&
	    strcmp(high.option, "le") == 0) {
		*out = (struct sort_words){"between", out->a, high.a};
		return true;
	}
	return at == n && (strcasecmp(sign, "like") != 0 || sort_words_like(c, out->a, out));
}

/*
 * The end of the token at @at; @quoted: whether it is in quotes.
 * @call: brackets and commas end it, as in begins_with(NAME, VALUE)
 */
static size_t
sort_words_token(struct slice text, size_t at, bool call, bool *quoted)
{
	char first = text.at[at];
	const char *close = memchr(text.at + at + 1, first, text.len - at - 1);
	bool sign = strchr("<>=", first) != NULL;

	*quoted = (first == '\'' || first == '"') && close != NULL;
	if (*quoted) {
		return (size_t)(close - text.at) + 1;
	}
	while (at < text.len && !ascii_blank(text.at[at]) &&
	       (strchr("<>=", text.at[at]) != NULL) == sign &&
	       !(call && strchr("(),", text.at[at]) != NULL)) {
		at++;
	}
	return at;
}

bool
sort_words_text(struct call *c, struct slice name, struct slice text, struct sort_words *out)
{
	const char *words[SORT_WORDS_MAX];
	bool call = strncasecmp(slice_cstr(&c->arena, ascii_trim(text)), "begins_with", 11) == 0;
	size_t n = 0;

	for (size_t at = 0; at < text.len && n < SORT_WORDS_MAX;) {
		bool quoted;

		if (ascii_blank(text.at[at]) || (call && strchr("(),", text.at[at]) != NULL)) {
			at++;
			continue;
		}
		size_t end = sort_words_token(text, at, call, &quoted);

		words[n++] = slice_cstr(
			&c->arena, slice_of(text.at + at + quoted, end - at - (quoted ? 2 : 0)));
		at = end;
	}
	return sort_words_read(c, name, words, n, out);
}

void
sort_words_put(struct buf *b, const struct sort_words *s)
{
	assert(s->option != NULL && s->a != NULL);
	buf_fmt(b, "--%s ", s->option);
	shell_word(b, slice_from(s->a));
	if (s->b != NULL) {
		fmt_shell(b, " %", slice_from(s->b));
	}
}
