/*
 * mount_int - what the files of fs share: the hub, the mount, the request
 *
 * Locks, in the order in which they may be taken:
 *   terminals.lock -> tap.lock (terminal.c) -> outflow.lock -> terminals.count_lock, and tap.lock before what follows here:
 *   listing.lock (listing.h) -> handle.lock -> mount.names_lock -> file.lock (handle.h) -> hidden.lock -> mount.files_lock
 *   -> mount.pending_lock -> hub.lock -> follow.lock -> inodes.lock, schemas.lock, times.lock, recent.lock, refused.lock, rejected.lock, unstored.lock, accounts.lock
 * Never held while the kernel is notified, but for push_lock, under which no other is taken.  Only names_lock and file.lock may be
 * held during an operation of the engine.  Who has claimed a hidden item (hidden.h) does not wait for names_lock.
 */
#ifndef FS_CORE_MOUNT_INT_H
#define FS_CORE_MOUNT_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "store/engine/feed.h"

#include "fs/core/absent_names.h"
#include "fs/core/deletes.h"
#include "fs/core/fuse.h"
#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/recent.h"
#include "fs/core/reopens.h"
#include "fs/core/scanners.h"
#include "fs/core/schemas.h"
#include "fs/core/shed.h"
#include "fs/core/times.h"
#include "fs/format/view.h"
#include "fs/saved/refused.h"
#include "fs/saved/rejected.h"
#include "fs/saved/scratch_area.h"
#include "fs/saved/unstored.h"

/* Items that are not shown, for a while: hidden.h */
struct hidden_list {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct hidden *first;
	atomic_size_t n;
	pthread_t thread; /* runs from the first entry on */
	bool running;
	bool ending;
	uint64_t delay_ms; /* TIMING_HIDDEN; a unit test has its own */
	uint64_t save_ms;  /* TIMING_UNSAVED, likewise */
	uint64_t look_ns;  /* steady: when to look for texts that are in memory only */
};

/* Who has a .stream open: follow.h */
struct follow_list {
	pthread_mutex_t lock;
	struct follower *first;
	atomic_size_t n;
	bool over; /* the mount ends */
	pthread_cond_t due;
	pthread_t tail; /* of an endpoint, from the first follower on: tail.c */
	bool tailing;
};

/* Open files whose text is made while they are read: terminal.h */
struct terminals {
	pthread_mutex_t lock; /* of first */
	struct tap *first;
	uint64_t tidied_ns;         /* the invalidation thread's */
	pthread_mutex_t count_lock; /* of what follows */
	pthread_cond_t fewer;
	size_t n_outflows;
};

/* A partition without items. */
struct pending {
	struct node *node; /* one ref */
	struct charge charge;
};

struct facts;
struct loop;
struct place;

struct mount {
	struct mount *next; /* in hub.mounts */
	struct hub *hub;
	struct engine *engine;
	struct feed *feed; /* NULL: the engine has none */

	/* What a later room knows of a TABLE_FILE: table_file_stat(). */
	int (*stat_table_file)(struct mount *m, struct call *c, const struct place *p,
			       struct facts *out);

	/* Options, copied. */
	char *mountpoint;
	char *table; /* "" : all tables */
	char *index; /* "" : the table itself */
	char *suffix;
	bool ro;
	unsigned backoff_ms; /* see mount.h */
	atomic_uint n_again; /* requests that wait to be carried out again, see again.h */
	char *ro_why;        /* what each refused change is told, see request_read_only() */
	bool sync;
	bool dotdirs;
	bool conflict_fail;
	bool consistent;   /* all reads of an endpoint */
	uint32_t max_read; /* read units of it a minute; 0: no limit */
	struct view_form form;
	uid_t uid;
	gid_t gid;
	mode_t umask;

	double timeout;            /* seconds that the kernel may keep names and attributes */
	_Atomic uint64_t wrote_ns; /* steady: its last write to an endpoint; 0: none */
	struct recent recent;      /* what an endpoint has answered; else empty */
	uint64_t started_ns;       /* time shown of what has none */
	struct times dir_times;
	struct times access_times; /* of files whose time of last access was set */
	struct inodes inodes;
	struct schemas schemas;

