/*
 * import_pipeline - see import_pipeline.h; a ring of chunks between one reader and many parsers
 */
#include "tools/load/import_pipeline.h"

#include "tools/load/import_parse.h"
#include "tools/load/source.h"
#include "tools/out/show.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/write/apply.h"
#include "tools/write/bulk.h"

enum { IMPORT_JOBS_MAX = 64 };

struct import {
	const struct import_options *o;
	uint64_t now_ms;
	struct chunk *slots; /* a ring: the chunk with ticket t is slots[t % n_slots] */
	size_t n_slots;
	pthread_mutex_t m;           /* guards everything below */
	pthread_cond_t moved;        /* a counter or a flag has changed */
	uint64_t n_read;             /* chunks; the ticket of the next one to read */
	uint64_t n_taken;            /* the ticket of the next chunk to parse */
	uint64_t turn;               /* the ticket of the thread that may put */
	bool ended;                  /* no more chunks will come */
	bool stopped;                /* because of @failure: put nothing more */
	uint64_t seen;               /* lines; used only by the thread that may put */
	struct call failure;         /* written only by the thread that may put */
	struct import_result result; /* written only by the thread that may put */
};

/* Report "FILE:17: ValidationException: message". */
static void
import_pipeline_report(const struct chunk *chunk, const struct record *record,
		       const struct error *e)
{
	cleanup(buf_release) struct buf b = {0};

	source_where(&b, chunk->file, record->line, record->lines);
	buf_fmt(&b, ": %s: %s\n", error_wire(e->code), e->message);
	show_lines(buf_view(&b));
}

/* ------------------------------------------------------------ putting, by the thread whose turn it is */

/* Return true if the error is caused by the record, and not by the store. */
static bool
is_records_fault(enum err code)
{
	return code == ERR_VALIDATION || code == ERR_USAGE || code == ERR_SERIALIZATION ||
	       code == ERR_ITEM_TOO_BIG || code == ERR_KEY_TOO_LONG ||
	       code == ERR_COLLECTION_TOO_BIG;
}

/* End the import with the error of @from: "FILE:17: message" if @record caused it; NULL: no record did. */
static void
import_pipeline_stop(struct import *im, const struct call *from, const struct chunk *chunk,
		     const struct record *record)
{
	cleanup(buf_release) struct buf where = {0};
	lock_scope(&im->m);

	im->stopped = true;
	if (record == NULL) {
		(void)!ctl_adopt(&im->failure, from);
		return;
	}
	im->result.of_record = true;
	source_where(&where, chunk->file, record->line, record->lines);
	(void)!call_fail(&im->failure, from->error.code, "%.*s: %s", SLICE_ARG(buf_view(&where)),
			 from->error.message);
}

/* With apply, the import cannot be continued: the newest line of a key is only known after all lines were read. */
#define IMPORT_AGAIN "repeat the whole command; it ended at "

/* End the import with an error that no record caused; the message names the record to continue from. */
static void
stop_at(struct import *im, struct call *why, const struct chunk *chunk, const struct record *record)
{
	cleanup(buf_release) struct buf where = {0};

	source_where(&where, chunk->file, record->line, record->lines);
	(void)call_prefix(why, "%s%.*s: ", im->o->apply == NULL ? "continue from " : IMPORT_AGAIN,
			  SLICE_ARG(buf_view(&where)));
	import_pipeline_stop(im, why, chunk, NULL);
}

/* Report a record that was refused by the parser or the store; false: the import stops. */
static bool
reject(struct import *im, const struct call *why, const struct chunk *chunk,
       const struct record *record)
{
	if (!im->o->skip) {
		import_pipeline_stop(im, why, chunk, record);
		return false;
	}
	progress_end(im->o->progress);
	import_pipeline_report(chunk, record, &why->error);
	im->result.rejected += record->lines;
	return true;
}

/* Report a record that was not parsed, whose error is obtained by parsing it again. */
static bool
reject_unparsed(struct import *im, const struct chunk *chunk, const struct record *record)
{
	struct item it;
	struct apply_line line;

	call_scope(c, im->now_ms);
	(void)!import_parse_record(im->o, &c, chunk, record, &line, &it);
	return reject(im, &c, chunk, record);
}

/*
 * Put or delete the items [from, to), which are all good.  If the store refuses them because of an item, put the
 * halves, down to the item that causes the error.
 */
