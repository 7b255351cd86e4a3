/* owner_int - what the files of the owner share */
#ifndef FS_DAEMON_OWNER_INT_H
#define FS_DAEMON_OWNER_INT_H

#include "store/wire/server/server.h"

#include "fs/daemon/owner.h"
#include "fs/daemon/session.h"

enum {
	GUESTS_MAX = 64,        /* mounts and servers of one daemon */
	SLOTS = GUESTS_MAX + 1, /* and one to tell the next that there is no room */
};

/*
 * Somebody for whom this process works: a mount, a server on TCP, or both.
 * A mount ends when the kernel unmounts; a guest without one when its
 * connection closes; the owner's own server only with the process.
 */
struct guest {
	bool used;
	bool mounted;          /* session is alive */
	bool asked;            /* the request has been read */
	int conn;              /* to the process that joined, or -1 */
	struct server *server; /* listen=, or NULL */
	struct session session;
	struct call call; /* memory of the strings; closed with the guest */
};

struct owner {
	const char *store;
	int at;      /* its directory, or the one of the endpoint's state */
	char *below; /* its path, of state_pin() */
	char *log;   /* in it */
	struct engine *engine;
	char *marked; /* why nothing is written to it, see store_mark(); or NULL */
	struct hub *hub;
	/* Not of an endpoint: */
	struct sweeper *sweeper;
	struct server *door; /* the HTTP door on STORE/socket */
	int listener;        /* STORE/mount; or -1 */
	int signals;         /* signalfd */
	int ended;           /* eventfd: a session is over */
	bool term;           /* SIGTERM or SIGINT came */
	char address[128];   /* of the owner's own listen=, or "" */
	struct guest guests[SLOTS];
};

#endif
