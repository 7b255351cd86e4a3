/*
 * json_check - state machine that reads JSON, and calls json_tree.c for each token if a tree is wanted
 *
 * json_parse() passes it a whole text.  A mount passes it the text of a file that its user is still writing, again
 * after each write.  It then continues where it has stopped: at most eleven bytes before the end, since a step needs a
 * whole character, word, or first digit.  So the time does not depend on the size of the writes.
 *
 *   START    blanks, then {      ELEMENT  a value or ]
 *   FIRST    a name or }         AFTER    , or a bracket
 *   NAME     a name              DONE     blanks
 *   COLON    :                   STRING   in a string or a name
 *   VALUE    a value             BROKEN   nothing more
 *   ZERO INT FRACTION POWER      after a digit of a number
 */
#include <endian.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/base/text/json_int.h"

enum {
	ESCAPE_BYTES = 6, /* \u and four digits */
	PAIR_BYTES = 2 * ESCAPE_BYTES,
};

static const char half_pair[] = "half a surrogate pair";

struct json_check *
json_check_new(void)
{
	return mem_new(struct json_check);
}

void
json_check_free(struct json_check *k)
{
	if (k != NULL) {
		buf_release(&k->message);
		free(k);
	}
}

/* Breaks the check @offset bytes after the beginning of the step. */
static size_t
broken(struct json_check *k, size_t offset, const char *why)
{
	k->at = BROKEN;
	k->next += offset;
	k->why = why;
	return 0;
}

/* Likewise, at an unexpected byte, which the message shows; @what says what was expected. */
static size_t
expected(struct json_check *k, size_t offset, const char *what)
{
	k->shown = true;
	return broken(k, offset, what);
}

/* Returns the state after a complete value. */
static enum at
after_value(const struct json_check *k)
{
	return k->depth == 0 ? DONE : AFTER;
}

/* Returns the text from the beginning of the token, or from its last escape, to before @rest. */
static struct slice
json_check_token(const struct json_check *k, struct slice rest)
{
	size_t n = k->next - k->token;

	return slice_of(rest.at - n, n);
}

/* Ends a string, number or constant before @rest, of which this step reads @n bytes. */
static size_t
json_check_scalar_ends(struct json_check *k, enum json_type type, struct slice rest, size_t n)
{
	if (k->tree != NULL) {
		(void)json_tree_add(k->tree, type, json_check_token(k, rest));
	}
	k->at = after_value(k);
	return n;
}

static size_t
open_container(struct json_check *k, bool object)
{
	if (k->depth == JSON_DEPTH_MAX) {
		return broken(k, 0, "nested too deeply");
	}
	if (k->tree != NULL) {
		json_tree_open(k->tree, object ? JSON_OBJECT : JSON_ARRAY);
	}
	k->object[k->depth++] = object;
	k->at = object ? FIRST : ELEMENT;
	return 1;
}

static size_t
close_container(struct json_check *k)
{
	if (k->tree != NULL) {
		json_tree_close(k->tree);
	}
	k->depth--;
	k->at = after_value(k);
	return 1;
}

static size_t
json_check_string_begins(struct json_check *k, bool name)
{
	k->name = name;
	k->token = k->next + 1;
	k->at = STRING;
	return 1;
}

/* Reads @word.  Returns 0 if the text ends too early, or differs. */
static size_t
step_word(struct json_check *k, struct slice rest, const char *word, const char *what)
{
	size_t n = 0;

	while (n < rest.len && word[n] != '\0' && rest.at[n] == word[n]) {
		n++;
	}
	if (word[n] == '\0') {
		return n;
	}
	return n == rest.len ? 0 : expected(k, n, what);
}

static size_t
json_check_constant(struct json_check *k, struct slice rest, const char *word, enum json_type type)
{
	size_t n = step_word(k, rest, word, "expected a value");

	return n == 0 ? 0 : json_check_scalar_ends(k, type, rest, n);
}

/* Reads the first digit of a part of a number; it is at @offset.  Then the state is @next. */
static size_t
step_digit(struct json_check *k, struct slice rest, size_t offset, enum at next)
{
	if (offset == rest.len) {
		return 0;
	}
	if (!ascii_digit(rest.at[offset])) {
		return expected(k, offset, "expected a digit");
	}
	k->at = next == INT && rest.at[offset] == '0' ? ZERO : next;
	return offset + 1;
}

