/*
 * tasks - the list of background tasks, and the thread that runs them in turn
 *
 * A task that has not finished in its time slice goes to the end of the list. So does a task that found too little disk
 * space, and it is not tried again for a while; compactions and sweeps are dropped instead, because they are added
 * again anyway. A task that fails is dropped, too: the next start finds its work again.
 */
#include "store/local/jobs/tasks.h"

#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/system/say.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/model/schema.h"

enum {
	TIME_SLICE_MS = 100, /* time slice of a task */
	REST_MS = 1000, /* delay before a task that found too little disk space is tried again */
	SWEEP_EVERY_MS = 60000,
	COMPACT_BUDGET = 64 * 1024,
};

struct task {
	struct task *next;
	/* Works for one time slice.  Return: 0 if it is done, > 0 if there is more to do, < 0 */
	int (*run)(struct tasks *tasks, const struct time_slice *time_slice, struct task *task);
	/* What it does, for the log, if it is tried again after it has found too little disk space; NULL: it is not. */
	const char *waits;
	uint64_t rests_until_ns; /* on the steady clock; 0: it has not been delayed */
	uint32_t table;          /* of task_drop_table() and task_index() */
	uint16_t index;          /* of task_index() */
	struct buf from; /* of task_compact(); of task_index(): the table's name; on the heap */
	struct buf to;
	struct ranges_walk walk; /* progress of the deletion */
};

/* Deletes in one table or index since its last compaction. */
struct deletions {
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
	struct task *head;
	struct task **tail;
	bool busy;
	uint64_t swept_ms; /* time of the last sweep of tokens and streams */

	struct deletions *deletions; /* used by the commit leader only */
	size_t n_deletions;
};

static void
task_free(struct task *task)
{
	buf_release(&task->from);
	buf_release(&task->to);
	ranges_walk_release(&task->walk);
	free(task);
}

static void
tasks_append(struct tasks *tasks, struct task *task)
{
	task->next = NULL;
	lock_scope(&tasks->lock);
	*tasks->tail = task;
	tasks->tail = &task->next;
	(void)pthread_cond_signal(&tasks->more);
}

static void
tasks_add(struct tasks *tasks, const struct task *task)
{
	struct task *copy = mem_new(struct task);

	*copy = *task;
	tasks_append(tasks, copy);
}

/* ------------------------------------------------------------ tasks */

struct slice
tasks_dropped_key(struct arena *a, uint32_t id)
{
	struct buf out = {.arena = a};

	buf_char(&out, KEYSPACE_DROPPED);
	buf_u32be(&out, id);
	return buf_view(&out);
}

/* The key 'x' id is deleted last: until then a restart begins the deletion again. */
static int
task_drop_table(struct tasks *tasks, const struct time_slice *time_slice, struct task *task)
{
	static const char spaces[] = {KEYSPACE_ITEM, KEYSPACE_PARTITION, KEYSPACE_TOTALS,
				      KEYSPACE_DROPPED, '\0'};
	cleanup(buf_release) struct buf head = {0};

	buf_u32be(&head, task->table);
	return ranges_delete(tasks->local, time_slice, spaces, buf_view(&head), &task->walk);
}

static int
task_sweep(struct tasks *tasks, const struct time_slice *time_slice, struct task *task)
{
	static const char spaces[] = {KEYSPACE_TOKEN, '\0'};
	int r = ranges_delete(tasks->local, time_slice, spaces, slice_of(NULL, 0), &task->walk);

	/* Streams are trimmed even if the deletion of tokens has failed. */
	return r == RANGES_MORE ? r : tasks->work.trim(tasks->local, time_slice, task->walk.now_ms);
}

static int
task_index(struct tasks *tasks, const struct time_slice *time_slice, struct task *task)
{
	struct index_name name = {buf_view(&task->from), task->table, task->index};

	return tasks->work.index(tasks->local, time_slice, &name, &task->walk);
}

static int
task_compact(struct tasks *tasks, const struct time_slice *time_slice, struct task *task)
{
	cleanup(call_close) struct call c;

	(void)time_slice;
	call_open(&c, 0, COMPACT_BUDGET);
	return ranges_compact(tasks->local, &c, &task->from, buf_view(&task->to));
}

