/* words - see words.h */
#include "tools/text/words.h"

#include "store/base/core/escape.h"
#include "store/base/text/json.h"

struct slice
words_in_next(const char **list)
{
	struct slice word = slice_of(*list, strcspn(*list, " "));

	*list += word.len + ((*list)[word.len] == ' ');
	return word;
}

static bool
words_listed(const char *list, struct slice word, bool (*same)(struct slice a, struct slice b))
{
	while (*list != '\0') {
		if (same(words_in_next(&list), word)) {
			return true;
		}
	}
	return false;
}

struct slice
words_blank_next(struct slice *rest)
{
	struct slice s = ascii_trim(*rest);
	size_t n = 0;

	while (n < s.len && !ascii_blank(s.at[n])) {
		n++;
	}
	*rest = ascii_trim(slice_skip(s, n));
	return slice_of(s.at, n);
}

/* Return true if @line begins with @words; *@rest is the text after them. */
static bool
words_begin_all(struct slice line, struct slice words, struct slice *rest)
{
	*rest = line;
	while (words.len > 0) {
		if (!ascii_same(words_blank_next(rest), words_blank_next(&words))) {
			return false;
		}
	}
	return true;
}

bool
words_begin(struct slice line, const char *all, struct slice *rest)
{
	for (size_t n = 0; *all != '\0'; all += n + (all[n] == '|')) {
		n = strcspn(all, "|");
		if (words_begin_all(line, slice_of(all, n), rest)) {
			return true;
		}
	}
	return false;
}

bool
words_plain(struct slice word)
{
	size_t n = 0;

	while (n < word.len && ascii_word(word.at[n])) {
		n++;
	}
	return n > 0 && n == word.len;
}

bool
words_have(int argc, char **argv, const char *names)
{
	bool has = false;

	for (int i = 0; i < argc; i++) {
		has = has || words_in(names, slice_of(argv[i], strcspn(argv[i], "=")));
	}
	return has;
}

bool
words_in(const char *list, struct slice word)
{
	return words_listed(list, word, slice_eq);
}

bool
words_in_any_case(const char *list, struct slice word)
{
	return words_listed(list, word, ascii_same);
}

/* Length of the object at the beginning of @s, which may be wrong JSON otherwise; 0 if its closing brace is missing */
static size_t
words_braces(struct slice s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '"') {
			i = json_string_end(s, i) - 1;
		} else if (s.at[i] == '{') {
			depth++;
		} else if (s.at[i] == '}' && --depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

static int
words_take_json(struct call *c, struct slice *rest, struct word *out)
{
	size_t n = words_braces(*rest);

	if (n == 0) {
		return call_fail(c, ERR_USAGE, "an item's closing brace is missing");
	}
	if (n < rest->len && !ascii_blank(rest->at[n])) {
		struct buf next = {.arena = &c->arena};

		(void)escape_put(&next, slice_skip(*rest, n), 1);
		return call_fail(c, ERR_USAGE, "unexpected '%.*s' after an item",
				 SLICE_ARG(buf_view(&next)));
	}
	*out = (struct word){.text = slice_of(rest->at, n), .quoted = true};
	*rest = slice_skip(*rest, n);
	return 0;
}

/* Append the text in the quotes that open at @i. Return the index after the closing quote, or 0 if it is missing. */
static size_t
take_quoted(struct slice s, size_t i, struct buf *b)
{
	char quote = s.at[i++];

	for (; i < s.len; i++) {
		if (s.at[i] == quote) {
			return i + 1;
		}
		if (quote == '"' && s.at[i] == '\\' && i + 1 < s.len && s.at[i + 1] != '\0' &&
		    strchr("\"\\$`", s.at[i + 1]) != NULL) {
			i++; /* a backslash within "..." quotes only these */
		}
		buf_char(b, s.at[i]);
	}
	return 0;
}

static int
words_take_word(struct call *c, struct slice *rest, struct word *out)
{
	struct slice s = *rest;
	struct buf b = {.arena = &c->arena};
	size_t i = 0;

	while (i < s.len && !ascii_blank(s.at[i])) {
		char ch = s.at[i];

		if (ch == '\'' || ch == '"') {
			out->quoted = true;
			i = take_quoted(s, i, &b);
			if (i == 0) {
				return call_fail(c, ERR_USAGE, "a %c is not closed", ch);
			}
			continue;
		}
		if (ch == '\\' && i + 1 < s.len) {
			out->quoted = true;
			i++;
		}
		buf_char(&b, s.at[i++]);
	}
	out->text = buf_view(&b);
	*rest = slice_skip(s, i);
	return 0;
}

int
words_next(struct call *c, struct slice *rest, struct word *out)
{
	*out = (struct word){0};
	while (rest->len > 0 && ascii_blank(rest->at[0])) {
		*rest = slice_skip(*rest, 1);
	}
	if (rest->len == 0) {
		return WORD_END;
	}
	return rest->at[0] == '{' ? words_take_json(c, rest, out) : words_take_word(c, rest, out);
}

int
words_split(struct call *c, struct slice text, struct words *out)
{
	struct word w;
	int r;

	while ((r = words_next(c, &text, &w)) == 0) {
		words_add(c, out, slice_cstr(&c->arena, w.text));
	}
	return r < 0 ? r : 0;
}

void
words_add(struct call *c, struct words *w, const char *word)
{
	/* The capacity doubles whenever n is a power of two. */
	if ((w->n & (w->n - 1)) == 0) {
		const char **at = arena_new(&c->arena, const char *, w->n == 0 ? 1 : w->n * 2);

		if (w->n > 0) {
			memcpy(at, w->at, w->n * sizeof(*at));
		}
		w->at = at;
	}
	w->at[w->n++] = word;
}
