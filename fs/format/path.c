/*
 * path - see path.h
 *
 * place.c knows which value belongs where. This file knows neither tables nor files.
 */
#include "fs/format/path.h"

#include "store/base/core/utf8.h"
#include "store/base/text/sha256.h"
#include "store/model/number.h"

enum { PLAIN_DIGITS_MAX = 40, NUMBER_NAME_MAX = 64 };

static const char upper_hex[] = "0123456789ABCDEF";
static const char lower_hex[] = "0123456789abcdef";

/* The position of a value in its name. */
struct spot {
	bool leading; /* first in the name: a leading '.' is escaped */
	bool entry;   /* joined by "::": some ':' are escaped */
};

/* ------------------------------------------------------------ values to text */

static bool
colon_is_loose(struct slice text, size_t i)
{
	return i == 0 || i + 1 == text.len || text.at[i - 1] == ':' || text.at[i + 1] == ':';
}

/* Return: whether the byte is escaped wherever it is in a name. */
static inline bool
is_never_plain(char ch)
{
	return (unsigned char)ch < 0x20 || ch == '/' || ch == '%' || ch == 0x7F;
}

static bool
is_escaped(struct slice text, size_t i, struct spot spot)
{
	char ch = text.at[i];

	return is_never_plain(ch) || (ch == '.' && i == 0 && spot.leading) ||
	       (ch == ':' && spot.entry && colon_is_loose(text, i));
}

static void
put_string(struct buf *out, struct slice text, struct spot spot)
{
	char *room = buf_room(out, 3 * text.len);
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!is_escaped(text, i, spot)) {
			room[n++] = text.at[i];
			continue;
		}
		unsigned char ch = (unsigned char)text.at[i];

		room[n++] = '%';
		room[n++] = upper_hex[ch >> 4];
		room[n++] = upper_hex[ch & 15];
	}
	out->len += n;
}

static void
put_scientific(struct buf *out, struct slice canonical)
{
	struct number n = number_read(canonical);
	char digits[40];
	size_t len = 0;

	for (unsigned __int128 rest = n.coefficient; rest > 0; rest /= 10) {
		digits[len++] = (char)('0' + (int)(rest % 10));
	}
	assert(len > 0);
	int exponent = n.exponent + (int)len - 1;

	if (n.negative) {
		buf_char(out, '-');
	}
	buf_char(out, digits[len - 1]);
	if (len > 1) {
		buf_char(out, '.');
		for (size_t i = len - 1; i > 0; i--) {
			buf_char(out, digits[i - 1]);
		}
	}
	buf_fmt(out, "E%+d", exponent);
}

static void
path_put_number(struct buf *out, struct slice canonical)
{
	size_t digits = 0;

	for (size_t i = 0; i < canonical.len; i++) {
		digits += ascii_digit(canonical.at[i]);
	}
	if (digits > PLAIN_DIGITS_MAX) {
		put_scientific(out, canonical);
	} else {
		buf_slice(out, canonical);
	}
}

static void
put_binary(struct buf *out, struct slice bytes)
{
	char *room = buf_room(out, 2 * bytes.len);

	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char ch = (unsigned char)bytes.at[i];

		room[2 * i] = lower_hex[ch >> 4];
		room[2 * i + 1] = lower_hex[ch & 15];
	}
	out->len += 2 * bytes.len;
}

static void
format_path_put_value(struct buf *out, const struct value *v, struct spot spot)
{
	assert(value_is_ordered(v->type));
	if (v->type == VALUE_S) {
		put_string(out, v->text, spot);
	} else if (v->type == VALUE_N) {
		path_put_number(out, v->text);
	} else {
		put_binary(out, v->text);
	}
}

void
path_put_value(struct buf *out, const struct value *v)
{
	format_path_put_value(out, v, (struct spot){.leading = true});
}

void
path_put_entry(struct buf *out, const struct value *values, size_t n)
{
	assert(n >= 1 && n <= PATH_VALUES_MAX);
	for (size_t i = 0; i < n; i++) {
		if (i > 0) {
			buf_put(out, "::", 2);
		}
		format_path_put_value(out, &values[i],
				      (struct spot){.leading = i == 0, .entry = true});
	}
}

