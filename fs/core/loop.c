/*
 * loop - see loop.h; requests are read from the kernel and passed to the functions of mount_ops
 *
 * The only knowledge about their meaning is which of them wait for the disk.
 */
#include "fs/core/loop.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"

#include "fs/core/again.h"

enum {
	IDLE_MAX = 3,  /* idle threads that are kept, the watcher included */
	SPIN_US = 100, /* how long to poll the kernel before sleeping */
	NS_PER_US = 1000,
};

static void *thread_main(void *arg);

static uint64_t
now_us(void)
{
	return clock_steady_ns() / NS_PER_US;
}

/* Adding 1 to an eventfd cannot fail. */
void
loop_ring(int event)
{
	uint64_t one = 1;
	ssize_t n = write(event, &one, sizeof(one));

	(void)n;
}

/* ------------------------------------------------------------ with the lock */

static int
loop_spawn(struct loop *l)
{
	assert(lock_held(&l->lock));
	pthread_t thread;
	int e = pthread_create(&thread, NULL, thread_main, l);

	if (e == 0) {
		l->threads++;
	}
	return e;
}

static bool
may_spawn(const struct loop *l)
{
	return !l->single && l->threads < LOOP_THREADS_MAX + l->searches;
}

static void
wake_idle(struct loop *l)
{
	assert(lock_held(&l->lock));
	(void)pthread_cond_broadcast(&l->watch);
	(void)pthread_cond_broadcast(&l->spare);
}

/* Check the reader once, or wait until it has work. Return: true when its role has been taken from it. */
static bool
watch_once(struct loop *l)
{
	assert(lock_held(&l->lock) && l->watched);
	uint64_t turn = atomic_load(&l->turn);

	if (turn % 2 == 0) {
		/* The reader waits for the kernel: sleep until it signals that it has a request. */
		atomic_store(&l->asleep, true);
		if (atomic_load(&l->turn) == turn) {
			(void)pthread_cond_wait(&l->watch, &l->lock);
		}
		atomic_store(&l->asleep, false);
		return false;
	}
	(void)thread_cond_until(&l->watch, &l->lock,
				clock_steady_ns() + LOOP_PATIENCE_MS * NS_PER_MS);
	return l->reading && !l->stopping &&
	       atomic_compare_exchange_strong(&l->turn, &turn, turn + 1);
}

/* Wait until this thread is the reader; false: the thread is not needed any more. */
static bool
become_reader(struct loop *l)
{
	assert(lock_held(&l->lock));
	bool taken = false;

	if (l->idle >= IDLE_MAX && l->reading) {
		return false;
	}
	l->idle++;
	while (l->reading && !l->stopping && !taken) {
		if (l->watched) {
			(void)pthread_cond_wait(&l->spare, &l->lock);
			continue;
		}
		l->watched = true;
		taken = watch_once(l);
		l->watched = false;
	}
	l->idle--;
	if (l->stopping) {
		return false;
	}
	l->reading = true;
	if (l->idle > 0) {
		(void)pthread_cond_signal(&l->spare);
	} else if (may_spawn(l)) {
		/* If this fails, there is no watcher, and a long request only delays the others. */
		(void)loop_spawn(l);
	}
	return true;
}

/* ------------------------------------------------------------ without the lock */

/* Return: whether the reply will wait for the disk. */
static bool
loop_is_long(const struct loop *l, const struct fuse_buf *b)
{
	const struct fuse_in_header *h = b->mem;

	if ((b->flags & FUSE_BUF_IS_FD) != 0 || b->size < sizeof(*h)) {
		return false;
	}
	return h->opcode == FUSE_FSYNC || h->opcode == FUSE_FSYNCDIR ||
	       (l->sync && h->opcode == FUSE_FLUSH);
}

/* Pass the reader's role to another thread, if there is one. */
static void
resign(struct loop *l, uint64_t turn)
{
	lock_scope(&l->lock);
	bool somebody = l->idle > 0 || (may_spawn(l) && loop_spawn(l) == 0);

	if (somebody && atomic_compare_exchange_strong(&l->turn, &turn, turn + 1)) {
		l->reading = false;
		wake_idle(l);
	}
}

/* Process one request; false: another thread took the reader's role meanwhile. */
static bool
loop_answer(struct loop *l, const struct fuse_buf *b)
{
	uint64_t turn = atomic_fetch_add(&l->turn, 1) + 1;
	struct again again;

	if (atomic_load(&l->asleep)) {
		lock_scope(&l->lock);
		(void)pthread_cond_signal(&l->watch);
	}
	if (loop_is_long(l, b)) {
		resign(l, turn);
	}
	again_begin(&again, l, b);
	do {
		fuse_session_process_buf(l->se, b);
	} while (again_wait(&again));
	return atomic_compare_exchange_strong(&l->turn, &turn, turn + 1);
}