static size_t
step_value(struct json_check *k, struct slice rest)
{
	char ch = rest.at[0];

	k->token = k->next;
	switch (ch) {
	case '{':
		return open_container(k, true);
	case '[':
		return open_container(k, false);
	case '"':
		return json_check_string_begins(k, false);
	case 't':
		return json_check_constant(k, rest, "true", JSON_TRUE);
	case 'f':
		return json_check_constant(k, rest, "false", JSON_FALSE);
	case 'n':
		return json_check_constant(k, rest, "null", JSON_NULL);
	default:
		return ch == '-' || ascii_digit(ch) ? step_digit(k, rest, ch == '-', INT)
						    : expected(k, 0, "expected a value");
	}
}

static size_t
step_after(struct json_check *k, char ch)
{
	bool object = k->object[k->depth - 1];

	if (ch == ',') {
		k->at = object ? NAME : VALUE;
		return 1;
	}
	if (ch == (object ? '}' : ']')) {
		return close_container(k);
	}
	return expected(k, 0, object ? "expected a comma or }" : "expected a comma or ]");
}

static size_t
step_start(struct json_check *k, struct slice rest)
{
	if (k->next == 0 && rest.at[0] == UTF8_MARK[0]) {
		return step_word(k, rest, UTF8_MARK, "expected {");
	}
	return rest.at[0] == '{' ? open_container(k, true) : expected(k, 0, "expected {");
}

/* Outside of tokens: punctuation, and the beginning of a token. */
static size_t
step_between(struct json_check *k, struct slice rest)
{
	char ch = rest.at[0];

	if (k->at == FIRST || k->at == NAME) {
		if (ch == '"') {
			return json_check_string_begins(k, true);
		}
		return ch == '}' && k->at == FIRST ? close_container(k)
						   : expected(k, 0, "expected a name in quotes");
	}
	if (k->at == COLON) {
		k->at = VALUE;
		return ch == ':' ? 1 : expected(k, 0, "expected a colon");
	}
	if (k->at == AFTER) {
		return step_after(k, ch);
	}
	if (k->at == DONE) {
		return broken(k, 0, "text after the end");
	}
	if (k->at == START) {
		return step_start(k, rest);
	}
	return ch == ']' && k->at == ELEMENT ? close_container(k) : step_value(k, rest);
}

static size_t
step_number(struct json_check *k, struct slice rest)
{
	char ch = rest.at[0];

	if (ch == '.' && (k->at == ZERO || k->at == INT)) {
		return step_digit(k, rest, 1, FRACTION);
	}
	if ((ch == 'e' || ch == 'E') && k->at != POWER) {
		bool sign = rest.len > 1 && (rest.at[1] == '+' || rest.at[1] == '-');

		return step_digit(k, rest, sign ? 2 : 1, POWER);
	}
	(void)json_check_scalar_ends(k, JSON_NUMBER, rest, 0);
	return ascii_blank(ch) ? 1 : step_between(k, rest);
}

/* Ends an escape of @n bytes that means @ch. */
static size_t
json_check_escape_ends(struct json_check *k, struct slice rest, size_t n, uint32_t ch)
{
	if (k->tree != NULL) {
		json_tree_escape(k->tree, json_check_token(k, rest), ch);
	}
	k->token = k->next + n;
	return n;
}

/*
 * Reads the code unit of the escape \u at @offset.  Returns false if the text ends too early, or if it is broken: a
 * missing \u means that the second half of a surrogate pair is missing.
 */
static bool
json_check_code_unit(struct json_check *k, struct slice rest, size_t offset, uint32_t *unit)
{
	*unit = 0;
	for (size_t i = 0; i < ESCAPE_BYTES && offset + i < rest.len; i++) {
		char ch = rest.at[offset + i];
		char lower = ascii_lower(ch);

		if (i < 2) {
			if (ch != (i == 0 ? '\\' : 'u')) {
				return broken(k, offset + i, half_pair);
			}
		} else if (ascii_digit(ch)) {
			*unit = *unit * 16 + (uint32_t)(ch - '0');
		} else if (lower >= 'a' && lower <= 'f') {
			*unit = *unit * 16 + (uint32_t)(lower - 'a' + 10);
		} else {
			return expected(k, offset + i, "expected four hex digits after \\u");
		}
	}
	return rest.len - offset >= ESCAPE_BYTES;
}