	/* of opened, files, node.file, node.opens, file.refs, file.writers */
	pthread_mutex_t files_lock;
	struct opened *opened; /* handles and listings */
	uint64_t tidied_ns;    /* of listings; the invalidation thread's */
	struct file *files;    /* being written, or unlinked and still open */

	pthread_mutex_t
		push_lock; /* pages are handed to the kernel, and not while it is told to drop them */

	struct accounts accounts;    /* what its users have open */
	atomic_size_t scratch_bytes; /* of all scratch files */
	struct hidden_list hidden;
	struct follow_list follow;
	struct unstored unstored;
	struct terminals terminals;

	struct shed shed;

	/*
	 * The kernel lets nobody write a file whose name is about to change, but FLUSH, FSYNC and RELEASE may come
	 * at any time.  Held for reading while a text is committed at its file's name, and for writing from
	 * the change of the store to that of the nodes when a name is moved, replaced or removed.
	 */
	pthread_rwlock_t names_lock;

	pthread_mutex_t pending_lock; /* of pending */
	struct pending *pending;      /* partitions that are shown without items */
	size_t n_pending;
	size_t cap_pending;

	bool ending;                  /* no request comes any more */
	_Atomic uint64_t patience_ns; /* steady: the end of what mount_call_open() begins */

	atomic_bool index_known; /* has the kernel been told of an index view? */
	atomic_bool has_epochs;  /* does the kernel know FUSE_NOTIFY_INC_EPOCH? */
	struct absent absent;    /* of has_epochs */
	struct reopens reopens;  /* who is told ESTALE, and looks once more */
	struct scanners scanners;
	struct deletes deletes; /* max_delete= */

	/* The invalidation thread, while it runs. */
	struct fuse_session *session;
	struct feed_reader *reader; /* until no request comes any more */
	struct loop *loop;          /* whose threads answer; NULL: nobody's, in a test */
	pthread_t thread;
	bool telling; /* it runs: of who starts and ends the mount */
};

/* ------------------------------------------------------------ mount_int.c */

/**
 * mount_call_open - begin a piece of work that nobody asked for; call_close() ends it
 *
 * An endpoint that is silent holds up the end of the mount for three seconds, not for those of each request: then
 * they fail, of this call and of all that follow.
 */
void mount_call_open(struct mount *m, struct call *c);

/** mount_renew_patience - as long as the endpoint answers, each piece of work has all of it */
void mount_renew_patience(struct mount *m);

/** mount_is_out_of_patience - the end of the mount @m waits no longer for an endpoint */
bool mount_is_out_of_patience(const void *m);

/** mount_read_only - what is said of a change to what is read-only: why the mount is, or that it is */
const char *mount_read_only(const struct mount *m);

/**
 * mount_is_remote - is the store a server elsewhere?
 *
 * It tells of no change, and has none of our own operations: no stored times and sizes, no order of
 * partitions.
 */
static inline bool
mount_is_remote(const struct mount *m)
{
	return m->feed == NULL;
}

/* ------------------------------------------------------------ pending.c */

/** pending_add - show the partition until pending_drop() or unmount; false: not, for the account of @uid is full */
bool pending_add(struct mount *m, struct node *n, uint32_t uid);

/** pending_drop - false when it was not pending */
bool pending_drop(struct mount *m, struct node *n);

static inline bool
pending_is(const struct node *n)
{
	return (n->flags & NODE_PENDING) != 0;
}

/** pending_list - those below @dir, one ref each, in @a's memory */
size_t pending_list(struct mount *m, struct arena *a, const struct node *dir, struct node ***out);

void pending_release(struct mount *m);

/* ------------------------------------------------------------ node ids */

static inline fuse_ino_t
node_id(const struct mount *m, const struct node *n)
{
	return n == m->inodes.root ? FUSE_ROOT_ID : (fuse_ino_t)(uintptr_t)n;
}

static inline struct node *
node_of(const struct mount *m, fuse_ino_t ino)
{
	/* The id is the address that this mount gave to the kernel. */
	return ino == FUSE_ROOT_ID
		       ? m->inodes.root
		       : (struct node *)(uintptr_t)ino; /* NOLINT(performance-no-int-to-ptr) */
}

#endif
