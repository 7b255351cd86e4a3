/*
 * inode - the table of nodes: the names that the kernel knows, and their lookup counts
 *
 * A node is a name below another node. Its address is the node ID that the kernel uses. A node lives while the kernel
 * counts lookups of it, while a child lives, or while the mount holds references (refs). A node whose name was unlinked
 * is detached: it is no longer found, and a new file of that name gets another node.
 *
 * One lock guards names, parents, counts and the table. Most functions hold it for a hash lookup or a walk to the root,
 * so many FORGETs in a row cost little. inode_all() holds it while it walks the slots.
 *
 * A node takes 64 bytes with the header of malloc(3), its name, and 16 to 32 bytes of the table, which never shrinks.
 * A search for a name that is not there reads only marks, no node: in a large table each one would be a cache miss.
 */
#ifndef FS_CORE_INODE_H
#define FS_CORE_INODE_H

#include <stdatomic.h>

#include "store/base/core/base.h"

struct file; /* fs/file/file.h */

enum node_kind {
	NODE_ROOT,       /* root of the mount: the tables, one table or an index view */
	NODE_TABLE,      /* /TABLE */
	NODE_INDEXES,    /* .index */
	NODE_INDEX,      /* .index/I */
	NODE_PARTITION,  /* in a table or an index view */
	NODE_ITEM,       /* a file, in a table or in an index view */
	NODE_SPECIAL,    /* .itemfs and all files below it */
	NODE_SCRATCH,    /* a file that is no item; a '/' precedes its name in node.name */
	NODE_QUERY,      /* a component of a query path: a directory */
	NODE_TERMINAL,   /* a generated file: .jsonl and the like */
	NODE_TABLE_FILE, /* a table's .table.json, .stream */
};

enum node_flags {
	NODE_PENDING = 1 << 0,    /* partition: shown although it has no items, see pending.h */
	NODE_OTHER_TEXT = 1 << 1, /* item: the kernel's pages may differ from the rendering */
	NODE_DETACHED = 1 << 2,   /* its name was unlinked */
	NODE_PUSHED = 1 << 3,  /* item: its pages were stored in the kernel and not dropped since */
	NODE_MISSED = 1 << 4,  /* partition: the kernel may have cached its absence */
	NODE_LATE = 1 << 5,    /* it changed while a reply with its old attributes was in flight */
	NODE_UNSAVED = 1 << 6, /* directory: a text of a scratch file may be in memory only */
	NODE_CHANGED = 1 << 7, /* item: it was changed elsewhere since the node was created */
};

/*
 * inodes.lock guards all members without a comment on locks. Other files use only kind, flags, file and opens;
 * pending.c also uses name_len.
 */
struct node {
	struct node *parent; /* NULL: the root */
	char *name;        /* component without suffix: inline_name, or on the heap after a move */
	char *full;        /* the whole component of a shortened name, once known */
	struct file *file; /* newest open file of the node; guarded by mount.files_lock */
	uint64_t lookups;  /* counted by the kernel */
	uint32_t refs;     /* held by children, open files and the mount's lists */
	uint32_t hash;     /* of parent and name */
	uint32_t opens;    /* open handles; guarded by mount.files_lock */
	uint16_t name_len; /* bytes */
	_Atomic uint8_t kind;  /* enum node_kind; changes only between ITEM and SCRATCH */
	_Atomic uint8_t flags; /* enum node_flags */
	char inline_name[];
};

/** inode_take_flag - clear a flag, in one step; Return: whether it was set */
static inline bool
inode_take_flag(struct node *n, enum node_flags flag)
{
	return (atomic_fetch_and(&n->flags, (uint8_t)~flag) & flag) != 0;
}

/* A longer name, such as a query's value, counts as several nodes. */
enum { INODE_NAME_BYTES = 64 };

struct inodes {
	pthread_mutex_t lock;
	/* A node is in the slot of its hash, or in a later one if that was taken. No free slot is between. */
	uint32_t *marks;        /* 0: the slot is free; otherwise the node's hash, and SLOT_TAKEN */
	struct node **slots;    /* NULL: free */
	size_t n_slots;         /* power of two; at most three quarters are taken */
	atomic_size_t n;        /* nodes in slots */
	atomic_size_t weight;   /* likewise, where a long name counts as several, by its bytes */
	_Atomic uint64_t moves; /* how often the names of a node have changed */
	struct node *root;
};

