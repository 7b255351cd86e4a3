/*
 * producer - see producer.h; between the engine's row stream and the READs of generated.c
 *
 * Each producer has a lock. While "busy" is set, a worker has the row stream or will get it, or producer_drop() ends
 * it: only that thread uses the row stream. producer_new() makes the first piece before any other thread has the
 * producer. Pieces are freed under the lock, and READs are answered under it, so an answer's bytes stay valid until it
 * is sent.
 */
#include "fs/made/producer.h"

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/core/workers.h"
#include "store/engine/engine.h"

#include "fs/core/backoff.h"
#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/file/request.h"
#include "fs/made/records.h"
#include "fs/made/text_window.h"
#include "fs/place/path_query.h"
#include "fs/place/place.h"

enum {
	PIECE = 128 * 1024,
	PIECE_FIRST = 16 * 1024, /* made by the thread of the first READ, which waits for it */
	PIECE_ROOM = PIECE + 8 * 1024,
	COLLECTIONS_FEW = 64, /* with more collections the first items take long */
	AHEAD = 512 * 1024,
	IN_VAIN_MAX = 16, /* turns without a waiting READ; each reads some thousand items */
	TURN_BUDGET = 1024 * 1024,
	PRODUCER_BYTES = 4 * 1024, /* overhead, in addition to text and readers */
	PAUSE_MS = 5, /* pause of a worker whose piece is throttled; other producers may wait */
	READER_BYTES = 4 * 1024, /* per request: a cursor, and its part of the query */
};

struct producer {
	struct mount *m;
	struct node *node; /* one reference */
	uint32_t uid;
	struct work work;
	struct call keep; /* memory of the requests */
	struct row_stream_in in;
	struct usage usage; /* used only by the thread that makes a piece */

	/* Guards all members below; while busy is set, not @row_stream, @backoff and @again. */
	pthread_mutex_t lock;
	struct row_stream *row_stream; /* NULL: all of it was read, or it was released */
	struct text_window text;
	uint64_t pos; /* end of the furthest byte that was read */
	bool busy;
	bool starting; /* give it to the workers when the lock is released */
	bool ended;    /* the text is complete */
	bool dropped;  /* it has no reader any more */
	bool stale;    /* the snapshot was released */
	bool told;     /* a READ got bytes, the end, or an errno */
	int errnum;    /* why there is no more text for now; reported once, then tried again */
	struct backoff backoff; /* for a piece that is throttled */
	bool again;             /* the piece is throttled: it is tried again after a pause */
	unsigned turns;         /* since the last READ */
	uint64_t read_ns;       /* time of the last READ, by the steady clock */
	struct producer_waiter *waiting;
};

/* ------------------------------------------------------------ answers */

/* Return: whether a READ at @offset can be answered. */
static bool
producer_is_ready(const struct producer *o, uint64_t offset)
{
	assert(lock_held(&o->lock));
	return o->dropped || offset < o->text.end || offset > o->pos || o->ended || o->stale ||
	       o->errnum != 0;
}

/* Answer with the bytes at @offset, the end, or an errno. */
static void
producer_tell(struct producer *o, uint64_t offset, size_t size, struct producer_answer *a)
{
	assert(lock_held(&o->lock));
	if (offset < o->text.end) {
		a->n = text_window_find(&o->text, offset, size, a->parts, PRODUCER_PARTS_MAX,
					&offset);
		o->pos = offset > o->pos ? offset : o->pos;
	} else if (o->stale) {
		a->errnum = ESTALE;
	} else if (!o->ended) {
		a->errnum = o->errnum;
		o->errnum = 0;
	}
}

static void
producer_make_answer(struct producer *o, uint64_t offset, size_t size, struct producer_answer *a)
{
	*a = (struct producer_answer){0};
	if (o->dropped) {
		a->errnum = EINTR;
	} else if (offset > o->pos || offset + PRODUCER_BACK < o->pos) {
		a->errnum = EINVAL;
	} else {
		o->told = true;
		producer_tell(o, offset, size, a);
	}
}

