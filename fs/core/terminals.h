/* terminals - a mount's open handles of generated files; fs/made/terminal.h has the functions */
#ifndef FS_CORE_TERMINALS_H
#define FS_CORE_TERMINALS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct tap;

struct terminals {
	pthread_mutex_t lock; /* guards first */
	struct tap *first;
	uint64_t tidied_ns;         /* used by the invalidation thread only */
	pthread_mutex_t count_lock; /* guards n_outflows */
	pthread_cond_t fewer;
	size_t n_outflows;
};

#endif
