/* abreast - see abreast.h */
#include "tools/abreast.h"

#include <stdatomic.h>

#include "store/base/thread.h"

enum { JOBS_MAX = 64 };

struct row {
	atomic_size_t next; /* whose turn it is */
	atomic_bool stop;
	size_t n;
	abreast_fn *fn;
	void *arg;
};

static void *
work(void *arg)
{
	struct row *row = arg;

	while (!row->stop) {
		size_t i = row->next++;

		if (i >= row->n) {
			break;
		}
		if (!row->fn(row->arg, i)) {
			row->stop = true;
		}
	}
	return NULL;
}

size_t
abreast(size_t n, unsigned jobs, abreast_fn *fn, void *arg)
{
	struct row row = {.n = n, .fn = fn, .arg = arg};
	pthread_t threads[JOBS_MAX];
	unsigned others = 0; /* beside the caller's */

	while (others + 1 < jobs && others + 1 < n && others < JOBS_MAX &&
	       thread_start(&threads[others], work, &row) == 0) {
		others++;
	}
	(void)work(&row);
	for (unsigned i = 0; i < others; i++) {
		(void)pthread_join(threads[i], NULL);
	}
	size_t taken = row.next; /* each thread may have gone past the end */

	return taken < n ? taken : n;
}