static bool
import_pipeline_put_range(struct import *im, const struct chunk *chunk, const struct parsed *p,
			  size_t from, size_t to)
{
	bool go_on = true;

	call_scope(c, im->now_ms);
	size_t done;
	int r = (p->deletes ? bulk_remove : bulk_put)(im->o->bulk, &c, p->items + from, to - from,
						      &done);

	*(p->deletes ? &im->result.deleted : &im->result.items) += r == 0 ? to - from : done;
	if (r == 0) {
		/* done */
	} else if (!is_records_fault(c.error.code)) {
		stop_at(im, &c, chunk, p->of[from + done]);
		go_on = false;
	} else if (to - from == done + 1) {
		p->good[from + done] = false;
		go_on = reject(im, &c, chunk, p->of[from + done]);
	} else {
		from += done;
		size_t middle = from + (to - from) / 2;

		go_on = import_pipeline_put_range(im, chunk, p, from, middle) &&
			import_pipeline_put_range(im, chunk, p, middle, to);
	}
	return go_on;
}

/* Put all items of a chunk, as runs of good items, and report the others. */
static void
put_chunk(struct import *im, const struct chunk *chunk, struct parsed *p)
{
	size_t i = 0;

	while (i < p->n) {
		size_t from = i;

		while (i < p->n && p->good[i]) {
			i++;
		}
		if (i > from && !import_pipeline_put_range(im, chunk, p, from, i)) {
			return;
		}
		if (i < p->n && !reject_unparsed(im, chunk, p->of[i++])) {
			return;
		}
	}
	if (p->bad != NULL) {
		import_pipeline_stop(im, &p->call, chunk, p->bad);
	}
}

/* Divide the chosen lines into puts and deletes; lines that were not parsed go to the puts, which report them. */
static void
deal(const struct parsed *p, struct parsed *puts, struct parsed *keys)
{
	for (size_t i = 0; i < p->n; i++) {
		struct apply_line *line = &p->lines[i];
		struct parsed *to = line->deleted ? keys : puts;

		if (line->chosen) {
			to->items[to->n] = p->items[i];
			to->good[to->n] = p->good[i];
			to->of[to->n++] = p->of[i];
		}
		line->settled |= line->chosen;
		line->chosen = false;
	}
}

/* Tell apply which of the lines in @dealt the store refused.  Return: true if there are any */
static bool
import_pipeline_settle(struct import *im, const struct chunk *chunk, struct parsed *p,
		       const struct parsed *dealt)
{
	bool refused = false;

	for (size_t i = 0; i < dealt->n; i++) {
		size_t at = (size_t)(dealt->of[i] - chunk->records);

		assert(at < p->n && p->of[at] == dealt->of[i]);
		if (p->good[at] && !dealt->good[i]) {
			apply_refused(im->o->apply, &p->lines[at], &p->items[at]);
			refused = true;
		}
	}
	return refused;
}

/*
 * Put and delete the chosen lines, at most one for each key, so their order does not matter.  Return: true if the store
 * refused some, so that older lines of the same keys must be tried
 */
static bool
apply_chosen(struct import *im, const struct chunk *chunk, struct parsed *p)
{
	struct parsed puts;
	struct parsed keys;

	import_parse_open(&puts, im->now_ms, p->n + 1);
	import_parse_open(&keys, im->now_ms, p->n + 1);
	keys.deletes = true;
	deal(p, &puts, &keys);
	put_chunk(im, chunk, &puts);
	if (!im->stopped) {
		put_chunk(im, chunk, &keys);
	}
	bool refused = import_pipeline_settle(im, chunk, p, &puts);

	refused |= import_pipeline_settle(im, chunk, p, &keys);
	call_close(&puts.call);
	call_close(&keys.call);
	return refused && !im->stopped;
}

/* Apply all lines of a chunk of incremental exports. */
static void
apply_chunk(struct import *im, const struct chunk *chunk, struct parsed *p)
{
	do {
		apply_choose(im->o->apply, im->seen, p->lines, p->items, p->n);
	} while (apply_chosen(im, chunk, p));
	im->seen += p->n;
	for (size_t i = 0; !im->stopped && i < p->n; i++) {
		im->result.older += !p->lines[i].settled;
	}
	if (!im->stopped && p->bad != NULL) {
		import_pipeline_stop(im, &p->call, chunk, p->bad);
	}
}

/* Wait for the turn of @ticket; false: the import was stopped. */
static bool
wait_turn(struct import *im, uint64_t ticket)
{
	lock_scope(&im->m);

	while (im->turn != ticket) {
		(void)pthread_cond_wait(&im->moved, &im->m);
	}
	return !im->stopped;
}

static void
pass_turn(struct import *im, const struct chunk *chunk)
{
	lock_scope(&im->m);

	assert(im->turn == chunk->ticket && im->turn < im->n_taken);
	progress_show(im->o->progress, im->result.items, chunk->read);
	im->turn++;
	(void)pthread_cond_broadcast(&im->moved);
}

/* ------------------------------------------------------------ threads */

