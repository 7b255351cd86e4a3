/*
 * tasks - the list of background tasks, and the thread that runs them in turn
 *
 * A task that has not finished in its time slice goes to the end of the list. So does a task that found too little disk
 * space, and it is not tried again for a while; compactions and sweeps are dropped instead, because they are added
 * again anyway. A task that fails is dropped, too: the next start finds its work again.
 */
#include "store/local/jobs/tasks.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "store/base/core/clock.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"
#include "store/base/core/thread.h"
#include "store/base/system/say.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog_int.h"
#include "store/local/records/keyspace.h"
#include "store/model/schema.h"

enum {
	TIME_SLICE_MS = 100, /* time slice of a task */
	REST_MS = 1000, /* delay before a task that found too little disk space is tried again */
	SWEEP_EVERY_MS = 60000,
	COMPACT_BUDGET = 64 * 1024,
};

enum tasks_kind { JOB_DROP, JOB_INDEX, JOB_COMPACT, JOB_SWEEP };

struct tasks_job {
	struct tasks_job *next;
	uint64_t rests_until_ns; /* on the steady clock; 0: it has not been delayed */
	enum tasks_kind kind;
	uint32_t table;  /* JOB_DROP, JOB_INDEX */
	uint16_t index;  /* JOB_INDEX */
	uint64_t now_ms; /* JOB_SWEEP */
	struct buf from; /* JOB_COMPACT; JOB_INDEX: the table's name; on the heap */
	struct buf to;
	struct ranges_walk walk; /* progress of the deletion */
};

/* Deletes in one table or index since its last compaction. */
struct wear {
	char head[KEYSPACE_HEAD_BYTES];
	uint64_t deletes;
	struct buf from; /* smallest and largest key deleted; on the heap */
	struct buf to;
};

struct tasks {
	struct local *local;
	struct tasks_work work;
	pthread_t thread;
	atomic_bool stop;

	pthread_mutex_t lock; /* guards the fields up to the next blank line */
	pthread_cond_t more;
	pthread_cond_t idle;
	struct tasks_job *head;
	struct tasks_job **tail;
	bool busy;
	uint64_t swept_ms; /* time of the last sweep of tokens and streams */

	struct wear *wear; /* used by the commit leader only */
	size_t n_wear;
};

static void
job_free(struct tasks_job *job)
{
	buf_release(&job->from);
	buf_release(&job->to);
	ranges_walk_release(&job->walk);
	free(job);
}

static void
tasks_append(struct tasks *ch, struct tasks_job *job)
{
	job->next = NULL;
	lock_scope(&ch->lock);
	*ch->tail = job;
	ch->tail = &job->next;
	(void)pthread_cond_signal(&ch->more);
}

static void
add_job(struct tasks *ch, const struct tasks_job *job)
{
	struct tasks_job *copy = mem_new(struct tasks_job);

	*copy = *job;
	tasks_append(ch, copy);
}

/* ------------------------------------------------------------ tasks */

void
tasks_dropped_key(struct buf *out, uint32_t id)
{
	buf_char(out, KEYSPACE_DROPPED);
	buf_u32be(out, id);
}

/* The key 'x' id is deleted last: until then a restart begins the deletion again. */
static int
drop_table(struct tasks *ch, const struct time_slice *time_slice, struct tasks_job *job)
{
	static const char spaces[] = {KEYSPACE_ITEM, KEYSPACE_PARTITION, KEYSPACE_TOTALS,
				      KEYSPACE_DROPPED, '\0'};
	cleanup(buf_release) struct buf head = {0};

	buf_u32be(&head, job->table);
	return ranges_delete(ch->local, time_slice, spaces, buf_view(&head), NULL, 0, &job->walk);
}

static int
jobs_tasks_sweep(struct tasks *ch, const struct time_slice *time_slice, struct tasks_job *job)
{
	static const char spaces[] = {KEYSPACE_TOKEN, '\0'};
	int r = ranges_delete(ch->local, time_slice, spaces, slice_of(NULL, 0), ch->work.token,
			      job->now_ms, &job->walk);

	/* Streams are trimmed even if the deletion of tokens has failed. */
	return r == RANGES_MORE ? r : ch->work.trim(ch->local, ch, time_slice, job->now_ms);
}

static int
run_index(struct tasks *ch, const struct time_slice *time_slice, struct tasks_job *job)
{
	struct index_name name = {buf_view(&job->from), job->table, job->index};

	return ch->work.index(ch->local, time_slice, &name, &job->walk);
}

/* ------------------------------------------------------------ the thread */

