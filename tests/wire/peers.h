/* peers - clients of the connections of an HTTP front end, as socket pairs, and a clock that only a test moves */
#ifndef TESTS_WIRE_PEERS_H
#define TESTS_WIRE_PEERS_H

#include <stdatomic.h>

#include "store/wire/server/connections.h"

enum {
	PEERS_MOST = 3,
	PEERS_PER_ADDRESS = 2,
	PEERS_ANSWERS = 4 * CONNECTION_SMALL,
	PEERS_LONG_MS = 60000
};

/* socket[0] is the end of the client, socket[1] that of the server and its connections. */
struct peer {
	int socket[2];
	struct connection *cn;
};

/* The connections of all clients, and the time, which stands still however slow the machine is. */
extern struct connections *peers_all;
extern _Atomic(uint64_t) peers_now_ns;

/** peers_limits - limits on numbers and bytes as above, and on time that no client exceeds; with the clock */
struct connection_limits peers_limits(void);

/** peers_begin, peers_end - setup and teardown of a suite: make the list with peers_limits(), and free it */
void peers_begin(void);
void peers_end(void);

/** peer_open - connect a client, later than those before; @address: as text; NULL: none */
void peer_open(struct peer *p, const char *address);

void peer_close(struct peer *p);

/** peer_asks - a whole request of the client arrives */
void peer_asks(struct peer *p);

/** peer_is_answered - likewise, and a little later the answer was sent */
void peer_is_answered(struct peer *p);

/** peer_is_shut - Return: whether the server has shut down its end of this client's connection */
bool peer_is_shut(const struct peer *p);

#endif
