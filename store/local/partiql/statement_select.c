/*
 * statement_select - one page of a SELECT, read from its runs of keys in order, over one snapshot
 *
 * The limit and the size of a page apply to all of its runs together. NextToken contains the run and the key in it.
 */
#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/base/text/sha256.h"
#include "store/local/partiql/statement_execute.h"
#include "store/local/read/plan.h"
#include "store/local/read/read_page.h"
#include "store/local/read/select.h"
#include "store/model/item_json.h"
#include "store/partiql/translate.h"

/* ------------------------------------------------------------ NextToken */

/* The start of the next page of a SELECT. */
struct next_page {
	size_t run;        /* index of the run of keys */
	struct item start; /* key of the item before it; n = 0: the beginning of the run */
};

/*
 * A token is base64 of {"s":"HEX","r":RUN,"k":{KEY}}: a digest of the statement and its parameters, the run of keys, and
 * the key in it in the form of LastEvaluatedKey. A forged one gives no more access than a forged ExclusiveStartKey.
 */
enum { DIGEST_BYTES = 16, RUN_DIGITS = 6 };

static struct slice
digest(struct call *c, const struct parameterized *of)
{
	uint8_t bytes[SHA256_BYTES];
	struct buf hex = {.arena = &c->arena};

	sha256(statement_spelled(c, of), bytes);
	for (size_t i = 0; i < DIGEST_BYTES; i++) {
		buf_fmt(&hex, "%02x", bytes[i]);
	}
	return buf_view(&hex);
}

static struct slice
next_page_encode(struct call *c, const struct parameterized *of, const struct next_page *at)
{
	struct buf json = {.arena = &c->arena};
	struct buf token = {.arena = &c->arena};

	buf_fmt(&json, "{\"s\":\"%.*s\",\"r\":%zu,\"k\":", SLICE_ARG(digest(c, of)), at->run);
	item_put_json(&json, &at->start, ITEM_TYPED);
	buf_char(&json, '}');
	base64_encode(&token, buf_view(&json));
	return buf_view(&token);
}

/* Return: false: it is no token of the statement, and the call may have an error */
static bool
next_page_decode(struct call *c, const struct parameterized *of, struct slice token,
		 struct next_page *out)
{
	const struct json *json = NULL;
	struct buf text = {.arena = &c->arena};

	if (!base64_decode(&text, token) ||
	    json_parse(c, buf_view(&text), JSON_STRICT, &json) < 0) {
		return false;
	}
	const struct json *sum = json_get(json, "s");
	const struct json *run = json_get(json, "r");
	const struct json *key = json_get(json, "k");

	if (sum == NULL || sum->type != JSON_STRING || !slice_eq(sum->text, digest(c, of)) ||
	    run == NULL || run->type != JSON_NUMBER || run->text.len > RUN_DIGITS || key == NULL ||
	    key->type != JSON_OBJECT) {
		return false;
	}
	out->run = strtoul(slice_cstr(&c->arena, run->text), NULL, 10);
	return item_from_typed_json(c, key, &out->start) == 0;
}

/* ------------------------------------------------------------ a page */

struct reading {
	const struct bound_statement *bound;
	const struct selection *selection;
	struct page_reader page;
};

/* Bind the read. If there is a projection, whole items are read, and translate_answer() selects from them. */
static int
statement_select_bind(struct local *l, struct call *c, const struct selection *s,
		      struct select_bound *out)
{
	int r = select_bind(l, c, &s->read, NULL, out);

	if (r == 0) {
		r = select_check(c, &s->read, SELECT_OF_STATEMENT, out);
	}
	if (r == 0 && out->spec.projection != NULL) {
		out->spec.projection = NULL;
		out->spec.whole = true;
	}
	return r;
}

/* Read the run @number into the page, from after the key @start.  Return: as page_run() */
static int
read_run(struct reading *rd, struct call *c, size_t number, const struct item *start)
{
	assert(number == 0 || number < rd->selection->runs.n);
	const struct bound_statement *b = rd->bound;
	const struct keycond *run =
		rd->selection->runs.n == 0 ? NULL : &rd->selection->runs.at[number];
	struct plan plan;

	if (run == NULL) {
		plan_whole(c, b->schema, b->ix, &plan);
	} else {
		plan_collection(c, b->schema, b->ix, run, &plan);
	}
	plan.backward = rd->selection->backward;
	if (start->n > 0) {
		int r = plan_start(c, &plan, run, start);

		if (r < 0) {
			return r;
		}
	}
	return page_run(&rd->page, c, &plan);
}

/* Read runs until the page is full.  @at: the start of the page; set to the run in which it has ended */
static int
read_runs(struct reading *rd, struct call *c, struct next_page *at)
{
	size_t n = rd->selection->runs.n;
	int r;

	do {
		r = read_run(rd, c, at->run, &at->start);
		at->start = (struct item){0};
	} while (r == PAGE_END && ++at->run < n);
	return r < 0 ? r : 0;
}

static void
statement_select_answer(struct reading *rd, struct call *c, const struct execute_statement_in *in,
			struct next_page *at, struct execute_statement_out *out)
{
	struct page *page = &rd->page.page;

	for (size_t i = 0; i < page->count; i++) {
		page->items[i] = translate_answer(c, &rd->bound->st, &page->items[i]);
	}
	out->items = page->items;
	out->n_items = page->count;
	if (page->last.n > 0) {
		at->start = page->last;
		out->next = next_page_encode(c, &in->of, at);
	}
}

int
statement_select(struct local *l, struct call *c, const struct bound_statement *b,
		 const struct execute_statement_in *in, struct execute_statement_out *out)
{
	struct selection s;
	struct select_bound bound;
	struct next_page at = {0};
	int r = translate_select(c, b->schema, b->ix, &b->st, &s);

	s.read.consistent = in->of.consistent;
	s.read.has_limit = in->has_limit;
	s.read.limit = in->limit;
	s.read.capacity = in->capacity;
	if (r == 0 && in->of.consistent && b->ix != NULL && b->ix->global) {
		return call_fail(
			c, ERR_VALIDATION,
			"Strongly consistent read is not supported on Global Secondary Indexes");
	}
	if (r == 0) {
		r = statement_select_bind(l, c, &s, &bound);
	}
	if (r == 0 && in->next.at != NULL &&
	    (!next_page_decode(c, &in->of, in->next, &at) || (at.run > 0 && at.run >= s.runs.n))) {
		c->error = (struct error){0};
		r = call_fail(c, ERR_VALIDATION, "Invalid NextToken");
	}
	if (r < 0) {
		return r;
	}
	/* A read of several partitions is charged as a scan: the cost of each partition is not known. */
	r = select_admit(l, c, &bound, NULL, s.runs.n == 1 ? &s.runs.at[0].equal : NULL);
	if (r < 0) {
		return r;
	}
	struct reading rd = {.bound = b, .selection = &s};

	page_open(&rd.page, l, &bound.spec);
	r = read_runs(&rd, c, &at);
	if (r == 0) {
		statement_select_answer(&rd, c, in, &at, out);
		out->consumed = select_pay(l, c, &s.read, &bound, &rd.page.sum);
	}
	page_close(&rd.page);
	return r;
}