/* Take the next chunk that was read; NULL: no more chunks will come. */
static struct chunk *
take_chunk(struct import *im)
{
	lock_scope(&im->m);

	while (im->n_taken == im->n_read && !im->ended) {
		(void)pthread_cond_wait(&im->moved, &im->m);
	}
	return im->n_taken < im->n_read ? &im->slots[im->n_taken++ % im->n_slots] : NULL;
}

static void *
parser(void *arg)
{
	struct import *im = arg;
	struct chunk *chunk = NULL;

	while ((chunk = take_chunk(im)) != NULL) {
		struct parsed p;

		import_parse_chunk(im->o, im->now_ms, chunk, &p);
		if (wait_turn(im, chunk->ticket)) {
			(im->o->apply != NULL ? apply_chunk : put_chunk)(im, chunk, &p);
		}
		pass_turn(im, chunk);
		call_close(&p.call);
	}
	return NULL;
}

/* Wait for a free slot; NULL: the import was stopped. */
static struct chunk *
wait_free(struct import *im)
{
	lock_scope(&im->m);

	while (!im->stopped && im->n_read - im->turn == im->n_slots) {
		(void)pthread_cond_wait(&im->moved, &im->m);
	}
	return im->stopped ? NULL : &im->slots[im->n_read % im->n_slots];
}

static void
import_pipeline_publish(struct import *im, struct chunk *chunk)
{
	lock_scope(&im->m);

	assert(chunk->n > 0 && chunk == &im->slots[im->n_read % im->n_slots]);
	chunk->ticket = im->n_read++;
	(void)pthread_cond_broadcast(&im->moved);
}

/* Read until the end, an error or a stop. */
static int
import_pipeline_read_all(struct import *im, struct call *c)
{
	struct chunk *chunk = NULL;
	int r = 0;

	while (r == 0 && (chunk = wait_free(im)) != NULL) {
		r = source_next(im->o->source, c, chunk);
		if (chunk->n > 0) { /* after an error: the records before it */
			import_pipeline_publish(im, chunk);
		}
	}
	if (r < 0 && im->o->apply != NULL && stop_asked() != 0) {
		r = call_prefix(c, IMPORT_AGAIN);
	}
	lock_scope(&im->m);
	im->ended = true;
	(void)pthread_cond_broadcast(&im->moved);
	return r < 0 ? r : 0;
}

static void
import_pipeline_release(struct import *im)
{
	for (size_t i = 0; i < im->n_slots; i++) {
		buf_release(&im->slots[i].bytes);
	}
	free(im->slots);
	(void)pthread_mutex_destroy(&im->m);
	(void)pthread_cond_destroy(&im->moved);
	call_close(&im->failure);
}

int
import_run(const struct import_options *o, struct call *c, struct import_result *out)
{
	pthread_t threads[IMPORT_JOBS_MAX];
	unsigned jobs = o->jobs < IMPORT_JOBS_MAX ? o->jobs : IMPORT_JOBS_MAX;
	struct import im = {.o = o, .now_ms = c->now_ms, .n_slots = jobs + 2};
	unsigned n = 0;

	im.slots = mem_zeroed(im.n_slots, sizeof(*im.slots));
	call_open(&im.failure, c->now_ms, CALL_BUDGET);
	(void)pthread_mutex_init(&im.m, NULL);
	(void)pthread_cond_init(&im.moved, NULL);
	while (n < jobs && pthread_create(&threads[n], NULL, parser, &im) == 0) {
		n++;
	}
	int r = n == 0 ? call_fail(c, ERR_IO, "cannot start a thread")
		       : import_pipeline_read_all(&im, c);

	for (unsigned i = 0; i < n; i++) {
		(void)pthread_join(threads[i], NULL);
	}
	if (im.failure.error.code != ERR_NONE) {
		c->error = (struct error){0}; /* the record came before the error of the reader */
		r = ctl_adopt(c, &im.failure);
	}
	*out = im.result;
	import_pipeline_release(&im);
	return r;
}

size_t
import_peek(const struct import_options *o, struct call *c, struct item **out)
{
	struct chunk *chunk = arena_new(&c->arena, struct chunk, 1);
	struct apply_line line = {0};
	size_t n = 0;

	*chunk = (struct chunk){0};
	buf_init(&chunk->bytes, &c->arena); /* the items point into it */
	/* Items before a failure are useful as well. */
	if (source_next(o->source, c, chunk) == 0 || chunk->n > 0) {
		*out = arena_new(&c->arena, struct item, chunk->n);
		while (n < chunk->n && import_parse_record(o, c, chunk, &chunk->records[n], &line,
							   &(*out)[n]) == 0) {
			n++;
		}
	}
	c->error = (struct error){0};
	return n;
}
