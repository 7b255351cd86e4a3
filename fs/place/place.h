/*
 * place - what a node or a name stands for: tables, a table, a collection, an item
 *
 *   role         node                                  holds
 *   TABLES       mount root without table=             tables
 *   TABLE        /TABLE, or the root with table=       partitions, or items (simple key)
 *   INDEXES      .index below a TABLE                  indexes
 *   INDEX        .index/I, or the root with index=     index partitions
 *   PARTITION    below TABLE or INDEX                  items or index entries
 *   QUERY        below those that hold items, TABLE or INDEX: a chain of clauses
 *                                                      the items that it asks for
 *   ITEM         below PARTITION, QUERY, or TABLE (simple)   (a file)
 *   TERMINAL     where clauses may stand               (a file that is made when it is read)
 *   SPECIAL      .itemfs and what is in it             special.h
 *   TABLE_FILE   .table.json and the like, below TABLE (a file) table_file.h
 *   SCRATCH      below PARTITION, or TABLE (simple)    (a file that is no item) scratch.h
 */
#ifndef FS_PLACE_PLACE_H
#define FS_PLACE_PLACE_H

#include "fs/core/mount_int.h"
#include "fs/format/clauses.h"
#include "fs/format/path.h"

#define SPECIAL_NAME ".itemfs" /* at the root of a mount: special.h */

/* Files at a table's root that stand for no item, and are never listed: table_file.h */
#define PLACE_DESCRIPTION ".table.json"
#define PLACE_STREAM ".stream"
#define PLACE_RECORDS ".stream.jsonl"

enum role {
	ROLE_TABLES,
	ROLE_TABLE,
	ROLE_INDEXES,
	ROLE_INDEX,
	ROLE_PARTITION,
	ROLE_ITEM,
	ROLE_SPECIAL,
	ROLE_SCRATCH,
	ROLE_QUERY,
	ROLE_TERMINAL,
	ROLE_TABLE_FILE,
};

enum place_outcome {
	PLACE_ABSENT = 1,  /* there is no such thing; the call may have failed with the reason */
	PLACE_ODD,         /* no key has this name: the call failed with the reason */
	PLACE_TOO_LONG,    /* over 255 bytes: the same */
	PLACE_EXISTS,      /* the target of a rename is there */
	PLACE_NOT_EMPTY,   /* the partition has items */
	PLACE_APART,       /* cannot be moved in one transaction */
	PLACE_ONE_BY_ONE,  /* nor can anything: the server has no transactions */
	PLACE_CHANGED,     /* another door changed what a rename had read: to be read again */
	PLACE_STALE,       /* others changed what a commit would replace: the call failed */
	PLACE_POISONED,    /* an earlier write was refused, and that has been said */
	PLACE_NO_QUERY,    /* no query is asked so: the call failed with the reason */
	PLACE_INTERRUPTED, /* whoever asked does not wait any longer */
	PLACE_GONE, /* the name was removed while it was opened: the kernel looks it up again */
};

/* How old may an answer of an endpoint be?  A store of our own always has the newest state. */
enum place_age {
	PLACE_NEWEST, /* what a write depends on: a strongly consistent read */
	PLACE_RECENT, /* what is looked at: an eventually consistent read, which costs half */
	PLACE_HANDED, /* the same of what a reader is handed: it is used once */
};

/* Slices and values are in the call's arena or the schema's, which lives as long. */
struct place {
	enum role role;
	const struct schema *schema; /* from TABLE on */
	const struct index *index;   /* from INDEX on; NULL in the table itself */
	struct slice table;          /* TABLE and below: its name */
	struct slice partition;      /* PARTITION and below: the name shown */
	struct slice shown; /* ITEM: the name shown, without suffix; SPECIAL: the path below
				   .itemfs, "" itself; SCRATCH, TERMINAL, TABLE_FILE: the node's name */
	bool known; /* PARTITION, ITEM: are all key values known? false: shortened names of nothing */
	struct values
		pk; /* PARTITION and below: partition key of table or index; none: not known */
	struct item
		key; /* ITEM: what the names tell of the table's primary key; all of it if known */
	struct item at;         /* ITEM, if known: key attributes of table and index */
	struct clauses clauses; /* QUERY and below; empty: none */
	enum terminal terminal; /* TERMINAL: which one */
	enum place_age age;     /* of what is read there */
};

/** place_of - what a node stands for; Return: 0, an outcome, or the engine's error */
int place_of(struct mount *m, struct call *c, struct node *n, struct place *out)
	__attribute__((warn_unused_result));

/* What a name below a directory is. */
struct child {
	struct place place;
	enum node_kind kind;
	struct slice stem; /* the node's name: without suffix */
	struct slice full; /* of a shortened name: the whole component, if known */
};

/**
 * place_child - what @name below @dir stands for, whether it exists or not
 *
 * A shortened name is looked for in the store.  A table or index must exist.
 * Return: 0, an outcome, or the engine's error
 */
int place_child(struct mount *m, struct call *c, const struct place *dir, struct slice name,
		struct child *out) __attribute__((warn_unused_result));

