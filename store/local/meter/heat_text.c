/* heat_text - lines of key usage: written, parsed, merged and sorted */
#include "store/local/meter/heat_text.h"

#include <stdlib.h>

#include "store/base/core/ascii.h"
#include "store/local/meter/heat.h"

enum {
	READS_FOR_A_WRITE = 3, /* a partition allows this many read units for each write unit */
	LINE_MIN = 24,         /* bytes of the shortest line: 12 fields and the end */
};

static uint64_t
max_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* @a times @b, or the largest number. */
static uint64_t
heat_text_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t
plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t
heat_degree(const struct heat_rate rate[HEAT_KINDS])
{
	return max_of(rate[THROTTLE_READ].peak,
		      heat_text_times(rate[THROTTLE_WRITE].peak, READS_FOR_A_WRITE));
}

/* ------------------------------------------------------------ writing */

static void
put_hex(struct buf *out, struct slice s)
{
	static const char digits[] = "0123456789abcdef";

	if (s.len == 0) {
		buf_char(out, '-');
	}
	for (size_t i = 0; i < s.len; i++) {
		buf_char(out, digits[(unsigned char)s.at[i] >> 4]);
		buf_char(out, digits[(unsigned char)s.at[i] & 15]);
	}
}

void
heat_text_put(struct buf *out, const struct heat_key *k)
{
	buf_fmt(out, "%lu %u %u ", (unsigned long)k->minute, k->table, k->index);
	put_hex(out, k->key);
	for (size_t i = 0; i < HEAT_KINDS; i++) {
		const struct heat_rate *r = &k->rate[i];

		buf_fmt(out, " %lu %lu %lu %lu", (unsigned long)r->sum, (unsigned long)r->peak,
			(unsigned long)r->at, (unsigned long)r->now);
	}
	buf_str(out, " .\n");
}

/* ------------------------------------------------------------ reading */

/* Parse a number, at most @most, and the space after it. */
static bool
heat_text_take_number(struct slice *rest, uint64_t most, uint64_t *out)
{
	size_t n = ascii_digits_end(*rest, 0);

	*out = 0;
	for (size_t i = 0; i < n; i++) {
		if (__builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, (uint64_t)(rest->at[i] - '0'), out)) {
			return false;
		}
	}
	if (n == 0 || n == rest->len || rest->at[n] != ' ' || *out > most) {
		return false;
	}
	*rest = slice_skip(*rest, n + 1);
	return true;
}

