/* escape - works by characters; a byte that is part of no character counts as one */
#include "store/base/core/escape.h"

#include "store/base/core/ascii.h"

/* Returns the first character of @text, which is not empty, and its length in *bytes. */
static uint32_t
escape_next_char(struct slice text, size_t *bytes)
{
	const unsigned char *p = (const unsigned char *)text.at;
	size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc0 ? 2 : 1;
	uint32_t ch = n == 1 ? p[0] : p[0] & (0x7fU >> n);

	*bytes = n;
	for (size_t i = 1; i < n; i++) {
		if (i == text.len || (p[i] & 0xc0) != 0x80) {
			*bytes = 1;
			return p[0];
		}
		ch = ch << 6 | (p[i] & 0x3f);
	}
	return ch;
}

/* Returns true if @ch is invisible, a control character, or forbidden in XML. */
static bool
acts(uint32_t ch)
{
	return ch < ' ' || (ch >= 0x7f && ch <= 0x9f) || ch == 0xad || ch == 0x61c ||
	       (ch >= 0x200b && ch <= 0x200f) || (ch >= 0x2028 && ch <= 0x202e) ||
	       (ch >= 0x2060 && ch <= 0x206f) || ch == 0xfeff || (ch & 0xfffe) == 0xfffe;
}

static void
put_escape(struct buf *out, uint32_t ch)
{
	if (ch == '\n' || ch == '\t' || ch == '\r') {
		buf_char(out, '\\');
		buf_char(out, ch == '\n' ? 'n' : ch == '\t' ? 't' : 'r');
	} else {
		buf_fmt(out, "\\u%04x", (unsigned)ch);
	}
}

bool
escape_put(struct buf *out, struct slice text, size_t most)
{
	for (size_t n = 0; text.len > 0; n++) {
		size_t bytes;
		uint32_t ch = escape_next_char(text, &bytes);

		if (n == most) {
			return true;
		}
		if (acts(ch)) {
			put_escape(out, ch);
		} else {
			buf_put(out, text.at, bytes);
		}
		text = slice_skip(text, bytes);
	}
	return false;
}

/* Returns the length of a sequence like "ESC [ 1 ; 31 m" at the beginning of @text, or 0. */
static size_t
color_bytes(struct slice text)
{
	size_t n = 2;

	if (!slice_starts(text, SLICE("\033["))) {
		return 0;
	}
	while (n < text.len && (ascii_digit(text.at[n]) || text.at[n] == ';')) {
		n++;
	}
	return n < text.len && text.at[n] == 'm' ? n + 1 : 0;
}

void
escape_lines(struct buf *out, struct slice text, bool colors)
{
	while (text.len > 0) {
		size_t bytes;
		uint32_t ch = escape_next_char(text, &bytes);
		size_t color = colors ? color_bytes(text) : 0;

		/* Above 16 bits, \u has another form in JSON; such characters stay as they are. */
		if (color > 0 || ch == '\n' || ch == '\t' || ch > UINT16_MAX || !acts(ch)) {
			bytes = color > 0 ? color : bytes;
			buf_put(out, text.at, bytes);
		} else {
			put_escape(out, ch);
		}
		text = slice_skip(text, bytes);
	}
}

size_t
escape_whole(struct slice text)
{
	for (size_t back = 1; back <= 3 && back <= text.len; back++) {
		unsigned char first = (unsigned char)text.at[text.len - back];

		if ((first & 0xc0) != 0x80) {
			size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;

			return n > back ? text.len - back : text.len;
		}
	}
	return text.len;
}

size_t
escape_columns(struct slice text)
{
	size_t sum = 0;

	while (text.len > 0) {
		size_t bytes;
		uint32_t ch = escape_next_char(text, &bytes);

		sum += ch >= 0x1100 && ch != 0x2026 ? 2 : 1; /* an ellipsis is narrow */
		text = slice_skip(text, bytes);
	}
	return sum;
}

void
escape_markup(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		switch (text.at[i]) {
		case '&':
			buf_str(out, "&amp;");
			break;
		case '<':
			buf_str(out, "&lt;");
			break;
		case '>':
			buf_str(out, "&gt;");
			break;
		case '"':
			buf_str(out, "&quot;");
			break;
		case '\'':
			buf_str(out, "&#39;");
			break;
		default:
			buf_char(out, text.at[i]);
		}
	}
}

void
escape_percent(struct buf *out, struct slice text, bool (*keeps)(char ch))
{
	for (size_t i = 0; i < text.len; i++) {
		if (keeps(text.at[i])) {
			buf_char(out, text.at[i]);
		} else {
			buf_fmt(out, "%%%02X", (unsigned char)text.at[i]);
		}
	}
}

bool
escape_unreserved(char ch)
{
	return ascii_word(ch) || ch == '-' || ch == '.' || ch == '~';
}
