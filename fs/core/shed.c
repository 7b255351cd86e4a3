/*
 * shed - see shed.h
 *
 * This thread only frees memory. The thread of inval.c notifies the kernel of changes.
 */
#include "fs/core/shed.h"

#include <sys/uio.h>

#include "store/base/core/thread.h"

#include "fs/core/inode.h"
#include "fs/core/mount_int.h"

enum {
	NOTIFY_PRUNE = 9,   /* FUSE protocol 7.45; libfuse 3.14 has no function for it */
	SHED_AT_ONCE = 512, /* nodes per message */
	/* Nodes to drop each time, and nodes that may be created before the next try. */
	SHED_SHARE = SHED_ABOVE / 8,
};

/* The message to the kernel, all of it in native byte order. */
struct prune {
	uint32_t len;
	int32_t code;
	uint64_t unique;
	uint32_t count;
	uint32_t padding;
	uint64_t spare;
	uint64_t ids[SHED_AT_ONCE];
};

void
shed_init(struct shed *s)
{
	*s = (struct shed){.above = SHED_ABOVE};
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_cond_init(&s->more, NULL);
}

void
shed_release(struct shed *s)
{
	(void)pthread_cond_destroy(&s->more);
	(void)pthread_mutex_destroy(&s->lock);
}

/* Ask the kernel to drop nodes; it ignores nodes that are in use or that it has dropped meanwhile. */
static bool
prune(struct mount *m, const struct node *const *nodes, size_t n)
{
	struct prune p = {.code = NOTIFY_PRUNE, .count = (uint32_t)n};

	for (size_t i = 0; i < n; i++) {
		p.ids[i] = node_id(m, nodes[i]);
	}
	p.len = (uint32_t)(offsetof(struct prune, ids) + n * sizeof(p.ids[0]));
	return write(fuse_session_fd(m->session), &p, p.len) == (ssize_t)p.len;
}

/*
 * Go round the table at most twice: a directory that has children in the first round may have none in the second.
 * Return: false: the kernel does not know the message.
 */
static bool
shed_make_room(struct mount *m)
{
	struct shed *s = &m->shed;
	size_t low = m->inodes.weight - SHED_SHARE;

	for (int rounds = 0; rounds < 2 && m->inodes.weight > low && !s->ending;) {
		const struct node *nodes[SHED_AT_ONCE];
		size_t n;

		rounds += !inode_idle(&m->inodes, &s->hand, nodes, SHED_AT_ONCE, &n);
		if (n > 0 && !prune(m, nodes, n)) {
			return false;
		}
	}
	return true;
}

static void *
shed_run(void *arg)
{
	struct mount *m = arg;
	struct shed *s = &m->shed;

	(void)pthread_mutex_lock(&s->lock);
	while (!s->ending) {
		if (m->inodes.weight <= s->above) {
			(void)pthread_cond_wait(&s->more, &s->lock);
			continue;
		}
		(void)pthread_mutex_unlock(&s->lock);
		bool made = shed_make_room(m);
		size_t next = m->inodes.weight + SHED_SHARE;

		(void)pthread_mutex_lock(&s->lock);
		s->above = !made ? SIZE_MAX : next > SHED_ABOVE ? next : SHED_ABOVE;
	}
	(void)pthread_mutex_unlock(&s->lock);
	return NULL;
}

void
shed_look(struct mount *m)
{
	struct shed *s = &m->shed;

	if (m->inodes.weight <= s->above) {
		return;
	}
	lock_scope(&s->lock);
	if (!s->running && !s->ending) {
		s->running = thread_start(&s->thread, shed_run, m) == 0;
	}
	(void)pthread_cond_signal(&s->more);
}

void
shed_end(struct mount *m)
{
	struct shed *s = &m->shed;
	bool running;
	{
		lock_scope(&s->lock);
		s->ending = true;
		running = s->running;
		s->running = false;
		(void)pthread_cond_signal(&s->more);
	}
	if (running) {
		(void)pthread_join(s->thread, NULL);
	}
}
