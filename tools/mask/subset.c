/* subset - see subset.h */
#include "tools/mask/subset.h"

#include <math.h>

#include "store/base/text/sha256.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/key_text.h"
#include "store/model/sort_key.h"
#include "store/model/value.h"

#include "tools/cli/opts.h"
#include "tools/mask/mask.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/streams.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/text_lines.h"
#include "tools/write/bulk.h"

#define SUBSET_PK "#itemctl_pk"
#define SUBSET_PK_VALUE ":itemctl_pk"

/* ------------------------------------------------------------ --sample */

static int
subset_sample(struct call *c, const char *text, uint64_t items, struct subset *s)
{
	struct opt_count count = {0};
	char *end = NULL;
	double share = strtod(text, &end);

	s->sampled = true;
	if (end != text && strcmp(end, "%") == 0 && share > 0 && share <= 100) {
		share /= 100;
	} else if (opts_count(text, &count.n) && count.n > 0) {
		if (items == 0) {
			return call_fail(
				c, ERR_USAGE,
				"--sample N needs the table's number of items, which is not "
				"known: give a percentage");
		}
		share = (double)count.n / (double)items;
	} else {
		return call_fail(
			c, ERR_USAGE,
			"--sample must be a percentage, such as 1%%, or a number of items, not "
			"\"%s\"",
			text);
	}
	if (share >= 1) {
		s->sampled = false;
	} else {
		s->below = (uint64_t)ldexp(share, 64);
	}
	return 0;
}

static bool
subset_samples(const struct subset *s, const struct value *pk)
{
	uint8_t digest[SHA256_BYTES];
	cleanup(buf_release) struct buf b = {0};

	sort_key_put(&b, pk);
	sha256(buf_view(&b), digest);
	return slice_be(slice_of((const char *)digest, sizeof(uint64_t))) < s->below;
}

/* Keep the items of the sampled partitions.  Items of a partition are consecutive, so each key is hashed once. */
static void
subset_take(const struct subset *s, struct page *page)
{
	const struct value *last = NULL;
	bool takes = false;
	size_t n = 0;

	for (size_t i = 0; i < page->count; i++) {
		const struct value *pk = item_get(&page->items[i], s->schema->key.pk[0].name);

		if (pk != NULL && (last == NULL || !value_eq(pk, last))) {
			takes = subset_samples(s, pk);
			last = pk;
		}
		if (takes) {
			page->items[n++] = page->items[i];
		}
	}
	page->count = n;
}

/* ------------------------------------------------------------ --partitions */

enum { PARTITIONS_MAX = 1000000 }; /* each needs half a KB */

static int
subset_partitions(struct call *c, const char *file, struct subset *s)
{
	struct text_lines lines = {0};
	struct text_origin origin = {.file = file};
	size_t room = 0;
	int r = ctl_read_text(c, file, &lines.rest);

	while (r == 0 && lines.rest.len > 0) {
		struct slice line = text_lines_next(&lines);

		if (line.len > 0 && line.at[line.len - 1] == '\r') {
			line.len--;
		}
		if (line.len > 0 && s->n_keys == PARTITIONS_MAX) {
			(void)!call_fail(c, ERR_USAGE, "over %d partitions", PARTITIONS_MAX);
			r = text_at(c, &origin, lines.line);
		} else if (line.len > 0) {
			s->keys = arena_room(&c->arena, s->keys, s->n_keys, &room);
			r = key_text_parse(c, &s->schema->key.pk[0], line, &s->keys[s->n_keys++]);
			r = r < 0 ? text_at(c, &origin, lines.line) : 0;
		}
	}
	return r < 0 || s->n_keys > 0 ? r : call_fail(c, ERR_USAGE, "there is no key in %s", file);
}

/* ------------------------------------------------------------ all options */

int
subset_open(struct call *c, const struct subset_opts *o, const struct schema *s, uint64_t items,
	    struct subset *out)
{
	int r = 0;

	*out = (struct subset){.schema = s, .exprs = arena_new(&c->arena, struct exprs, 1)};
	out->read = (struct read_in){.table = s->table, .once = true};
	if (o->mask_key != NULL && o->mask == NULL) {
		return call_fail(c, ERR_USAGE, "--mask-key goes with --mask");
	}
	if (o->sample != NULL) {
		r = subset_sample(c, o->sample, items, out);
	}
	if (r == 0 && o->mask != NULL) {
		r = mask_read(c, o->mask, o->mask_key, &out->mask);
		r = r < 0 ? r : mask_check(c, out->mask, s);
	}
	r = r == 0 && o->partitions != NULL ? subset_partitions(c, o->partitions, out) : r;
	r = r < 0 ? r : exprs_placeholders(c, out->exprs, o->names, o->values);
	r = r != 0 ? r
		   : exprs_add(c, out->exprs, "FilterExpression", slice_from(o->filter),
			       &out->read.filter);
	if (r == 0 && out->keys != NULL) {
		exprs_name(c, out->exprs, SUBSET_PK, s->key.pk[0].name);
	}
	out->read.ph = out->exprs->request.ph;
	return r;
}

