/* transfer_job - see transfer_job.h */
#include "store/local/archive/transfer_job.h"

#include <stdlib.h>

#include "store/base/core/clock.h"
#include "store/base/core/mem.h"
#include "store/base/system/say.h"
#include "store/local/archive/transfer.h"
#include "store/local/archive/transfer_tidy.h"
#include "store/local/jobs/jobs.h"
#include "store/model/schema.h"

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

struct transfer_job *
transfer_job_new(struct local *l, struct job *room, const struct call *c, enum transfer_kind kind,
		 const struct transfer *t, const struct schema *s, void (*run)(struct work *w))
{
	struct transfer_job *j = mem_new(struct transfer_job);

	j->work.run = run;
	j->local = l;
	j->room = room;
	call_open(&j->c, c->now_ms, CALL_BUDGET);
	j->kind = kind;
	j->transfer = *t;
	copy_transfer(&j->c.arena, &j->transfer);
	j->schema = schema_copy(&j->c.arena, s);
	j->transfer.schema = j->schema;
	j->began_ms = clock_steady_ms();
	return j;
}

uint64_t
transfer_job_now(const struct transfer_job *j)
{
	return j->c.now_ms + (clock_steady_ms() - j->began_ms);
}

void
transfer_job_free(struct transfer_job *j)
{
	struct call after;

	call_open(&after, transfer_job_now(j), CALL_BUDGET);
	if (transfer_forget_old(j->local, &after, j->kind) < 0) {
		say("old exports or imports could not be forgotten: %s", after.error.message);
	}
	call_close(&after);
	jobs_leave(j->room);
	call_close(&j->c);
	free(j);
}

/* The service's words, where it has one. */
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

/* A failure of the record itself leaves it as it is: failed at the next start. */
void
transfer_job_end(struct transfer_job *j, int r)
{
	struct transfer *t = &j->transfer;
	struct call after;

	t->status = r < 0 ? TRANSFER_FAILED : TRANSFER_DONE;
	t->ended_ms = transfer_job_now(j);
	if (r < 0) {
		t->failure_code = slice_from(code_of(j->c.error.code));
		t->failure = slice_from(j->c.error.message);
	}
	call_open(&after, j->c.now_ms, CALL_BUDGET);
	(void)(transfer_write(j->local, &after, j->kind, t) < 0);
	call_close(&after);
	transfer_job_free(j);
}
