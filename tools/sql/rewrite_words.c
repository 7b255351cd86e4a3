/* rewrite_words - see rewrite_words.h */
#include "tools/sql/rewrite_words.h"

#include "store/base/core/ascii.h"

struct slice
rewrite_next(struct slice *text)
{
	struct slice s = ascii_trim(*text);
	size_t n = 0;

	if (s.len > 0 && (s.at[0] == '\'' || s.at[0] == '"')) {
		for (n = 1; n < s.len && s.at[n] != s.at[0]; n++) {
		}
		n += n < s.len;
	} else {
		while (n < s.len && (ascii_word(s.at[n]) || strchr(".-", s.at[n]) != NULL ||
				     (unsigned char)s.at[n] >= 0x80)) {
			n++;
		}
		n = n == 0 && s.len > 0 ? 1 : n;
	}
	*text = slice_skip(s, n);
	return slice_of(s.at, n);
}

bool
rewrite_take(struct slice *text, const char *want)
{
	struct slice rest = *text;
	struct slice words = slice_from(want);

	while (words.len > 0) {
		if (!ascii_same(rewrite_next(&rest), rewrite_next(&words))) {
			return false;
		}
	}
	*text = rest;
	return true;
}

size_t
rewrite_find(struct slice text, const char *word)
{
	struct slice rest = text;

	while (rest.len > 0) {
		struct slice before = rest;

		if (rewrite_take(&rest, word)) {
			return (size_t)(before.at - text.at);
		}
		(void)rewrite_next(&rest);
	}
	return text.len;
}

struct slice
rewrite_bare(struct slice word)
{
	bool quoted = word.len > 1 && word.at[word.len - 1] == word.at[0] &&
		      (word.at[0] == '"' || word.at[0] == '\'' || word.at[0] == '`');

	return quoted ? slice_of(word.at + 1, word.len - 2) : word;
}

bool
rewrite_ends(struct slice text)
{
	text = ascii_trim(text);
	return text.len == 0 || slice_is(text, ";");
}
