/*
 * shed - bounds the number of names that the kernel has cached
 *
 * The kernel keeps a name while it has memory, and the mount keeps a node for each. Above SHED_ABOVE nodes (by
 * inodes.weight, where a long name counts as several) a thread asks the kernel to drop unused ones
 * (FUSE_NOTIFY_PRUNE, Linux 6.18); the kernel looks them up again when it needs them. shed_look() starts the thread.
 * Older kernels keep the names.
 */
#ifndef FS_CORE_SHED_H
#define FS_CORE_SHED_H

#include <stdatomic.h>

#include "store/base/core/base.h"

/* A directory of a million names fits, so that ls -l of it drops none. */
enum { SHED_ABOVE = 1152 * 1024 };

struct mount;

struct shed {
	pthread_mutex_t lock; /* guards thread, running and ending */
	pthread_cond_t more;
	pthread_t thread;
	bool running;
	atomic_bool ending;
	atomic_size_t above; /* the number of nodes above which the thread acts */
	size_t hand;         /* next slot to look at; used by the thread only */
};

void shed_init(struct shed *s);
void shed_release(struct shed *s);

/** shed_look - call after a node was created: wake or start the thread if there are too many */
void shed_look(struct mount *m);

/** shed_end - end the thread; harmless when there is none */
void shed_end(struct mount *m);

#endif
