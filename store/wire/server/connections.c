/* connections - the list of connections, and the watcher, a thread that searches it for late ones */
#include "store/wire/server/connections.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/wire/proto/endpoint.h"

enum {
	LOOKS = 5,     /* searches of the watcher per head_ms */
	GRACE_MS = 50, /* a younger connection or request is not cut off to make room */
};

enum stage {
	STAGE_IDLE,      /* answered; the next request has not begun */
	STAGE_HEAD,      /* connected, or the first line of a request has arrived */
	STAGE_BODY,      /* the head has arrived */
	STAGE_UNDER_WAY, /* the request has arrived; the connection is not cut off */
	STAGE_ANSWER,    /* the answer is being sent */
	STAGE_CUT,       /* cut off: no request on it is carried out */
};

struct connection {
	struct connection *next;
	struct connection **back; /* the pointer to this one */
	int socket;
	bool remote; /* limited by its address, which is @from */
	struct in6_addr from;
	bool surplus;     /* see connection_surplus() */
	bool asked;       /* the head of a request has arrived */
	atomic_int stage; /* enum stage; connection_cut() sets STAGE_CUT in any thread */
	/* steady ns when it became idle, or when the request or its answer began */
	_Atomic(unsigned long long) since;
	size_t answer; /* bytes of its answer; guarded by the lock */
};

struct connections {
	struct connection_limits limits;
	atomic_bool hushed; /* connections_end() was called */
	pthread_t watcher;
	pthread_mutex_t lock; /* guards the next fields */
	pthread_cond_t news;  /* for the watcher: the first or too many connections, or @ending */
	pthread_cond_t none;  /* the last connection was closed */
	struct connection *first; /* the oldest */
	struct connection **last; /* the pointer to the next new one */
	unsigned n;
	unsigned cut;   /* number of them in STAGE_CUT */
	size_t answers; /* bytes of the answers of all connections */
	bool ending;
};

/* ------------------------------------------------------------ cutting off */

/*
 * Shut @cn down.  A request that arrives nevertheless is not executed (connection_arrived()).  The client sees an end
 * without an answer, as when any server closes an idle connection.
 * @stage: in which the caller has seen it
 *
 * Return: false if its loop has moved it to another stage since; then it is not cut off
 */
static bool
connection_cut(struct connections *cs, struct connection *cn, int stage)
{
	assert(lock_held(&cs->lock) && stage != STAGE_UNDER_WAY && stage != STAGE_CUT);
	if (!atomic_compare_exchange_strong(&cn->stage, &stage, STAGE_CUT)) {
		return false;
	}
	cs->cut++;
	(void)shutdown(cn->socket, SHUT_RDWR);
	return true;
}