/* Reads an escape \u, or two for a surrogate pair. */
static size_t
json_check_unicode(struct json_check *k, struct slice rest)
{
	uint32_t unit;
	uint32_t low;

	if (!json_check_code_unit(k, rest, 0, &unit)) {
		return 0;
	}
	if (unit < 0xd800 || unit > 0xdfff) {
		return json_check_escape_ends(k, rest, ESCAPE_BYTES, unit);
	}
	if (unit > 0xdbff) {
		return broken(k, ESCAPE_BYTES - 1, half_pair);
	}
	if (!json_check_code_unit(k, rest, ESCAPE_BYTES, &low)) {
		return 0;
	}
	if (low < 0xdc00 || low > 0xdfff) {
		return broken(k, PAIR_BYTES - 1, half_pair);
	}
	return json_check_escape_ends(k, rest, PAIR_BYTES,
				      0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
}

static size_t
step_escape(struct json_check *k, struct slice rest)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";

	if (rest.len < 2) {
		return 0;
	}
	if (rest.at[1] == 'u') {
		return json_check_unicode(k, rest);
	}
	const char *letter = slice_chr(SLICE(letters), rest.at[1]);

	return letter == NULL
		       ? broken(k, 1, "no such escape")
		       : json_check_escape_ends(k, rest, 2, (uint32_t)meanings[letter - letters]);
}

static size_t
step_string(struct json_check *k, struct slice rest)
{
	if (rest.at[0] == '"' && k->name) {
		if (k->tree != NULL) {
			json_tree_name(k->tree, json_check_token(k, rest));
		}
		bool colon =
			rest.len > 1 && rest.at[1] == ':'; /* mostly there is no blank before it */

		k->at = colon ? VALUE : COLON;
		return colon ? 2 : 1;
	}
	if (rest.at[0] == '"') {
		return json_check_scalar_ends(k, JSON_STRING, rest, 1);
	}
	if (rest.at[0] == '\\') {
		return step_escape(k, rest);
	}
	if ((uint8_t)rest.at[0] < 0x20) {
		return broken(k, 0, "a control character in a string must be escaped");
	}
	return utf8_length(rest) == 0 ? broken(k, 0, "not UTF-8") : 0;
}

/* Returns the length of the characters at the beginning of @s that need no escape; they are valid UTF-8. */
static size_t
json_check_plain_length(struct slice s)
{
	size_t i = 0;

	while (i < s.len) {
		uint64_t w = 0; /* after the end, null characters stop the loop */

		if (s.len - i >= sizeof(w)) {
			memcpy(&w, s.at + i, sizeof(w));
		} else {
			memcpy(&w, s.at + i, s.len - i);
		}
		w = le64toh(w);
		uint64_t stop = json_needs_escape(w) | (w & UINT64_C(0x8080808080808080));

		if (stop == 0) {
			i += sizeof(w);
			continue;
		}
		i += (size_t)__builtin_ctzll(stop) / 8;
		if (i >= s.len || (uint8_t)s.at[i] < 0x80) {
			break;
		}
		while (i < s.len && (uint8_t)s.at[i] >= 0x80) {
			size_t n = utf8_length(slice_skip(s, i));

			if (n == 0 || n > s.len - i) {
				return i;
			}
			i += n;
		}
	}
	return i;
}

/* Returns the number of bytes at the beginning of @rest that do not change the state. */
static size_t
json_check_same(const struct json_check *k, struct slice rest)
{
	size_t n = 0;

	if (k->at == STRING) {
		return json_check_plain_length(rest);
	}
	if (k->at > STRING) {
		return k->at == ZERO ? 0 : ascii_digits_end(rest, 0);
	}
	while (n < rest.len && ascii_blank(rest.at[n])) {
		n++;
	}
	return n;
}

void
json_check_run(struct json_check *k, struct slice text)
{
	size_t n = 1;

	for (; n > 0 && (k->tree == NULL || !k->tree->ended); k->next += n) {
		k->next += json_check_same(k, slice_skip(text, k->next));
		if (k->next == text.len) {
			return;
		}
		struct slice rest = slice_skip(text, k->next);

		n = k->at == STRING  ? step_string(k, rest)
		    : k->at < STRING ? step_between(k, rest)
				     : step_number(k, rest);
	}
}

bool
json_check_end(struct json_check *k, struct slice text)
{
	bool in_number = k->at > STRING && k->at < BROKEN;

	if (in_number && k->depth == 0 && k->next == text.len) {
		(void)json_check_scalar_ends(k, JSON_NUMBER, slice_skip(text, text.len), 0);
	}
	if (k->at != DONE && k->at != BROKEN) {
		(void)broken(k, text.len - k->next, "the text ends too early");
	}
	return k->at == DONE;
}

enum json_state
json_check_text(struct json_check *k, struct slice text)
{
	if (k->at == BROKEN) {
		return JSON_BROKEN;
	}
	assert(k->next <= text.len); /* the text only grows */
	json_check_run(k, text);
	if (k->at == BROKEN) {
		json_fault_put(&k->message, k, text);
		return JSON_BROKEN;
	}
	return k->at == DONE ? JSON_WHOLE : JSON_OPEN;
}

const char *
json_check_reason(const struct json_check *k)
{
	return k->at == BROKEN ? k->message.at : "";
}