static int
compact(struct tasks *ch, struct tasks_job *job)
{
	cleanup(call_close) struct call c;

	call_open(&c, 0, COMPACT_BUDGET);
	return ranges_compact(ch->local, &c, &job->from, buf_view(&job->to));
}

/* Run the task for one time slice.  Return: 0 if it is done, 1 if there is more to do, < 0 */
static int
do_job(struct tasks *ch, struct tasks_job *job)
{
	struct time_slice time_slice = {&ch->stop, clock_steady_ms() + TIME_SLICE_MS};

	switch (job->kind) {
	case JOB_DROP:
		return drop_table(ch, &time_slice, job);
	case JOB_INDEX:
		return run_index(ch, &time_slice, job);
	case JOB_COMPACT:
		return compact(ch, job);
	case JOB_SWEEP:
		return jobs_tasks_sweep(ch, &time_slice, job);
	}
	return 0;
}

/* Take the first task that is not delayed off the list.  Return: NULL if there is none before *until_ns */
static struct tasks_job *
take_job(struct tasks *ch, uint64_t *until_ns)
{
	assert(lock_held(&ch->lock));
	const uint64_t now = clock_steady_ns();

	*until_ns = THREAD_FOR_EVER;
	for (struct tasks_job **at = &ch->head; *at != NULL; at = &(*at)->next) {
		struct tasks_job *job = *at;

		if (job->rests_until_ns <= now) {
			*at = job->next;
			if (*at == NULL) {
				ch->tail = at;
			}
			return job;
		}
		if (job->rests_until_ns < *until_ns) {
			*until_ns = job->rests_until_ns;
		}
	}
	return NULL;
}

/* Wait for the next task.  Return: NULL if the thread must stop */
static struct tasks_job *
next_job(struct tasks *ch)
{
	lock_scope(&ch->lock);
	ch->busy = false;
	while (!atomic_load(&ch->stop)) {
		uint64_t until_ns;
		struct tasks_job *job = take_job(ch, &until_ns);

		if (job != NULL) {
			ch->busy = true;
			return job;
		}
		if (ch->head == NULL) {
			(void)pthread_cond_broadcast(&ch->idle);
		}
		(void)thread_cond_until(&ch->more, &ch->lock, until_ns);
	}
	return NULL;
}

/* Whether a task is tried again. Compactions and sweeps are not, because they are added again by themselves. */
static bool
job_waits_for_room(const struct tasks_job *job, int r)
{
	return r == -ERR_NO_SPACE && (job->kind == JOB_DROP || job->kind == JOB_INDEX);
}

/* Delay a task that found too little disk space, and log that at its first delay. */
static void
tasks_rest(const struct tasks *ch, struct tasks_job *job)
{
	assert(job->kind == JOB_DROP || job->kind == JOB_INDEX);
	if (job->rests_until_ns == 0) {
		say("%s waits for room on the disk, and continues by itself",
		    job->kind == JOB_DROP ? "deleting the items of a dropped table"
					  : "filling an index");
	}
	uint64_t ms = ch->local->room_ms == 0 ? REST_MS : ch->local->room_ms;

	job->rests_until_ns = clock_steady_ns() + ms * NS_PER_MS;
}

static void *
tasks_main(void *arg)
{
	struct tasks *ch = arg;

	for (struct tasks_job *job = next_job(ch); job != NULL; job = next_job(ch)) {
		int r = do_job(ch, job);

		if (job_waits_for_room(job, r)) {
			tasks_rest(ch, job);
			tasks_append(ch, job);
		} else if (r > 0) {
			tasks_append(ch, job);
		} else {
			job_free(job);
		}
	}
	return NULL;
}

static void
start_thread(struct tasks *ch)
{
	if (thread_start(&ch->thread, tasks_main, ch) != 0) {
		abort();
	}
}

static int
find_dropped(struct tasks *ch, struct call *c)
{
	static const char first[] = {KEYSPACE_DROPPED};
	struct slice prefix = slice_of(first, sizeof(first));
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(ch->local->kv, NULL);

	int r = 0;

	kv_cursor_seek(cur, prefix);
	for (; r == 0 && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		struct slice id = slice_skip(kv_cursor_key(cur), prefix.len);

		if (id.len != sizeof(uint32_t)) {
			r = call_fail(c, ERR_CORRUPT, "the mark of a dropped table is damaged");
		} else {
			tasks_drop(ch, (uint32_t)slice_be(id));
		}
	}
	return kv_cursor_end(cur, c, r);
}

