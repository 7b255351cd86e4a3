/* transfer_job - jobs of transfers, clean-up of their records, tokens of lists */
#include "store/local/archive/transfer_job.h"

#include <assert.h>
#include <stdlib.h>

#include "store/base/core/clock.h"
#include "store/base/system/say.h"
#include "store/local/archive/transfer.h"
#include "store/local/commit/damage.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog_int.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

/* ------------------------------------------------------------ searches */

/* Collects the transfers that wait for an end, or that ended and are old. */
struct search {
	bool running;
	bool old;
	struct transfer *at;
	size_t n;
	size_t cap;
};

static int
transfer_search_look(void *arg, struct call *c, const struct transfer *t)
{
	struct search *s = arg;

	if (t == NULL) {
		damage_pass_over(c);
	} else if (t->status == TRANSFER_RUNNING
			   ? s->running
			   : s->old && c->now_ms >= t->started_ms + LIMIT_TRANSFER_MS) {
		s->at = arena_room(&c->arena, s->at, s->n, &s->cap);
		s->at[s->n++] = *t;
	}
	return 0;
}

int
transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
{
	struct search s = {.running = true};
	int r = transfer_each(l, c, TRANSFER_IMPORT, slice_of(NULL, 0), transfer_search_look, &s);

	for (size_t i = 0; i < s.n && r == 0; i++) {
		if (slice_eq(s.at[i].table, table)) {
			*out = s.at[i];
			return 0;
		}
	}
	return r < 0 ? r : KV_ABSENT;
}

/* ------------------------------------------------------------ records of interrupted and of old transfers */

/* An interrupted export has failed: its snapshot does not exist any more. */
static int
tidy_one(struct local *l, struct call *c, enum transfer_kind kind, struct transfer *t)
{
	if (t->status != TRANSFER_RUNNING) {
		return transfer_forget(l, c, kind, t);
	}
	if (kind == TRANSFER_EXPORT) {
		export_files_remove(l, c, t);
	} else {
		const struct schema *s = catalog_get(l->catalog, c, t->table);

		if (s != NULL && s->creating) {
			return 0;
		}
	}
	t->status = TRANSFER_FAILED;
	t->ended_ms = c->now_ms;
	t->failure_code = SLICE("InternalServerError");
	t->failure = kind == TRANSFER_EXPORT
			     ? SLICE("the process ended before the export was complete")
			     : SLICE("the process ended before the import was complete");
	return transfer_write(l, c, kind, t);
}

/*
 * Delete records older than 90 days; @running: also the running ones are tidied, which no job works on.  Collect first
 * and tidy afterwards, because tidying changes the records that the search walks over.
 */
static int
transfer_tidy_kind(struct local *l, struct call *c, enum transfer_kind kind, bool running)
{
	struct search s = {.running = running, .old = true};
	int r = transfer_each(l, c, kind, slice_of(NULL, 0), transfer_search_look, &s);

	for (size_t i = 0; i < s.n && r == 0; i++) {
		r = tidy_one(l, c, kind, &s.at[i]);
	}
	return r;
}

int
transfer_tidy(struct local *l, struct call *c)
{
	int r = transfer_tidy_kind(l, c, TRANSFER_EXPORT, true);

	return r < 0 ? r : transfer_tidy_kind(l, c, TRANSFER_IMPORT, true);
}

/* ------------------------------------------------------------ tokens: the kind's letter and the id in hex, padded */

enum { DIGITS = 112 };

struct slice
transfer_token_encode(struct call *c, enum transfer_kind kind, struct slice id)
{
	struct buf out = {.arena = &c->arena};

	buf_fmt(&out, "%02x", (unsigned)kind);
	for (size_t i = 0; i < id.len; i++) {
		buf_fmt(&out, "%02x", (unsigned char)id.at[i]);
	}
	while (out.len < DIGITS) {
		buf_char(&out, '0');
	}
	return buf_view(&out);
}

/* A token is right if its id has this token. */
int
transfer_token_decode(struct call *c, enum transfer_kind kind, struct slice token, struct slice *id)
{
	struct buf bytes = {.arena = &c->arena};

	for (size_t i = 2; i + 1 < token.len && i < DIGITS; i += 2) {
		const char digits[] = {token.at[i], token.at[i + 1], '\0'};
		char byte = (char)strtoul(digits, NULL, 16);

		if (byte == '\0') {
			break;
		}
		buf_char(&bytes, byte);
	}
	*id = buf_view(&bytes);
	return id->len > 0 && slice_eq(transfer_token_encode(c, kind, *id), token)
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "Invalid Request: Provided nextToken is invalid: %.*s",
				   SLICE_ARG(token));
}

/* ------------------------------------------------------------ jobs */

enum { CALL_BUDGET = 64 << 20 };

static void
copy_transfer(struct arena *a, struct transfer *t)
{
	struct slice *texts[] = {&t->id,           &t->uuid,         &t->table,
				 &t->token,        &t->place.bucket, &t->place.owner,
				 &t->place.prefix, &t->failure,      &t->failure_code};
	struct slice *headers = arena_new(a, struct slice, t->source.n_headers);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		*texts[i] = slice_copy(a, *texts[i]);
	}
	for (size_t i = 0; i < t->source.n_headers; i++) {
		headers[i] = slice_copy(a, t->source.headers[i]);
	}
	t->source.headers = headers;
}

void
transfer_job_run(struct job *job, const struct transfer *t, const struct schema *s,
		 struct kv_snapshot *at, bool again, void (*run)(struct work *w))
{
	struct transfer_job *j = (struct transfer_job *)job;
	struct arena *a = &job->c.arena;

	assert(at == NULL || !again);
	j->local = jobs_local(job->jobs);
	j->kind = at == NULL ? TRANSFER_IMPORT : TRANSFER_EXPORT;
	j->transfer = *t;
	copy_transfer(a, &j->transfer);
	j->transfer.schema = schema_copy(a, s);
	j->at = at;
	j->again = again;
	j->began_ms = clock_steady_ms();
	jobs_run(job, run);
}

uint64_t
transfer_job_now(const struct transfer_job *j)
{
	return j->job.c.now_ms + (clock_steady_ms() - j->began_ms);
}

void
transfer_job_free(struct transfer_job *j)
{
	struct call after;

	call_open(&after, transfer_job_now(j), CALL_BUDGET);
	if (transfer_tidy_kind(j->local, &after, j->kind, false) < 0) {
		say("records of old exports or imports could not be deleted: %s",
		    after.error.message);
	}
	call_close(&after);
	jobs_leave(&j->job);
}

/* Return: the service's failure code, if it has one for the error */
static const char *
code_of(enum err e)
{
	switch ((int)e) {
	case ERR_UNREACHABLE:
		return "S3NoSuchBucket";
	case ERR_ACCESS:
		return "S3AccessDenied";
	default:
		return "InternalServerError";
	}
}

/* If the record cannot be written, its state stays RUNNING, and transfer_tidy() marks it as failed at the next open. */
void
transfer_job_end(struct transfer_job *j, int r)
{
	struct transfer *t = &j->transfer;
	struct call after;

	t->status = r < 0 ? TRANSFER_FAILED : TRANSFER_DONE;
	t->ended_ms = transfer_job_now(j);
	if (r < 0) {
		t->failure_code = slice_from(code_of(j->job.c.error.code));
		t->failure = slice_from(j->job.c.error.message);
	}
	call_open(&after, j->job.c.now_ms, CALL_BUDGET);
	(void)(transfer_write(j->local, &after, j->kind, t) < 0);
	call_close(&after);
	transfer_job_free(j);
}
