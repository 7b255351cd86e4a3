/*
 * join - both ends of STORE/mount
 *
 * This file does not interpret requests: options are text.
 */
#include "fs/daemon/join.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "store/base/core/clock.h"
#include "store/base/core/timing.h"
#include "store/base/system/process.h"
#include "store/base/system/socket_path.h"
#include "store/base/system/trust.h"

enum { LOOK_MS = 100 }; /* between two checks for an interrupt or a killed owner */

static const uint64_t MS_PER_S = 1000;

/* The address of the socket, below a descriptor of the checked directory.  The caller closes @dir after use. */
static int
address(struct call *c, const char *store, struct sockaddr_un *out, int *dir)
{
	int r = trust_open(c, store, dir);

	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	return r < 0 ? r : socket_path_below(c, *dir, JOIN_SOCKET, out->sun_path);
}

static int
make_socket(struct call *c, int *out)
{
	*out = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return *out < 0 ? call_fail(c, ERR_IO, "cannot create a socket: %m") : 0;
}

/* ------------------------------------------------------------ the joining process */

int
join_connect(struct call *c, const char *store, int *out)
{
	cleanup(cleanup_fd) int fd = -1;
	cleanup(cleanup_fd) int dir = -1;
	struct timeval patience = {.tv_sec = timing_ms(TIMING_JOIN) / MS_PER_S + 1};
	struct sockaddr_un to;
	int r = address(c, store, &to, &dir);

	if (r == 0) {
		r = make_socket(c, &fd);
	}
	if (r < 0) {
		return r;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
		if (errno == ENOENT || errno == ECONNREFUSED || errno == EAGAIN) {
			return JOIN_NOBODY;
		}
		return errno == EACCES
			       ? call_fail(
					 c, ERR_ACCESS,
					 "%s is open in a process of another user, which accepts only that user and root",
					 store)
			       : call_fail(c, ERR_IO, "%s/%s: %m", store, JOIN_SOCKET);
	}
	*out = fd;
	fd = -1;
	return 0;
}

/* The process at the other end. */
static bool
join_peer(int conn, struct ucred *out)
{
	socklen_t len = sizeof(*out);

	return getsockopt(conn, SOL_SOCKET, SO_PEERCRED, out, &len) == 0;
}

bool
join_is_foreign(int conn)
{
	struct ucred peer;

	return join_peer(conn, &peer) && peer.uid != geteuid();
}

bool
join_is_deserted(int conn)
{
	struct ucred peer;

	return join_peer(conn, &peer) && process_is_dying(peer.pid);
}

/* Send a message and, unless it is -1, a descriptor. */
static ssize_t
send_request(int conn, const struct buf *b, int device)
{
	struct iovec iov = {.iov_base = b->at, .iov_len = b->len};
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

	if (device >= 0) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		struct cmsghdr *h = CMSG_FIRSTHDR(&msg);

		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(h), &device, sizeof(int));
	}
	return sendmsg(conn, &msg, MSG_NOSIGNAL);
}

/* Wait for the answer.  Return: 0: it is readable, or the time is over;  JOIN_NOBODY;  -ERR_BUSY: interrupted */
static int
join_wait(struct call *c, int conn)
{
	struct pollfd fd = {.fd = conn, .events = POLLIN};
	uint64_t until = clock_steady_ms() + timing_ms(TIMING_JOIN);

	while (poll(&fd, 1, LOOK_MS) <= 0) {
		if (call_given_up(c)) {
			return call_fail(c, ERR_BUSY,
					 "interrupted: the store's owner has not answered");
		}
		if (join_is_deserted(conn)) {
			return JOIN_NOBODY;
		}
		if (clock_steady_ms() >= until) {
			break;
		}
	}
	return 0;
}

/* The owner may have been killed, in a PID namespace that this process does not see. */
static int
join_refuse_silence(struct call *c, int conn)
{
	struct ucred peer = {0};

	(void)join_peer(conn, &peer);
	return call_fail(
		c, ERR_BUSY,
		"the process that has the store (%d) has not answered within %u s. If it was "
		"killed, it ends when, as root, you type \"umount -fl MOUNTPOINT\" of each "
		"of its mounts",
		peer.pid, timing_ms(TIMING_JOIN) / (unsigned)MS_PER_S);
}

