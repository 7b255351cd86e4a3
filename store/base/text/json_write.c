/*
 * json_write - writes JSON: strings, indentation, and the writer that inserts commas and brackets
 *
 * Most of the output of front ends is strings, so strings without escapes are copied eight bytes at a time.
 */
#include "store/base/text/json.h"

enum { ESCAPE_MAX = 6 };

/* The letter after the backslash; 'u': \u00XX; 0: the byte needs no escape. */
static const char escapes[256] = {
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b',         't',           'n', 'u',
	'f', 'r', 'u', 'u', 'u', 'u', 'u', 'u', 'u',         'u',           'u', 'u',
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', ['"'] = '"', ['\\'] = '\\',
};

/* Copies with escapes and returns the end of the copy. @to has room for ESCAPE_MAX * @s.len bytes. */
static char *
json_write_put_escaped(char *to, struct slice s)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < s.len; i++) {
		uint8_t b = (uint8_t)s.at[i];
		char escape = escapes[b];

		if (escape == 0) {
			*to++ = (char)b;
			continue;
		}
		*to++ = '\\';
		*to++ = escape;
		if (escape == 'u') {
			*to++ = '0';
			*to++ = '0';
			*to++ = hex[b >> 4];
			*to++ = hex[b & 15];
		}
	}
	return to;
}

static void
put_with_escapes(struct buf *b, struct slice s)
{
	char *start = buf_room(b, s.len * ESCAPE_MAX + 2);
	char *to = start;

	*to++ = '"';
	to = json_write_put_escaped(to, s);
	*to++ = '"';
	b->len += (size_t)(to - start);
}

void
json_put_string(struct buf *b, struct slice s)
{
	char *start = buf_room(b, s.len + 2);
	char *end = json_copy_plain(start + 1, s);

	if (end == NULL) {
		put_with_escapes(b, s);
		return;
	}
	*start = '"';
	*end = '"';
	b->len += s.len + 2;
}

size_t
json_string_length(struct slice s)
{
	size_t n = 2 + s.len;
	size_t i = 0;

	while (i < s.len) {
		uint64_t w;

		if (s.len - i >= sizeof(w)) {
			memcpy(&w, s.at + i, sizeof(w));
			if (json_needs_escape(w) == 0) {
				i += sizeof(w);
				continue;
			}
		}
		char escape = escapes[(uint8_t)s.at[i++]];

		n += escape == 0 ? 0 : (escape == 'u' ? ESCAPE_MAX - 1 : 1);
	}
	return n;
}

static void
put_line_start(struct buf *b, size_t blanks)
{
	char *to = buf_room(b, blanks + 1);

	*to = '\n';
	memset(to + 1, ' ', blanks);
	b->len += blanks + 1;
}

void
json_put_indented(struct buf *b, struct slice compact, size_t indent)
{
	size_t depth = 0;
	char before = 0; /* first byte of the previous token */

	for (size_t i = 0; i < compact.len;) {
		char ch = compact.at[i];
		bool opener = ch == '{' || ch == '[';
		bool closer = ch == '}' || ch == ']';
		size_t end = ch == '"' ? json_string_end(compact, i) : i + 1;

		depth -= closer;
		/* An empty container stays on its line. */
		if (closer ? before != '{' && before != '['
			   : before == '{' || before == '[' || before == ',') {
			put_line_start(b, depth * indent);
		}
		buf_put(b, compact.at + i, end - i);
		if (ch == ':') {
			buf_char(b, ' ');
		}
		depth += opener;
		before = ch;
		i = end;
	}
}

void
json_writer_init(struct json_writer *w, struct buf *out, int indent)
{
	*w = (struct json_writer){.out = out, .indent = indent};
}

static void
json_write_new_line(struct json_writer *w)
{
	if (w->indent > 0) {
		put_line_start(w->out, (size_t)w->indent * (size_t)w->depth);
	}
}

/* Writes the comma and the line start that a value or a name needs before it. */
static void
json_write_lead(struct json_writer *w)
{
	if (w->named) {
		w->named = false;
		return;
	}
	if (w->depth == 0) {
		return;
	}
	if (w->some[w->depth - 1]) {
		buf_char(w->out, ',');
	}
	w->some[w->depth - 1] = true;
	json_write_new_line(w);
}

void
json_open(struct json_writer *w, char bracket)
{
	assert(w->depth < JSON_DEPTH_MAX && (bracket == '{' || bracket == '['));
	json_write_lead(w);
	buf_char(w->out, bracket);
	w->closer[w->depth] = bracket == '{' ? '}' : ']';
	w->some[w->depth] = false;
	w->depth++;
}

void
json_reopen(struct json_writer *w, char bracket)
{
	assert(w->depth < JSON_DEPTH_MAX && (bracket == '{' || bracket == '['));
	w->closer[w->depth] = bracket == '{' ? '}' : ']';
	w->some[w->depth] = true;
	w->depth++;
}

void
json_close(struct json_writer *w)
{
	assert(w->depth > 0 && !w->named);
	w->depth--;
	if (w->some[w->depth]) {
		json_write_new_line(w);
	}
	buf_char(w->out, w->closer[w->depth]);
}

void
json_name_slice(struct json_writer *w, struct slice name)
{
	json_write_lead(w);
	json_put_string(w->out, name);
	buf_char(w->out, ':');
	if (w->indent > 0) {
		buf_char(w->out, ' ');
	}
	w->named = true;
}

void
json_name(struct json_writer *w, const char *name)
{
	json_name_slice(w, slice_from(name));
}

void
json_string(struct json_writer *w, struct slice s)
{
	json_write_lead(w);
	json_put_string(w->out, s);
}

void
json_raw(struct json_writer *w, struct slice text)
{
	json_write_lead(w);
	buf_slice(w->out, text);
}

void
json_uint(struct json_writer *w, uint64_t v)
{
	json_write_lead(w);
	buf_fmt(w->out, "%llu", (unsigned long long)v);
}

void
json_bool(struct json_writer *w, bool v)
{
	json_raw(w, v ? SLICE("true") : SLICE("false"));
}

void
json_value(struct json_writer *w, const struct json *json)
{
	switch (json->type) {
	case JSON_NULL:
		json_raw(w, SLICE("null"));
		return;
	case JSON_FALSE:
	case JSON_TRUE:
		json_bool(w, json->type == JSON_TRUE);
		return;
	case JSON_NUMBER:
		json_raw(w, json->text);
		return;
	case JSON_STRING:
		json_string(w, json->text);
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	json_open(w, json->type == JSON_ARRAY ? '[' : '{');
	json_each (child, json) {
		if (json->type == JSON_OBJECT) {
			json_name_slice(w, child->name);
		}
		json_value(w, child);
	}
	json_close(w);
}