/* Return whether the client has sent bytes that are not read yet. */
static bool
connection_unread(const struct connection *cn)
{
	char byte;

	return recv(cn->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/*
 * Return whether bytes came in the last GRACE_MS, and after the request or the idle time began: the loop may have read
 * a whole request and be about to move @cn on.  False on a Unix socket.
 */
static bool
connection_is_receiving(const struct connection *cn, unsigned long long now)
{
	struct tcp_info info;
	socklen_t n = sizeof(info);
	unsigned long long since = atomic_load(&cn->since);

	return getsockopt(cn->socket, IPPROTO_TCP, TCP_INFO, &info, &n) == 0 &&
	       info.tcpi_last_data_recv < GRACE_MS &&
	       since + info.tcpi_last_data_recv * NS_PER_MS < now;
}

/* ------------------------------------------------------------ late connections */

static bool
connection_is_late(const struct connections *cs, const struct connection *cn, int stage,
		   unsigned long long now)
{
	const unsigned ms[] = {
		[STAGE_IDLE] = cs->limits.idle_ms,
		[STAGE_HEAD] = cs->limits.head_ms,
		[STAGE_BODY] = cs->limits.body_ms,
		[STAGE_ANSWER] = cs->limits.answer_ms,
	};

	return stage != STAGE_UNDER_WAY && stage != STAGE_CUT &&
	       atomic_load(&cn->since) + ms[stage] * NS_PER_MS <= now;
}

static void
connections_cut_late_ones(struct connections *cs)
{
	unsigned long long now = cs->limits.steady_ns();

	assert(lock_held(&cs->lock));
	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		int stage = atomic_load(&cn->stage);

		if (connection_is_late(cs, cn, stage, now) &&
		    !(stage == STAGE_IDLE && connection_unread(cn))) {
			(void)connection_cut(cs, cn, stage);
		}
	}
}

/* ------------------------------------------------------------ making room */

static bool
connection_same_address(const struct connection *a, const struct connection *b)
{
	return a->remote && b->remote && memcmp(&a->from, &b->from, sizeof(a->from)) == 0;
}

/* Return whether to cut off @a before @b: idle ones first, and of two idle or two half-open ones the older. */
static bool
connection_goes_before(const struct connection *a, const struct connection *b)
{
	bool x = atomic_load(&a->stage) == STAGE_IDLE;
	bool y = atomic_load(&b->stage) == STAGE_IDLE;

	return x != y ? x : atomic_load(&a->since) < atomic_load(&b->since);
}

/* Return whether @cn may go: nothing is unread, a request had time to come and, if @gentle, @cn is not receiving. */
static bool
connection_may_go(const struct connection *cn, unsigned long long now, bool gentle)
{
	return (atomic_load(&cn->stage) == STAGE_IDLE ||
		atomic_load(&cn->since) + GRACE_MS * NS_PER_MS <= now) &&
	       !(gentle && connection_is_receiving(cn, now)) && !connection_unread(cn);
}

/*
 * Return the first connection that may go, or NULL.  The socket of a connection is checked only if it would go before
 * those seen so far.  Such connections are few, because the list begins with the oldest.
 * @of:     only one with the same address; NULL: any
 * @gentle: see connection_may_go()
 * @stage:  its stage, before STAGE_UNDER_WAY: an answer that is being sent is not cut short
 */
static struct connection *
connections_first_to_go(struct connections *cs, const struct connection *of, bool gentle,
			int *stage)
{
	struct connection *chosen = NULL;
	unsigned long long now = cs->limits.steady_ns();

	assert(lock_held(&cs->lock));
	for (struct connection *cn = cs->first; cn != NULL; cn = cn->next) {
		int seen = atomic_load(&cn->stage);

		if (seen >= STAGE_UNDER_WAY || (of != NULL && !connection_same_address(cn, of))) {
			continue;
		}
		if ((chosen == NULL || connection_goes_before(cn, chosen)) &&
		    connection_may_go(cn, now, gentle)) {
			chosen = cn;
			*stage = seen;
		}
	}
	return chosen;
}

/*
 * Cut off the first connection that may go, one that is receiving only if there is no other: otherwise clients could
 * keep all places by sending single bytes.  Another loop may move it on just then; then search again.
 * @of: as for connections_first_to_go()
 *
 * Return: false if there was none
 */
static bool
connections_make_room(struct connections *cs, const struct connection *of)
{
	struct connection *cn;
	int stage = STAGE_IDLE;

	do {
		cn = connections_first_to_go(cs, of, true, &stage);
		if (cn == NULL) {
			cn = connections_first_to_go(cs, of, false, &stage);
		}
	} while (cn != NULL && !connection_cut(cs, cn, stage));
	return cn != NULL;
}

/* Return the bytes of answers for the address of @cn. */
static size_t
connections_answers_of_address(const struct connections *cs, const struct connection *cn)
{
	size_t bytes = 0;

	assert(lock_held(&cs->lock));
	for (const struct connection *other = cs->first; other != NULL; other = other->next) {
		bytes += connection_same_address(other, cn) ? other->answer : 0;
	}
	return bytes;
}

/* Return the number of connections with the address of @cn that are not cut off. */
static unsigned
connections_of_address(const struct connections *cs, const struct connection *cn)
{
	unsigned n = 0;

	assert(lock_held(&cs->lock));
	for (const struct connection *other = cs->first; other != NULL; other = other->next) {
		n += atomic_load(&other->stage) != STAGE_CUT && connection_same_address(other, cn);
	}
	return n;
}

/* Make room for @cn, which is not in the list yet. */
static void
connections_admit(struct connections *cs, struct connection *cn)
{
	assert(lock_held(&cs->lock));
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

/* Wait until the next search. */
static void
connections_pause(struct connections *cs)
{
	uint64_t ms = connections_too_many(cs) ? GRACE_MS : cs->limits.head_ms / LOOKS + 1;

	assert(lock_held(&cs->lock));
	(void)thread_cond_until(&cs->news, &cs->lock, clock_steady_ns() + ms * NS_PER_MS);
}

static void
connections_look_locked(struct connections *cs)
{
	assert(lock_held(&cs->lock));
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

/* ------------------------------------------------------------ all connections */

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
	assert(cs->n == 0 && cs->first == NULL);
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
		/*
		 * connection_answered() shuts down the others: until then, libmicrohttpd would take the end of the
		 * input for a client that has closed its connection.
		 */
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

/* ------------------------------------------------------------ one connection */

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

/* Set the stage unless the connection was cut off.  Return: true if it was set */
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
	assert(cs->answers >= cn->answer);
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
		assert(cs->n > 0 && cs->cut <= cs->n && cs->answers >= cn->answer);
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
