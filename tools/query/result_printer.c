/* result_printer - see result_printer.h; streams.h fetches the pages */
#include "tools/query/result_printer.h"

#include "store/base/core/merge.h"
#include "store/model/item_json.h"
#include "store/model/shard_order.h"

#include "tools/out/out.h"
#include "tools/out/sink.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/streams.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"

/* The next item of a stream, for merging. */
struct head {
	struct stream_page *page; /* NULL: the stream has ended */
	size_t at;                /* index of the item in the page */
	struct slice key;         /* orders it among the other heads */
};

/* The state of result_printer_print(). */
struct printing {
	struct result_printer *a;
	struct call *c;
	struct streams *streams;
	struct head *heads; /* if merged: one for each stream */
	bool lines;         /* pages hold rendered lines */
	uint64_t count;     /* items printed, or counted */
};

/* ------------------------------------------------------------ preparing a page (any thread) */

static void
result_printer_put_line(const struct printing *p, struct stream_page *page, const struct item *it)
{
	struct item rest;

	if (p->a->hidden.n > 0) {
		rest = shard_order_shown(&page->call.arena, &p->a->hidden, it);
		it = &rest;
	}
	out_put_line(&page->text, p->a->out, it);
}

static void
result_printer_prepare(void *arg, struct stream_page *page)
{
	const struct printing *p = arg;
	struct stream_piece *pieces =
		arena_new(&page->call.arena, struct stream_piece, page->page.count);
	size_t at[SHARD_ORDER_MAX] = {0};

	for (size_t i = 0; i < page->page.count; i++) {
		if (p->a->order != NULL) {
			shard_order_put(&page->text, p->a->order, &page->page.items[i], at);
		}
		pieces[i].line = page->text.len;
		if (p->lines) {
			result_printer_put_line(p, page, &page->page.items[i]);
		}
		pieces[i].end = page->text.len;
	}
	page->pieces = pieces;
}

/* ------------------------------------------------------------ printing */

static bool
result_printer_is_full(const struct printing *p)
{
	return p->a->limit > 0 && p->count >= p->a->limit;
}

static void
result_printer_count_page(struct printing *p, const struct page *page)
{
	struct ctl_stats *s = &p->a->ctl->counted;

	s->pages++;
	s->count += page->count;
	s->scanned += page->scanned;
	progress_show(p->a->progress, p->count, p->a->out->sink.bytes);
}

/* The prepared line of item @i */
static struct slice
printing_line(const struct stream_page *page, size_t i)
{
	const struct stream_piece *piece = &page->pieces[i];

	return slice_of(page->text.at + piece->line, piece->end - piece->line);
}

static void
note_attributes(struct printing *p, const struct stream_page *page, size_t i)
{
	struct absent_names *asked = p->a->asked;

	if (asked != NULL && p->lines) {
		absent_names_look(asked, NULL, printing_line(page, i), 1);
	} else if (asked != NULL) {
		absent_names_see(asked, &page->page.items[i]);
	}
}

/* Print the item with index @i of a page; false: nothing more can be printed. */
static bool
print_item(struct printing *p, struct stream_page *page, size_t i)
{
	struct out *out = p->a->out;

	p->count++;
	note_attributes(p, page, i);
	if (p->a->choose != NULL) {
		out = p->a->choose(p->a->arg, p->c, &page->page.items[i]);
		if (out == NULL) {
			return false;
		}
	}
	if (p->lines) {
		return out_line(out, printing_line(page, i));
	}
	if (p->a->hidden.n > 0) {
		struct item it =
			shard_order_shown(&page->call.arena, &p->a->hidden, &page->page.items[i]);

		return out_item(out, &it);
	}
	return out_item(out, &page->page.items[i]);
}

/* Print all items of a page, up to the limit; false: nothing more is to be printed. */
static bool
print_page(struct printing *p, struct stream_page *page)
{
	if (page->page.in_text) {
		p->count += page->page.count;
		if (p->a->asked != NULL) {
			absent_names_look(p->a->asked, NULL, buf_view(&page->text),
					  page->page.count);
		}
		return out_page(p->a->out, buf_view(&page->text), page->page.count);
	}
	if (p->a->count) {
		p->count += page->page.count;
		return true;
	}
	for (size_t i = 0; i < page->page.count; i++) {
		if (result_printer_is_full(p) || !print_item(p, page, i)) {
			return false;
		}
	}
	return true;
}

static void
print_start(const struct printing *p, const struct item *last)
{
	if (last->n == 0) {
		return;
	}
	struct buf b = {.arena = &p->c->arena};
	item_put_json(&b, last, ITEM_PLAIN);
	ctl_note(p->a->ctl, "LastEvaluatedKey: %.*s", SLICE_ARG(buf_view(&b)));
}

