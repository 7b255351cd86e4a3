/* page_cycle - see page_cycle.h */
#include "store/wire/client/page_cycle.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/mem.h"
#include "store/base/text/sha256.h"
#include "store/wire/codec/codec.h"

enum { WALKS = 1024, RECENT_FIRST = 8, RECENT_MAX = 4096 };

/*
 * The last RECENT_MAX requests are known one by one.  For longer cycles Brent's: the mark stands still while
 * the walk takes as many steps as the mark has, then it catches up.
 */
struct walk {
	uint64_t here; /* digest of the request that comes next; 0: no walk */
	uint64_t *
		recent; /* heap: digests of the last requests, that of number n at n % RECENT_MAX */
	uint64_t asked; /* requests so far */
	uint64_t full;  /* as many were there after the last one that had anything on its page */
	uint64_t mark;  /* digest of an earlier one */
	uint64_t steps;
	uint64_t most;
	bool something; /* was there anything on a page since the mark? */
};

struct page_cycles {
	pthread_mutex_t lock;
	struct walk walks[WALKS]; /* at the digest's place */
};

struct page_cycles *
page_cycles_new(void)
{
	struct page_cycles *pc = mem_new(struct page_cycles);

	(void)pthread_mutex_init(&pc->lock, NULL);
	return pc;
}

void
page_cycles_free(struct page_cycles *pc)
{
	if (pc != NULL) {
		for (size_t i = 0; i < WALKS; i++) {
			free(pc->walks[i].recent);
		}
		(void)pthread_mutex_destroy(&pc->lock);
		free(pc);
	}
}

/* ------------------------------------------------------------ which request comes next */

static bool
page_cycle_from_key(struct item *start, const struct item *last)
{
	*start = *last;
	return last->n > 0;
}

static bool
page_cycle_from_text(struct slice *start, struct slice last)
{
	*start = last;
	return last.len > 0;
}

static bool
page_cycle_from_page(struct read_in *read, const struct page *page)
{
	read->told = (struct item){0};
	return page_cycle_from_key(&read->start, &page->last);
}

/* Let @in ask for the page after @out.  Return: is there one? */
static bool
page_cycle_follow(struct op_in *in, const struct op_out *out)
{
	switch ((int)in->type) {
	case OP_QUERY:
		return page_cycle_from_page(&in->query.read, &out->query.page);
	case OP_SCAN:
		return page_cycle_from_page(&in->scan.read, &out->scan.page);
	case OP_EXECUTE_STATEMENT:
		return page_cycle_from_text(&in->execute_statement.next,
					    out->execute_statement.next);
	case OP_LIST_TABLES:
		return page_cycle_from_text(&in->list_tables.start, out->list_tables.last);
	case OP_LIST_TAGS_OF_RESOURCE:
		return page_cycle_from_text(&in->list_tags_of_resource.next,
					    out->list_tags_of_resource.next);
	case OP_LIST_STREAMS:
		return page_cycle_from_text(&in->list_streams.start, out->list_streams.last);
	case OP_DESCRIBE_STREAM:
		return page_cycle_from_text(&in->describe_stream.start_shard,
					    out->describe_stream.last_shard);
	case OP_GET_RECORDS:
		return page_cycle_from_text(&in->get_records.iterator, out->get_records.next);
	default:
		return false;
	}
}

static void
page_cycle_read(struct read_in *read)
{
	read->has_limit = false;
	read->limit = 0;
	if (read->told.n > 0) {
		read->start = read->told;
	}
}

/*
 * The same walk may ask for fewer and fewer items, what is left of a limit, and may leave out what lies
 * behind the key that it was told.
 */
static struct op_in
page_cycle_same(const struct op_in *in)
{
	struct op_in same = *in;

	switch ((int)in->type) {
	case OP_QUERY:
		page_cycle_read(&same.query.read);
		break;
	case OP_SCAN:
		page_cycle_read(&same.scan.read);
		break;
	case OP_EXECUTE_STATEMENT:
		same.execute_statement.has_limit = false;
		same.execute_statement.limit = 0;
		break;
	default:
		break;
	}
	return same;
}

static uint64_t
page_cycle_digest(const struct op_in *in)
{
	struct op_in same = page_cycle_same(in);
	uint8_t digest[SHA256_BYTES];
	uint64_t n;
	cleanup(buf_release) struct buf text = {0};

	buf_char(&text, (char)in->type);
	codec_encode_in(&text, CODEC_FOREIGN, &same);
	sha256(buf_view(&text), digest);
	memcpy(&n, digest, sizeof(n));
	return n == 0 ? 1 : n;
}

/* ------------------------------------------------------------ the walks */

/* The walk that has come to this request, or a new one.  The lock is held. */
static struct walk
page_cycle_take(struct page_cycles *pc, uint64_t here)
{
	struct walk *kept = &pc->walks[here % WALKS];

	if (kept->here != here) {
		return (struct walk){.mark = here, .most = 1};
	}
	struct walk taken = *kept;

	*kept = (struct walk){0};
	return taken;
}

static void
page_cycle_put(struct page_cycles *pc, uint64_t there, struct walk w)
{
	struct walk *kept = &pc->walks[there % WALKS];

	free(kept->recent);
	*kept = w;
	kept->here = there;
}

/* Note the request that was answered. */
static void
page_cycle_note(struct walk *w, uint64_t here, bool something)
{
	uint64_t n = w->asked;

	if (n == 0) {
		w->recent = mem_array(uint64_t, RECENT_FIRST);
	} else if (n >= RECENT_FIRST && n < RECENT_MAX && (n & (n - 1)) == 0) {
		w->recent = mem_resized(w->recent, 2 * n, sizeof(w->recent[0]));
	}
	w->recent[n % RECENT_MAX] = here;
	w->asked = n + 1;
	w->full = something ? w->asked : w->full;
	w->something = w->something || something;
}

/* Was that one of the last requests, with something on its page or on one since? */
static bool
page_cycle_is_recent(const struct walk *w, uint64_t there)
{
	uint64_t first = w->asked > RECENT_MAX ? w->asked - RECENT_MAX : 0;

	for (uint64_t n = first; n < w->full; n++) {
		if (w->recent[n % RECENT_MAX] == there) {
			return true;
		}
	}
	return false;
}

bool
page_cycles_closed(struct page_cycles *pc, const struct op_in *in, const struct op_out *out)
{
	struct op_in next = *in;
	bool something = in->type != OP_GET_RECORDS || out->get_records.n_records > 0;

	if (!page_cycle_follow(&next, out)) {
		return false;
	}
	uint64_t here = page_cycle_digest(in);
	uint64_t there = page_cycle_digest(&next);
	lock_scope(&pc->lock);
	struct walk w = page_cycle_take(pc, here);

	page_cycle_note(&w, here, something);
	if ((there == w.mark && w.something) || page_cycle_is_recent(&w, there)) {
		page_cycle_put(pc, here, w); /* who asks again is told the same */
		return true;
	}
	if (++w.steps == w.most || there == w.mark) {
		w.mark = there;
		w.most *= 2;
		w.steps = 0;
		w.something = false;
	}
	page_cycle_put(pc, there, w);
	return false;
}
