/*
 * session - one mount point being served: its struct mount, libfuse's session, the threads
 */
#ifndef FS_DAEMON_SESSION_H
#define FS_DAEMON_SESSION_H

#include "store/base/core/call.h"

#include "fs/core/loop.h"

struct hub;
struct mount;
struct options;

struct session {
	struct mount *mount;
	struct fuse_session *se;
	struct loop loop;
	const char *point; /* borrowed from session_start()'s caller until session_stop() */
	uint64_t number;   /* device_number() of the mount, or 0 */
	bool leaving;      /* the kernel has unmounted, and it ends */
	bool joins;        /* in this thread */
	pthread_t thread;
	atomic_bool left; /* the thread is done */
};

/**
 * session_start - serve a mount point
 * @hub:    borrowed until session_stop()
 * @o:      read here only
 * @point:  absolute path, borrowed until session_stop()
 * @number: its device_number(), or 0 when that is not known
 * @device: the kernel's end; this function takes it, also when it fails
 * @ended:  eventfd that gets 1 when the kernel has unmounted and the threads are gone
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION  of mount_new();  -ERR_IO  of libfuse
 */
int session_start(struct call *c, struct hub *hub, const struct options *o, const char *point,
		  uint64_t number, int device, int ended, struct session *out)
	__attribute__((warn_unused_result));

/**
 * session_stop - unmount if the kernel has not, commit what is dirty, let go of everything
 *
 * A mount point that somebody is in leaves the tree at once; he gets ENOTCONN.  What else is
 * mounted there by now, or at a path of that name in this process's mount namespace, stays.
 */
void session_stop(struct session *s);

/**
 * session_reap - if the kernel has unmounted, do what session_stop() does in a thread of its own: it may take long
 *
 * @ended of session_start() gets 1 when that is done.
 *
 * Return: is it done?  Then session_stop() takes no time.
 */
bool session_reap(struct session *s);

#endif