/* Print pages in the order in which they arrive. */
static int
print_unsorted(struct printing *p)
{
	struct stream_page *page = NULL;

	while (!result_printer_is_full(p)) {
		int r = streams_any(p->streams, p->c, &page);
		r = r != 0 ? r : stop_check(p->c);
		if (r != 0) {
			return r < 0 ? r : 0;
		}
		result_printer_count_page(p, &page->page);
		bool more = print_page(p, page);

		if (p->a->one_page) {
			print_start(p, &page->page.last);
		}
		if (!more || p->a->one_page) {
			return 0;
		}
	}
	return 0;
}

/* ------------------------------------------------------------ merging */

static bool
result_printer_before(const void *arg, size_t i, size_t j)
{
	const struct printing *p = arg;
	const struct head *a = &p->heads[i];
	const struct head *b = &p->heads[j];

	if (a->page == NULL || b->page == NULL) {
		return a->page != NULL;
	}
	int r = slice_cmp(a->key, b->key);

	return p->a->backward ? r > 0 : r < 0;
}

static struct slice
result_printer_key_of(const struct stream_page *page, size_t i)
{
	assert(i < page->page.count);
	size_t begin = i == 0 ? 0 : page->pieces[i - 1].end;

	return slice_of(page->text.at + begin, page->pieces[i].line - begin);
}

/* Advance to the next item of stream @i, which may be on its next page. */
static int
result_printer_advance(struct printing *p, size_t i)
{
	struct head *h = &p->heads[i];

	h->at++;
	while (h->page == NULL || h->at == h->page->page.count) {
		int r = streams_next(p->streams, p->c, i, &h->page);

		if (r != 0) {
			h->page = NULL;
			return r < 0 ? r : 0;
		}
		result_printer_count_page(p, &h->page->page);
		h->at = 0;
	}
	h->key = result_printer_key_of(h->page, h->at);
	return 0;
}

static int
print_merged(struct printing *p)
{
	struct merge m;
	int r = 0;

	p->heads = arena_new(&p->c->arena, struct head, p->a->n);
	for (size_t i = 0; i < p->a->n; i++) {
		r = result_printer_advance(p, i);
		if (r < 0) {
			return r;
		}
	}
	merge_init(&m, &p->c->arena, p->a->n, result_printer_before, p);
	while (!result_printer_is_full(p) && p->heads[merge_winner(&m)].page != NULL) {
		size_t winner = merge_winner(&m);
		const struct head *h = &p->heads[winner];

		if (!print_item(p, h->page, h->at)) {
			return 0;
		}
		r = result_printer_advance(p, winner);
		if (r < 0) {
			return r;
		}
		merge_replay(&m);
	}
	return 0;
}

/* ------------------------------------------------------------ all streams */

/* Return true if one output prints all items of all pages unchanged: then the engine may render whole pages. */
static bool
result_printer_is_text(const struct result_printer *a, struct page_text *text)
{
	return a->order == NULL && a->limit == 0 && a->hidden.n == 0 && a->choose == NULL &&
	       !a->count && out_text(a->out, text);
}

int
result_printer_print(struct result_printer *a, struct call *c)
{
	struct page_text text;
	struct printing p = {.a = a, .c = c};
	bool sure = !a->filtered && !a->count;
	struct streams_options o = {
		.engine = a->ctl->engine,
		.requests = a->requests,
		.n = a->n,
		.most = sure ? a->limit : 0,
		.jobs = a->jobs,
		.patient = a->patient,
		.now_ms = c->now_ms,
		.prepare = result_printer_prepare,
		.arg = &p,
	};

	assert(a->n > 0 && (!a->one_page || a->n == 1));
	p.lines = out_is_lines(a->out);
	o.transient = p.lines && a->choose == NULL;
	o.text = result_printer_is_text(a, &text) ? &text : NULL;
	/* Do not read ahead: it may be useless. */
	if (a->one_page || (a->n == 1 && a->limit > 0)) {
		o.jobs = 1;
	}
	p.streams = streams_new(&o);
	int r = a->order != NULL && !a->count ? print_merged(&p) : print_unsorted(&p);

	streams_free(p.streams);
	if (r == 0) {
		r = -(int)c->error.code; /* error of choose() */
	}
	if (r == 0 && a->count) {
		uint64_t n = a->limit > 0 && p.count > a->limit ? a->limit : p.count;

		buf_fmt(&a->out->sink.buf, "%lu\n", (unsigned long)n);
		a->out->format = OUT_JSONL; /* only the number, in each format */
	}
	return r;
}