/* ------------------------------------------------------------ the thread */

/* Take the first task that is not delayed off the list.  Return: NULL if there is none before *until_ns */
static struct task *
tasks_take(struct tasks *tasks, uint64_t *until_ns)
{
	assert(lock_held(&tasks->lock));
	const uint64_t now = clock_steady_ns();

	*until_ns = THREAD_FOR_EVER;
	for (struct task **at = &tasks->head; *at != NULL; at = &(*at)->next) {
		struct task *task = *at;

		if (task->rests_until_ns <= now) {
			*at = task->next;
			if (*at == NULL) {
				tasks->tail = at;
			}
			return task;
		}
		if (task->rests_until_ns < *until_ns) {
			*until_ns = task->rests_until_ns;
		}
	}
	return NULL;
}

/* Wait for the next task.  Return: NULL if the thread must stop */
static struct task *
tasks_next(struct tasks *tasks)
{
	lock_scope(&tasks->lock);
	tasks->busy = false;
	while (!atomic_load(&tasks->stop)) {
		uint64_t until_ns;
		struct task *task = tasks_take(tasks, &until_ns);

		if (task != NULL) {
			tasks->busy = true;
			return task;
		}
		if (tasks->head == NULL) {
			(void)pthread_cond_broadcast(&tasks->idle);
		}
		(void)thread_cond_until(&tasks->more, &tasks->lock, until_ns);
	}
	return NULL;
}

/* Delay a task that found too little disk space, and log that at its first delay. */
static void
task_rest(const struct tasks *tasks, struct task *task)
{
	if (task->rests_until_ns == 0) {
		say("%s waits for room on the disk, and continues by itself", task->waits);
	}
	uint64_t ms = tasks->local->room_ms == 0 ? REST_MS : tasks->local->room_ms;

	task->rests_until_ns = clock_steady_ns() + ms * NS_PER_MS;
}

static void *
tasks_main(void *arg)
{
	struct tasks *tasks = arg;

	for (struct task *task = tasks_next(tasks); task != NULL; task = tasks_next(tasks)) {
		struct time_slice time_slice = {&tasks->stop, clock_steady_ms() + TIME_SLICE_MS};
		int r = task->run(tasks, &time_slice, task);
		bool waits = r == -ERR_NO_SPACE && task->waits != NULL;

		if (waits) {
			task_rest(tasks, task);
		}
		if (waits || r > 0) {
			tasks_append(tasks, task);
		} else {
			task_free(task);
		}
	}
	return NULL;
}

static int
tasks_find_dropped(struct tasks *tasks, struct call *c)
{
	struct slice prefix = keyspace_name(&c->arena, KEYSPACE_DROPPED, slice_of(NULL, 0));
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(tasks->local->kv, NULL);

	int r = 0;

	kv_cursor_seek(cur, prefix);
	for (; r == 0 && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		struct slice id = slice_skip(kv_cursor_key(cur), prefix.len);

		if (id.len != sizeof(uint32_t)) {
			r = call_fail(c, ERR_CORRUPT, "the mark of a dropped table is damaged");
		} else {
			tasks_drop(tasks, (uint32_t)slice_be(id));
		}
	}
	return kv_cursor_end(cur, c, r);
}

static void
tasks_find_indexes(struct tasks *tasks, struct call *c)
{
	struct catalog *cat = tasks->local->catalog;

	for (const struct schema *s = catalog_next(cat, c, slice_of(NULL, 0)); s != NULL;
	     s = catalog_next(cat, c, s->table)) {
		tasks_index(tasks, s);
	}
}

int
tasks_new(struct call *c, struct local *l, const struct tasks_work *work, struct tasks **out)
{
	struct tasks *tasks = mem_new(struct tasks);

	*out = tasks;
	tasks->local = l;
	tasks->work = *work;
	tasks->tail = &tasks->head;
	(void)pthread_mutex_init(&tasks->lock, NULL);
	thread_cond_init(&tasks->more);
	(void)pthread_cond_init(&tasks->idle, NULL);
	int r = tasks_find_dropped(tasks, c);

	tasks_find_indexes(tasks, c);
	if (thread_start(&tasks->thread, tasks_main, tasks) != 0) {
		abort();
	}
	if (r == 0) {
		tasks_sweep(tasks, c->now_ms);
	}
	return r;
}

