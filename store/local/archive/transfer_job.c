/* transfer_job - jobs of transfers, clean-up of their records, tokens of lists */
#include "store/base/core/clock.h"
#include "store/base/system/say.h"
#include "store/local/archive/transfer.h"
#include "store/local/commit/damage.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

/* ------------------------------------------------------------ records of interrupted and of old transfers */

struct search {
	struct slice table;
	struct transfer *found;
	int result; /* 0: it was found; KV_ABSENT */
};

static int
transfer_search_look(void *arg, struct call *c, const struct transfer *t)
{
	struct search *s = arg;

	if (t == NULL) {
		damage_pass_over(c);
	} else if (t->status == TRANSFER_RUNNING && slice_eq(t->table, s->table)) {
		*s->found = *t;
		s->result = 0;
	}
	return s->result == 0;
}

int
transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
{
	struct search s = {.table = table, .found = out, .result = KV_ABSENT};
	int r = transfer_each(l, c, TRANSFER_IMPORT, slice_of(NULL, 0), transfer_search_look, &s);

	return r < 0 ? r : s.result;
}

struct tidying {
	struct local *local;
	enum transfer_kind kind;
	bool running; /* also the running ones are tidied, which no job works on */
};

/* Delete an old record.  An interrupted export has failed: its snapshot does not exist any more. */
static int
tidy_one(void *arg, struct call *c, const struct transfer *found)
{
	const struct tidying *td = arg;
	struct local *l = td->local;

	if (found == NULL) {
		damage_pass_over(c);
		return 0;
	}
	struct transfer t = *found;

	if (t.status != TRANSFER_RUNNING) {
		return c->now_ms >= t.started_ms + LIMIT_TRANSFER_MS
			       ? transfer_forget(l, c, td->kind, &t)
			       : 0;
	}
	const struct schema *s =
		td->kind == TRANSFER_IMPORT ? catalog_get(l->catalog, c, t.table) : NULL;

	if (!td->running || (s != NULL && s->creating)) {
		return 0;
	}
	if (td->kind == TRANSFER_EXPORT) {
		export_files_remove(l, c, &t);
	}
	t.status = TRANSFER_FAILED;
	t.ended_ms = c->now_ms;
	t.failure_code = SLICE("InternalServerError");
	t.failure = td->kind == TRANSFER_EXPORT
			    ? SLICE("the process ended before the export was complete")
			    : SLICE("the process ended before the import was complete");
	return transfer_write(l, c, td->kind, &t);
}

static int
transfer_tidy_kind(struct local *l, struct call *c, enum transfer_kind kind, bool running)
{
	struct tidying td = {.local = l, .kind = kind, .running = running};

	return transfer_each(l, c, kind, slice_of(NULL, 0), tidy_one, &td);
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

void
transfer_job_run(struct job *job, const struct transfer *t, const struct schema *s,
		 struct kv_snapshot *at, bool again, void (*run)(struct work *w))
{
	struct transfer_job *j = (struct transfer_job *)job;
	struct arena *a = &job->c.arena;
	struct buf record = {.arena = a};

	assert(at == NULL || !again);

	j->kind = at == NULL ? TRANSFER_IMPORT : TRANSFER_EXPORT;
	transfer_encode(&record, j->kind, t);
	int r = transfer_decode(&job->c, j->kind, slice_copy(a, t->id), buf_view(&record),
				&j->transfer);

	assert(r == 0); /* the transfer has a record already */
	(void)r;
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
	struct call *after = jobs_after(&j->job);

	after->now_ms = transfer_job_now(j);
	if (transfer_tidy_kind(j->job.local, after, j->kind, false) < 0) {
		say("records of old exports or imports could not be deleted: %s",
		    after->error.message);
	}
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

	t->status = r < 0 ? TRANSFER_FAILED : TRANSFER_DONE;
	t->ended_ms = transfer_job_now(j);
	if (r < 0) {
		t->failure_code = slice_from(code_of(j->job.c.error.code));
		t->failure = slice_from(j->job.c.error.message);
	}
	(void)(transfer_write(j->job.local, jobs_after(&j->job), j->kind, t) < 0);
	transfer_job_free(j);
}