/** place_below - both at once: what the node @dir stands for, and @name below it */
int place_below(struct mount *m, struct call *c, struct node *dir, const char *name,
		struct place *dir_place, struct child *out) __attribute__((warn_unused_result));

/** place_is_query - is @name below @dir a part of a query: a clause, the value of one, a terminal? */
bool place_is_query(const struct place *dir, struct slice name);

/**
 * place_child_query - place_child() of such a name; the rest of @out is filled in
 *
 * Return: 0, PLACE_NO_QUERY, or the engine's error
 */
int place_child_query(struct mount *m, struct call *c, const struct place *dir, struct slice name,
		      struct child *out) __attribute__((warn_unused_result));

/** place_is_fleeting - a query or what is below it, a terminal, a table's file: the kernel may keep nothing of it */
bool place_is_fleeting(const struct place *p);

/** place_holds_items - are the children of this directory files? */
bool place_holds_items(const struct place *p);

/** place_spans - is it a query over many partitions, or below one: .shards, or a Scan? */
bool place_spans(const struct place *p);

/** place_merges_table - is that of the table itself? Names then spell sort key, then partition key */
bool place_merges_table(const struct place *p);

/** place_is_root - of the mount? */
bool place_is_root(const struct mount *m, const struct place *p);

/** place_is_read_only - an index view, a query, a mount with ro, .itemfs */
bool place_is_read_only(const struct mount *m, const struct place *p);

/** place_key - the key schema by which the directory @p is ordered: the index's or the table's */
const struct key_schema *place_key(const struct place *p);

/* What stat shows. */
struct facts {
	bool is_dir;
	uint64_t size;
	uint64_t mtime_ns; /* 0: not known; of a directory: as place_time() */
	bool gone;         /* no name leads to it any more */
	bool streamed;     /* made while it is read: size 0, read in large pieces */
	bool owned;        /* a scratch file, with mode and owner of its own: */
	mode_t mode;
	uid_t uid;
	gid_t gid;
};

/**
 * place_time - a change that any directory of this table or index may have seen; 0: not known
 *
 * What stat shows of a directory without an entry of its own in mount.dir_times.
 */
uint64_t place_time(struct mount *m, const struct place *p);

/** place_content_time - the newest change that what is made of the items at @p may have seen */
uint64_t place_content_time(struct mount *m, const struct place *p);

/** place_changed - an entry of the directory @dir came, went or was overwritten just now */
void place_changed(struct mount *m, const struct place *dir);

/** place_all_changed - every directory below that of @ino, a table or its .index, may have changed just now */
void place_all_changed(struct mount *m, uint64_t ino);

/** place_stat - ask the store; Return: 0, PLACE_ABSENT, or the engine's error */
int place_stat(struct mount *m, struct call *c, const struct place *p, struct view *view,
	       struct facts *out) __attribute__((warn_unused_result));

/** place_read - the committed item or index entry behind an ITEM; 0, PLACE_ABSENT, error */
int place_read(struct mount *m, struct call *c, const struct place *p, struct item *out,
	       uint64_t *mtime_ns) __attribute__((warn_unused_result));

/**
 * place_list_partitions, place_list_entries - a page of what the directory @p holds
 * @in:   table, index and partition key are filled in
 * @next: of a server elsewhere, whose partitions have no order: where it goes on, n = 0 at the beginning
 *
 * Errors: -ERR_IO  the store does not know how many values a key has
 */
int place_list_partitions(struct mount *m, struct call *c, const struct place *p,
			  struct list_partitions_in *in, struct list_partitions_out *out,
			  struct item *next) __attribute__((warn_unused_result));
int place_list_entries(struct mount *m, struct call *c, const struct place *p,
		       struct list_entries_in *in, struct list_entries_out *out)
	__attribute__((warn_unused_result));

/** place_is_consistent - are reads there strongly consistent ones of an endpoint? */
bool place_is_consistent(const struct mount *m, const struct place *p);

/** place_wrote - the mount has written, or tried to: for some seconds it reads consistently, so that it sees that */
void place_wrote(struct mount *m);

/**
 * place_recent_item, place_recent_size, place_recent_partition - what an endpoint has answered a moment ago
 * @ix:   the index whose view of the item it is; NULL: the whole item
 * @size: what stat shows
 *
 * Return: false when it has to be asked
 */
bool place_recent_item(struct mount *m, struct call *c, const struct place *p,
		       const struct index *ix, struct item *out);
bool place_recent_size(struct mount *m, struct call *c, const struct place *p, uint64_t *size);
bool place_recent_partition(struct mount *m, struct call *c, const struct place *p);

/**
 * place_keep_item, place_keep_listed, place_keep_partition - what it has answered now
 * @dir:         what was listed, by a page with @it
 * @plain_bytes: its size in a mount of plain items
 * @drops:       m->recent.drops from before it was asked for
 */
void place_keep_item(struct mount *m, struct call *c, const struct place *p, const struct index *ix,
		     const struct item *it, uint64_t drops);
