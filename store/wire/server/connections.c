/* connections - a list, and one thread that looks through it now and then */
#include "store/wire/server/connections.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/mem.h"
#include "store/base/core/thread.h"
#include "store/wire/proto/endpoint.h"

enum {
	LOOKS = 5,     /* in the time that a head has to arrive */
	GRACE_MS = 50, /* what has just begun is not cut off to make room */
};

enum stage {
	STAGE_IDLE,      /* answered; the next request has not begun */
	STAGE_HEAD,      /* connected, or the first line of a request is there */
	STAGE_BODY,      /* the head is there */
	STAGE_UNDER_WAY, /* from here on the connection stays open until there is an answer */
	STAGE_ANSWER,    /* it goes out, as fast as it is read */
	STAGE_CUT,       /* shut down: nothing on it is carried out any more */
};

struct connection {
	struct connection *next;
	struct connection **back; /* what points here */
	int socket;
	bool remote; /* limited by its address, which is @from */
	struct in6_addr from;
	bool surplus;
	bool asked;       /* the head of a request has come */
	atomic_int stage; /* enum stage; the watcher may turn it into STAGE_CUT */
	_Atomic(unsigned long long)
		since; /* steady ns: when it became idle, or the request or its answer began */
	size_t answer; /* bytes that are kept for it; under the lock */
};

struct connections {
	struct connection_limits limits;
	atomic_bool hushed; /* connections_end() */
	pthread_t watcher;
	pthread_mutex_t lock;     /* of what follows */
	pthread_cond_t news;      /* the first connection, or the end */
	pthread_cond_t none;      /* the last one is closed */
	struct connection *first; /* the oldest */
	struct connection **last; /* where the next one goes */
	unsigned n;
	unsigned cut;   /* of them */
	size_t answers; /* bytes that are kept for all of them */
	bool ending;
};

/* ------------------------------------------------------------ how one ends */

/*
 * Shut @cn down, unless its request is under way and has no answer yet; the lock is held.  What it sends all the same is not
 * carried out (connection_arrived()), and its client sees an end without an answer, as of any server that
 * closes an idle connection.
 */
static void
connection_cut(struct connections *cs, struct connection *cn)
{
	int stage = atomic_load(&cn->stage);

	if (stage != STAGE_UNDER_WAY && stage != STAGE_CUT &&
	    atomic_compare_exchange_strong(&cn->stage, &stage, STAGE_CUT)) {
		cs->cut++;
		(void)shutdown(cn->socket, SHUT_RDWR);
	}
}

/* Has it sent what is not read yet? */
static bool
connection_unread(const struct connection *cn)
{
	char byte;

	return recv(cn->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/* ------------------------------------------------------------ who is late */

static bool
connection_is_late(const struct connections *cs, const struct connection *cn,
		   unsigned long long now)
{
	const unsigned ms[] = {
		[STAGE_IDLE] = cs->limits.idle_ms,
		[STAGE_HEAD] = cs->limits.head_ms,
		[STAGE_BODY] = cs->limits.body_ms,
		[STAGE_ANSWER] = cs->limits.answer_ms,
	};
	int stage = atomic_load(&cn->stage);

	return stage != STAGE_UNDER_WAY && stage != STAGE_CUT &&
	       atomic_load(&cn->since) + ms[stage] * NS_PER_MS <= now;
}

/* The lock is held. */
static void
connections_cut_late_ones(struct connections *cs)
{
	unsigned long long now = cs->limits.steady_ns();

	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		bool idle = atomic_load(&cn->stage) == STAGE_IDLE;

		if (connection_is_late(cs, cn, now) && !(idle && connection_unread(cn))) {
			connection_cut(cs, cn);
		}
	}
}

/* ------------------------------------------------------------ who makes room */

static bool
connection_same_address(const struct connection *a, const struct connection *b)
{
	return a->remote && b->remote && memcmp(&a->from, &b->from, sizeof(a->from)) == 0;
}

/* Idle ones go first, the one that has been idle longest; then half-open ones, the oldest request first. */
static bool
connection_goes_before(const struct connection *a, const struct connection *b)
{
	bool x = atomic_load(&a->stage) == STAGE_IDLE;
	bool y = atomic_load(&b->stage) == STAGE_IDLE;

	return x != y ? x : atomic_load(&a->since) < atomic_load(&b->since);
}

/* It has sent nothing that is not read, and what has begun had the time to go on. */
static bool
connection_may_go(const struct connection *cn, unsigned long long now)
{
	return (atomic_load(&cn->stage) == STAGE_IDLE ||
		atomic_load(&cn->since) + GRACE_MS * NS_PER_MS <= now) &&
	       !connection_unread(cn);
}

/*
 * Cut off the first one that may go, if there is one.  The lock is held.  The socket of a connection is
 * asked only if it would go before those seen so far; these are few, as the oldest comes first in the list.
 * @of: only of its address; NULL: any
 */
static bool
connections_make_room(struct connections *cs, const struct connection *of)
{
	struct connection *chosen = NULL;
	unsigned long long now = cs->limits.steady_ns();

	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		if (atomic_load(&cn->stage) >= STAGE_UNDER_WAY ||
		    (of != NULL && !connection_same_address(cn, of))) {
			continue;
		}
		if ((chosen == NULL || connection_goes_before(cn, chosen)) &&
		    connection_may_go(cn, now)) {
			chosen = cn;
		}
	}
	if (chosen == NULL) {
		return false;
	}
	connection_cut(cs, chosen);
	return true;
}