static void
find_indexes(struct tasks *ch, struct call *c)
{
	struct catalog *cat = ch->local->catalog;

	for (const struct schema *s = catalog_next(cat, c, slice_of(NULL, 0)); s != NULL;
	     s = catalog_next(cat, c, s->table)) {
		tasks_index(ch, s);
	}
}

int
tasks_new(struct call *c, struct local *l, const struct tasks_work *work, struct tasks **out)
{
	struct tasks *ch = mem_new(struct tasks);

	ch->local = l;
	ch->work = *work;
	ch->tail = &ch->head;
	(void)pthread_mutex_init(&ch->lock, NULL);
	thread_cond_init(&ch->more);
	(void)pthread_cond_init(&ch->idle, NULL);
	int r = find_dropped(ch, c);

	find_indexes(ch, c);
	start_thread(ch);
	if (r < 0) {
		tasks_free(ch);
		return r;
	}
	tasks_sweep(ch, c->now_ms);
	*out = ch;
	return 0;
}

void
tasks_stop(struct tasks *ch)
{
	lock_scope(&ch->lock);
	atomic_store(&ch->stop, true);
	(void)pthread_cond_signal(&ch->more);
}

void
tasks_free(struct tasks *ch)
{
	if (ch == NULL) {
		return;
	}
	tasks_stop(ch);
	(void)pthread_join(ch->thread, NULL);
	for (struct tasks_job *job = ch->head, *next; job != NULL; job = next) {
		next = job->next;
		job_free(job);
	}
	for (size_t i = 0; i < ch->n_wear; i++) {
		buf_release(&ch->wear[i].from);
		buf_release(&ch->wear[i].to);
	}
	free(ch->wear);
	(void)pthread_cond_destroy(&ch->idle);
	(void)pthread_cond_destroy(&ch->more);
	(void)pthread_mutex_destroy(&ch->lock);
	free(ch);
}

void
tasks_wait(struct tasks *ch)
{
	lock_scope(&ch->lock);
	while (ch->busy || ch->head != NULL) {
		(void)pthread_cond_wait(&ch->idle, &ch->lock);
	}
}

/* ------------------------------------------------------------ adding tasks */

void
tasks_drop(struct tasks *ch, uint32_t id)
{
	add_job(ch, &(struct tasks_job){.kind = JOB_DROP, .table = id});
}

void
tasks_index(struct tasks *ch, const struct schema *s)
{
	const struct index *ix = schema_busy(s);
	struct tasks_job job = {.kind = JOB_INDEX, .table = s->id};

	if (ix != NULL) {
		job.index = ix->id;
		buf_slice(&job.from, s->table);
		add_job(ch, &job);
	}
}

void
tasks_sweep(struct tasks *ch, uint64_t now_ms)
{
	bool due;

	(void)pthread_mutex_lock(&ch->lock);
	due = now_ms - ch->swept_ms >= SWEEP_EVERY_MS;
	if (due) {
		ch->swept_ms = now_ms;
	}
	(void)pthread_mutex_unlock(&ch->lock);
	if (due) {
		add_job(ch, &(struct tasks_job){.kind = JOB_SWEEP, .now_ms = now_ms});
	}
}

/* The counter of the table or index whose keys begin with the first bytes of @head. */
static struct wear *
wear_of(struct tasks *ch, struct slice head)
{
	assert(head.len >= KEYSPACE_HEAD_BYTES);
	for (size_t i = 0; i < ch->n_wear; i++) {
		if (memcmp(ch->wear[i].head, head.at, sizeof(ch->wear[i].head)) == 0) {
			return &ch->wear[i];
		}
	}
	ch->wear = mem_resized(ch->wear, ch->n_wear + 1, sizeof(*ch->wear));
	struct wear *w = &ch->wear[ch->n_wear++];

	*w = (struct wear){0};
	memcpy(w->head, head.at, sizeof(w->head));
	return w;
}

static void
set_bytes(struct buf *b, struct slice bytes)
{
	buf_clear(b);
	buf_slice(b, bytes);
}

void
tasks_deleted(struct tasks *ch, struct slice key)
{
	struct wear *w = wear_of(ch, key);

	if (w->deletes == 0 || slice_cmp(key, buf_view(&w->from)) < 0) {
		set_bytes(&w->from, key);
	}
	if (w->deletes == 0 || slice_cmp(key, buf_view(&w->to)) > 0) {
		set_bytes(&w->to, key);
	}
	if (++w->deletes >= RANGES_COMPACT_AFTER) {
		add_job(ch, &(struct tasks_job){.kind = JOB_COMPACT, .from = w->from, .to = w->to});
		w->from = (struct buf){0};
		w->to = (struct buf){0};
		w->deletes = 0;
	}
}
