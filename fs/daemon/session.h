/*
 * session - a mount point that is served: its struct mount, libfuse's session, its threads
 */
#ifndef FS_DAEMON_SESSION_H
#define FS_DAEMON_SESSION_H

#include "fs/core/loop.h"

struct hub;
struct mount;
struct options;

struct session {
	struct mount *mount;
	struct fuse_session *se;
	struct loop loop;
	const char *point; /* borrowed from the caller of session_start() until session_stop() */
	uint64_t number;   /* device_number() of the mount; 0: unknown */
	bool leaving;      /* the kernel has unmounted, and the session is ending */
	bool joins;        /* @thread ends it and must be joined */
	pthread_t thread;
	atomic_bool left; /* @thread has ended the session */
};

/**
 * session_start - serve a mount point
 * @hub:    borrowed until session_stop()
 * @o:      not used after the return
 * @point:  absolute path, borrowed until session_stop()
 * @number: its device_number(); 0: unknown
 * @device: descriptor of the connection; taken over, also on failure
 * @ended:  eventfd that gets 1 when the kernel has unmounted and the threads have ended
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX, -ERR_VALIDATION  of mount_new();  -ERR_IO  of libfuse
 */
int session_start(struct call *c, struct hub *hub, const struct options *o, const char *point,
		  uint64_t number, int device, int ended, struct session *out) must_check;

/**
 * session_stop - unmount if the kernel has not, commit dirty texts, and free the session
 *
 * A mount point that is in use leaves the tree at once; its users get ENOTCONN.  Another mount that is at the path
 * meanwhile, or at this path in the mount namespace of this process, stays.
 */
void session_stop(struct session *s);

/**
 * session_reap - if the kernel has unmounted, end the session in another thread, since that may take long
 *
 * The eventfd @ended of session_start() gets 1 when the thread is done.
 *
 * Return: true if session_stop() is to be called now: the thread is done, or it could not be started
 */
bool session_reap(struct session *s);

#endif
