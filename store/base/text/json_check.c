/*
 * json_check - state machine over single bytes, for a file that a mount's user is still writing
 *
 * yajl is not used here: it examines a whole token again whenever another piece of it arrives, so small writes
 * of a long string would take quadratic time.  It would also need help with UTF-8 and surrogates that are
 * split between two pieces.  json_parse() of the whole text decides in the end; tests keep the two consistent.
 * json_fault.c uses the state machine, too, because the positions that yajl reports are a byte or a token off.
 *
 *   START    blanks, then {        STRING   in a string or a name
 *   FIRST    a name or }           ESCAPE   after a backslash
 *   NAME     a name                HEX      in the digits after \u
 *   COLON    :                     LOW      \ of the second half of a surrogate pair
 *   VALUE    a value               LOW_U    u of it
 *   ELEMENT  a value or ]          UTF8     in a character of several bytes
 *   AFTER    , or a bracket        MINUS DOT E SIGN          in a number, digits must follow
 *   DONE     blanks                ZERO INT FRACTION POWER   in a number that may end here
 *   BROKEN   nothing more          WORD     in true, false, null
 */
#include <stdio.h>
#include <stdlib.h>

#include "store/base/core/ascii.h"
#include "store/base/core/mem.h"
#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/base/text/json_check_int.h"

struct json_check *
json_check_new(void)
{
	struct json_check *k = mem_new(struct json_check);

	k->line = 1;
	k->column = 1;
	return k;
}

void
json_check_free(struct json_check *k)
{
	free(k);
}

static enum at
broken(struct json_check *k, const char *why)
{
	k->why = why;
	(void)snprintf(k->reason, sizeof(k->reason), JSON_CHECK_PLACE "%s", k->line, k->column,
		       why);
	return BROKEN;
}

/* Breaks the check at the unexpected byte @b; @what says what was expected. */
static enum at
expected(struct json_check *k, const char *what, uint8_t b)
{
	enum at at = broken(k, what);
	size_t n = strlen(k->reason);
	char *end = k->reason + n;

	if (b == '\n') {
		(void)snprintf(end, sizeof(k->reason) - n, ", found the end of the line");
	} else if (b == '"') {
		(void)snprintf(end, sizeof(k->reason) - n, ", found a quote");
	} else if (b > ' ' && b < 0x7f) {
		(void)snprintf(end, sizeof(k->reason) - n, ", found \"%c\"", b);
	} else {
		(void)snprintf(end, sizeof(k->reason) - n, ", found byte 0x%02x", b);
	}
	return at;
}

static enum at
open_container(struct json_check *k, bool object)
{
	if (k->depth == JSON_DEPTH_MAX) {
		return broken(k, "nested too deeply");
	}
	k->object[k->depth++] = object;
	return object ? FIRST : ELEMENT;
}

/* Returns the state after a complete value. */
static enum at
after_value(const struct json_check *k)
{
	return k->depth == 0 ? DONE : AFTER;
}

static enum at
close_container(struct json_check *k)
{
	k->depth--;
	return after_value(k);
}

static enum at
step_string_start(struct json_check *k, bool name)
{
	k->name = name;
	return STRING;
}

static enum at
step_value(struct json_check *k, uint8_t b)
{
	switch (b) {
	case '{':
		return open_container(k, true);
	case '[':
		return open_container(k, false);
	case '"':
		return step_string_start(k, false);
	case '-':
		return MINUS;
	case '0':
		return ZERO;
	case 't':
		k->word = "rue";
		return WORD;
	case 'f':
		k->word = "alse";
		return WORD;
	case 'n':
		k->word = "ull";
		return WORD;
	default:
		return ascii_digit((char)b) ? INT : expected(k, "expected a value", b);
	}
}

static enum at
step_after(struct json_check *k, uint8_t b)
{
	bool object = k->object[k->depth - 1];

	if (b == ',') {
		return object ? NAME : VALUE;
	}
	if (b == (object ? '}' : ']')) {
		return close_container(k);
	}
	return expected(k, object ? "expected a comma or }" : "expected a comma or ]", b);
}

static enum at
step_start(struct json_check *k, uint8_t b)
{
	static const uint8_t mark[] = {0xef, 0xbb, 0xbf};
	bool in_mark = k->mark > 0 && k->mark < sizeof(mark);
	bool first = k->mark == 0 && k->line == 1 && k->column == 1;

	if ((in_mark || first) && b == mark[k->mark]) {
		k->mark++;
		k->column = k->mark == sizeof(mark)
				    ? 1
				    : k->column; /* the mark is not part of the text */
		return START;
	}
	if (ascii_blank((char)b) && !in_mark) {
		return START;
	}
	return b == '{' && !in_mark ? open_container(k, true) : expected(k, "expected {", b);
}

/* Outside of tokens: punctuation, and the first byte of a token. */
static enum at
step_between(struct json_check *k, uint8_t b)
{
	if (k->at == START && !k->any) {
		return step_start(k, b);
	}
	if (ascii_blank((char)b)) {
		return k->at;
	}
	if (k->at == FIRST || k->at == NAME) {
		if (b == '"') {
			return step_string_start(k, true);
		}
		return b == '}' && k->at == FIRST ? close_container(k)
						  : expected(k, "expected a name in quotes", b);
	}
	if (k->at == COLON) {
		return b == ':' ? VALUE : expected(k, "expected a colon", b);
	}
	if (k->at == AFTER) {
		return step_after(k, b);
	}
	if (k->at == DONE) {
		return broken(k, "text after the end");
	}
	return b == ']' && k->at == ELEMENT ? close_container(k) : step_value(k, b);
}