/* Remove the first waiter, if it can be answered now. */
static struct producer_waiter *
next_waiter(struct producer *o)
{
	struct producer_waiter *w = o->waiting;

	if (w == NULL || !producer_is_ready(o, w->offset)) {
		return NULL;
	}
	o->waiting = w->next;
	return w;
}

/* Answer waiters. The lock is released for a moment before each answer. */
static void
answer_waiters(struct producer *o)
{
	for (struct producer_waiter *w = next_waiter(o); w != NULL; w = next_waiter(o)) {
		struct producer_answer a;

		(void)pthread_mutex_unlock(&o->lock);
		w->take(w);
		(void)pthread_mutex_lock(&o->lock);
		producer_make_answer(o, w->offset, w->size, &a);
		w->answer(w, &a);
	}
}

/* ------------------------------------------------------------ making */

static void
producer_close_rows(struct producer *o)
{
	row_stream_close(o->row_stream);
	o->row_stream = NULL;
}

static void
producer_free(struct producer *o)
{
	assert(o->waiting == NULL);
	struct mount *m = o->m;

	producer_close_rows(o);
	text_window_release(&o->text);
	call_close(&o->keep);
	usage_end(&o->usage);
	(void)pthread_mutex_destroy(&o->lock);
	inode_unref(&m->inodes, o->node);
	free(o);
	lock_scope(&m->generated_list.count_lock);
	m->generated_list.n_producers--;
	(void)pthread_cond_broadcast(&m->generated_list.fewer);
}

/* Return: whether a worker should make another piece. */
static bool
is_wanted(const struct producer *o)
{
	assert(lock_held(&o->lock));
	if (o->row_stream == NULL || o->errnum != 0 || o->dropped) {
		return false;
	}
	return o->waiting != NULL || (o->text.end < o->pos + AHEAD && o->turns < IN_VAIN_MAX);
}

/* Ends a request to an endpoint that does not answer: nobody waits for the text. */
static bool
is_dropped(const void *asker)
{
	const struct producer *o = asker;
	struct fuse_session *session = o->m->session; /* NULL in a test */
	pthread_mutex_t *lock = (pthread_mutex_t *)&o->lock;
	lock_scope(lock);

	return o->dropped || (session != NULL && fuse_session_exited(session) != 0);
}

/* The memory apart from the text: the requests, and the state of reading each one. */
static size_t
producer_fixed(const struct producer *o)
{
	return PRODUCER_BYTES + o->keep.arena.used +
	       (o->row_stream == NULL ? 0 : o->in.n * READER_BYTES);
}

/* Make a piece. The lock is not held. The producer is busy or new: only this thread has the row stream. */
static int
make_piece(struct producer *o, size_t bytes, bool patient, struct piece *p)
{
	assert(o->row_stream != NULL);
	struct call c;

	call_open(&c, clock_now_ms(), TURN_BUDGET);
	c.origin = o->m;
	c.given_up = is_dropped;
	c.asker = o;
	c.patient = patient;
	c.uid = o->uid;
	int r = usage_resize(&o->usage, o->usage.bytes + bytes) ? 0 : account_full(&c);

	c.comes_again = true;
	if (!o->again) {
		o->backoff = backoff_start(o->m->backoff_ms);
	}
	if (r == 0) {
		(void)buf_room(&p->text, bytes < PIECE ? bytes : PIECE_ROOM);
		r = row_stream_next(o->row_stream, &c, &p->text, bytes);
	}
	o->again = r != -ERR_CONFLICT && backoff_passes(r) && backoff_plan(&o->backoff);
	if (r < 0 && !o->again && !is_dropped(o)) {
		request_note(o->m, &c, o->uid, r, o->node);
	}
	call_close(&c);
	return r;
}