void
tasks_stop(struct tasks *tasks)
{
	lock_scope(&tasks->lock);
	atomic_store(&tasks->stop, true);
	(void)pthread_cond_signal(&tasks->more);
}

void
tasks_free(struct tasks *tasks)
{
	if (tasks == NULL) {
		return;
	}
	tasks_stop(tasks);
	(void)pthread_join(tasks->thread, NULL);
	for (struct task *task = tasks->head, *next; task != NULL; task = next) {
		next = task->next;
		task_free(task);
	}
	for (size_t i = 0; i < tasks->n_deletions; i++) {
		buf_release(&tasks->deletions[i].from);
		buf_release(&tasks->deletions[i].to);
	}
	free(tasks->deletions);
	(void)pthread_cond_destroy(&tasks->idle);
	(void)pthread_cond_destroy(&tasks->more);
	(void)pthread_mutex_destroy(&tasks->lock);
	free(tasks);
}

void
tasks_wait(struct tasks *tasks)
{
	lock_scope(&tasks->lock);
	while (tasks->busy || tasks->head != NULL) {
		(void)pthread_cond_wait(&tasks->idle, &tasks->lock);
	}
}

/* ------------------------------------------------------------ adding tasks */

void
tasks_drop(struct tasks *tasks, uint32_t id)
{
	tasks_add(tasks, &(struct task){.run = task_drop_table,
					.waits = "deleting the items of a dropped table",
					.table = id});
}

void
tasks_index(struct tasks *tasks, const struct schema *s)
{
	const struct index *ix = schema_busy(s);
	struct task task = {.run = task_index, .waits = "filling an index", .table = s->id};

	if (ix != NULL) {
		task.index = ix->id;
		buf_slice(&task.from, s->table);
		tasks_add(tasks, &task);
	}
}

void
tasks_sweep(struct tasks *tasks, uint64_t now_ms)
{
	{
		lock_scope(&tasks->lock);
		if (now_ms - tasks->swept_ms < SWEEP_EVERY_MS) {
			return;
		}
		tasks->swept_ms = now_ms;
	}
	tasks_add(tasks, &(struct task){.run = task_sweep,
					.walk = {.is_dead = tasks->work.token, .now_ms = now_ms}});
}

/* The counter of the table or index whose keys begin with the first bytes of @head. */
static struct deletions *
deletions_of(struct tasks *tasks, struct slice head)
{
	assert(head.len >= KEYSPACE_HEAD_BYTES);
	for (size_t i = 0; i < tasks->n_deletions; i++) {
		if (memcmp(tasks->deletions[i].head, head.at, sizeof(tasks->deletions[i].head)) ==
		    0) {
			return &tasks->deletions[i];
		}
	}
	tasks->deletions =
		mem_resized(tasks->deletions, tasks->n_deletions + 1, sizeof(*tasks->deletions));
	struct deletions *w = &tasks->deletions[tasks->n_deletions++];

	*w = (struct deletions){0};
	memcpy(w->head, head.at, sizeof(w->head));
	return w;
}

void
tasks_deleted(struct tasks *tasks, struct slice key)
{
	struct deletions *w = deletions_of(tasks, key);

	if (w->deletes == 0 || slice_cmp(key, buf_view(&w->from)) < 0) {
		buf_set(&w->from, key);
	}
	if (w->deletes == 0 || slice_cmp(key, buf_view(&w->to)) > 0) {
		buf_set(&w->to, key);
	}
	if (++w->deletes >= RANGES_COMPACT_AFTER) {
		tasks_add(tasks, &(struct task){.run = task_compact, .from = w->from, .to = w->to});
		w->from = (struct buf){0};
		w->to = (struct buf){0};
		w->deletes = 0;
	}
}
