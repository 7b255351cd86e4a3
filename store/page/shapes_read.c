/*
 * shapes_read - reads a sample of a table's items from its whole range of keys
 *
 * A small table is read completely.  Of a large one, pages are read.  If keys are in the order of a hash, as on
 * DynamoDB, one page of each segment is read.  If keys are sorted, as in an itemfs store, pages are read from the
 * middle of the gaps between earlier pages, in the order in which the gaps arose.  The rest of a collection that is
 * larger than a page is a gap, too, so that items at its end are not missed.
 */
#include "store/base/core/utf8.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/number.h"
#include "store/model/value.h"
#include "store/page/shapes_int.h"

enum {
	PAGE_ITEMS = 100, /* items of a page of a large table */
	PROBES_EACH = 16, /* requests for each page of the sample, including empty ones */
	READ_MOST = 256 * 1024 * 1024,  /* bytes of items, at most */
	STEP_BUDGET = 16 * 1024 * 1024, /* bytes of memory for one request */
	COLLECTIONS_LEAST = 6, /* sorted ones that show that a server sorts; by chance: 1 in 720 */
	HALVES_MOST = 8, /* after this number of empty halves, the beginning of the gap is read */
};

/* The smallest and the largest number. */
static const char LEAST_NUMBER[] = "-9.9999999999999999999999999999999999999E+125";
static const char MOST_NUMBER[] = "9.9999999999999999999999999999999999999E+125";

struct reading {
	struct call *call;
	struct engine *engine;
	const struct table_info *table;
	struct shapes_sample *sample;
	size_t most;
	size_t probes; /* requests that may still be made for gaps */
};

/* ------------------------------------------------------------ requests */

static bool
enough(const struct reading *r)
{
	return r->sample->n >= r->most || r->sample->bytes >= READ_MOST || call_given_up(r->call);
}

/* @limit: items of a page; 0: as many as fit */
static struct op_in
scan_of(const struct reading *r, uint32_t limit)
{
	const struct shapes_sample *s = r->sample;
	struct op_in in = {.type = OP_SCAN};

	in.scan.read.has_limit = limit > 0;
	in.scan.read.limit = limit;
	in.scan.read.table = s->schema->table;
	in.scan.read.index = s->index == NULL ? SLICE("") : s->index->name;
	return in;
}

/* Return: whether the key of @it is before @hi; @hi->n = 0: every key is. */
static bool
is_before(const struct item *it, const struct item *hi)
{
	int order = hi->n == 0 ? -1 : 0;

	for (size_t i = 0; order == 0 && i < hi->n; i++) {
		const struct value *v = item_get(it, hi->at[i].name);

		order = v == NULL || v->type != hi->at[i].value.type
				? -1
				: value_cmp(v, &hi->at[i].value);
	}
	return order < 0;
}

/*
 * Read a page and take its items before @hi.  *@more: there may be more of them; then the start key of @in is set to
 * read on, in the memory of the sample.
 */
static int
shapes_read_page(struct reading *r, struct op_in *in, const struct item *hi, bool *more)
{
	struct op_out out = {.type = in->type};
	const struct page *page = &out.scan.page;
	struct call step;
	size_t i = 0;

	call_open(&step, r->call->now_ms, STEP_BUDGET);
	call_for(&step, r->call);
	int status = engine_execute(r->engine, &step, in, &out);

	if (status == 0) {
		while (i < page->count && !enough(r) && is_before(&page->items[i], hi)) {
			shapes_take(r->sample, &page->items[i++]);
		}
		*more = i < page->count ? enough(r) : page->last.n > 0;
		in->scan.read.start = item_copy(&r->sample->arena, &page->last);
		in->scan.read.has_start = page->last.n > 0;
	} else {
		status = call_adopt(r->call, &step);
	}
	call_close(&step);
	return status;
}

/* Read all pages, from the first on. */
static int
shapes_read_through(struct reading *r)
{
	struct op_in in = scan_of(r, 0);
	bool more = true;
	int status = 0;

	while (status == 0 && more && !enough(r)) {
		status = shapes_read_page(r, &in, &(struct item){0}, &more);
	}
	r->sample->whole = !more;
	return status;
}

/* Read a page of each segment. */
static int
read_segments(struct reading *r)
{
	uint32_t n = (uint32_t)((r->most + PAGE_ITEMS - 1) / PAGE_ITEMS);
	bool whole = true;
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < n && !enough(r); i++) {
		struct op_in in = scan_of(r, PAGE_ITEMS);
		bool more = true;

		in.scan.has_segment = in.scan.has_total_segments = true;
		in.scan.total_segments = n;
		in.scan.segment = i;
		status = shapes_read_page(r, &in, &(struct item){0}, &more);
		whole = whole && !more;
	}
	r->sample->whole = whole && !enough(r);
	return status;
}

/* ------------------------------------------------------------ gaps */

/* A range of keys that were not read: after @lo, before @hi; keys are as in shapes_item.keys. */
struct gap {
	struct item lo; /* n = 0: from the beginning */
	struct item hi; /* n = 0: to the end */
	bool inside;    /* the page before it is within one collection, which may continue */
};

