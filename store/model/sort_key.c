/* sort_key - see sort_key.h; FORMAT.md, "Keys", has examples */
#include "store/model/sort_key.h"

#include "store/model/number.h"

/* A byte 00 inside a value is written as 00 FF, the end of a value as 00 01, so a prefix sorts first. */
enum { ESCAPED_ZERO = 0xFF, ESCAPED_END = 0x01 };

/* number_to_key() writes at most 22 bytes. */
enum { NUMBER_KEY_MAX = 32 };

static void
sort_key_put_escaped(struct buf *out, struct slice s)
{
	while (s.len > 0) {
		const char *zero = slice_chr(s, 0);

		if (zero == NULL) {
			buf_slice(out, s);
			return;
		}
		size_t n = (size_t)(zero - s.at) + 1;

		buf_put(out, s.at, n);
		buf_char(out, (char)ESCAPED_ZERO);
		s = slice_skip(s, n);
	}
}

/* Writes directly into the key; only a number with a byte 00, which is rare, is written twice. */
static void
sort_key_put_number(struct buf *out, struct slice text)
{
	struct number n = number_read(text);
	size_t from = out->len;

	number_to_key(out, &n);

	size_t len = out->len - from;

	if (memchr(out->at + from, 0, len) != NULL) {
		char raw[NUMBER_KEY_MAX];

		assert(len <= sizeof(raw));
		memcpy(raw, out->at + from, len);
		out->len = from;
		sort_key_put_escaped(out, slice_of(raw, len));
	}
}

void
sort_key_put(struct buf *out, const struct value *v)
{
	assert(value_is_ordered(v->type));
	if (v->type == VALUE_N) {
		sort_key_put_number(out, v->text);
	} else {
		sort_key_put_escaped(out, v->text);
	}
}

size_t
sort_key_room(const struct value *v)
{
	return v->type == VALUE_N ? NUMBER_KEY_MAX : v->text.len + 2;
}

void
sort_key_end(struct buf *out)
{
	const char end[] = {0, ESCAPED_END};

	buf_put(out, end, sizeof(end));
}

/* ------------------------------------------------------------ reading back */

/* Cuts one escaped value with its end off @rest. @escaped: set to the number of zero bytes in it */
static bool
cut_escaped(struct slice *rest, struct slice *raw, size_t *escaped)
{
	size_t from = 0;

	*escaped = 0;
	while (from + 1 < rest->len) {
		const char *zero = memchr(rest->at + from, 0, rest->len - 1 - from);

		if (zero == NULL) {
			return false;
		}
		size_t at = (size_t)(zero - rest->at);
		unsigned char next = (unsigned char)zero[1];

		if (next == ESCAPED_END) {
			*raw = slice_of(rest->at, at);
			*rest = slice_skip(*rest, at + 2);
			return true;
		}
		if (next != ESCAPED_ZERO) {
			return false;
		}
		++*escaped;
		from = at + 2;
	}
	return false;
}

static struct slice
unescape(struct arena *a, struct slice raw, size_t escaped)
{
	char *to = arena_bytes(a, raw.len - escaped);
	size_t n = 0;

	for (size_t i = 0; i < raw.len; i++) {
		to[n++] = raw.at[i];
		i += raw.at[i] == 0;
	}
	return slice_of(to, n);
}

static bool
sort_key_read_number(struct arena *a, struct slice key, struct slice *text)
{
	struct number n;
	struct buf b;

	if (!number_from_key(key, &n)) {
		return false;
	}
	buf_init(&b, a);
	number_print(&b, &n);
	*text = buf_view(&b);
	return true;
}

bool
sort_key_cut(struct arena *a, struct slice *rest, enum value_type type, struct value *out)
{
	struct slice text;
	size_t escaped;

	if (!cut_escaped(rest, &text, &escaped) || text.len == 0) {
		return false;
	}
	if (escaped > 0) {
		text = unescape(a, text, escaped);
	}
	if (type == VALUE_N && !sort_key_read_number(a, text, &text)) {
		return false;
	}
	*out = (struct value){.type = type, .text = text};
	return true;
}