/* Append a piece. The lock is held, or no other thread has the producer yet. */
static void
producer_take_piece(struct producer *o, struct piece *p, int r)
{
	text_window_forget(&o->text, o->pos < PRODUCER_BACK ? 0 : o->pos - PRODUCER_BACK);
	text_window_append(&o->text, p);
	o->turns++;
	if (r == ROW_STREAM_END) {
		o->ended = true;
		producer_close_rows(o);
	} else if (r < 0 && !o->again) {
		o->errnum = request_errno(r);
	}
	usage_set(&o->usage, producer_fixed(o) + text_window_bytes(&o->text));
}

/* A worker's turn. */
static void
turn(struct work *w)
{
	struct producer *o =
		(struct producer *)(void *)((char *)w - offsetof(struct producer, work));

	(void)pthread_mutex_lock(&o->lock);
	if (is_wanted(o) && o->again && !backoff_is_due(&o->backoff)) {
		(void)pthread_mutex_unlock(&o->lock);
		(void)!pause_ms(&(struct call){0}, PAUSE_MS);
		(void)pthread_mutex_lock(&o->lock);
	} else if (is_wanted(o)) {
		struct piece *p = text_window_new(&o->text);

		(void)pthread_mutex_unlock(&o->lock);
		int r = make_piece(o, PIECE, true, p);

		(void)pthread_mutex_lock(&o->lock);
		producer_take_piece(o, p, r);
	}
	answer_waiters(o);
	o->busy = is_wanted(o);
	o->again = o->again && o->busy; /* a later READ starts the time for retries again */
	bool again = o->busy;
	bool dropped = o->dropped;

	(void)pthread_mutex_unlock(&o->lock);
	if (again) {
		workers_add(o->m->hub->workers, &o->work);
	} else if (dropped) {
		producer_free(o);
	}
}

/* Release the lock. A worker may have the producer from here on. */
void
producer_done(struct producer *o)
{
	bool start = o->starting;

	o->starting = false;
	(void)pthread_mutex_unlock(&o->lock);
	if (start) {
		workers_add(o->m->hub->workers, &o->work);
	}
}

/* ------------------------------------------------------------ for generated.c */

static struct producer *
producer_make(struct mount *m, struct node *node, uint32_t uid)
{
	struct producer *o = mem_new(struct producer);

	o->m = m;
	o->node = node;
	o->uid = uid;
	o->usage = (struct usage){.account = account_of(&m->accounts, uid)};
	o->work.run = turn;
	o->read_ns = clock_steady_ns();
	inode_ref(&m->inodes, node);
	(void)pthread_mutex_init(&o->lock, NULL);
	call_open(&o->keep, clock_now_ms(), SIZE_MAX);
	lock_scope(&m->generated_list.count_lock);
	m->generated_list.n_producers++;
	return o;
}

static enum row_stream_form
form_of(enum generated t)
{
	return t == GENERATED_JSON    ? ROW_STREAM_ARRAY
	       : t == GENERATED_CSV   ? ROW_STREAM_CSV
	       : t == GENERATED_COUNT ? ROW_STREAM_COUNT
				      : ROW_STREAM_LINES;
}

/* Build the requests of the place and open the row stream, which freezes its snapshot. */
static int
producer_begin(struct producer *o)
{
	struct place place;
	struct query query = {0};
	int r = place_of(o->m, &o->keep, o->node, &place);

	if (r == 0 && place.role == ROLE_TABLE_FILE) {
		return records_row_stream(o->m, &o->keep, &place, &o->row_stream);
	}
	place.age = PLACE_RECENT;
	if (r == 0) {
		r = query_make(o->m, &o->keep, &place, QUERY_ITEMS, &query);
		o->in = (struct row_stream_in){.requests = query.requests,
					       .n = query.n,
					       .schema = place.schema,
					       .limit = place.clauses.limit,
					       .form = form_of(place.generated),
					       .json = o->m->form.typed ? ITEM_TYPED : ITEM_PLAIN};
	}
	return r == 0 ? engine_row_stream_open(o->m->engine, &o->keep, &o->in, &o->row_stream) : r;
}

