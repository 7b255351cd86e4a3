/* check_next - "next" of a check: the part of the work, the table, the index and the key to go on at */
#include <stdlib.h>

#include "store/base/core/ascii.h"
#include "store/local/check/check_int.h"

static const struct slice strays = SLICE_INIT("strays");
static const struct slice records = SLICE_INIT("records ");
static const struct slice files = SLICE_INIT("files ");
static const struct slice survey = SLICE_INIT("survey ");

static void
check_put_hex(struct buf *b, struct slice bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		buf_fmt(b, "%02x", (unsigned char)bytes.at[i]);
	}
}

/*
 * "files number", "strays", "records hex-of-the-key", "survey id table" or
 * "part index table hex-of-the-key"; table names have no blank.
 */
struct slice
check_print_next(struct call *c, const struct check_next *p)
{
	struct buf b;

	buf_init(&b, &c->arena);
	if (p->files) {
		buf_slice(&b, files);
		buf_fmt(&b, "%llu", (unsigned long long)p->after);
		return buf_view(&b);
	}
	if (p->strays) {
		return strays;
	}
	if (p->records) {
		buf_slice(&b, records);
		check_put_hex(&b, p->key);
		return buf_view(&b);
	}
	if (p->survey != 0) {
		buf_slice(&b, survey);
		buf_fmt(&b, "%llu %.*s", (unsigned long long)p->survey, SLICE_ARG(p->table));
		return buf_view(&b);
	}
	buf_fmt(&b, "%d %zu %.*s ", p->part, p->index, SLICE_ARG(p->table));
	check_put_hex(&b, p->key);
	return buf_view(&b);
}

static bool
check_next_cut_word(struct slice *rest, struct slice *word)
{
	const char *blank = rest->len == 0 ? NULL : memchr(rest->at, ' ', rest->len);

	if (blank == NULL) {
		return false;
	}
	*word = slice_of(rest->at, (size_t)(blank - rest->at));
	*rest = slice_skip(*rest, word->len + 1);
	return true;
}

static int
check_next_digit(char ch)
{
	if (ascii_digit(ch)) {
		return ch - '0';
	}
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

static bool
read_hex(struct arena *a, struct slice hex, struct slice *out)
{
	char *at = arena_new(a, char, hex.len / 2);

	for (size_t i = 0; i + 1 < hex.len; i += 2) {
		int high = check_next_digit(hex.at[i]);
		int low = check_next_digit(hex.at[i + 1]);

		if (high < 0 || low < 0) {
			return false;
		}
		at[i / 2] = (char)(high * 16 + low);
	}
	*out = slice_of(at, hex.len / 2);
	return hex.len % 2 == 0;
}

static uint64_t
check_next_read_number(struct call *c, struct slice text)
{
	return strtoull(slice_cstr(&c->arena, text), NULL, 10);
}

/* Which survey that is, if it still is one, is asked later. */
static bool
read_survey(struct call *c, struct slice rest, struct check_next *out)
{
	struct slice id;

	if (!check_next_cut_word(&rest, &id)) {
		return false;
	}
	out->survey = check_next_read_number(c, id);
	out->table = rest;
	return true;
}

int
check_read_next(struct call *c, struct slice next, struct check_next *out)
{
	struct slice rest = next;
	struct slice part;
	struct slice index;

	*out = (struct check_next){.files = next.len == 0 || slice_starts(next, files)};
	out->strays = out->files || slice_eq(next, strays);
	if (out->files && next.len > 0) {
		out->after = check_next_read_number(c, slice_skip(next, files.len));
	}
	out->records = out->strays || slice_starts(next, records);
	if (out->strays ||
	    (out->records && read_hex(&c->arena, slice_skip(next, records.len), &out->key))) {
		return 0;
	}
	if (slice_starts(next, survey) && read_survey(c, slice_skip(next, survey.len), out)) {
		return 0;
	}
	if (!check_next_cut_word(&rest, &part) || !check_next_cut_word(&rest, &index) ||
	    !check_next_cut_word(&rest, &out->table) || part.len != 1 || index.len > 2 ||
	    !read_hex(&c->arena, rest, &out->key)) {
		return call_fail(c, ERR_VALIDATION, "not a place in a check: %.*s",
				 SLICE_ARG(next));
	}
	out->part = (enum check_part)(part.at[0] - '0');
	out->index = check_next_read_number(c, index);
	if (out->part >= CHECK_PARTS) {
		return call_fail(c, ERR_VALIDATION, "not a place in a check: %.*s",
				 SLICE_ARG(next));
	}
	return 0;
}
