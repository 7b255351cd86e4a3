/*
 * place - the object that a node or a name represents: tables, a table, a collection, an item ...
 *
 *   role         node                                  holds
 *   TABLES       mount root without table=             tables
 *   TABLE        /TABLE, or the root with table=       partitions, or items (simple key)
 *   INDEXES      .index below a TABLE                  indexes
 *   INDEX        .index/I, or the root with index=     index partitions
 *   PARTITION    below TABLE or INDEX                  items or index entries
 *   QUERY        a chain of clauses below a directory of items, a TABLE or an INDEX
 *                                                      the items of the query
 *   ITEM         below PARTITION, QUERY, or TABLE (simple)   (a file)
 *   TERMINAL     where clauses may stand               (a generated file)
 *   SPECIAL      .itemfs and all below it              special.h
 *   TABLE_FILE   .table.json and the like, below TABLE (a file) table_file.h
 *   SCRATCH      below PARTITION, or TABLE (simple)    (a file that is no item) scratch.h
 */
#ifndef FS_PLACE_PLACE_H
#define FS_PLACE_PLACE_H

#include "fs/core/mount_int.h"
#include "fs/format/clauses.h"
#include "fs/format/path.h"

#define SPECIAL_NAME ".itemfs" /* at the root of a mount: special.h */

/* Files at a table's root that are no items and are never listed: table_file.h */
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

/* Results above 0 of functions in this and later rooms; results below 0 are errors of the engine. */
enum place_outcome {
	PLACE_ABSENT = 1,  /* there is no such object; the call may have failed with the reason */
	PLACE_ODD,         /* no key has this name; the call failed with the reason */
	PLACE_TOO_LONG,    /* the name has over 255 bytes; the call failed with the reason */
	PLACE_EXISTS,      /* the target of a rename exists */
	PLACE_NOT_EMPTY,   /* the partition has items */
	PLACE_APART,       /* the items cannot be moved in one transaction */
	PLACE_ONE_BY_ONE,  /* likewise: the server has no transactions */
	PLACE_CHANGED,     /* another front end changed what a rename had read: read it again */
	PLACE_STALE,       /* others changed what a commit would replace; the call failed */
	PLACE_POISONED,    /* an earlier write was refused and logged */
	PLACE_NO_QUERY,    /* the name is no valid query; the call failed with the reason */
	PLACE_INTERRUPTED, /* the client no longer waits */
	PLACE_GONE, /* the name was removed while it was opened: the kernel looks it up again */
};

/* How old an answer of an endpoint may be. A store in a directory always returns the newest state. */
enum place_age {
	PLACE_NEWEST, /* for writes: a strongly consistent read */
	PLACE_RECENT, /* for display: an eventually consistent read, which costs half */
	PLACE_HANDED, /* likewise, for a text that is handed to a reader: it is used once */
};

/*
 * Slices and values are in the call's arena, or in memory that the call holds and other calls share (the schema, a kept
 * place): do not change them.
 */
struct place {
	enum role role;
	uint64_t ino; /* inode number: hashed from table, index and the names shown */
	const struct schema *schema; /* from TABLE on */
	const struct index *index;   /* from INDEX on; NULL in the table itself */
	struct slice table;          /* TABLE and below: its name */
	struct slice partition;      /* PARTITION and below: the name shown */
	/*
	 * ITEM: the name shown, without suffix; SPECIAL: the path below .itemfs, "" itself; SCRATCH, TERMINAL,
	 * TABLE_FILE: the node's name
	 */
	struct slice shown;
	bool known; /* PARTITION, ITEM: all key values are known; false: a shortened name without a key */
	struct values pk; /* PARTITION and below: of table or index; empty: not known */
	/* ITEM: the known attributes of the table's primary key; all of them if @known is set. */
	struct item key;
	struct item at;           /* ITEM, if known: key attributes of table and index */
	struct clauses clauses;   /* QUERY and below; may be empty */
	enum generated generated; /* TERMINAL: which one */
	enum place_age age;       /* for reads of this place */
};

/** place_of - the place of a node; Return: 0, an outcome, or the engine's error */
int place_of(struct mount *m, struct call *c, struct node *n, struct place *out) must_check;

/* A name below a directory. */
struct child {
	struct place place;
	enum node_kind kind;
	struct slice stem; /* the node's name: without suffix */
	struct slice full; /* the whole component of a shortened name, if known */
};

/**
 * place_child - the place of @name below @dir, whether it exists or not
 *
 * The key of a shortened name is searched in the store. A table or index must exist.
 * Return: 0, an outcome, or the engine's error
 */
int place_child(struct mount *m, struct call *c, const struct place *dir, struct slice name,
		struct child *out) must_check;

/** place_below - both: the place of the node @dir, and of @name below it */
int place_below(struct mount *m, struct call *c, struct node *dir, const char *name,
		struct place *dir_place, struct child *out) must_check;

/**
 * place_is_fleeting - Return: whether the kernel must not cache it: part of a query, a generated file or a table file
 */
bool place_is_fleeting(const struct place *p);

/** place_holds_items - Return: whether the children of this directory are items */
bool place_holds_items(const struct place *p);

/** place_spans - Return: whether it is a query over many partitions (.shards, or a Scan), or below one */
bool place_spans(const struct place *p);

/** place_merges_table - likewise, of the table itself. Names then spell the sort key, then the partition key */
bool place_merges_table(const struct place *p);

/** place_is_root - Return: whether it is the root of the mount */
bool place_is_root(const struct mount *m, const struct place *p);

/** place_is_read_only - Return: whether it is generated, or in an index view, a query, .itemfs or a read-only mount */
bool place_is_read_only(const struct mount *m, const struct place *p);

/** place_key - the key schema that orders the directory @p: the index's or the table's */
const struct key_schema *place_key(const struct place *p);

/**
 * place_in_partition - number of leading key attributes that the directory name encodes; the file name encodes the rest
 *
 * The attributes are those of schema_place().
 */
size_t place_in_partition(const struct schema *s, const struct index *ix);

/** place_types - key types in the order in which names of @dir's children spell them. Return: their number */
size_t place_types(const struct place *dir, enum value_type types[PATH_VALUES_MAX]);

/** place_index - the name of the place's index, for a request; empty: the table itself */
static inline struct slice
place_index(const struct place *p)
{
	return p->index == NULL ? slice_of(NULL, 0) : p->index->name;
}

#endif
