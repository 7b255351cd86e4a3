/* rewrite_json - see rewrite_json.h */
#include "tools/text/rewrite_json.h"

#include "store/base/text/json.h"

/* The state of rewrite_json() */
struct rewrite_json {
	struct slice rest;
	struct buf out;
	char open[16]; /* the closing bracket of each open object and array */
	size_t depth;
	bool name; /* the next word is a name */
};

/* A text in single or double quotes; false if its closing quote is missing */
static bool
rewrite_string(struct rewrite_json *j)
{
	char quote = j->rest.at[0];
	size_t i = 1;

	buf_char(&j->out, '"');
	for (; i < j->rest.len && j->rest.at[i] != quote; i++) {
		char ch = j->rest.at[i];

		if (ch == '\\' && i + 1 < j->rest.len) {
			ch = j->rest.at[++i];
			buf_str(&j->out, ch == '\'' ? "" : "\\");
		} else if (ch == '"') {
			buf_char(&j->out, '\\');
		}
		buf_char(&j->out, ch);
	}
	buf_char(&j->out, '"');
	bool ends = i < j->rest.len;

	j->rest = slice_skip(j->rest, i + ends);
	return ends;
}

/* A name or value without quotes: a number, a word of JSON or of Python, or a text. */
static void
rewrite_bare_word(struct rewrite_json *j)
{
	static const char *const words[][2] = {
		{"True", "true"}, {"False", "false"}, {"None", "null"}};
	const char *ends = j->name ? ":,}" : ",}]";
	size_t n = 0;
	size_t at;

	while (n < j->rest.len && strchr(ends, j->rest.at[n]) == NULL) {
		n++;
	}
	struct slice word = ascii_trim(slice_of(j->rest.at, n));
	bool plain = !j->name && json_fault(word, &at) == NULL;

	j->rest = slice_skip(j->rest, n);
	for (size_t i = 0; !j->name && i < sizeof(words) / sizeof(words[0]); i++) {
		if (slice_is(word, words[i][0])) {
			buf_str(&j->out, words[i][1]);
			return;
		}
	}
	buf_fmt(&j->out, plain ? "%.*s" : "\"%.*s\"", SLICE_ARG(word));
}

/* A bracket, a comma or a colon; false if brackets do not match or are nested too deeply */
static bool
rewrite_sign(struct rewrite_json *j, char ch)
{
	assert(j->depth <= sizeof(j->open));
	bool opens = ch == '{' || ch == '[';

	if (opens && j->depth == sizeof(j->open)) {
		return false;
	}
	if (opens) {
		j->open[j->depth++] = ch == '{' ? '}' : ']';
	} else if (ch == '}' || ch == ']') {
		while (j->out.len > 0 && strchr(", \t\n", j->out.at[j->out.len - 1]) != NULL) {
			j->out.len--; /* a trailing comma */
		}
		if (j->depth == 0 || j->open[--j->depth] != ch) {
			return false;
		}
	}
	j->name = ch == '{' || (ch == ',' && j->depth > 0 && j->open[j->depth - 1] == '}');
	buf_char(&j->out, ch);
	j->rest = slice_skip(j->rest, 1);
	return true;
}

/* Copy blanks, or skip a comment; false if there is neither */
static bool
rewrite_gap(struct rewrite_json *j)
{
	struct slice s = j->rest;
	size_t n = 0;

	while (n < s.len && ascii_blank(s.at[n])) {
		n++;
	}
	if (n == 0 && slice_starts(s, SLICE("/*"))) {
		const char *end = memmem(s.at, s.len, "*/", 2);

		n = end == NULL ? s.len : (size_t)(end + 2 - s.at);
	} else if (n == 0 && slice_starts(s, SLICE("//"))) {
		const char *end = slice_chr(s, '\n');

		n = end == NULL ? s.len : (size_t)(end - s.at);
	} else {
		buf_put(&j->out, s.at, n);
	}
	j->rest = slice_skip(s, n);
	return n > 0;
}

/* Remove the escapes of another shell before double quotes, as in {\"a\":1} and {""a"":1}. */
static struct slice
rewrite_quotes(struct slice text, struct buf *out)
{
	char before = text.len > 2 && text.at[0] == '{' && text.at[2] == '"' ? text.at[1] : '\0';

	if (before != '\\' && before != '"') {
		return text;
	}
	for (size_t i = 0; i < text.len; i++) {
		i += text.at[i] == before && i + 1 < text.len && text.at[i + 1] == '"';
		buf_char(out, text.at[i]);
	}
	return buf_view(out);
}

bool
rewrite_json(struct slice text, struct buf *out)
{
	cleanup(buf_release) struct buf bare = {0};
	struct rewrite_json j = {.rest = rewrite_quotes(ascii_trim(text), &bare)};
	bool good = j.rest.len > 0 && (j.rest.at[0] == '{' || j.rest.at[0] == '[');
	size_t at;

	while (good && j.rest.len > 0) {
		char ch = j.rest.at[0];

		if (rewrite_gap(&j)) {
			continue;
		}
		if (ch == '"' || ch == '\'') {
			good = rewrite_string(&j);
		} else if (strchr("{}[],:", ch) != NULL) {
			good = rewrite_sign(&j, ch);
		} else {
			rewrite_bare_word(&j);
		}
	}
	while (good && j.depth > 0) {
		buf_char(&j.out, j.open[--j.depth]);
	}
	good = good && json_fault(buf_view(&j.out), &at) == NULL;
	if (good) {
		buf_slice(out, buf_view(&j.out));
	}
	buf_release(&j.out);
	return good;
}