/** inode_hash - hash of a name below @parent: FNV-1a, then mixed because tables use the low bits */
uint32_t inode_hash(const struct node *parent, struct slice name);

void inodes_init(struct inodes *t);

/** inodes_release - free all nodes, whatever their counts; the kernel no longer uses them */
void inodes_release(struct inodes *t);

/**
 * inode_look - find or create the node of a name, and count one more lookup
 * @full: the whole component of a shortened name; otherwise empty
 */
struct node *inode_look(struct inodes *t, struct node *parent, enum node_kind kind,
			struct slice name, struct slice full);

/** inode_find - the node of a name with one more reference, or NULL */
struct node *inode_find(struct inodes *t, struct node *parent, struct slice name);

/** inode_is_known - Return: whether the kernel knows the node, or will know it from replies in flight */
bool inode_is_known(struct inodes *t, const struct node *n);

void inode_ref(struct inodes *t, struct node *n);
void inode_unref(struct inodes *t, struct node *n); /* NULL is harmless */

/** inode_forget - subtract @count lookups that the kernel has dropped */
void inode_forget(struct inodes *t, struct node *n, uint64_t count);

/** inode_detach - mark the node as unlinked: lookups of its name no longer find it */
void inode_detach(struct inodes *t, struct node *n);

/**
 * inode_move - give the node another name; a node that has that name is detached
 * @kind: its present kind, unless an item becomes a scratch file or the reverse
 */
void inode_move(struct inodes *t, struct node *n, enum node_kind kind, struct node *parent,
		struct slice name, struct slice full);

/** inode_swap - exchange the names of two nodes; no effect if one of them is detached */
void inode_swap(struct inodes *t, struct node *a, struct node *b);

/** inode_set_full - set the whole component of a shortened name, if it is not known yet */
void inode_set_full(struct inodes *t, struct node *n, struct slice full);

/** inode_parent - the parent, with one more reference because @n may be moved at any time; NULL for the root */
struct node *inode_parent(struct inodes *t, const struct node *n);

/** inode_flag_parent - set flags of the parent */
void inode_flag_parent(struct inodes *t, const struct node *n, enum node_flags flags);

/** inode_is_child - Return: whether @dir is the parent */
bool inode_is_child(struct inodes *t, const struct node *n, const struct node *dir);

/** inode_is_within - Return: whether @top is @n or an ancestor of it */
bool inode_is_within(struct inodes *t, const struct node *n, const struct node *top);

/** inode_name - the node's component without suffix, copied to @a */
struct slice inode_name(struct inodes *t, struct arena *a, const struct node *n);

/* A component of the path from the root to a node, copied. */
struct inode_step {
	struct node *node;
	enum node_kind kind;
	struct slice name; /* without suffix */
	struct slice full; /* whole component of a shortened name; empty: none, or unknown */
};

enum { INODE_DEPTH_MAX = 24 };

/**
 * inode_way - the components of the path from the root (excluded) to @n, in order
 *
 * Return: their number. Memory: names are copies in @a.
 */
size_t inode_way(struct inodes *t, struct arena *a, struct node *n,
		 struct inode_step steps[INODE_DEPTH_MAX]);

enum { INODE_WALK = 16 * 1024 }; /* slots that one inode_idle() looks at under the lock */

/**
 * inode_idle - find nodes that the kernel knows and nothing else holds
 * @hand: the next slot; owned by the caller, 0 at first. A node that moves to another slot meanwhile may be missed, or
 *        be found twice
 * @out:  up to @max addresses, not to be dereferenced: the nodes may be gone already
 *
 * Return: false at the end of the table; @hand is 0 again then.
 */
bool inode_idle(struct inodes *t, size_t *hand, const struct node **out, size_t max, size_t *n);

/** inode_all - all nodes but the root, one more reference each, in an array on the heap */
struct node **inode_all(struct inodes *t, size_t *n);

#endif
