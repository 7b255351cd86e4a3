/*
 * mount_int - struct mount: the state of one mount
 *
 * Locks, in the order in which a thread may take them:
 *   generated_list.lock -> generated_handle.lock (generated.c) -> producer.lock
 *   generated_handle.lock -> the locks of the next line
 *   listing.lock (listing.h) -> handle.lock -> mount.names_lock -> file.lock (file.h) -> hidden.lock
 *   -> mount.files_lock -> mount.pending_lock -> hub.lock -> follow.lock -> the locks of single structures: inodes,
 *   schemas, times, recent, known_places, stored_last, refused, rejected, scratch_area, unstored, accounts, scanners,
 *   reopens, deletes, shed -> the mutex of the feed (store/engine/feed.h)
 * generated_list.count_lock is taken without any of these.
 *
 * Only generated_handle.lock, listing.lock, handle.lock, names_lock and file.lock may be held during an operation of
 * the engine. No lock is held while the kernel is notified, with these exceptions: push_lock, under which no other lock
 * is taken; hub.lock in hub_epoch(); names_lock and file.lock in hidden_removed(); names_lock when ops_hide() ends
 * another hidden item. A thread that has claimed a hidden item (hidden.h) must not wait for names_lock.
 */
#ifndef FS_CORE_MOUNT_INT_H
#define FS_CORE_MOUNT_INT_H

#include <stdatomic.h>

#include "store/engine/feed.h"

#include "fs/core/absence.h"
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

struct attributes;
struct follower;
struct generated_handle;
struct hidden;
struct known_place;
struct loop;
struct pending;
struct place;

/* Hidden items; fs/file/hidden.h has the functions. */
struct hidden_list {
	pthread_mutex_t lock; /* guards first, the entries, thread, running, ending and look_ns */
	pthread_cond_t changed;
	struct hidden *first;
	atomic_size_t n;
	pthread_t thread; /* runs from the first entry on */
	bool running;
	bool ending;
	uint64_t delay_ms; /* TIMING_HIDDEN, or a unit test's own value */
	uint64_t save_ms;  /* TIMING_UNSAVED, likewise */
	uint64_t look_ns;  /* steady: when to look for texts that are in memory only */
};

/* Open handles of .stream files; fs/made/follow.h has the functions. */
struct follow_list {
	pthread_mutex_t lock; /* guards first, the followers, over and tailing */
	struct follower *first;
	atomic_size_t n;
	bool over; /* the mount ends */
	pthread_cond_t due;
	pthread_t tail; /* the thread of tail.c: for an endpoint, from the first follower on */
	bool tailing;
};

/* Open handles of generated files; fs/made/generated.h has the functions. */
struct generated_list {
	pthread_mutex_t lock; /* guards first */
	struct generated_handle *first;
	uint64_t tidied_ns;         /* used by the invalidation thread only */
	pthread_mutex_t count_lock; /* guards n_producers */
	pthread_cond_t fewer;
	size_t n_producers;
};

/* Places of directories; fs/place/place_known.h has the functions. */
enum { KNOWN_PLACES = 16 };

struct known_places {
	pthread_mutex_t lock; /* guards slots */
	struct known_place *slots[KNOWN_PLACES];
};

/* The directory of the item that this mount stored last; fs/place/place_stat.h has the functions. */
struct stored_last {
	pthread_mutex_t lock; /* guards all members */
	uint64_t ino;         /* of the directory */
	uint64_t bytes;       /* its size after that */
	uint64_t seq;         /* of the change; the size is valid while that is the newest one */
};

/* Members without a named lock are constant while the mount is started, atomic, or have a lock of their own inside. */
struct mount {
	struct mount *next; /* in hub.mounts; guarded by hub.lock */
	struct hub *hub;
	struct engine *engine;
	struct feed *feed; /* NULL: the engine has none */

	/* Reads the attributes of a TABLE_FILE. A later room supplies it: table_file_stat(). */
	int (*stat_table_file)(struct mount *m, struct call *c, const struct place *p,
			       struct attributes *out);

	/* Options, copied. */
	char *mountpoint;
	char *table; /* "" : all tables */
	char *index; /* "" : the table itself */
	char *suffix;
	bool ro;
	unsigned backoff_ms;  /* how long a request that failed temporarily is repeated */
	atomic_uint n_again;  /* requests that wait to be repeated, see again.h */
	atomic_uint n_judged; /* parsed texts that are kept, see commit.h */
	char *ro_why;         /* why changes are refused: mount_read_only(); "": not known */
	bool sync;
	bool dotdirs;
	bool conflict_fail;
	bool consistent;   /* all reads from an endpoint are strongly consistent */
	uint32_t max_read; /* limit of an endpoint's read units per minute; 0: none */
	struct view_form form;
	uid_t uid;
	gid_t gid;
	mode_t umask;

