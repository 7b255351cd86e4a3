/* subset_copy - see subset_copy.h */
#include "tools/mask/subset_copy.h"

#include <assert.h>

#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

#include "tools/mask/subset.h"
#include "tools/session/ctl.h"
#include "tools/session/streams.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/write/bulk.h"

enum {
	SYNC_PAGES =
		64, /* pages between two syncs: at most that many are put again after a failure */
	PARTITIONS_ONCE = 64, /* partitions that are read in parallel */
};

/* Make durable what was put: a copy that fails later can be resumed after it. */
static int
subset_copy_sync(struct subset_copy *s, struct call *c)
{
	call_scope(own, c->now_ms);
	int r = bulk_sync(&s->bulk, &own);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else {
		buf_clear(&s->safe);
		buf_slice(&s->safe, buf_view(&s->next));
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
