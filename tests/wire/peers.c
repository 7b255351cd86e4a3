#include "tests/wire/peers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "store/base/core/clock.h"

#include "tests/support/unit.h"

enum { HANG_S = 120 };

struct connections *peers_all;
_Atomic(uint64_t) peers_now_ns = NS_PER_S;

static uint64_t
tell_ns(void)
{
	return atomic_load(&peers_now_ns);
}

struct connection_limits
peers_limits(void)
{
	return (struct connection_limits){.most = PEERS_MOST,
					  .per_address = PEERS_PER_ADDRESS,
					  .head_ms = PEERS_LONG_MS,
					  .body_ms = PEERS_LONG_MS,
					  .answer_ms = PEERS_LONG_MS,
					  .idle_ms = PEERS_LONG_MS,
					  .answers = PEERS_ANSWERS,
					  .answers_of_address = PEERS_ANSWERS / 2,
					  .steady_ns = tell_ns};
}

void
peers_begin(void)
{
	const struct connection_limits limits = peers_limits();

	peers_all = connections_new(&limits);
}

void
peers_end(void)
{
	connections_free(peers_all);
}

void
peer_open(struct peer *p, const char *address)
{
	const struct timeval hang = {.tv_sec = HANG_S};
	struct sockaddr_in from = {.sin_family = AF_INET};
	int r = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p->socket);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	(void)setsockopt(p->socket[1], SOL_SOCKET, SO_RCVTIMEO, &hang, sizeof(hang));
	(void)inet_pton(AF_INET, address == NULL ? "127.0.0.1" : address, &from.sin_addr);
	atomic_fetch_add(&peers_now_ns, 1);
	p->cn = connection_opened(peers_all, p->socket[1],
				  address == NULL ? NULL : (const struct sockaddr *)&from);
}

void
peer_close(struct peer *p)
{
	connection_closed(peers_all, p->cn);
	(void)close(p->socket[0]);
	(void)close(p->socket[1]);
}

void
peer_asks(struct peer *p)
{
	connection_began(peers_all, p->cn);
	connection_head(p->cn);
	CU_ASSERT_TRUE(connection_arrived(p->cn));
}

void
peer_is_answered(struct peer *p)
{
	peer_asks(p);
	atomic_fetch_add(&peers_now_ns, 1);
	connection_answered(peers_all, p->cn);
}

bool
peer_is_shut(const struct peer *p)
{
	char byte;

	return recv(p->socket[1], &byte, 1, MSG_DONTWAIT) == 0;
}
