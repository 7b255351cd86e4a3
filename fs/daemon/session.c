/*
 * session - a mount point that is served
 *
 * device.c has mounted it, in this or another process.  loop.c hands its requests to mount_ops.
 */
#include "fs/daemon/session.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "store/base/system/say.h"

#include "fs/core/loop.h"
#include "fs/daemon/device.h"
#include "fs/daemon/mount.h"
#include "fs/daemon/options.h"

/* ------------------------------------------------------------ a socket in place of the kernel */

enum { SESSION_SOCKET_ROOM = 256 * 1024 }; /* bytes; a reply to READ has 128 KiB */

/* The end of the connection is the end of the session, which read() of a FUSE device reports as ENODEV. */
static ssize_t
session_socket_read(int fd, void *buf, size_t len, void *userdata)
{
	(void)userdata;
	ssize_t n = recv(fd, buf, len, 0);

	if (n == 0 || (n < 0 && errno == ECONNRESET)) {
		errno = ENODEV;
		return -1;
	}
	return n;
}

/*
 * Send a reply.  The client has one request at a time, so there is room for the reply, but a message before it may not
 * have been read yet.  The client caches nothing, so notifications, which have the number 0, are not sent.  If a
 * reply cannot be sent, the connection is shut down, because the client would wait for the reply.
 */
static ssize_t
session_socket_write(int fd, struct iovec *iov, int count, void *userdata)
{
	const struct fuse_out_header *h = iov[0].iov_base;
	const struct msghdr msg = {.msg_iov = iov, .msg_iovlen = (size_t)count};
	ssize_t n;

	(void)userdata;
	if (h->unique == 0) {
		return (ssize_t)h->len;
	}
	while ((n = sendmsg(fd, &msg, MSG_NOSIGNAL)) < 0 && errno == EAGAIN) {
		struct pollfd room = {.fd = fd, .events = POLLOUT};

		(void)poll(&room, 1, -1);
	}
	if (n < 0) {
		if (errno != EPIPE && errno != ECONNRESET) {
			say("itemctl: a reply of %u bytes cannot be sent: %m", h->len);
			(void)shutdown(fd, SHUT_RDWR);
		}
		errno = ENOENT; /* libfuse takes it for the answer to a request that was interrupted */
	}
	return n;
}

static const struct fuse_custom_io session_socket_io = {.read = session_socket_read,
							.writev = session_socket_write};

static bool
session_is_socket(int device)
{
	struct stat st;

	return fstat(device, &st) == 0 && S_ISSOCK(st.st_mode);
}

/* Let libfuse serve a socket.  The default of its buffer, net.core.wmem_default, may be too small for a reply. */
static int
session_adopt_socket(struct fuse_session *se, int device)
{
	const int room = SESSION_SOCKET_ROOM;

	(void)setsockopt(device, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	return fuse_session_custom_io(se, &session_socket_io, device);
}

/* ------------------------------------------------------------ start */

/* Make a libfuse session for a descriptor that is already mounted.  Takes @device over. */
static int
session_adopt(struct call *c, struct session *s, bool debug, int device)
{
	char name[] = "itemfs";
	char dash_d[] = "-d";
	char *argv[] = {name, dash_d, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(debug ? 2 : 1, argv);
	char path[32];

	(void)snprintf(path, sizeof(path), "/dev/fd/%d", device);
	s->se = fuse_session_new(&args, &mount_ops, sizeof(mount_ops), s->mount);
	fuse_opt_free_args(&args);
	if (s->se == NULL) {
		(void)close(device);
		return call_fail(c, ERR_IO, "libfuse cannot create a session");
	}
	int e = session_is_socket(device) ? session_adopt_socket(s->se, device)
					  : fuse_session_mount(s->se, path);

	if (e != 0) {
		(void)close(device);
		return call_fail(c, ERR_IO, "libfuse cannot serve %s", s->point);
	}
	return 0;
}

static void
session_release(struct session *s)
{
	if (s->mount != NULL) {
		mount_stop(s->mount);
	}
	if (s->se != NULL) {
		fuse_session_destroy(s->se);
	}
	mount_free(s->mount);
	/* Background work of the mount, which has ended now, may have searched until then. */
	loop_release(&s->loop);
}

static int
session_serve(struct call *c, struct session *s, const struct options *o, int device, int ended)
{
	s->loop = (struct loop){.single = o->single, .sync = o->sync, .ended = ended};
	loop_init(&s->loop);
	int r = session_adopt(c, s, o->debug, device);

	s->loop.se = s->se;
	if (r == 0) {
		r = mount_start(c, s->mount, s->se, &s->loop);
	}
	if (r < 0) {
		return r;
	}
	int e = loop_start(&s->loop);

	return e == 0 ? 0
		      : call_fail(c, ERR_IO, "cannot start a thread to serve %s (error %d)",
				  s->point, e);
}

int
session_start(struct call *c, struct hub *hub, const struct options *o, const char *point,
	      uint64_t number, int device, int ended, struct session *out)
{
	*out = (struct session){.point = point, .number = number};
	int r = mount_new(c, hub, o, point, &out->mount);

	if (r < 0) {
		(void)close(device);
		return r;
	}
	r = session_serve(c, out, o, device, ended);
	if (r < 0) {
		session_release(out);
		*out = (struct session){0};
	}
	return r;
}

static void
unmount(const struct session *s)
{
	bool ours = s->number == 0 || device_number(s->point) == s->number;

	if (ours && device_unmount(s->point, false) == DEVICE_BUSY) {
		(void)device_unmount(s->point, true);
	}
}

static void
daemon_session_stop(struct session *s)
{
	assert(s->mount != NULL && s->se != NULL);
	if (!loop_is_over(&s->loop)) {
		unmount(s);
	}
	mount_quiet(s->mount);
	loop_stop(&s->loop);
	session_release(s);
}

static void *
session_leave(void *arg)
{
	struct session *s = arg;
	int ended = s->loop.ended;

	daemon_session_stop(s);
	s->left = true;
	loop_ring(ended);
	return NULL;
}

bool
session_reap(struct session *s)
{
	if (!s->leaving && loop_is_over(&s->loop)) {
		s->leaving = true;
		if (pthread_create(&s->thread, NULL, session_leave, s) != 0) {
			return true; /* session_stop() does it */
		}
		s->joins = true;
	}
	return s->left;
}

void
session_stop(struct session *s)
{
	if (s->joins) {
		(void)pthread_join(s->thread, NULL);
	} else {
		daemon_session_stop(s);
	}
	*s = (struct session){0};
}
