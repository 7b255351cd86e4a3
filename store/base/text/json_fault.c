/*
 * json_fault - finds where and why a text is not JSON, with the state machine of json_check.c
 *
 * The positions that yajl reports are a byte or a token off.
 */
#include <assert.h>
#include <stdlib.h>

#include "store/base/text/json.h"
#include "store/base/text/json_check_int.h"
#include "store/base/text/json_int.h"

const char *
json_fault(struct slice text, size_t *at)
{
	struct json_check k = {.any = true, .line = 1, .column = 1};

	for (*at = 0; *at < text.len; ++*at) {
		if (json_check_feed(&k, slice_of(text.at + *at, 1)) == JSON_BROKEN) {
			return k.why;
		}
	}
	return NULL;
}

int
json_fail(struct call *c, struct slice text)
{
	struct json_check k = {.any = true, .line = 1, .column = 1};

	if (json_check_feed(&k, text) != JSON_BROKEN) {
		return call_fail(c, ERR_SERIALIZATION, JSON_CHECK_PLACE "the text ends too early",
				 k.line, k.column);
	}
	return call_fail(c, ERR_SERIALIZATION, "%s", k.reason);
}

int
json_fail_at(struct call *c, struct slice text, size_t offset, const char *why)
{
	struct json_check k = {.any = true, .line = 1, .column = 1};

	assert(offset <= text.len);
	(void)json_check_feed(&k, slice_of(text.at, offset));
	return call_fail(c, ERR_SERIALIZATION, JSON_CHECK_PLACE "%s", k.line, k.column, why);
}

size_t
json_fault_line(const char *message, const char **rest)
{
	char *end;

	if (strncmp(message, JSON_CHECK_LINE, strlen(JSON_CHECK_LINE)) != 0) {
		return 0;
	}
	size_t line = strtoul(message + strlen(JSON_CHECK_LINE), &end, 10);

	*rest = end + strlen(", ");
	return line;
}
