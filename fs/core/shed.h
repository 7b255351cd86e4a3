/*
 * shed - the names that the kernel knows stay below a bound
 *
 * The kernel keeps a name as long as it has room, and the mount a node for each.
 * Above SHED_ABOVE nodes (inodes_weight(): one with a long name counts for several) a thread, started by the first that is too many, tells the
 * kernel to drop some that are not in use (FUSE_NOTIFY_PRUNE, Linux 6.18); it looks
 * them up again when it misses them.  Older kernels go on as before.
 */
#ifndef FS_CORE_SHED_H
#define FS_CORE_SHED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SHED_ABOVE = 512 * 1024 };

struct mount;

struct shed {
	pthread_mutex_t lock; /* of running, ending and more */
	pthread_cond_t more;
	pthread_t thread;
	bool running;
	atomic_bool ending;
	atomic_size_t above; /* more nodes than that are too many */
	size_t hand;         /* the thread's: next bucket to look at */
};

void shed_init(struct shed *s);
void shed_release(struct shed *s);

/** shed_look - a node was made: are they too many? */
void shed_look(struct mount *m);

/** shed_end - the thread ends; harmless when there is none */
void shed_end(struct mount *m);

#endif
