/* envelope_scan - see envelope_scan.h */
#include "tools/load/envelope_scan.h"

#include <string.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"

size_t
envelope_scan_place(const struct envelope_scan *s)
{
	return (size_t)(s->rest.at - s->begin);
}

char
envelope_scan_peek(struct envelope_scan *s)
{
	while (s->rest.len > 0 && ascii_blank(s->rest.at[0])) {
		s->rest = slice_skip(s->rest, 1);
	}
	return s->rest.len > 0 ? s->rest.at[0] : '\0';
}

int
envelope_scan_take(struct envelope_scan *s, char ch)
{
	char there = envelope_scan_peek(s);

	if (there != ch) {
		return there == '\0' ? STEP_MORE : STEP_NOT;
	}
	s->rest = slice_skip(s->rest, 1);
	return 0;
}

/* Take a string; @out: without its quotes, with its escapes. */
static int
envelope_scan_string(struct envelope_scan *s, struct slice *out)
{
	int r = envelope_scan_take(s, '"');
	size_t n = 0;

	while (r == 0 && n < s->rest.len && s->rest.at[n] != '"') {
		n += s->rest.at[n] == '\\' ? 2 : 1;
	}
	r = r == 0 && n >= s->rest.len ? STEP_MORE : r;
	if (r == 0) {
		*out = slice_of(s->rest.at, n);
		s->rest = slice_skip(s->rest, n + 1);
	}
	return r;
}

int
envelope_scan_value(struct envelope_scan *s, struct slice *out)
{
	char first = envelope_scan_peek(s);
	size_t n = 0;

	*out = s->rest;
	if (first == '"') {
		int r = envelope_scan_string(s, out);

		*out = slice_of(out->at - 1, out->len + 2);
		return r;
	}
	if (first == '{' || first == '[') {
		n = json_length(s->rest);
	} else {
		while (n < s->rest.len && !ascii_blank(s->rest.at[n]) &&
		       strchr(",]}", s->rest.at[n]) == NULL) {
			n++;
		}
		if (n == 0 && s->rest.len > 0) {
			return STEP_NOT;
		}
		n = n == s->rest.len ? 0 : n;
	}
	*out = slice_of(s->rest.at, n);
	s->rest = slice_skip(s->rest, n);
	return n == 0 ? STEP_MORE : 0;
}

int
envelope_scan_name(struct envelope_scan *s, struct slice *out)
{
	int r = envelope_scan_string(s, out);

	return r == 0 ? envelope_scan_take(s, ':') : r;
}

int
envelope_scan_next(struct envelope_scan *s, char close, bool first, bool *ended)
{
	char there = envelope_scan_peek(s);

	*ended = there == close;
	if (*ended) {
		return envelope_scan_take(s, close);
	}
	return first ? (there == '\0' ? STEP_MORE : 0) : envelope_scan_take(s, ',');
}

int
envelope_scan_next_name(struct envelope_scan *s, bool first, struct slice *name, bool *ended)
{
	int r = envelope_scan_next(s, '}', first, ended);

	return r != 0 || *ended ? r : envelope_scan_name(s, name);
}
