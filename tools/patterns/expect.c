/* expect - see expect.h */
#include "tools/patterns/expect.h"

#include <math.h>

#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/key_text.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"
#include "tools/text/words.h"

/* ------------------------------------------------------------ parsing */

/* Reader of the words of one line.  An unquoted comma after a word is not part of it. */
struct expecting {
	struct call *c;
	struct slice rest;
	struct word word; /* the current word */
	bool comma;       /* a comma follows the word */
	bool ended;       /* there is no current word */
};

static int
expect_next(struct expecting *x)
{
	int r = words_next(x->c, &x->rest, &x->word);

	x->ended = r == WORD_END;
	x->comma = r == 0 && x->word.text.len > 0 && x->rest.at[-1] == ',';
	if (x->comma) {
		x->word.text.len--;
	}
	return r < 0 ? r : 0;
}

static bool
expect_is(const struct expecting *x, const char *word)
{
	return !x->ended && ascii_same(x->word.text, slice_from(word));
}

static int
expect_wrong(const struct expecting *x)
{
	return call_fail(
		x->c, ERR_USAGE,
		"unexpected \"%.*s\": write an expectation as: 2 items, at least 2 items, at most "
		"1.5 units, no Scan, first NAME=VALUE, first JSON, with PARAMETER=VALUE",
		SLICE_ARG(x->word.text));
}

/* If the current word is @word, go to the next one.  *taken: it was */
static int
expect_take(struct expecting *x, const char *word, bool *taken)
{
	*taken = expect_is(x, word);
	return *taken ? expect_next(x) : 0;
}

static const struct {
	const char *before; /* "read", "write", or nothing */
	const char *one, *many;
	enum expect_kind kind;
} expect_rows[] = {
	{NULL, "item", "items", EXPECT_ITEMS},
	{NULL, "request", "requests", EXPECT_REQUESTS},
	{NULL, "unit", "units", EXPECT_UNITS},
	{"read", "unit", "units", EXPECT_READ_UNITS},
	{"write", "unit", "units", EXPECT_WRITE_UNITS},
};

enum { EXPECT_ROWS = sizeof(expect_rows) / sizeof(expect_rows[0]) };

/* Parse what is counted.  Its last word remains the current one. */
static int
expect_kind(struct expecting *x, enum expect_kind *out)
{
	const char *before = expect_is(x, "read") ? "read" : expect_is(x, "write") ? "write" : NULL;
	int r = before == NULL ? 0 : expect_next(x);

	for (size_t i = 0; r == 0 && i < EXPECT_ROWS; i++) {
		if ((before == NULL) == (expect_rows[i].before == NULL) &&
		    (before == NULL || strcmp(before, expect_rows[i].before) == 0) &&
		    (expect_is(x, expect_rows[i].one) || expect_is(x, expect_rows[i].many))) {
			*out = expect_rows[i].kind;
			return 0;
		}
	}
	return r < 0 ? r : expect_wrong(x);
}

static int
expect_number(struct expecting *x, double *out)
{
	const char *text = slice_cstr(&x->c->arena, x->word.text);
	bool plain = text[strspn(text, "0123456789.")] == '\0';
	char *end;

	*out = strtod(text, &end);
	return x->ended || !plain || end == text || *end != '\0' ? expect_wrong(x) : expect_next(x);
}

static int
expect_amount(struct expecting *x, struct expectation *e)
{
	bool exactly = false, at = false;
	int r = expect_take(x, "exactly", &exactly);

	r = r != 0 ? r : expect_take(x, "at", &at);
	if (r == 0 && at) {
		bool least = expect_is(x, "least");

		e->compare = least ? EXPECT_AT_LEAST : EXPECT_AT_MOST;
		r = least || expect_is(x, "most") ? expect_next(x) : expect_wrong(x);
	}
	r = r != 0 ? r : expect_number(x, &e->n);
	r = r != 0 ? r : expect_kind(x, &e->kind);
	if (r == 0 && (e->kind == EXPECT_ITEMS || e->kind == EXPECT_REQUESTS) &&
	    e->n != floor(e->n)) {
		return call_fail(x->c, ERR_USAGE, "a number of items or requests must be whole");
	}
	return r;
}

static int
expect_first(struct expecting *x, struct expectation *e)
{
	struct item it;
	int r = expect_next(x);

	if (r < 0 || x->ended) {
		return r < 0 ? r : expect_wrong(x);
	}
	e->kind = EXPECT_FIRST;
	e->first = x->word.text;
	if (e->first.len > 0 && e->first.at[0] == '{') {
		return ctl_item(x->c, e->first, &it) < 0 ? call_prefix(x->c, "first: ") : 0;
	}
	const char *equals = slice_chr(e->first, '=');

	return equals != NULL && equals > e->first.at ? 0 : expect_wrong(x);
}

/* Parse the words NAME=VALUE after "with". */
static int
expect_with(struct expecting *x, struct expect *out)
{
	size_t n = out->with.n;
	bool comma = false;
	int r = expect_next(x);

	while (r == 0 && !x->ended && !comma && slice_chr(x->word.text, '=') != NULL) {
		words_add(x->c, &out->with, slice_cstr(&x->c->arena, x->word.text));
		comma = x->comma;
		r = expect_next(x);
	}
	return r == 0 && out->with.n == n ? expect_wrong(x) : r;
}

