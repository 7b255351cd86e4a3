/* json_fault - finds where and why a text is not JSON, and writes messages about it */
#include <stdlib.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/base/text/json_int.h"

/* The beginning of messages. */
#define JSON_FAULT_LINE "not JSON: line "

const char *
json_fault(struct slice text, size_t *at)
{
	struct json_check k = {.at = VALUE};

	json_check_run(&k, text);
	*at = k.next;
	return k.why;
}

static void
json_fault_put_byte(struct buf *b, char ch)
{
	if (ch == '\n') {
		buf_str(b, ", found the end of the line");
	} else if (ch == '"') {
		buf_str(b, ", found a quote");
	} else if (ch > ' ' && ch < 0x7f) {
		buf_fmt(b, ", found \"%c\"", ch);
	} else {
		buf_fmt(b, ", found byte 0x%02x", (uint8_t)ch);
	}
}

void
json_fault_put(struct buf *b, const struct json_check *k, struct slice text)
{
	struct slice mark = SLICE(UTF8_MARK);
	size_t line = 1;
	size_t column = 1;

	for (size_t i = 0; i < k->next; i++) {
		column = text.at[i] == '\n' ? 1 : column + utf8_begins(text.at[i]);
		line += text.at[i] == '\n';
	}
	if (line == 1 && k->next >= mark.len && slice_starts(text, mark)) {
		column--; /* the mark is not part of the text */
	}
	buf_fmt(b, JSON_FAULT_LINE "%zu, column %zu: %s", line, column, k->why);
	if (k->shown) {
		json_fault_put_byte(b, text.at[k->next]);
	}
	buf_char(b, '\0');
}

size_t
json_fault_line(const char *message, const char **rest)
{
	char *end;

	if (strncmp(message, JSON_FAULT_LINE, strlen(JSON_FAULT_LINE)) != 0) {
		return 0;
	}
	size_t line = strtoul(message + strlen(JSON_FAULT_LINE), &end, 10);

	*rest = end + strlen(", ");
	return line;
}