struct gaps {
	struct gap *at;
	size_t first;
	size_t n;
	size_t room;
};

static void
gaps_add(struct reading *r, struct gaps *g, struct gap gap)
{
	g->at = arena_room(&r->sample->arena, g->at, g->n, &g->room);
	g->at[g->n++] = gap;
}

/* Return: a value of @type that is greater (@most) or less than practically all others. */
static struct value
limit_value(enum value_type type, bool most)
{
	struct value v = {.type = type};

	if (type == VALUE_N) {
		v.text = slice_from(most ? MOST_NUMBER : LEAST_NUMBER);
	} else if (type == VALUE_S) {
		v.text = most ? SLICE("\xf4\x8f\xbf\xbf") : SLICE("\x01");
	} else {
		v.text = most ? SLICE("\xff\xff\xff\xff\xff\xff\xff\xff") : slice_of("\0", 1);
	}
	return v;
}

enum { DIGITS = 8, FIRST_CHARACTER = ' ', CHARACTERS = 96 };

/* Return: the DIGITS characters from @at on (one byte less if @bytes) as a number. */
static uint64_t
number_of(struct slice s, size_t at, bool bytes)
{
	uint64_t n = 0;

	for (size_t i = at; i < at + DIGITS - (bytes ? 1 : 0); i++) {
		unsigned ch = i < s.len ? (unsigned char)s.at[i] : 0;

		if (!bytes) {
			ch = ch < FIRST_CHARACTER ? 0 : ch - FIRST_CHARACTER;
			ch = ch >= CHARACTERS ? CHARACTERS - 1 : ch;
		}
		n = n * (bytes ? 256 : CHARACTERS) + ch;
	}
	return n;
}

/* Return: a text between two others, as far as ASCII characters allow; the common prefix ends after a character. */
static struct slice
middle_text(struct arena *a, struct slice lo, struct slice hi, bool bytes)
{
	size_t same = 0;
	char digits[DIGITS];
	struct buf b;

	while (same < lo.len && same < hi.len && lo.at[same] == hi.at[same]) {
		same++;
	}
	same = bytes ? same : utf8_cut(lo, same).len;

	uint64_t x = number_of(lo, same, bytes);
	uint64_t y = number_of(hi, same, bytes);
	uint64_t n = x + (y > x ? (y - x) / 2 : 0);
	size_t n_digits = DIGITS - (bytes ? 1 : 0);

	for (size_t i = n_digits; i-- > 0;) {
		digits[i] = (char)(bytes ? n % 256 : FIRST_CHARACTER + n % CHARACTERS);
		digits[i] = !bytes && digits[i] == '\x7f' ? '~' : digits[i];
		n /= bytes ? 256 : CHARACTERS;
	}
	buf_init(&b, a);
	buf_slice(&b, slice_of(lo.at, same));
	buf_slice(&b, slice_of(digits, n_digits));
	return buf_view(&b);
}

static struct slice
middle_number(struct call *c, struct slice lo, struct slice hi)
{
	double x = strtod(slice_cstr(&c->arena, lo), NULL);
	double y = strtod(slice_cstr(&c->arena, hi), NULL);
	struct slice out = lo;
	struct buf b;

	buf_init(&b, &c->arena);
	/* If they are far apart, multiply instead of halving: few steps lead from the limits to the numbers in use. */
	if (x >= 1 && y / x > 1e6) {
		buf_fmt(&b, "%.0e", x * 1000);
	} else if (x < 1 && x > -1 && y > 1e6) {
		buf_str(&b, "1000");
	} else {
		buf_fmt(&b, "%.15g", x + (y - x) / 2);
	}
	return number_canonical(c, buf_view(&b), &out) == 0 ? out : lo;
}

/* Set @out to a value between @lo and @hi, or after @lo if @hi is NULL;  Return: false: none was found */
static bool
middle(struct call *c, const struct value *lo, const struct value *hi, struct value *out)
{
	struct value most = limit_value(lo->type, true);

	hi = hi == NULL ? &most : hi;
	*out = (struct value){.type = lo->type};
	out->text = lo->type == VALUE_N
			    ? middle_number(c, lo->text, hi->text)
			    : middle_text(&c->arena, lo->text, hi->text, lo->type == VALUE_B);
	return value_cmp(lo, out) < 0 && value_cmp(out, hi) < 0;
}