static int
heat_text_hex_digit(char ch)
{
	if (ascii_digit(ch)) {
		return ch - '0';
	}
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* Parse hex digits, or "-" for an empty key, and the space after them. */
static bool
take_key(struct arena *a, struct slice *rest, struct slice *out)
{
	struct buf key;
	size_t i = 0;

	*out = SLICE("");
	if (slice_starts(*rest, SLICE("- "))) {
		*rest = slice_skip(*rest, 2);
		return true;
	}
	buf_init(&key, a);
	for (; i + 1 < rest->len && rest->at[i] != ' '; i += 2) {
		int high = heat_text_hex_digit(rest->at[i]);
		int low = heat_text_hex_digit(rest->at[i + 1]);

		if (high < 0 || low < 0) {
			return false;
		}
		buf_char(&key, (char)(high << 4 | low));
	}
	if (i == 0 || i >= rest->len || rest->at[i] != ' ') {
		return false;
	}
	*out = buf_view(&key);
	*rest = slice_skip(*rest, i + 1);
	return true;
}

static bool
take_rate(struct slice *rest, struct heat_rate *out)
{
	return heat_text_take_number(rest, UINT64_MAX, &out->sum) &&
	       heat_text_take_number(rest, out->sum, &out->peak) &&
	       heat_text_take_number(rest, UINT64_MAX, &out->at) &&
	       heat_text_take_number(rest, out->peak, &out->now);
}

/* Parse a line.  Return: false if it is invalid or the filter rejects it */
static bool
heat_text_read_line(struct arena *a, struct slice line, const struct heat_filter *f,
		    struct heat_key *out)
{
	uint64_t table;
	uint64_t index;

	if (!heat_text_take_number(&line, UINT64_MAX, &out->minute) || out->minute < f->from ||
	    out->minute > f->to || !heat_text_take_number(&line, UINT32_MAX, &table) ||
	    !heat_text_take_number(&line, UINT16_MAX, &index)) {
		return false;
	}
	out->table = (uint32_t)table;
	out->index = (uint16_t)index;
	if (f->one && (out->table != f->table || out->index != f->index)) {
		return false;
	}
	return take_key(a, &line, &out->key) && take_rate(&line, &out->rate[THROTTLE_READ]) &&
	       take_rate(&line, &out->rate[THROTTLE_WRITE]) && slice_is(line, ".");
}

static struct slice
heat_text_next_line(struct slice *text)
{
	const char *end = slice_chr(*text, '\n');
	size_t n = end == NULL ? text->len : (size_t)(end - text->at);
	struct slice line = slice_of(text->at, n);

	*text = slice_skip(*text, end == NULL ? n : n + 1);
	return line;
}

/* ------------------------------------------------------------ merging the lines of a key */

static void
rate_merge(struct heat_rate *to, const struct heat_rate *from)
{
	to->sum = plus(to->sum, from->sum);
	if (to->at == from->at) {
		to->now = plus(to->now, from->now);
	} else if (to->at < from->at) {
		to->at = from->at;
		to->now = from->now;
	}
	to->peak = max_of(to->now, max_of(to->peak, from->peak));
}

static int
heat_text_order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_place(const struct heat_key *a, const struct heat_key *b)
{
	int r = heat_text_order(a->minute, b->minute);

	if (r == 0) {
		r = heat_text_order(a->table, b->table);
	}
	return r == 0 ? heat_text_order(a->index, b->index) : r;
}

static int
heat_text_by_key(const struct heat_key *a, const struct heat_key *b)
{
	int r = by_place(a, b);

	return r == 0 ? slice_cmp(a->key, b->key) : r;
}

/* Order the lines of one key by second, the oldest first, so that those of the same second are adjacent. */
static int
heat_text_by_time(const void *x, const void *y)
{
	const struct heat_key *a = x;
	const struct heat_key *b = y;
	int r = heat_text_by_key(a, b);

	if (r == 0) {
		r = heat_text_order(a->rate[THROTTLE_WRITE].at, b->rate[THROTTLE_WRITE].at);
	}
	return r == 0 ? heat_text_order(a->rate[THROTTLE_READ].at, b->rate[THROTTLE_READ].at) : r;
}

static int
by_degree(const void *x, const void *y)
{
	const struct heat_key *a = x;
	const struct heat_key *b = y;
	int r = by_place(a, b);

	if (r == 0) {
		r = heat_text_order(a->key.len > 0, b->key.len > 0);
	}
	if (r == 0) {
		r = heat_text_order(heat_degree(b->rate), heat_degree(a->rate));
	}
	return r == 0 ? slice_cmp(a->key, b->key) : r;
}

/* Merge the entries of each key and sort the result.  Return: the number of entries left */
static size_t
merge(struct heat_key *keys, size_t n)
{
	size_t kept = 0;

	qsort(keys, n, sizeof(*keys), heat_text_by_time);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || heat_text_by_key(&keys[kept - 1], &keys[i]) != 0) {
			keys[kept++] = keys[i];
			continue;
		}
		for (size_t k = 0; k < HEAT_KINDS; k++) {
			rate_merge(&keys[kept - 1].rate[k], &keys[i].rate[k]);
		}
	}
	qsort(keys, kept, sizeof(*keys), by_degree);
	return kept;
}

struct heat_key *
heat_text_read(struct arena *a, struct slice text, const struct heat_filter *f, size_t *n)
{
	struct heat_key *keys = arena_new(a, struct heat_key, 1);
	size_t cap = 1;

	*n = 0;
	while (text.len > 0) {
		struct slice line = heat_text_next_line(&text);

		keys = arena_room(a, keys, *n, &cap);
		if (line.len >= LINE_MIN && heat_text_read_line(a, line, f, &keys[*n])) {
			keys[*n].minute = f->one ? 0 : keys[*n].minute;
			(*n)++;
		}
	}
	*n = merge(keys, *n);
	return keys;
}

/* ------------------------------------------------------------ shrinking */

/* Remove whole lines at the front. */
static void
heat_text_cut(struct buf *text, size_t most)
{
	if (text->len <= most) {
		return;
	}
	struct slice rest = slice_skip(buf_view(text), text->len - most);

	(void)heat_text_next_line(&rest);
	memmove(text->at, rest.at, rest.len);
	text->len = rest.len;
}

void
heat_text_shrink(struct buf *text, uint64_t minute, size_t most)
{
	struct heat_filter f = {.from = minute > HEAT_MINUTES ? minute - HEAT_MINUTES : 0,
				.to = minute};
	struct buf less = {0};
	struct arena a;
	size_t n;
	size_t of_place = 0;

	arena_init(&a, SIZE_MAX);
	struct heat_key *keys = heat_text_read(&a, buf_view(text), &f, &n);

	for (size_t i = 0; i < n; i++) {
		of_place = i > 0 && by_place(&keys[i - 1], &keys[i]) == 0 ? of_place + 1 : 0;
		if (of_place <= HEAT_KEPT) { /* the first one is the whole table or GSI */
			heat_text_put(&less, &keys[i]);
		}
	}
	arena_drop(&a);
	buf_release(text);
	*text = less;
	heat_text_cut(text, most);
}