static int
expect_one(struct expecting *x, struct expect *out)
{
	const char *begin = x->rest.at - x->word.text.len - x->comma;
	struct expectation e = {0};
	bool no = false;
	int r;

	if (expect_is(x, "with")) {
		return expect_with(x, out);
	}
	if (expect_is(x, "first")) {
		r = expect_first(x, &e);
	} else {
		r = expect_take(x, "no", &no);
		if (r == 0 && no) {
			e.kind = EXPECT_NO_SCAN;
			r = expect_is(x, "scan") ? 0 : expect_wrong(x);
		} else if (r == 0) {
			r = expect_amount(x, &e);
		}
	}
	if (r < 0) {
		return r;
	}
	e.text = slice_of(begin, (size_t)(x->rest.at - begin) - x->comma);
	out->at = arena_room(&x->c->arena, out->at, out->n, &out->cap);
	out->at[out->n++] = e;
	return expect_next(x);
}

int
expect_parse(struct call *c, struct slice text, struct expect *out)
{
	struct expecting x = {.c = c, .rest = text};
	int r = expect_next(&x);

	if (r == 0 && x.ended) {
		return expect_wrong(&x);
	}
	while (r == 0 && !x.ended) {
		r = expect_one(&x, out);
	}
	return r;
}

/* ------------------------------------------------------------ comparison */

static double
expect_counted(const struct expectation *e, const struct expect_found *f)
{
	switch ((int)e->kind) {
	case EXPECT_ITEMS:
		return (double)f->items;
	case EXPECT_REQUESTS:
		return (double)f->sums.requests;
	case EXPECT_READ_UNITS:
		return (double)f->sums.read_halves / 2;
	case EXPECT_WRITE_UNITS:
		return (double)f->sums.write_halves / 2;
	default:
		return (double)(f->sums.read_halves + f->sums.write_halves) / 2;
	}
}

/* Return true if the item has the attribute NAME=VALUE.  VALUE is a text, a number, or JSON. */
static bool
expect_attr(struct call *c, struct slice wanted, const struct item *it)
{
	assert(slice_chr(wanted, '=') != NULL);
	size_t name = (size_t)(slice_chr(wanted, '=') - wanted.at);
	const struct value *v = item_get(it, slice_of(wanted.at, name));
	struct slice text = slice_skip(wanted, name + 1);
	struct key_attr number = {.type = VALUE_N};
	struct value n;

	if (v == NULL || v->type == VALUE_S) {
		return v != NULL && slice_eq(v->text, text);
	}
	if (v->type == VALUE_N) {
		bool same = key_text_parse(c, &number, text, &n) == 0 && value_eq(v, &n);

		c->error = (struct error){0};
		return same;
	}
	struct buf b = {.arena = &c->arena};
	value_put_json(&b, v, ITEM_PLAIN);
	return slice_eq(buf_view(&b), text);
}

/* Return true if the line has the attributes of @wanted.  It may have others. */
static bool
expect_begins(struct call *c, struct slice wanted, struct slice line)
{
	struct item is, want;
	bool same = ctl_item(c, line, &is) == 0;

	c->error = (struct error){0};
	if (!same || wanted.at[0] != '{') {
		return same && expect_attr(c, wanted, &is);
	}
	same = ctl_item(c, wanted, &want) == 0;
	c->error = (struct error){0};
	for (size_t i = 0; same && i < want.n; i++) {
		const struct value *v = item_get(&is, want.at[i].name);

		same = v != NULL && value_eq(v, &want.at[i].value);
	}
	return same;
}

static const char *
expect_noun(const struct expectation *e, double n)
{
	for (size_t i = 0; i < EXPECT_ROWS; i++) {
		if (expect_rows[i].kind == e->kind) {
			return n == 1 ? expect_rows[i].one : expect_rows[i].many;
		}
	}
	return "";
}

static bool
expect_no_scan(const struct expect_found *f, struct buf *why)
{
	if (f->scans > 0) {
		buf_fmt(why, "expected no Scan, found %lu Scan%s", (unsigned long)f->scans,
			f->scans == 1 ? "" : "s");
	} else if (f->statements > 0) {
		buf_str(why, "expected no Scan, found PartiQL, which may be a Scan: itemctl sql "
			     "--explain");
	}
	return f->scans == 0 && f->statements == 0;
}

bool
expect_holds(struct call *c, const struct expectation *e, const struct expect_found *f,
	     struct buf *why)
{
	if (e->kind == EXPECT_NO_SCAN) {
		return expect_no_scan(f, why);
	}
	if (e->kind == EXPECT_FIRST) {
		struct slice line = ascii_trim(f->first);
		bool same = line.len > 0 && expect_begins(c, e->first, line);

		if (!same) {
			buf_fmt(why, "expected %.*s, found %.*s", SLICE_ARG(e->text),
				SLICE_ARG(line.len > 0 ? line : SLICE("nothing")));
		}
		return same;
	}
	double found = expect_counted(e, f);
	bool holds = e->compare == EXPECT_AT_LEAST  ? found >= e->n
		     : e->compare == EXPECT_AT_MOST ? found <= e->n
						    : found == e->n;

	if (!holds) {
		buf_fmt(why, "expected %.*s, found %.15g %s", SLICE_ARG(e->text), found,
			expect_noun(e, found));
	}
	return holds;
}