/* ------------------------------------------------------------ text to values */

static int
path_hex_digit(const char *set, char ch)
{
	const char *at = ch == '\0' ? NULL : strchr(set, ch);

	return at == NULL ? -1 : (int)(at - set);
}

static int
hex_digit_any(char ch)
{
	int digit = path_hex_digit(upper_hex, ch);

	return digit >= 0 ? digit : path_hex_digit(lower_hex, ch);
}

bool
path_unescape(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] != '%') {
			buf_char(out, text.at[i]);
			continue;
		}
		if (text.len - i < 3) {
			return false;
		}
		int high = hex_digit_any(text.at[i + 1]);
		int low = hex_digit_any(text.at[i + 2]);

		if (high < 0 || low < 0) {
			return false;
		}
		buf_char(out, (char)(high * 16 + low));
		i += 2;
	}
	return true;
}

bool
path_unhex(struct buf *out, struct slice text)
{
	if (text.len % 2 != 0) {
		return false;
	}
	for (size_t i = 0; i < text.len; i += 2) {
		int high = path_hex_digit(lower_hex, text.at[i]);
		int low = path_hex_digit(lower_hex, text.at[i + 1]);

		if (high < 0 || low < 0) {
			return false;
		}
		buf_char(out, (char)(high * 16 + low));
	}
	return true;
}

static int
path_odd(struct call *c, struct slice *why, const char *problem, struct slice component)
{
	*why = slice_from(arena_print(&c->arena, "\"%.*s\" is not the name of an item: %s",
				      SLICE_ARG(component), problem));
	return PATH_ODD;
}

static int
read_string(struct call *c, struct slice component, struct value *out, struct slice *why)
{
	struct buf raw;

	buf_init(&raw, &c->arena);
	if (slice_chr(component, '%') == NULL) {
		buf_slice(&raw, component);
	} else if (!path_unescape(&raw, component)) {
		return path_odd(c, why, "a % must be followed by two hex digits (% itself is %25)",
				component);
	}
	if (!utf8_valid(buf_view(&raw))) {
		return path_odd(c, why, "it is not UTF-8", component);
	}
	*out = value_string(buf_view(&raw));
	return 0;
}

static int
path_read_number(struct call *c, struct slice component, struct value *out, struct slice *why)
{
	if (component.len > NUMBER_NAME_MAX || number_canonical(c, component, &out->text) < 0) {
		return path_odd(c, why, "the key is a number", component);
	}
	out->type = VALUE_N;
	return 0;
}

static int
path_read_binary(struct call *c, struct slice component, struct value *out, struct slice *why)
{
	struct buf raw;

	buf_init(&raw, &c->arena);
	if (!path_unhex(&raw, component)) {
		return path_odd(c, why, "the key is binary, written in lower-case hex", component);
	}
	*out = (struct value){.type = VALUE_B, .text = buf_view(&raw)};
	return 0;
}

/* Read a value in any spelling. */
static int
read_loose(struct call *c, struct slice component, enum value_type type, struct value *out,
	   struct slice *why)
{
	if (component.len == 0) {
		return path_odd(c, why, "a key must not be empty", component);
	}
	if (type == VALUE_N) {
		return path_read_number(c, component, out, why);
	}
	return type == VALUE_B ? path_read_binary(c, component, out, why)
			       : read_string(c, component, out, why);
}

/* Refuse a spelling other than the one that path_put_value() produces. */
static int
demand_canonical(struct call *c, struct slice given, struct slice canonical, struct slice suffix,
		 struct slice *why)
{
	if (slice_eq(given, canonical)) {
		return 0;
	}
	*why = slice_from(arena_print(
		&c->arena, "\"%.*s%.*s\" is not the canonical spelling, which is \"%.*s%.*s\"",
		SLICE_ARG(given), SLICE_ARG(suffix), SLICE_ARG(canonical), SLICE_ARG(suffix)));
	return PATH_ODD;
}