/* Bytes that are kept for the address of @cn; the lock is held. */
static size_t
connections_answers_of_address(const struct connections *cs, const struct connection *cn)
{
	size_t bytes = 0;

	for (const struct connection *other = cs->first; other != NULL; other = other->next) {
		bytes += connection_same_address(other, cn) ? other->answer : 0;
	}
	return bytes;
}

/* How many stay that have the address of @cn; the lock is held. */
static unsigned
connections_of_address(const struct connections *cs, const struct connection *cn)
{
	unsigned n = 0;

	for (const struct connection *other = cs->first; other != NULL; other = other->next) {
		n += atomic_load(&other->stage) != STAGE_CUT && connection_same_address(other, cn);
	}
	return n;
}

/* Before @cn joins the others; the lock is held. */
static void
connections_admit(struct connections *cs, struct connection *cn)
{
	if (cs->limits.per_address > 0 && cn->remote &&
	    connections_of_address(cs, cn) >= cs->limits.per_address) {
		cn->surplus = !connections_make_room(cs, cn);
	}
	if (cs->n - cs->cut >= cs->limits.most && !connections_make_room(cs, NULL)) {
		(void)pthread_cond_signal(&cs->news);
	}
}

/* ------------------------------------------------------------ the watcher */

static bool
connections_too_many(const struct connections *cs)
{
	return cs->n - cs->cut > cs->limits.most;
}

/* Until the next look; the lock is held. */
static void
connections_pause(struct connections *cs)
{
	uint64_t ms = connections_too_many(cs) ? GRACE_MS : cs->limits.head_ms / LOOKS + 1;

	(void)thread_cond_until(&cs->news, &cs->lock, clock_steady_ns() + ms * NS_PER_MS);
}

/* The lock is held. */
static void
connections_look_locked(struct connections *cs)
{
	connections_cut_late_ones(cs);
	while (connections_too_many(cs) && connections_make_room(cs, NULL)) {
	}
}

void
connections_look(struct connections *cs)
{
	lock_scope(&cs->lock);
	connections_look_locked(cs);
}

static void *
connections_watch(void *arg)
{
	struct connections *cs = arg;

	lock_scope(&cs->lock);
	while (!cs->ending) {
		if (cs->first == NULL) {
			(void)pthread_cond_wait(&cs->news, &cs->lock);
		} else {
			connections_pause(cs);
			connections_look_locked(cs);
		}
	}
	return NULL;
}

/* ------------------------------------------------------------ all of them */

