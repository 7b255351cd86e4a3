/* Tests of the workers: each piece of work runs once, in another thread. */
#include <stdatomic.h>

#include "store/base/core/base.h"
#include "store/base/core/workers.h"

#include "tests/support/unit.h"

enum { PIECES = 2000, MOST = 8 };

struct piece {
	struct work work; /* first */
	atomic_uint runs;
};

static void
count(struct work *w)
{
	(void)atomic_fetch_add(&((struct piece *)w)->runs, 1);
}

static void
every_piece_runs_once(void)
{
	struct workers *ws = workers_new(MOST);
	struct piece *p = calloc(PIECES, sizeof(*p));
	unsigned wrong = 0;

	for (int i = 0; i < PIECES; i++) {
		p[i].work.run = count;
		workers_add(ws, &p[i].work);
	}
	workers_free(ws);
	for (int i = 0; i < PIECES; i++) {
		wrong += atomic_load(&p[i].runs) != 1;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	free(p);
}

/* Pieces that wait for each other end only if each one has its own thread. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static unsigned there;

static void
meet(struct work *w)
{
	(void)w;
	lock_scope(&lock);
	there++;
	(void)pthread_cond_broadcast(&all);
	while (there < MOST) {
		(void)pthread_cond_wait(&all, &lock);
	}
}

static void
pieces_run_in_parallel(void)
{
	struct workers *ws = workers_new(MOST);
	struct work w[MOST];

	there = 0;
	for (int i = 0; i < MOST; i++) {
		w[i] = (struct work){.run = meet};
		workers_add(ws, &w[i]);
	}
	workers_free(ws);
	CU_ASSERT_EQUAL(there, MOST);
}

static void
without_threads_the_caller_runs_the_work(void)
{
	struct workers *ws = workers_new(0);
	struct piece p = {.work = {.run = count}};

	workers_add(ws, &p.work);
	CU_ASSERT_EQUAL(atomic_load(&p.runs), 1);
	workers_free(ws);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_piece_runs_once),
	UNIT_TEST(pieces_run_in_parallel),
	UNIT_TEST(without_threads_the_caller_runs_the_work),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(workers, NULL, NULL, tests);
