/* owner_int - struct owner, shared by owner.c and owner_open.c */
#ifndef FS_DAEMON_OWNER_INT_H
#define FS_DAEMON_OWNER_INT_H

#include "store/wire/server/server.h"

#include "fs/daemon/owner.h"
#include "fs/daemon/session.h"

enum {
	GUESTS_MAX = 64,        /* mounts and servers of one daemon */
	SLOTS = GUESTS_MAX + 1, /* one more, to answer that there is no room */
};

/*
 * A guest is a mount, a server on TCP, or both.  It is the owner's own, or of a process that joined.  A guest with a
 * mount ends when the mount is unmounted; a guest without one when its connection closes; the owner's own server only
 * with the process.
 */
struct guest {
	bool used;
	bool mounted;          /* session is in use */
	bool asked;            /* its request was read; always true for the owner's own */
	int conn;              /* connection to the process that joined, or -1 */
	int reader;            /* copy of the session's socket, see guest_end(); or -1 */
	struct server *server; /* of listen=, or NULL */
	struct session session;
	struct call call; /* memory of the strings; closed with the guest */
};

struct owner {
	const char *store;
	int at;      /* descriptor of the store's directory, or of the endpoint's state; or -1 */
	char *below; /* path of this directory, from state_pin() */
	char *log;   /* path of the log in this directory */
	struct engine *engine;
	char *marked; /* why the store must not be written, see store_mark(); or NULL */
	struct hub *hub;
	struct sweeper *sweeper; /* NULL: an endpoint */
	struct server *door;     /* STORE/socket; NULL: an endpoint or a read-only disk */
	int listener;            /* STORE/mount; -1: an endpoint or a read-only disk */
	int signals;             /* signalfd */
	int ended;               /* eventfd: a session is over */
	int reader;              /* that of the last guest, see owner_close(); or -1 */
	bool term;               /* SIGTERM or SIGINT was received */
	char address[128];       /* of the owner's own listen=, or "" */
	struct guest guests[SLOTS];
};

#endif
