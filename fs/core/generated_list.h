/* generated_list - a mount's open handles of generated files; fs/made/generated.h has the functions */
#ifndef FS_CORE_GENERATED_LIST_H
#define FS_CORE_GENERATED_LIST_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct generated_handle;

struct generated_list {
	pthread_mutex_t lock; /* guards first */
	struct generated_handle *first;
	uint64_t tidied_ns;         /* used by the invalidation thread only */
	pthread_mutex_t count_lock; /* guards n_producers */
	pthread_cond_t fewer;
	size_t n_producers;
};

#endif
