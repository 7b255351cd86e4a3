/* literal - see literal.h; inline.c finds the beginning of literals */
#include "store/expr/literal.h"

#include "store/base/text/json.h"
#include "store/model/item_json.h"

static int
literal_fail(struct call *c, size_t place, const char *why)
{
	c->error = (struct error){0};
	int r = call_fail(c, ERR_VALIDATION, "%s", why);

	c->error.place = place + 1;
	return r;
}

/* Appends one character or escape of a string, converted to JSON. */
static void
put_json(struct buf *b, struct slice s)
{
	if (s.len == 2 && s.at[1] == '\'') {
		buf_char(b, '\'');
	} else if (s.len == 1 && s.at[0] == '"') {
		buf_str(b, "\\\"");
	} else if (s.len == 1 && (unsigned char)s.at[0] < 0x20) {
		buf_fmt(b, "\\u%04x", (unsigned)s.at[0]);
	} else {
		buf_slice(b, s);
	}
}

/* Returns the length of the character, escape or doubled quote at @at; 0 at the closing quote and at the end. */
static size_t
piece(struct slice text, size_t at, char quote)
{
	char ch = at < text.len ? text.at[at] : quote;
	char next = at + 1 < text.len ? text.at[at + 1] : '\0';

	if (ch == quote) {
		return quote == '\'' && next == '\'' ? 2 : 0;
	}
	return ch == '\\' && at + 1 < text.len ? 2 : 1;
}

/* Converts the string to JSON, because the JSON parser decodes and checks the escapes. */
int
literal_string(struct call *c, struct slice text, size_t from, struct slice *out, size_t *end)
{
	const struct json *json;
	struct buf b;
	size_t at = from + 1;
	size_t n;

	assert(from < text.len && (text.at[from] == '"' || text.at[from] == '\''));
	buf_init(&b, &c->arena);
	buf_char(&b, '"');
	while ((n = piece(text, at, text.at[from])) > 0) {
		put_json(&b, slice_of(text.at + at, n));
		at += n;
	}
	if (at >= text.len) {
		return literal_fail(c, from, "The string has no closing quote");
	}
	buf_char(&b, '"');
	if (json_parse(c, buf_view(&b), JSON_STRICT, &json) < 0) {
		return literal_fail(c, from, "The string has an escape that JSON does not have");
	}
	*out = json->text;
	*end = at + 1;
	return 0;
}

/* Fails for text that json_parse() has refused, at the offset of the fault. */
static int
fail_json(struct call *c, struct slice json, size_t from)
{
	struct error e = c->error;
	size_t at;
	const char *why = json_fault(json, &at);

	if (why == NULL) { /* a duplicate name, for example: keep the message */
		return literal_fail(c, from, e.message);
	}
	return literal_fail(c, from + at, arena_print(&c->arena, "not JSON: %s", why));
}

/*
 * Converts the list or map at the beginning of @text, in which strings may have single quotes, to JSON.  Sets *end to
 * the offset after it.  Returns false if it is not closed.
 */
static bool
respell(struct slice text, struct buf *out, size_t *end)
{
	size_t depth = 0;
	size_t at = 0;
	size_t n;

	do {
		char ch = text.at[at++];

		depth += ch == '[' || ch == '{';
		depth -= ch == ']' || ch == '}';
		buf_char(out, ch == '\'' ? '"' : ch);
		while ((ch == '"' || ch == '\'') && (n = piece(text, at, ch)) > 0) {
			put_json(out, slice_of(text.at + at, n));
			at += n;
		}
		if ((ch == '"' || ch == '\'') && at < text.len) {
			buf_char(out, '"');
			at++;
		}
	} while (depth > 0 && at < text.len);
	*end = at;
	return depth == 0;
}

int
literal_json(struct call *c, struct slice text, size_t from, struct value *out, size_t *end)
{
	assert(from < text.len && (text.at[from] == '[' || text.at[from] == '{'));
	struct slice rest = slice_skip(text, from);
	size_t len = json_length(rest);
	const struct json *json;
	struct buf own;
	size_t at;

	buf_init(&own, &c->arena);
	*end = from + len;
	if ((len == 0 || json_fault(slice_of(rest.at, len), &at) != NULL) &&
	    respell(rest, &own, &at) && json_fault(buf_view(&own), end) == NULL) {
		*end = from + at;
		rest = buf_view(&own);
		len = rest.len;
	}
	/* A single quote may hide the closing bracket: report the JSON fault first. */
	if (len == 0) {
		return json_fault(rest, &at) != NULL
			       ? fail_json(c, rest, from)
			       : literal_fail(c, from, "The list or map has no closing bracket");
	}
	if (json_parse(c, slice_of(rest.at, len), JSON_STRICT, &json) < 0) {
		return fail_json(c, slice_of(rest.at, len), from);
	}
	int r = value_from_json(c, json, out);

	if (r < 0) {
		c->error.place = from + 1;
	}
	return r;
}

static size_t
sign(struct slice text, size_t at)
{
	return at < text.len && (text.at[at] == '-' || text.at[at] == '+') ? at + 1 : at;
}

size_t
literal_number_end(struct slice text, size_t from)
{
	size_t at = ascii_digits_end(text, sign(text, from));

	if (at < text.len && text.at[at] == '.') {
		at = ascii_digits_end(text, at + 1);
	}
	if (at < text.len && (text.at[at] == 'e' || text.at[at] == 'E')) {
		size_t exponent = sign(text, at + 1);
		size_t end = ascii_digits_end(text, exponent);

		at = end > exponent ? end : at;
	}
	return at;
}

bool
literal_word(struct slice word, struct value *out)
{
	if (slice_is(word, "null")) {
		*out = (struct value){.type = VALUE_NULL};
		return true;
	}
	if (slice_is(word, "true") || slice_is(word, "false")) {
		*out = (struct value){.type = VALUE_BOOL, .truth = word.at[0] == 't'};
		return true;
	}
	return false;
}

bool
literal_looks_like_word(struct slice word)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ascii_same(word, slice_from(words[i]))) {
			return true;
		}
	}
	return false;
}