/* First byte of a character of several bytes: sets the range of the next one, as in utf8.c. */
static enum at
step_lead(struct json_check *k, uint8_t b)
{
	k->lo = b == 0xe0 ? 0xa0 : (b == 0xf0 ? 0x90 : 0x80);
	k->hi = b == 0xed ? 0x9f : (b == 0xf4 ? 0x8f : 0xbf);
	if (b >= 0xc2 && b <= 0xdf) {
		k->utf8_left = 1;
	} else if (b >= 0xe0 && b <= 0xef) {
		k->utf8_left = 2;
	} else if (b >= 0xf0 && b <= 0xf4) {
		k->utf8_left = 3;
	} else {
		return broken(k, "not UTF-8");
	}
	return UTF8;
}

static enum at
step_utf8(struct json_check *k, uint8_t b)
{
	if (b < k->lo || b > k->hi) {
		k->column--; /* the first byte has counted the character already */
		return broken(k, "not UTF-8");
	}
	k->lo = 0x80;
	k->hi = 0xbf;
	return --k->utf8_left == 0 ? STRING : UTF8;
}

static enum at
step_hex(struct json_check *k, uint8_t b)
{
	unsigned letter = b | 0x20U;

	if (ascii_digit((char)b)) {
		k->unit = k->unit * 16 + b - '0';
	} else if (letter >= 'a' && letter <= 'f') {
		k->unit = k->unit * 16 + letter - 'a' + 10;
	} else {
		return expected(k, "expected four hex digits after \\u", b);
	}
	if (--k->hex_left > 0) {
		return HEX;
	}
	bool high = k->unit >= 0xd800 && k->unit <= 0xdbff;
	bool low = k->unit >= 0xdc00 && k->unit <= 0xdfff;

	if (low != k->low) {
		return broken(k, "half a surrogate pair");
	}
	k->low = high;
	return high ? LOW : STRING;
}

static enum at
step_escape(struct json_check *k, uint8_t b)
{
	if (b == 'u') {
		k->hex_left = 4;
		k->unit = 0;
		return HEX;
	}
	if (b == '\0' || strchr("\"\\/bfnrt", b) == NULL) {
		return broken(k, "no such escape");
	}
	return STRING;
}

/* In a string, between two characters. */
static enum at
step_string(struct json_check *k, uint8_t b)
{
	if (b == '"') {
		return k->name ? COLON : after_value(k);
	}
	if (b == '\\') {
		return ESCAPE;
	}
	if (b < 0x20) {
		return broken(k, "a control character in a string must be escaped");
	}
	return b < 0x80 ? STRING : step_lead(k, b);
}

/* In a character of a string: an escape, or several bytes. */
static enum at
step_char(struct json_check *k, uint8_t b)
{
	if (k->at == ESCAPE) {
		return step_escape(k, b);
	}
	if (k->at == HEX) {
		return step_hex(k, b);
	}
	if (k->at == UTF8) {
		return step_utf8(k, b);
	}
	if (k->at == LOW && b == '\\') {
		return LOW_U;
	}
	return k->at == LOW_U && b == 'u' ? step_escape(k, b) : broken(k, "half a surrogate pair");
}

/* In a number that needs a digit (or, after e, a sign) to be valid. */
static enum at
step_digit(struct json_check *k, uint8_t b)
{
	if (k->at == E && (b == '+' || b == '-')) {
		return SIGN;
	}
	if (!ascii_digit((char)b)) {
		return expected(k, "expected a digit", b);
	}
	if (k->at == MINUS) {
		return b == '0' ? ZERO : INT;
	}
	return k->at == DOT ? FRACTION : POWER;
}

/* In a number that is valid already: it ends at the first byte that is not part of it. */
static enum at
step_number(struct json_check *k, uint8_t b)
{
	if (ascii_digit((char)b) && k->at != ZERO) {
		return k->at;
	}
	if (b == '.' && (k->at == ZERO || k->at == INT)) {
		return DOT;
	}
	if ((b == 'e' || b == 'E') && k->at != POWER) {
		return E;
	}
	k->at = after_value(k);
	return step_between(k, b);
}

static enum at
step_word(struct json_check *k, uint8_t b)
{
	if (b != (uint8_t)*k->word) {
		return expected(k, "expected a value", b);
	}
	k->word++;
	return *k->word == '\0' ? after_value(k) : WORD;
}

static enum at
json_check_step(struct json_check *k, uint8_t b)
{
	if (k->at == STRING) {
		return step_string(k, b);
	}
	if (k->at < STRING) {
		return step_between(k, b);
	}
	if (k->at < MINUS) {
		return step_char(k, b);
	}
	if (k->at < ZERO) {
		return step_digit(k, b);
	}
	return k->at < WORD ? step_number(k, b) : step_word(k, b);
}

enum json_state
json_check_feed(struct json_check *k, struct slice bytes)
{
	for (size_t i = 0; i < bytes.len && k->at != BROKEN; i++) {
		uint8_t b = (uint8_t)bytes.at[i];

		k->at = json_check_step(k, b);
		if (b == '\n') {
			k->line++;
			k->column = 1;
		} else {
			k->column += utf8_begins((char)b);
		}
	}
	if (k->at == BROKEN) {
		return JSON_BROKEN;
	}
	return k->at == DONE ? JSON_WHOLE : JSON_OPEN;
}

const char *
json_check_reason(const struct json_check *k)
{
	return k->reason;
}

size_t
json_length(struct slice text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		switch (text.at[i]) {
		case '"':
			for (i++; i < text.len && text.at[i] != '"'; i++) {
				i += text.at[i] == '\\';
			}
			break;
		case '{':
		case '[':
			depth++;
			break;
		case '}':
		case ']':
			if (--depth == 0) {
				return i + 1;
			}
			break;
		default:
			break;
		}
	}
	return 0;
}
