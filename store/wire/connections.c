/* connections - a list, and one thread that looks through it now and then */
#include "store/wire/connections.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/base/thread.h"

enum { LOOKS = 30 }; /* in the time that a request has to arrive */

struct connection {
	struct connection *next;
	struct connection **back; /* what points here */
	int socket;
	bool surplus;
	bool kept;                         /* it has had an answer */
	_Atomic(unsigned long long) until; /* steady ms; 0: as long as it takes */
};

struct connections {
	unsigned most;
	unsigned arrival_ms;
	pthread_t watcher;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t news;  /* the first connection, or the end */
	pthread_cond_t none;  /* the last one is closed */
	struct connection *first;
	unsigned n;
	bool hushed; /* connections_end() */
	bool ending;
};

/* Whoever is late finds his connection shut down; libmicrohttpd then closes it.  The lock is held. */
static void
shut_late_ones(struct connections *cs)
{
	unsigned long long now = clock_steady_ms();

	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		unsigned long long until = atomic_load(&cn->until);

		if (until != 0 && until <= now) {
			(void)shutdown(cn->socket, SHUT_RDWR);
		}
	}
}

/* Until the next look; the lock is held. */
static void
pause_between_looks(struct connections *cs)
{
	uint64_t ms = cs->arrival_ms / LOOKS + 1;

	(void)thread_cond_until(&cs->news, &cs->lock, clock_steady_ns() + ms * NS_PER_MS);
}

static void *
watch(void *arg)
{
	struct connections *cs = arg;

	lock_scope(&cs->lock);
	while (!cs->ending) {
		if (cs->first == NULL) {
			(void)pthread_cond_wait(&cs->news, &cs->lock);
		} else {
			pause_between_looks(cs);
			shut_late_ones(cs);
		}
	}
	return NULL;
}

struct connections *
connections_new(unsigned most, unsigned arrival_ms)
{
	struct connections *cs = calloc(1, sizeof(*cs));

	if (cs == NULL) {
		abort();
	}
	cs->most = most;
	cs->arrival_ms = arrival_ms;
	(void)pthread_mutex_init(&cs->lock, NULL);
	thread_cond_init(&cs->news);
	thread_cond_init(&cs->none);
	if (thread_start(&cs->watcher, watch, cs) != 0) {
		(void)pthread_cond_destroy(&cs->none);
		(void)pthread_cond_destroy(&cs->news);
		(void)pthread_mutex_destroy(&cs->lock);
		free(cs);
		return NULL;
	}
	return cs;
}

void
connections_free(struct connections *cs)
{
	if (cs == NULL) {
		return;
	}
	(void)pthread_mutex_lock(&cs->lock);
	cs->ending = true;
	(void)pthread_cond_signal(&cs->news);
	(void)pthread_mutex_unlock(&cs->lock);
	(void)pthread_join(cs->watcher, NULL);
	(void)pthread_cond_destroy(&cs->none);
	(void)pthread_cond_destroy(&cs->news);
	(void)pthread_mutex_destroy(&cs->lock);
	free(cs);
}

static void
hurry(struct connection *cn, unsigned ms)
{
	atomic_store(&cn->until, clock_steady_ms() + ms);
}

struct connection *
connection_opened(struct connections *cs, int socket)
{
	struct connection *cn = calloc(1, sizeof(*cn));

	if (cn == NULL) {
		abort();
	}
	cn->socket = socket;
	hurry(cn, cs->arrival_ms);
	lock_scope(&cs->lock);
	cn->surplus = cs->n++ >= cs->most;
	cn->next = cs->first;
	cn->back = &cs->first;
	if (cn->next != NULL) {
		cn->next->back = &cn->next;
	} else {
		(void)pthread_cond_signal(&cs->news);
	}
	cs->first = cn;
	if (cs->hushed) {
		(void)shutdown(socket, SHUT_RD);
	}
	return cn;
}

void
connections_end(struct connections *cs, uint64_t until_ns)
{
	lock_scope(&cs->lock);
	cs->hushed = true;
	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		/* The others follow when they have had their answer: libmicrohttpd takes the end for that of the client. */
		if (atomic_load(&cn->until) != 0) {
			(void)shutdown(cn->socket, SHUT_RD);
		}
	}
	while (cs->n > 0 && thread_cond_until(&cs->none, &cs->lock, until_ns)) {
	}
}

bool
connections_one(struct connections *cs)
{
	lock_scope(&cs->lock);
	return cs->n == 1;
}

bool
connection_surplus(const struct connection *cn)
{
	return cn->surplus;
}

void
connection_began(struct connections *cs, struct connection *cn)
{
	if (cn->kept) {
		hurry(cn, cs->arrival_ms);
	}
}

void
connection_arrived(struct connection *cn)
{
	atomic_store(&cn->until, 0);
}

void
connection_answered(struct connections *cs, struct connection *cn)
{
	cn->kept = true;
	hurry(cn, 2 * cs->arrival_ms);
	lock_scope(&cs->lock);
	if (cs->hushed) {
		(void)shutdown(cn->socket, SHUT_RD);
	}
}

void
connection_closed(struct connections *cs, struct connection *cn)
{
	{
		lock_scope(&cs->lock);
		if (--cs->n == 0) {
			(void)pthread_cond_signal(&cs->none);
		}
		*cn->back = cn->next;
		if (cn->next != NULL) {
			cn->next->back = cn->back;
		}
	}
	free(cn);
}
