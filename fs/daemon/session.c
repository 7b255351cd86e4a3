/*
 * session - a mount point that is served
 *
 * device.c has mounted it, in this or another process.  loop.c hands its requests to mount_ops.
 */
#include "fs/daemon/session.h"

#include <fcntl.h>

#include "fs/core/loop.h"
#include "fs/daemon/device.h"
#include "fs/daemon/mount.h"
#include "fs/daemon/options.h"

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
	if (fuse_session_mount(s->se, path) != 0) {
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