void
subset_close(struct subset *s)
{
	mask_free(s->mask);
	s->mask = NULL;
}

/* ------------------------------------------------------------ the copy */

enum {
	SYNC_PAGES =
		64, /* pages between two syncs: at most that many are put again after a failure */
	PARTITIONS_ONCE = 64, /* partitions that are read in parallel */
};

/* Make a Scan that begins after @start, or a Query for each partition, in the arena of the call.  Return: how many */
static size_t
subset_requests(const struct subset *s, struct call *c, const struct item *start,
		struct op_in **out)
{
	struct op_in *in = arena_new(&c->arena, struct op_in, s->n_keys + 1);

	*out = in;
	assert((s->keys == NULL) == (s->n_keys == 0));
	if (s->keys == NULL) {
		in[0] = (struct op_in){.type = OP_SCAN, .scan.read = s->read};
		in[0].scan.read.start = *start;
		return 1;
	}
	for (size_t i = 0; i < s->n_keys; i++) {
		struct exprs own = *s->exprs;

		exprs_value(c, &own, SUBSET_PK_VALUE, &s->keys[i]);
		in[i] = (struct op_in){
			.type = OP_QUERY,
			.query = {.read = s->read,
				  .key_condition = SLICE(SUBSET_PK " = " SUBSET_PK_VALUE)}};
		in[i].query.read.ph = own.request.ph;
	}
	return s->n_keys;
}

/* prepare() of struct streams_options: sample and mask a page, in any thread.  @arg: the subset */
static void
subset_prepare(void *arg, struct stream_page *p)
{
	const struct subset *s = arg;

	if (s->sampled) {
		subset_take(s, &p->page);
	}
	/* A failure stays in the call of the page, and ends the reading. */
	if (s->mask != NULL &&
	    mask_items(&p->call, s->mask, &s->schema->key, p->page.items, p->page.count) < 0) {
		p->page.count = 0;
	}
}

/* Make durable what was put: a copy that fails later can be resumed after it. */
static int
subset_copy_sync(struct subset_copy *s, struct call *c)
{
	call_scope(own, c->now_ms);
	int r = bulk_sync(&s->bulk, &own);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else {
		buf_set(&s->safe, buf_view(&s->next));
	}
	return r;
}

/* Put the items of a page, in a call of its own. */
static int
subset_copy_put(struct subset_copy *s, struct call *c, const struct page *page)
{
	call_scope(own, c->now_ms);
	size_t done;
	int r = bulk_put(&s->bulk, &own, page->items, page->count, &done);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else {
		s->items += page->count;
		for (size_t i = 0; s->progress.on && i < page->count; i++) {
			s->bytes += item_size(&page->items[i]);
		}
		buf_clear(&s->next);
		if (page->last.n > 0) {
			item_put_json(&s->next, &page->last, ITEM_PLAIN);
		}
		progress_show(&s->progress, s->items, s->bytes);
	}
	return r;
}

static int
subset_copy_pages(struct subset_copy *s, struct call *c, struct streams *pages)
{
	struct stream_page *page = NULL;
	int r = 0;

	for (unsigned n = 1; r == 0; n++) {
		r = stop_check(c);
		if (r == 0) {
			r = streams_any(pages, c, &page);
		}
		if (r == 0) {
			r = subset_copy_put(s, c, &page->page);
		}
		if (r == 0 && n % SYNC_PAGES == 0) {
			r = subset_copy_sync(s, c);
		}
	}
	int safe = subset_copy_sync(s, c);

	return r < 0 ? r : safe;
}

static int
subset_copy_requests(struct subset_copy *s, struct call *c, const struct op_in *requests, size_t n)
{
	struct streams_options so = {.engine = s->from,
				     .requests = requests,
				     .n = n,
				     .jobs = s->jobs,
				     .patient = true,
				     .now_ms = c->now_ms,
				     .prepare = subset_prepare,
				     .arg = s->subset};
	struct streams *pages = streams_new(&so);
	int r = subset_copy_pages(s, c, pages);

	streams_free(pages);
	return r;
}

int
subset_copy_items(struct subset_copy *s, struct call *c, const char *start)
{
	struct op_in *requests;

	assert(s->bulk.engine != NULL && s->bulk.key != NULL);
	size_t n = subset_requests(s->subset, c, &s->start, &requests);
	int r = 0;

	if (start != NULL) {
		buf_str(&s->next, start);
		buf_str(&s->safe, start);
	}
	for (size_t i = 0; i < n && r >= 0; i += PARTITIONS_ONCE) {
		r = subset_copy_requests(s, c, requests + i,
					 n - i < PARTITIONS_ONCE ? n - i : PARTITIONS_ONCE);
	}
	return r < 0 ? r : 0;
}