/* Set @out to the key at which to read in a gap;  Return: false: no key between its ends was found */
static bool
gap_middle(struct reading *r, struct call *c, const struct gap *g, struct item *out)
{
	size_t n = g->lo.n;
	size_t n_view = key_schema_n(r->sample->key);
	size_t n_pk = key_part_n(r->sample->key->pk);
	bool bounded = g->hi.n > 0;
	size_t i = 0;

	*out = item_copy(&c->arena, &g->lo);
	while (bounded && i < n_view && value_eq(&g->lo.at[i].value, &g->hi.at[i].value)) {
		i++;
	}
	if (i < n_pk && g->inside && n_view > n_pk) {
		/* Read after the collection first, so that its end is known. */
		for (size_t k = n_pk; k < n; k++) {
			out->at[k].value = limit_value(g->lo.at[k].value.type, true);
		}
		return true;
	}
	for (; i < n_view; i++, bounded = false) {
		if (middle(c, &g->lo.at[i].value, bounded ? &g->hi.at[i].value : NULL,
			   &out->at[i].value)) {
			for (size_t k = i + 1; k < n; k++) {
				out->at[k].value = limit_value(g->lo.at[k].value.type, false);
			}
			return true;
		}
		out->at[i].value = g->lo.at[i].value;
		if (i + 1 == n_pk) {
			break; /* if the collection is large, its rest is a gap of its own */
		}
	}
	return false;
}

/* Read a page from the middle of a gap, or with @low from its beginning;  Return: 0; 1: there are no items; < 0 */
static int
shapes_read_part(struct reading *r, struct gap *gap, bool low, struct item *start, bool *more)
{
	struct shapes_sample *s = r->sample;
	size_t before = s->n;
	struct op_in in = scan_of(r, PAGE_ITEMS);
	struct call own;

	r->probes--;
	call_open(&own, r->call->now_ms, STEP_BUDGET);
	if (low || !gap_middle(r, &own, gap, start)) {
		*start = gap->lo;
	}
	*start = item_copy(&s->arena, start);
	call_close(&own);
	in.scan.read.start = *start;
	in.scan.read.has_start = start->n > 0;
	int status = shapes_read_page(r, &in, &gap->hi, more);

	return status < 0 ? status : s->n == before;
}

/* Read a page of one gap, and add the at most two gaps that remain. */
static int
read_gap(struct reading *r, struct gaps *g, struct gap gap)
{
	struct shapes_sample *s = r->sample;
	size_t before = s->n;
	struct item end = gap.hi;
	struct item start = {0};
	bool more = false;
	int status = 1;

	for (int i = 0; status == 1 && r->probes > 0 && !enough(r); i++) {
		end = gap.hi;
		status =
			shapes_read_part(r, &gap, i == HALVES_MOST || gap.lo.n == 0, &start, &more);
		if (status == 1 && item_eq(&start, &gap.lo)) {
			return 0;
		}
		gap.hi = start;
	}
	if (status != 0) {
		return status < 0 ? status : 0;
	}
	assert(s->n > before);

	const struct item *first = &s->items[before].keys;
	const struct item *last = &s->items[s->n - 1].keys;

	if (!item_eq(&start, &gap.lo)) {
		gaps_add(r, g, (struct gap){.lo = gap.lo, .hi = start});
	}
	if (more) {
		gaps_add(r, g,
			 (struct gap){.lo = *last,
				      .hi = end,
				      .inside = shapes_same_collection(s, first, last)});
	}
	return 0;
}

static int
read_gaps(struct reading *r)
{
	struct gaps g = {0};
	int status = 0;

	r->probes = PROBES_EACH * (r->most / PAGE_ITEMS + 1);
	gaps_add(r, &g, (struct gap){0});
	while (status == 0 && r->probes > 0 && g.first < g.n && !enough(r)) {
		status = read_gap(r, &g, g.at[g.first++]);
	}
	r->sample->whole = g.first == g.n && !enough(r);
	return status;
}

/* Find out from the first page whether a foreign server sorts its keys; *@out: false if there are few collections. */
static int
shapes_read_is_sorted(struct reading *r, bool *out)
{
	struct shapes_sample *s = r->sample;
	struct op_in in = scan_of(r, PAGE_ITEMS);
	size_t collections = 1;
	bool more;
	int status = shapes_read_page(r, &in, &(struct item){0}, &more);

	*out = status == 0;
	for (size_t i = 1; i < s->n; i++) {
		int order =
			value_cmp(&s->items[i - 1].keys.at[0].value, &s->items[i].keys.at[0].value);

		*out = *out && order <= 0;
		collections += order != 0;
	}
	*out = *out && collections >= COLLECTIONS_LEAST;
	s->n = 0;
	s->bytes = 0;
	return status;
}

/* Sample a large table or index. */
static int
read_sample(struct reading *r)
{
	bool sorted = true;
	int status = r->table->foreign ? shapes_read_is_sorted(r, &sorted) : 0;

	return status < 0 ? status : sorted ? read_gaps(r) : read_segments(r);
}

int
shapes_read(struct call *c, struct engine *e, const struct table_info *table, size_t most,
	    struct shapes_sample *s)
{
	struct reading r = {.call = c, .engine = e, .table = table, .sample = s, .most = most};
	bool small = s->totals.items <= most && s->totals.bytes <= READ_MOST;
	int status = small ? shapes_read_through(&r) : read_sample(&r);

	return status == 0 && call_given_up(c) ? call_fail(c, ERR_BUSY, "interrupted") : status;
}
