/* listing_page - the page of entries that a listing has at hand, and the key before each page.  Below listing.c */
#include "store/base/core/mem.h"
#include "store/model/item.h"
#include "store/model/value.h"

#include "fs/core/memory_account.h"
#include "fs/ops/listing.h"
#include "fs/place/place.h"
#include "fs/place/rows.h"

void
listing_drop_page(struct listing *l)
{
	rows_close(l->rows);
	l->rows = NULL;
	call_close(&l->page_call);
	l->n = 0;
	l->more = false;
}

static struct values
copy_values(struct arena *a, const struct values *v)
{
	struct values copy = {arena_new(a, struct value, v->n), v->n};

	for (size_t i = 0; i < v->n; i++) {
		copy.at[i] = value_copy(a, &v->at[i]);
	}
	return copy;
}

static void
add_mark(struct listing *l)
{
	uint64_t first = l->first + l->n;
	struct listing_mark mark = {.first = first};

	if (l->n_marks > 0 && l->marks[l->n_marks - 1].first >= first) {
		return;
	}
	if (l->entries != NULL && l->next.n == 0) {
		struct item key =
			place_entry_key(&l->page_call.arena, &l->place, &l->entries[l->n - 1]);

		mark.after = item_copy(&l->keep.arena, &key);
	} else {
		if (l->partitions != NULL) {
			mark.pk = copy_values(&l->keep.arena, &l->partitions[l->n - 1].pk);
		}
		mark.after = item_copy(&l->keep.arena, &l->next);
	}
	if (l->n_marks == l->cap_marks) {
		l->cap_marks = l->cap_marks == 0 ? 16 : 2 * l->cap_marks;
		l->marks = mem_resized(l->marks, l->cap_marks, sizeof(*l->marks));
	}
	l->marks[l->n_marks++] = mark;
}

/* The page's own call is used for one page and then emptied. */
static int
listing_page_pass_on(struct listing *l, struct call *c, int r)
{
	return r < 0 ? call_adopt(c, &l->page_call) : r;
}

static int
page_of_entries(struct listing *l, const struct listing_mark *mark)
{
	struct list_entries_in in = {
		.after = mark == NULL ? NULL : &mark->after,
		.limit = LISTING_PAGE,
		.view = l->view,
	};
	struct list_entries_out page = {0};
	int r = place_list_entries(l->m, &l->page_call, &l->place, &in, &page);

	if (r == 0) {
		l->entries = page.entries;
		l->n = page.n_entries;
		l->more = page.more;
		l->next = page.last;
	}
	return r;
}

static int
page_of_partitions(struct listing *l, const struct listing_mark *mark)
{
	struct list_partitions_in in = {
		.after = mark != NULL,
		.limit = LISTING_PAGE,
		.view = l->view,
	};
	struct list_partitions_out page = {0};

	l->next = (struct item){0};
	if (mark != NULL) {
		in.from = mark->pk;
		l->next = mark->after;
	}
	int r = place_list_partitions(l->m, &l->page_call, &l->place, &in, &page, &l->next);

	if (r == 0) {
		l->partitions = page.partitions;
		l->n = page.n_partitions;
		l->more = page.more;
	}
	return r;
}

/* What was behind the page in another state. */
static void
forget_behind(struct listing *l)
{
	while (l->n_marks > 0 && l->marks[l->n_marks - 1].first > l->first) {
		l->n_marks--;
	}
	l->has_tail = false;
}

/* What it has in memory now, its page included. */
static bool
charge_page(struct listing *l)
{
	return charge_to(&l->charge, LISTING_BYTES + l->page_call.arena.used + l->keep.arena.used +
					     l->cap_marks * sizeof(*l->marks) + l->ahead.cap +
					     rows_bytes(l->rows));
}

/* The page behind @mark; NULL: the first one. */
int
listing_read_page(struct listing *l, struct call *c, const struct listing_mark *mark)
{
	int r = 0;

	call_close(&l->page_call);
	call_for(&l->page_call, c);
	l->first = mark == NULL ? 0 : mark->first;
	l->entries = NULL;
	l->partitions = NULL;
	l->next = (struct item){0};
	l->names = NULL;
	l->n = 0;
	l->more = false;
	if (l->view == NULL) {
		forget_behind(l);
		listing_hide(l);
	}
	switch (l->place.role) {
	case ROLE_TABLES:
	case ROLE_INDEXES:
	case ROLE_SPECIAL:
		r = listing_names_page(l);
		break;
	case ROLE_QUERY:
		r = listing_query_page(l, mark);
		break;
	case ROLE_TABLE:
	case ROLE_INDEX:
	case ROLE_PARTITION:
	case ROLE_ITEM:
	case ROLE_SCRATCH:
	case ROLE_TERMINAL:
	case ROLE_TABLE_FILE:
		r = place_holds_items(&l->place) ? page_of_entries(l, mark)
						 : page_of_partitions(l, mark);
		break;
	}
	if (r == 0 && l->more) {
		add_mark(l);
	}
	if (r != 0) {
		/* Nothing was read: whoever asks again meets the same mark. */
		l->n = 0;
		l->more = true;
	} else if (!charge_page(l)) {
		listing_drop_page(l);
		l->more = true;
		return account_full(c);
	}
	return listing_page_pass_on(l, c, r);
}