	double timeout;            /* seconds for which the kernel may cache names and attributes */
	_Atomic uint64_t wrote_ns; /* steady: the mount's last write to an endpoint; 0: none */
	struct recent recent;      /* cache of an endpoint's answers; otherwise empty */
	uint64_t started_ns;       /* the time shown for objects without a time */
	struct times dir_times;
	struct times access_times; /* of files whose time of last access was set */
	struct inodes inodes;
	struct schemas schemas;

	/* Guards opened, files, node.file, node.opens and counts of struct file. */
	pthread_mutex_t files_lock;
	struct opened *opened; /* handles and listings */
	struct file *files;    /* being written, or unlinked and still open */
	uint64_t tidied_ns;    /* when listings were tidied; used by the invalidation thread only */

	/* Held while OPEN stores pages in the kernel, and while such pages are marked as old. */
	pthread_mutex_t push_lock;

	struct accounts accounts;    /* memory per user */
	atomic_size_t scratch_bytes; /* of all scratch files */
	struct hidden_list hidden;
	struct follow_list follow;
	struct unstored unstored;
	struct generated_list generated_list;

	struct shed shed;

	/*
	 * The kernel does not let programs write a file while its name changes, but FLUSH, FSYNC and RELEASE may arrive
	 * at any time. The lock is held for reading while a text is committed at its file's name, and for writing from
	 * the change of the store to the change of the nodes when a name is moved, replaced or removed, and while an
	 * item becomes a scratch file. A rename of a scratch file to a scratch name does not take it.
	 */
	pthread_rwlock_t names_lock;

	pthread_mutex_t pending_lock; /* guards the next three */
	struct pending *pending;      /* partitions that are shown without items: pending.h */
	size_t n_pending;
	size_t cap_pending;

	bool ending;                  /* no more requests will arrive */
	_Atomic uint64_t patience_ns; /* steady: when the calls of mount_call_open() fail */

	atomic_bool index_known; /* the kernel may know names of an index view */
	atomic_bool has_epochs;  /* the kernel knows FUSE_NOTIFY_INC_EPOCH */
	struct absent absent;    /* used with has_epochs */
	struct absent_items absent_items;
	struct known_places known_places;
	struct stored_last stored_last;
	struct reopens reopens; /* threads that got ESTALE and look the name up again */
	struct scanners scanners;
	struct deletes deletes; /* max_delete= */

	/* The invalidation thread, while it runs. */
	struct fuse_session *session;
	struct feed_reader *reader; /* until no more requests arrive */
	struct loop *loop;          /* its threads answer the requests; NULL in a test */
	pthread_t thread;
	bool telling; /* the thread runs; used by the thread that starts and ends the mount */
};

/**
 * mount_call_open - begin a call for work that no request asked for; call_close() ends it
 *
 * At the end of the mount an endpoint that does not answer delays all these calls together by at most three seconds:
 * after that this call and all following ones fail.
 */
void mount_call_open(struct mount *m, struct call *c);

/** mount_renew_patience - restart the three seconds, since the endpoint answers; no effect once they are over */
void mount_renew_patience(struct mount *m);

/** mount_is_out_of_patience - Return: whether the end of the mount @m no longer waits for an endpoint */
bool mount_is_out_of_patience(const void *m);

/**
 * mount_receive_own - from now on the invalidation thread receives the mount's own changes of items, too
 *
 * At first it does not: the kernel that made a change knows the new state of the table. It does not know the new state
 * of index views, and readers of .stream need every change.
 */
void mount_receive_own(struct mount *m);

/** mount_index_known - mount_receive_own(), then set index_known: another thread that sees it relies on the order */
void mount_index_known(struct mount *m);

/** mount_read_only - the message for a refused change: why the mount is read-only, or just that the object is */
const char *mount_read_only(const struct mount *m);

/**
 * mount_is_remote - Return: whether the store is an endpoint, a server elsewhere
 *
 * An endpoint reports no changes and lacks our own operations: it stores no times and sizes, and its partitions have
 * no order.
 */
static inline bool
mount_is_remote(const struct mount *m)
{
	return m->feed == NULL;
}

/** node_id - the node ID that the kernel uses for @n; node_of() is the inverse */
static inline fuse_ino_t
node_id(const struct mount *m, const struct node *n)
{
	return n == m->inodes.root ? FUSE_ROOT_ID : (fuse_ino_t)(uintptr_t)n;
}

static inline struct node *
node_of(const struct mount *m, fuse_ino_t ino)
{
	/* The ID is the address that this mount gave to the kernel. */
	return ino == FUSE_ROOT_ID
		       ? m->inodes.root
		       : (struct node *)(uintptr_t)ino; /* NOLINT(performance-no-int-to-ptr) */
}

#endif