void place_keep_listed(struct mount *m, struct call *c, const struct place *dir,
		       const struct item *it, uint64_t plain_bytes, uint64_t drops);
void place_keep_partition(struct mount *m, struct call *c, const struct place *p,
			  const struct values *pk, bool listed, uint64_t drops);

/** place_has_items - has a PARTITION any items? 1 yes, 0 no, or the engine's error */
int place_has_items(struct mount *m, struct call *c, const struct place *p)
	__attribute__((warn_unused_result));

/** place_add_key - append a key attribute; false when @it has it already with another value */
bool place_add_key(struct item *it, const struct key_attr *k, const struct value *v);

/** place_listed_values - the values that name a listed entry of the directory @p, which merges no table */
struct values place_listed_values(const struct place *p, const struct entry *e);

/** place_put_values - append the component of a partition or file of the table or of index @ix */
void place_put_values(struct buf *out, const struct index *ix, const struct values *v);

/**
 * place_name - the name that component has, ending in NUL
 * @suffix: of a file; empty: the name of a directory, or a file's without it
 */
struct slice place_name(struct arena *a, const struct index *ix, const struct values *v,
			struct slice suffix);

/** place_put_entry - append the component of a listed entry of the directory @p */
void place_put_entry(struct buf *out, const struct place *p, const struct entry *e);

/** place_entry_key - the key attributes of a listed entry of the directory @p, for "after" and "at" */
struct item place_entry_key(struct arena *a, const struct place *p, const struct entry *e);

/**
 * place_entry_values - the values that name an entry of index @ix and its partition, or an item
 * (NULL) and its, from an item or entry
 *
 * Return:  false when @it has no entry there
 * Memory:  arrays are in @a's
 */
bool place_entry_values(struct arena *a, const struct schema *s, const struct index *ix,
			const struct item *it, struct values *pk, struct values *name);

/** place_demand_absence - the condition of a put: there is no such item */
void place_demand_absence(struct arena *a, const struct place *p, struct slice *condition,
			  struct placeholders *ph);

/** place_id - an ITEM's table, partition and name as bytes, the same in every mount */
struct slice place_id(struct arena *a, const struct place *p);

/** place_ino - the number that stat shows: of table, index, and the shown names */
uint64_t place_ino(const struct place *p);
uint64_t place_child_ino(uint64_t dir_ino, struct slice component);
uint64_t place_scratch_ino(uint64_t dir_ino, struct slice name);

/** place_dot_ino - likewise of .index, or of .itemfs at the root, whose number is 1 */
uint64_t place_dot_ino(uint64_t dir_ino, struct slice name);

/**
 * place_remote_partitions, place_remote_entries, place_remote_partition - the same of a server elsewhere
 *
 * Of partitions only the key is known.  The last one: is the PARTITION @p there?
 */
int place_remote_partitions(struct mount *m, struct call *c, const struct place *p,
			    const struct list_partitions_in *in, struct list_partitions_out *out,
			    struct item *next) __attribute__((warn_unused_result));
int place_remote_entries(struct mount *m, struct call *c, const struct place *p,
			 const struct list_entries_in *in, struct list_entries_out *out)
	__attribute__((warn_unused_result));
int place_remote_partition(struct mount *m, struct call *c, const struct place *p,
			   struct partition *out) __attribute__((warn_unused_result));

/** place_remote_find - place_find_full() where the names have no order: all of them are looked at */
int place_remote_find(struct mount *m, struct call *c, const struct place *dir, struct slice stem,
		      struct slice suffix, struct slice *full) __attribute__((warn_unused_result));

/** place_is_named - is @stem the name of the whole @component? */
bool place_is_named(struct call *c, struct slice component, struct slice suffix, struct slice stem);

/** place_find_full - the whole component behind a shortened name below @dir
 *
 * Return: 0, PLACE_ABSENT, or the engine's error.  Memory: @full is in the call's arena.
 */
int place_find_full(struct mount *m, struct call *c, const struct place *dir, struct slice stem,
		    struct slice suffix, struct slice *full) __attribute__((warn_unused_result));

/**
 * place_adopt - the key of an item whose names were not known to spell one: it must give exactly
 * these names
 * @partition: set to the whole component of a shortened partition, else emptied
 * @full:      the same of the item
 *
 * Return: 0, or -ERR_VALIDATION
 */
int place_adopt(struct call *c, const struct place *p, const char *suffix, const struct item *it,
		struct slice *partition, struct slice *full) __attribute__((warn_unused_result));

/**
 * place_in_partition - so many of the attributes of schema_place() does the name of a partition
 * spell, the file's name all others
 */
size_t place_in_partition(const struct schema *s, const struct index *ix);

/** place_types - key types in the order in which the names of @dir's children spell them; how many */
size_t place_types(const struct place *dir, enum value_type types[PATH_VALUES_MAX]);

/** place_index - the name of the place's index, for a request; empty: the table itself */
static inline struct slice
place_index(const struct place *p)
{
	return p->index == NULL ? slice_of(NULL, 0) : p->index->name;
}

#endif