int
producer_new(struct mount *m, struct call *c, struct node *node, uint32_t uid,
	     struct producer **out)
{
	struct producer *o = producer_make(m, node, uid);
	int r = producer_begin(o);

	if (r == 0 && !usage_resize(&o->usage, producer_fixed(o))) {
		r = account_full(&o->keep);
	}
	if (r != 0) {
		if (o->keep.error.code != ERR_NONE) {
			int e = call_adopt(c, &o->keep);

			r = r < 0 ? e : r;
		}
		producer_free(o);
		return r;
	}
	if (o->in.n <= COLLECTIONS_FEW) {
		struct piece *p = text_window_new(&o->text);

		r = make_piece(o, PIECE_FIRST, false, p);
		producer_take_piece(o, p, r);
		o->again = false; /* the time for retries starts with the first READ */
	}
	*out = o;
	return 0;
}

/* Note that a READ came. */
static void
note_reader(struct producer *o)
{
	assert(lock_held(&o->lock));
	o->turns = 0;
	o->read_ns = clock_steady_ns();
}

static void
producer_start(struct producer *o)
{
	assert(lock_held(&o->lock));
	if (!o->busy) {
		o->busy = o->starting = true;
	}
}

bool
producer_read(struct producer *o, uint64_t offset, size_t size, struct producer_answer *a)
{
	(void)pthread_mutex_lock(&o->lock);
	note_reader(o);
	if (!producer_is_ready(o, offset)) {
		(void)pthread_mutex_unlock(&o->lock);
		return false;
	}
	producer_make_answer(o, offset, size, a);
	/* A READ of the beginning starts no worker: it may be the only one. */
	if (offset > 0 && is_wanted(o)) {
		producer_start(o);
	}
	return true;
}

bool
producer_park(struct producer *o, struct producer_waiter *w)
{
	(void)pthread_mutex_lock(&o->lock);
	bool stays = !w->left;

	if (stays) {
		note_reader(o);
		w->next = o->waiting;
		o->waiting = w;
		producer_start(o);
	}
	producer_done(o);
	return stays;
}

bool
producer_leave(struct producer *o, struct producer_waiter *w)
{
	lock_scope(&o->lock);
	struct producer_waiter **at = &o->waiting;

	while (*at != NULL && *at != w) {
		at = &(*at)->next;
	}
	if (*at == NULL) {
		w->left = true;
		return false;
	}
	*at = w->next;
	o->turns = IN_VAIN_MAX; /* no reader is left to continue for */
	return true;
}

bool
producer_is_untold(struct producer *o)
{
	lock_scope(&o->lock);
	return !o->told && !o->stale;
}

void
producer_tidy(struct producer *o, uint64_t since_ns)
{
	lock_scope(&o->lock);
	if (o->row_stream != NULL && !o->busy && o->waiting == NULL && o->read_ns < since_ns) {
		producer_close_rows(o);
		o->stale = true;
	}
}

void
producer_drop(struct producer *o)
{
	if (o == NULL) {
		return;
	}
	(void)pthread_mutex_lock(&o->lock);
	bool busy = o->busy;

	/* A worker that has it answers the waiters and frees it at the end of its turn. */
	o->dropped = o->busy = true;
	if (!busy) {
		answer_waiters(o);
	}
	(void)pthread_mutex_unlock(&o->lock);
	if (!busy) {
		producer_free(o);
	}
}

void
producers_wait(struct mount *m)
{
	lock_scope(&m->generated_list.count_lock);
	while (m->generated_list.n_producers > 0) {
		(void)pthread_cond_wait(&m->generated_list.fewer, &m->generated_list.count_lock);
	}
}
