/* hidden_list - a mount's list of hidden items; fs/file/hidden.h has the functions */
#ifndef FS_CORE_HIDDEN_LIST_H
#define FS_CORE_HIDDEN_LIST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hidden;

struct hidden_list {
	pthread_mutex_t lock; /* guards first, the entries, thread, running, ending and look_ns */
	pthread_cond_t changed;
	struct hidden *first;
	atomic_size_t n;
	pthread_t thread; /* runs from the first entry on */
	bool running;
	bool ending;
	uint64_t delay_ms; /* TIMING_HIDDEN, or a unit test's own value */
	uint64_t save_ms;  /* TIMING_UNSAVED, likewise */
	uint64_t look_ns;  /* steady: when to look for texts that are in memory only */
};

#endif
