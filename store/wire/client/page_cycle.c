/* page_cycle - digests of requests, and the walks that lead to them */
#include "store/wire/client/page_cycle.h"

#include "store/base/text/sha256.h"
#include "store/wire/codec/codec.h"

enum { WALKS = 1024, RECENT_FIRST = 8, RECENT_MAX = 16384 };

struct walk {
	uint64_t here; /* digest of the next request; 0: no walk */
	/* heap: digests of the last requests, that of number n at n % RECENT_MAX */
	uint64_t *recent;
	uint64_t asked; /* number of requests so far */
	uint64_t full;  /* the value of @asked after the last page that was not empty */
};

struct page_cycles {
	pthread_mutex_t lock;
	struct walk walks[WALKS]; /* at index here % WALKS */
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

/* ------------------------------------------------------------ the next request */

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
	read->reported = (struct item){0};
	return page_cycle_from_key(&read->start, &page->last);
}

/* Let @in ask for the page after @out.  Return whether there is one. */
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
	if (read->reported.n > 0) {
		read->start = read->reported;
	}
}

/*
 * Return a form of @in that depends only on the walk: without the limit, which may shrink from page to page, and with
 * the start key that the server returned, since the caller may skip ahead of it.
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

/* Remove and return the walk that has come to this request, or return a new one. */
static struct walk
page_cycle_take(struct page_cycles *pc, uint64_t here)
{
	struct walk *kept = &pc->walks[here % WALKS];

	assert(lock_held(&pc->lock));
	if (kept->here != here) {
		return (struct walk){0};
	}
	struct walk taken = *kept;

	*kept = (struct walk){0};
	return taken;
}

/* Store a walk under its next request, in place of another one there. */
static void
page_cycle_put(struct page_cycles *pc, uint64_t there, struct walk w)
{
	struct walk *kept = &pc->walks[there % WALKS];

	assert(lock_held(&pc->lock) && there != 0);
	free(kept->recent);
	*kept = w;
	kept->here = there;
}

/* Record a request that was answered. */
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
}

/* Return whether @there is one of the last requests, and its page or a later one was not empty. */
static bool
page_cycle_is_recent(const struct walk *w, uint64_t there)
{
	uint64_t first = w->asked > RECENT_MAX ? w->asked - RECENT_MAX : 0;

	assert(w->full <= w->asked);
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
	bool closed = page_cycle_is_recent(&w, there);

	page_cycle_put(pc, closed ? here : there,
		       w); /* closed: the same request gets the same result again */
	return closed;
}