/* Return: whether it is the name of the string with the same bytes, as most names are. */
static bool
path_is_plain(struct slice component)
{
	for (size_t i = 0; i < component.len; i++) {
		if (is_never_plain(component.at[i])) {
			return false;
		}
	}
	return component.len > 0 && component.at[0] != '.' && utf8_valid(component);
}

int
path_read_value(struct call *c, struct slice component, enum value_type type, struct slice suffix,
		struct value *out, struct slice *why)
{
	struct buf canonical;

	if (type == VALUE_S && path_is_plain(component)) {
		*out = value_string(slice_copy(&c->arena, component));
		return 0;
	}
	int r = read_loose(c, component, type, out, why);

	if (r != 0) {
		return r;
	}
	buf_init(&canonical, &c->arena);
	path_put_value(&canonical, out);
	return demand_canonical(c, component, buf_view(&canonical), suffix, why);
}

int
path_read_entry(struct call *c, struct slice component, const enum value_type *types, size_t n,
		struct slice suffix, struct value *out, struct slice *why)
{
	struct slice parts[PATH_VALUES_MAX + 1];
	struct buf canonical;

	assert(n >= 1 && n <= PATH_VALUES_MAX);
	if (path_split(component, parts, n + 1) != n) {
		return path_odd(c, why, "an index entry has its key values joined by \"::\"",
				component);
	}
	for (size_t i = 0; i < n; i++) {
		int r = read_loose(c, parts[i], types[i], &out[i], why);

		if (r != 0) {
			return r;
		}
	}
	buf_init(&canonical, &c->arena);
	path_put_entry(&canonical, out, n);
	return demand_canonical(c, component, buf_view(&canonical), suffix, why);
}

size_t
path_split(struct slice prefix, struct slice *parts, size_t max)
{
	assert(max >= 1);
	size_t n = 0;
	const char *cut;

	while (n + 1 < max && prefix.len > 0 &&
	       (cut = memmem(prefix.at, prefix.len, "::", 2)) != NULL) {
		parts[n++] = slice_of(prefix.at, (size_t)(cut - prefix.at));
		prefix = slice_skip(prefix, parts[n - 1].len + 2);
	}
	parts[n++] = prefix;
	return n;
}

/* ------------------------------------------------------------ shortened names */

/* The longest prefix of at most @max bytes that cuts neither a character nor an escape. */
static struct slice
path_cut(struct slice component, size_t max)
{
	struct slice s = utf8_cut(component, max);

	for (size_t back = 1; back <= 2 && back <= s.len; back++) {
		if (s.at[s.len - back] == '%') {
			s.len -= back;
			break;
		}
	}
	return s;
}

bool
path_put_name(struct buf *out, struct slice component, struct slice suffix)
{
	uint8_t digest[SHA256_BYTES];

	if (component.len + suffix.len <= PATH_NAME_MAX) {
		buf_slice(out, component);
		buf_slice(out, suffix);
		return false;
	}
	sha256(component, digest);
	buf_slice(out, path_cut(component, PATH_NAME_MAX - PATH_HASH_LEN - suffix.len));
	buf_put(out, "%~", 2);
	put_binary(out, slice_of((const char *)digest, SHA256_BYTES / 2));
	buf_slice(out, suffix);
	return true;
}

bool
path_is_hashed(struct slice stem)
{
	if (stem.len <= PATH_HASH_LEN) {
		return false;
	}
	struct slice tail = slice_skip(stem, stem.len - PATH_HASH_LEN);

	for (size_t i = 2; i < tail.len; i++) {
		if (path_hex_digit(lower_hex, tail.at[i]) < 0) {
			return false;
		}
	}
	return tail.at[0] == '%' && tail.at[1] == '~';
}

struct slice
path_hashed_prefix(struct slice stem)
{
	assert(stem.len > PATH_HASH_LEN);
	return slice_of(stem.at, stem.len - PATH_HASH_LEN);
}

/* ------------------------------------------------------------ scratch names */

bool
path_is_scratch(struct slice name, struct slice suffix)
{
	if (name.at[0] == '.') {
		return true;
	}
	return suffix.len == 0 ? slice_ends(name, SLICE("~"))
			       : !slice_ends(name, suffix) || name.len == suffix.len;
}
