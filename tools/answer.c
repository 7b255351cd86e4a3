/* answer - pages into lines; see streams.c for where pages come from */
#include "tools/answer.h"

#include <stdio.h>

#include "store/model/number.h"

#include "tools/merge.h"
#include "tools/streams.h"

/* A running answer. */
struct printing {
	struct answer *a;
	struct call *c;
	struct streams *streams;
	struct stream_page **heads; /* merged: the page of each stream, NULL at its end */
	enum item_form form;
	bool lines;     /* pages hold rendered lines */
	uint64_t count; /* items printed, or counted */
};

/* ------------------------------------------------------------ preparing a page (any thread) */

/* The item without the attributes that were asked for only to merge by. */
static struct item
shown(struct arena *arena, const struct answer *a, const struct item *it)
{
	struct item out = {.at = arena_new(arena, struct attr, it->n + 1)};

	for (size_t i = 0; i < it->n; i++) {
		bool hidden = false;

		for (size_t h = 0; h < a->n_hidden && !hidden; h++) {
			hidden = slice_eq(it->at[i].name, a->hidden[h]);
		}
		if (!hidden) {
			out.at[out.n++] = it->at[i];
		}
	}
	return out;
}

static void
render(const struct printing *p, struct stream_page *page)
{
	const struct answer *a = p->a;
	size_t *ends = arena_new(&page->call.arena, size_t, page->page.count + 1);

	for (size_t i = 0; i < page->page.count; i++) {
		struct item it = page->page.items[i];

		if (a->n_hidden > 0) {
			it = shown(&page->call.arena, a, &it);
		}
		item_put_json(&page->lines, &it, p->form);
		buf_char(&page->lines, '\n');
		ends[i] = page->lines.len;
	}
	page->ends = ends;
}

/* Bytes that sort as the value does. */
static struct slice
sort_bytes(struct arena *arena, const struct value *v)
{
	struct number n;
	struct buf b;

	if (v == NULL) {
		return slice_of(NULL, 0);
	}
	if (v->type != VALUE_N) {
		return v->text;
	}
	n = number_read(v->text);
	buf_init(&b, arena);
	number_to_key(&b, &n);
	return buf_view(&b);
}

static void
extract_keys(const struct printing *p, struct stream_page *page)
{
	struct slice name = p->a->order->sk.name;
	struct slice *keys = arena_new(&page->call.arena, struct slice, page->page.count + 1);

	for (size_t i = 0; i < page->page.count && name.len > 0; i++) {
		keys[i] = sort_bytes(&page->call.arena, item_get(&page->page.items[i], name));
	}
	page->keys = keys;
}

static void
prepare(void *arg, struct stream_page *page)
{
	const struct printing *p = arg;

	if (p->lines) {
		render(p, page);
	}
	if (p->a->order != NULL) {
		extract_keys(p, page);
	}
}

/* ------------------------------------------------------------ printing */

static bool
is_full(const struct printing *p)
{
	return p->a->limit > 0 && p->count >= p->a->limit;
}

static void
count_page(struct printing *p, const struct page *page)
{
	struct ctl_stats *s = &p->a->ctl->counted;

	s->pages++;
	s->count += page->count;
	s->scanned += page->scanned;
	if (p->a->progress != NULL) {
		progress_show(p->a->progress, p->count, 0);
	}
}

/* Print the n-th item of a page; false when that is all that can be printed. */
static bool
print_item(struct printing *p, struct stream_page *page, size_t i)
{
	p->count++;
	if (p->lines) {
		size_t begin = i == 0 ? 0 : page->ends[i - 1];

		return out_line(p->a->out, slice_of(page->lines.at + begin, page->ends[i] - begin));
	}
	if (p->a->n_hidden > 0) {
		struct item it = shown(&page->call.arena, p->a, &page->page.items[i]);

		return out_item(p->a->out, &it);
	}
	return out_item(p->a->out, &page->page.items[i]);
}

/* All items of a page, or as many as the limit leaves. */
static bool
print_page(struct printing *p, struct stream_page *page)
{
	if (p->a->count) {
		p->count += page->page.count;
		return true;
	}
	for (size_t i = 0; i < page->page.count; i++) {
		if (is_full(p) || !print_item(p, page, i)) {
			return false;
		}
	}
	return true;
}