struct connections *
connections_new(const struct connection_limits *limits)
{
	struct connections *cs = mem_new(struct connections);

	cs->limits = *limits;
	if (cs->limits.steady_ns == NULL) {
		cs->limits.steady_ns = clock_steady_ns;
	}
	cs->last = &cs->first;
	(void)pthread_mutex_init(&cs->lock, NULL);
	thread_cond_init(&cs->news);
	thread_cond_init(&cs->none);
	if (thread_start(&cs->watcher, connections_watch, cs) != 0) {
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

void
connections_end(struct connections *cs, uint64_t until_ns)
{
	lock_scope(&cs->lock);
	atomic_store(&cs->hushed, true);
	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		/* The others follow when they have had their answer: libmicrohttpd takes the end for that of the client. */
		int stage = atomic_load(&cn->stage);

		if (stage != STAGE_UNDER_WAY && stage != STAGE_ANSWER) {
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

/* ------------------------------------------------------------ one of them */

struct connection *
connection_opened(struct connections *cs, int socket, const struct sockaddr *from)
{
	struct connection *cn = mem_new(struct connection);

	cn->socket = socket;
	cn->remote = from != NULL && endpoint_remote(from, &cn->from);
	atomic_init(&cn->stage, STAGE_HEAD);
	atomic_init(&cn->since, cs->limits.steady_ns());
	lock_scope(&cs->lock);
	connections_admit(cs, cn);
	if (cs->n++ == 0) {
		(void)pthread_cond_signal(&cs->news);
	}
	cn->back = cs->last;
	*cs->last = cn;
	cs->last = &cn->next;
	if (atomic_load(&cs->hushed)) {
		(void)shutdown(socket, SHUT_RD);
	}
	return cn;
}

bool
connection_surplus(const struct connection *cn)
{
	return cn->surplus;
}

bool
connection_is_first(const struct connection *cn)
{
	return !cn->asked && atomic_load(&cn->stage) == STAGE_HEAD;
}

/* Return: false when it was cut off. */
static bool
connection_move(struct connection *cn, enum stage to)
{
	int from = atomic_load(&cn->stage);

	while (from != STAGE_CUT && !atomic_compare_exchange_weak(&cn->stage, &from, (int)to)) {
	}
	return from != STAGE_CUT;
}

void
connection_began(const struct connections *cs, struct connection *cn)
{
	/* The first request began when the client connected. */
	if (atomic_load(&cn->stage) == STAGE_IDLE) {
		atomic_store(&cn->since, cs->limits.steady_ns());
		(void)connection_move(cn, STAGE_HEAD);
	}
}

void
connection_head(struct connection *cn)
{
	cn->asked = true;
	(void)connection_move(cn, STAGE_BODY);
}

bool
connection_arrived(struct connection *cn)
{
	return connection_move(cn, STAGE_UNDER_WAY);
}

bool
connection_keep(struct connections *cs, struct connection *cn, size_t bytes, bool must)
{
	const struct connection_limits *most = &cs->limits;

	lock_scope(&cs->lock);
	cs->answers -= cn->answer;
	cn->answer = 0;
	bool room = must || bytes <= CONNECTION_SMALL ||
		    (cs->answers + bytes <= most->answers &&
		     (!cn->remote ||
		      connections_answers_of_address(cs, cn) + bytes <= most->answers_of_address));
	if (room) {
		cs->answers += bytes;
		cn->answer = bytes;
	}
	return room;
}

void
connection_sends(const struct connections *cs, struct connection *cn)
{
	atomic_store(&cn->since, cs->limits.steady_ns());
	(void)connection_move(cn, STAGE_ANSWER);
}

void
connection_answered(struct connections *cs, struct connection *cn)
{
	(void)connection_keep(cs, cn, 0, true);
	atomic_store(&cn->since, cs->limits.steady_ns());
	(void)connection_move(cn, STAGE_IDLE);
	if (atomic_load(&cs->hushed)) {
		(void)shutdown(cn->socket, SHUT_RD);
	}
}

void
connection_closed(struct connections *cs, struct connection *cn)
{
	{
		lock_scope(&cs->lock);
		cs->cut -= atomic_load(&cn->stage) == STAGE_CUT;
		cs->answers -= cn->answer;
		if (--cs->n == 0) {
			(void)pthread_cond_signal(&cs->none);
		}
		*cn->back = cn->next;
		*(cn->next != NULL ? &cn->next->back : &cs->last) = cn->back;
	}
	free(cn);
}