bool
loop_search(struct loop *l)
{
	lock_scope(&l->lock);
	if (l->searches == LOOP_SEARCHES_MAX) {
		return false;
	}
	l->searches++;
	/*
	 * Without a watcher no thread would take the reader's role from this thread. Before and after the loop, there
	 * is no reader.
	 */
	if (l->threads > 0 && l->idle == 0 && may_spawn(l)) {
		(void)loop_spawn(l);
	}
	return true;
}

void
loop_found(struct loop *l)
{
	lock_scope(&l->lock);
	l->searches--;
}

static int
receive_now(struct loop *l, struct fuse_buf *b)
{
	int n;

	do {
		n = fuse_session_receive_buf(l->se, b);
	} while (n == -EINTR && !fuse_session_exited(l->se));
	return n;
}

/*
 * Receive the next request. Return: its length, 0 at the end of the session, < 0 on an error.
 *
 * A client that works through many files sends its next request a few microseconds after a reply. Polling for a moment
 * instead of sleeping at once avoids waking this thread on another processor: three times as many opens per second.
 * The yield leaves the processor to other programs, but the scheduler may choose this thread again several times.
 */
static int
loop_receive(struct loop *l, struct fuse_buf *b)
{
	int n = receive_now(l, b);
	uint64_t until = n == -EAGAIN ? now_us() + SPIN_US : 0;

	for (unsigned i = 0; n == -EAGAIN && i < l->yields && now_us() < until; i++) {
		(void)sched_yield();
		n = receive_now(l, b);
	}
	while (n == -EAGAIN) {
		struct pollfd fds[2] = {{.fd = fuse_session_fd(l->se), .events = POLLIN},
					{.fd = l->stop, .events = POLLIN}};

		(void)poll(fds, 2, -1);
		if (fds[1].revents != 0) {
			return 0;
		}
		n = receive_now(l, b);
	}
	return n;
}

/* Act as the reader until the session ends or the role is lost. */
static void
read_requests(struct loop *l, struct fuse_buf *b)
{
	while (!fuse_session_exited(l->se) && loop_receive(l, b) > 0) {
		if (!loop_answer(l, b)) {
			return;
		}
	}
	lock_scope(&l->lock);
	l->reading = false;
	l->stopping = true;
	wake_idle(l);
}

static void *
thread_main(void *arg)
{
	struct loop *l = arg;
	struct fuse_buf b = {.mem = NULL};

	(void)pthread_mutex_lock(&l->lock);
	while (become_reader(l)) {
		(void)pthread_mutex_unlock(&l->lock);
		read_requests(l, &b);
		(void)pthread_mutex_lock(&l->lock);
	}
	free(b.mem);
	l->threads--;
	struct thread_last before = thread_succeed(&l->last);

	if (l->threads == 0 && l->ended >= 0) {
		loop_ring(l->ended);
	}
	(void)pthread_cond_broadcast(&l->gone);
	(void)pthread_mutex_unlock(&l->lock);
	thread_join_last(before);
	return NULL;
}

/* ------------------------------------------------------------ for other threads */

/*
 * With one processor, polling delays the client that is to send the next request.  If it does not run after two yields,
 * others do.
 */
static unsigned
loop_yields(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) == 1 ? 2
										       : UINT_MAX;
}

void
loop_init(struct loop *l)
{
	(void)pthread_mutex_init(&l->lock, NULL);
	thread_cond_init(&l->watch);
	(void)pthread_cond_init(&l->gone, NULL);
	(void)pthread_cond_init(&l->spare, NULL);
}

void
loop_release(struct loop *l)
{
	assert(l->threads == 0);
	(void)pthread_cond_destroy(&l->watch);
	(void)pthread_cond_destroy(&l->spare);
	(void)pthread_cond_destroy(&l->gone);
	(void)pthread_mutex_destroy(&l->lock);
}

int
loop_start(struct loop *l)
{
	int flags = fcntl(fuse_session_fd(l->se), F_GETFL);

	l->yields = loop_yields();
	l->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->stop < 0 || fcntl(fuse_session_fd(l->se), F_SETFL, flags | O_NONBLOCK) != 0) {
		return errno;
	}
	(void)pthread_mutex_lock(&l->lock);
	int e = loop_spawn(l);

	(void)pthread_mutex_unlock(&l->lock);
	if (e != 0) {
		(void)close(l->stop);
	}
	return e;
}

bool
loop_is_over(struct loop *l)
{
	lock_scope(&l->lock);
	return l->threads == 0;
}

void
loop_stop(struct loop *l)
{
	fuse_session_exit(l->se);
	(void)pthread_mutex_lock(&l->lock);
	l->stopping = true;
	wake_idle(l);
	loop_ring(l->stop);
	while (l->threads > 0) {
		(void)pthread_cond_wait(&l->gone, &l->lock);
	}
	(void)pthread_mutex_unlock(&l->lock);
	thread_join_last(l->last);
	(void)close(l->stop);
}