static void
print_start(const struct printing *p, const struct item *last)
{
	struct buf b;

	if (last->n == 0) {
		return;
	}
	buf_init(&b, &p->c->arena);
	item_put_json(&b, last, ITEM_PLAIN);
	ctl_note(p->a->ctl, "LastEvaluatedKey: %.*s", SLICE_ARG(buf_view(&b)));
}

/* Pages as they come. */
static int
print_unsorted(struct printing *p)
{
	struct stream_page *page = NULL;

	while (!is_full(p)) {
		int r = streams_any(p->streams, p->c, &page);
		if (r != 0) {
			return r < 0 ? r : 0;
		}
		count_page(p, &page->page);
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

/* Order of two table keys, for items that are equal in the index's sort key. */
static int
compare_table_keys(const struct schema *s, const struct item *a, const struct item *b)
{
	const struct value *pk[2] = {NULL, NULL};
	const struct value *sk[2] = {NULL, NULL};

	if (key_from_item(&s->key, a, &pk[0], &sk[0]) != 0 ||
	    key_from_item(&s->key, b, &pk[1], &sk[1]) != 0) {
		return 0;
	}
	int r = value_cmp(pk[0], pk[1]);

	return r != 0 || sk[0] == NULL ? r : value_cmp(sk[0], sk[1]);
}

static bool
before(const void *arg, size_t i, size_t j)
{
	const struct printing *p = arg;
	const struct stream_page *a = p->heads[i];
	const struct stream_page *b = p->heads[j];

	if (a == NULL || b == NULL) {
		return a != NULL;
	}
	int r = slice_cmp(a->keys[a->next], b->keys[b->next]);

	if (r == 0) {
		r = compare_table_keys(p->a->schema, &a->page.items[a->next],
				       &b->page.items[b->next]);
	}
	return p->a->backward ? r > 0 : r < 0;
}

/* Give stream @i a page with at least one item, or NULL. */
static int
refill(struct printing *p, size_t i)
{
	for (;;) {
		int r = streams_next(p->streams, p->c, i, &p->heads[i]);

		if (r != 0) {
			p->heads[i] = NULL;
			return r < 0 ? r : 0;
		}
		count_page(p, &p->heads[i]->page);
		if (p->heads[i]->page.count > 0) {
			return 0;
		}
	}
}

static int
print_merged(struct printing *p)
{
	struct merge m;
	int r = 0;

	p->heads = arena_new(&p->c->arena, struct stream_page *, p->a->n);
	for (size_t i = 0; i < p->a->n; i++) {
		r = refill(p, i);
		if (r < 0) {
			return r;
		}
	}
	merge_init(&m, &p->c->arena, p->a->n, before, p);
	while (!is_full(p) && p->heads[merge_winner(&m)] != NULL) {
		size_t winner = merge_winner(&m);
		struct stream_page *page = p->heads[winner];

		if (!print_item(p, page, page->next)) {
			return 0;
		}
		if (++page->next == page->page.count) {
			r = refill(p, winner);
			if (r < 0) {
				return r;
			}
		}
		merge_replay(&m);
	}
	return 0;
}

/* ------------------------------------------------------------ the whole */

int
answer_print(struct answer *a, struct call *c)
{
	struct printing p = {.a = a, .c = c};
	bool sure = !a->filtered && !a->count;
	struct streams_options o = {
		.engine = a->ctl->engine,
		.requests = a->requests,
		.n = a->n,
		.most = sure ? a->limit : 0,
		.jobs = a->jobs,
		.now_ms = c->now_ms,
		.prepare = prepare,
		.arg = &p,
	};

	p.lines = out_is_lines(a->out, &p.form);
	/* What is read ahead may be in vain: not more than is asked for. */
	if (a->one_page || (a->n == 1 && a->limit > 0)) {
		o.jobs = 1;
	}
	p.streams = streams_new(&o);
	int r = a->order != NULL && !a->count ? print_merged(&p) : print_unsorted(&p);

	streams_free(p.streams);
	if (r == 0 && a->count) {
		uint64_t n = a->limit > 0 && p.count > a->limit ? a->limit : p.count;

		buf_fmt(&a->out->sink.buf, "%lu\n", (unsigned long)n);
		a->out->format = OUT_JSONL; /* the number alone, whatever the form */
	}
	return r;
}