int
join_ask(struct call *c, int conn, const struct join_request *in, struct join_answer *out)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_put(&b, in->point, strlen(in->point) + 1);
	buf_put(&b, in->options, strlen(in->options) + 1);
	buf_fmt(&b, "%" PRIu64, in->number);
	buf_char(&b, '\0');
	buf_str(&b, in->terminal);
	buf_char(&b, '\0');
	if (b.len > JOIN_MESSAGE_MAX) {
		return call_fail(c, ERR_VALIDATION, "the options are too long");
	}
	if (send_request(conn, &b, in->device) < 0) {
		return errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN
			       ? JOIN_NOBODY
			       : call_fail(c, ERR_IO, "the store's owner: %m");
	}
	int r = join_wait(c, conn);

	if (r != 0) {
		return r;
	}
	unsigned char *answer = arena_new(&c->arena, unsigned char, JOIN_MESSAGE_MAX + 1);
	ssize_t n = recv(conn, answer, JOIN_MESSAGE_MAX, MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno == ECONNRESET)) {
		return JOIN_NOBODY;
	}
	if (n < 0) {
		return errno == EAGAIN ? join_refuse_silence(c, conn)
				       : call_fail(c, ERR_IO, "the store's owner: %m");
	}
	*out = (struct join_answer){.status = answer[0], .sentence = (const char *)answer + 1};
	return 0;
}

/* ------------------------------------------------------------ the owner */

int
join_listen(struct call *c, const char *store, int *out)
{
	cleanup(cleanup_fd) int fd = -1;
	cleanup(cleanup_fd) int dir = -1;
	struct sockaddr_un at;
	int r = address(c, store, &at, &dir);

	if (r == 0) {
		r = make_socket(c, &fd);
	}
	if (r < 0) {
		return r;
	}
	if (unlink(at.sun_path) != 0 && errno != ENOENT) {
		return call_fail(c, ERR_IO, "%s/%s: %m", store, JOIN_SOCKET);
	}
	/* bind() gives the socket the mode of the descriptor, so it never has a wider mode. */
	if (fchmod(fd, 0600) != 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 ||
	    listen(fd, SOMAXCONN) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
		return call_fail(c, ERR_IO, "%s/%s: %m", store, JOIN_SOCKET);
	}
	*out = fd;
	fd = -1;
	return 0;
}

void
join_unlink(int dir)
{
	(void)unlinkat(dir, JOIN_SOCKET, 0);
}

int
join_accept(int listener)
{
	struct ucred peer;
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0 && (!join_peer(fd, &peer) || (peer.uid != 0 && peer.uid != geteuid()))) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* Take the next string of a message; NULL: there is no terminated one. */
static const char *
next_string(const char **at, size_t *left)
{
	const char *text = *at;
	const char *end = *left == 0 ? NULL : memchr(text, '\0', *left);

	if (end == NULL) {
		return NULL;
	}
	*left -= (size_t)(end + 1 - text);
	*at = end + 1;
	return text;
}

static int
descriptor_of(struct msghdr *msg)
{
	const struct cmsghdr *h = CMSG_FIRSTHDR(msg);
	int fd = -1;

	if (h != NULL && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS &&
	    h->cmsg_len == CMSG_LEN(sizeof(int))) {
		memcpy(&fd, CMSG_DATA(h), sizeof(fd));
	}
	return fd;
}

int
join_receive(struct call *c, int conn, struct join_request *out)
{
	char *text = arena_new(&c->arena, char, JOIN_MESSAGE_MAX + 2);
	struct iovec iov = {.iov_base = text, .iov_len = JOIN_MESSAGE_MAX};
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control.bytes,
			     .msg_controllen = sizeof(control.bytes)};
	ssize_t n = recvmsg(conn, &msg, MSG_CMSG_CLOEXEC);

	if (n <= 0) {
		return JOIN_NOBODY;
	}
	int device = descriptor_of(&msg);
	size_t left = (size_t)n;
	const char *at = text;
	const char *point = next_string(&at, &left);
	const char *options = next_string(&at, &left);
	const char *number = next_string(&at, &left);
	const char *terminal = next_string(&at, &left);

	if (terminal == NULL || left > 0 || (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ||
	    (point[0] != '\0') != (device >= 0)) {
		cleanup_fd(&device);
		return call_fail(c, ERR_VALIDATION, "not a valid request to mount");
	}
	*out = (struct join_request){.point = point,
				     .options = options,
				     .number = strtoull(number, NULL, 10),
				     .device = device,
				     .terminal = terminal};
	return 0;
}

void
join_reply(int conn, const struct join_answer *a)
{
	char message[1024];
	int n = snprintf(message, sizeof(message), "%c%s", a->status, a->sentence);
	size_t len = n < (int)sizeof(message) ? (size_t)n : sizeof(message) - 1;

	/* If the peer is gone, the session ends when its mount is unmounted. */
	(void)send(conn, message, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}
