/*
 * inode - the names that the kernel knows: lookup counts, and which node is which
 *
 * A node is a name below another node.  Its address is the node id that the
 * kernel is given.  It lives while the kernel counts it (lookups), while a child
 * lives, or while the mount holds it (refs).  A node whose name was unlinked is
 * detached: it is no longer found, and a new file of that name is another node.
 *
 * One lock guards names, parents, counts and the table; it is held for no
 * longer than a hash lookup, so a storm of forgets costs no more than a free()
 * each.  72 bytes a node and its name.
 */
#ifndef FS_CORE_INODE_H
#define FS_CORE_INODE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "store/base/core/slice.h"

struct file; /* fs/file/handle.h */

enum node_kind {
	NODE_ROOT,       /* of the mount: tables, a table or an index view */
	NODE_TABLE,      /* /TABLE */
	NODE_INDEXES,    /* .index */
	NODE_INDEX,      /* .index/I */
	NODE_PARTITION,  /* of a table or of an index view */
	NODE_ITEM,       /* a file, in a table or in an index view */
	NODE_SPECIAL,    /* .itemfs and what is in it */
	NODE_SCRATCH,    /* a file that is no item; its name is kept behind a '/' */
	NODE_QUERY,      /* a component of a chain of clauses: a directory */
	NODE_TERMINAL,   /* a file that is made when it is read: .jsonl and the like */
	NODE_TABLE_FILE, /* a table's .table.json, .stream */
};

enum node_flags {
	NODE_PENDING = 1 << 0,    /* partition: shown although it has no items */
	NODE_OTHER_TEXT = 1 << 1, /* item: the kernel's pages may differ from the rendering */
	NODE_DETACHED = 1 << 2,   /* its name was unlinked */
	NODE_PUSHED =
		1 << 3, /* item: the kernel was handed its pages, and not told since to drop them */
	NODE_MISSED = 1 << 4, /* partition: the kernel may remember that it is not there */
	NODE_LATE = 1 << 5, /* it changed while an answer with its old attributes was on its way */
	NODE_UNSAVED =
		1 << 6, /* directory: a scratch file in it may have a text that is in memory only */
	NODE_CHANGED = 1 << 7, /* item: it was changed elsewhere since it has this node */
};

/* Fields are the table's own; others read kind, and flags and file under their own lock. */
struct node {
	struct node *next;   /* in its bucket */
	struct node *parent; /* NULL: the root */
	char *name;        /* component without suffix: in the node, or on the heap after a move */
	char *full;        /* of a shortened name: the whole component, once known */
	struct file *file; /* the mount's: open buffer, guarded by its files lock */
	uint64_t lookups;  /* the kernel's */
	uint32_t refs;     /* children, open files, the mount's lists */
	uint32_t hash;     /* of parent and name */
	uint32_t opens;    /* open handles, guarded by the files lock */
	uint16_t name_len; /* bytes */
	_Atomic uint8_t kind;  /* enum node_kind: only ITEM and SCRATCH become each other */
	_Atomic uint8_t flags; /* enum node_flags */
	char inline_name[];
};

struct inodes {
	pthread_mutex_t lock;
	struct node **buckets;
	size_t n_buckets;     /* power of two */
	atomic_size_t n;      /* nodes in buckets */
	atomic_size_t weight; /* of them: see inodes_weight() */
	struct node *root;
};

/** inode_hash - of a name below @parent: FNV-1a, then mixed, since tables take the low bits */
uint32_t inode_hash(const struct node *parent, struct slice name);

void inodes_init(struct inodes *t);

/** inodes_release - free every node, whatever its counts: the kernel is gone */
void inodes_release(struct inodes *t);

/**
 * inode_look - the node of a name, made when there is none, with one lookup more
 * @full: of a shortened name the whole component; else empty
 */
struct node *inode_look(struct inodes *t, struct node *parent, enum node_kind kind,
			struct slice name, struct slice full);

/** inode_find - the node of a name with one ref more, or NULL */
struct node *inode_find(struct inodes *t, struct node *parent, struct slice name);

/** inode_is_known - does the kernel have the node, or will when it has the answers that are on their way? */
bool inode_is_known(struct inodes *t, const struct node *n);

void inode_ref(struct inodes *t, struct node *n);
void inode_unref(struct inodes *t, struct node *n); /* NULL is harmless */

/** inode_forget - the kernel drops @count lookups */
void inode_forget(struct inodes *t, struct node *n, uint64_t count);

/** inode_detach - its name was unlinked */
void inode_detach(struct inodes *t, struct node *n);

/**
 * inode_move - its name is now another; a node that had that name is detached
 * @kind: its own, unless an item becomes a scratch file or the other way
 */
void inode_move(struct inodes *t, struct node *n, enum node_kind kind, struct node *parent,
		struct slice name, struct slice full);

/** inode_swap - two nodes exchange their names */
void inode_swap(struct inodes *t, struct node *a, struct node *b);

/** inode_set_full - the whole component of a shortened name became known */
void inode_set_full(struct inodes *t, struct node *n, struct slice full);

/** inode_parent - the node above with one ref more: @n may get another name at any time; NULL: of the root */
struct node *inode_parent(struct inodes *t, const struct node *n);

/** inode_flag_parent - set flags of the node above */
void inode_flag_parent(struct inodes *t, const struct node *n, enum node_flags flags);

/** inode_is_child - is @dir the node above? */
bool inode_is_child(struct inodes *t, const struct node *n, const struct node *dir);

/** inode_is_within - is @top @n or one of the nodes above it? */
bool inode_is_within(struct inodes *t, const struct node *n, const struct node *top);

/** inode_name - its component, without suffix; a copy in @a */
struct slice inode_name(struct inodes *t, struct arena *a, const struct node *n);

/* One step of the way from the root to a node, copied. */
struct inode_step {
	struct node *node;
	enum node_kind kind;
	struct slice name; /* without suffix */
	struct slice
		full; /* the whole component; empty when unknown; equals name when not shortened */
};

enum { INODE_DEPTH_MAX = 24 };

/**
 * inode_way - the steps from the root (excluded) to @n, in order
 *
 * Return: how many.  Memory: names are copies in @a.
 */
size_t inode_way(struct inodes *t, struct arena *a, struct node *n,
		 struct inode_step steps[INODE_DEPTH_MAX]);

/** inodes_count - nodes, the root aside */
size_t inodes_count(struct inodes *t);

enum { INODE_NAME_BYTES = 128 }; /* a name that is longer counts for several nodes */

/** inodes_weight - the same, but for long names, as a query's value may have: they count by their bytes */
size_t inodes_weight(struct inodes *t);

/**
 * inode_idle - some nodes that the kernel knows and nothing else holds
 * @hand: of the caller's, from 0: the bucket that is next
 * @out:  up to @max; only their addresses, they may be gone now
 *
 * Return: false at the end of the table; @hand is 0 again then.
 */
bool inode_idle(struct inodes *t, size_t *hand, const struct node **out, size_t max, size_t *n);

/** inode_all - every node but the root, one ref more each, in an array on the heap */
struct node **inode_all(struct inodes *t, size_t *n);

#endif
