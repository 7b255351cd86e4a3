/* schema - what is declared of a table: its key, its indexes */
#ifndef STORE_MODEL_SCHEMA_H
#define STORE_MODEL_SCHEMA_H

#include "store/model/item.h"

/* A key attribute: its type is S, N or B. */
struct key_attr {
	struct slice name;
	enum value_type type;
};

enum {
	KEY_PART_MAX = 4,                   /* attributes of a partition key, and of a sort key */
	KEY_ATTRS_MAX = 2 * KEY_PART_MAX,   /* of both */
	KEY_VALUES_MAX = KEY_ATTRS_MAX + 2, /* of an index entry: the table's key behind its own */
};

/*
 * Partition key and sort key.  Only a GSI's have more than one attribute each; behind the last one
 * names are empty.
 */
struct key_schema {
	struct key_attr pk[KEY_PART_MAX]; /* the first is always there */
	struct key_attr sk[KEY_PART_MAX]; /* the first is not when there is no sort key */
};

/*
 * Values of a key in its order: partition key, sort key; of an index entry also the table's key
 * behind them.  Or the first of these.
 */
struct key_values {
	const struct value *at[KEY_VALUES_MAX];
	size_t n;
};

enum table_class {
	CLASS_NONE,
	CLASS_INFREQUENT_ACCESS,
	CLASS_STANDARD
}; /* NONE: as STANDARD, but nobody said it */

/* OnDemandThroughput: remembered, not enforced. */
struct on_demand {
	bool given;
	uint64_t reads; /* request units a second at most; 0: no limit */
	uint64_t writes;
};

/* WarmThroughput, likewise: units a second; 0: what a table has anyway, see schema_warm(). */
struct warm {
	uint64_t reads;
	uint64_t writes;
};

/* SSESpecification: remembered; what is stored is not encrypted. */
struct encryption {
	bool on; /* with a key of the key management service; else with one of the service's own */
	struct slice key; /* KMSMasterKeyId; empty: the account's default key */
};

/* What the records of a stream hold beside keys. */
enum stream_view {
	STREAM_NONE, /* there is no stream */
	STREAM_KEYS_ONLY,
	STREAM_NEW_IMAGE,
	STREAM_OLD_IMAGE,
	STREAM_NEW_AND_OLD_IMAGES,
};

/* Whether a table's changes are recorded, and where. */
struct stream_setting {
	enum stream_view view; /* STREAM_NONE: they are not, or not any more */
	uint64_t id;           /* of the newest stream, in keys; never used again */
	uint64_t label_ms;     /* likewise: Unix time, its label; 0: the table never had one */
};

enum projection_type { PROJECTION_ALL, PROJECTION_KEYS_ONLY, PROJECTION_INCLUDE };

/* An index is added to a table that has items, and goes, in the background. */
enum index_state {
	INDEX_ACTIVE,
	INDEX_CREATING,    /* writes maintain it; its filling has not begun */
	INDEX_BACKFILLING, /* likewise; the items that were there before are on their way into it */
	INDEX_DELETING,    /* nobody maintains it, its entries are being deleted */
};

struct index {
	struct slice name;
	bool global; /* GSI; else LSI, which is always active */
	enum index_state state;
	uint16_t id; /* in keys; 1.. within its table, never used again */
	struct key_schema key;
	enum projection_type projection;
	struct slice *include; /* PROJECTION_INCLUDE: attribute names */
	size_t n_include;
	uint64_t read_units; /* GSI of a table with provisioned throughput */
	uint64_t write_units;
	struct on_demand on_demand; /* GSI */
	struct warm warm;           /* GSI */
};

/* The backup that a table was made of. */
struct restored {
	struct slice backup; /* its id; empty: the table was made otherwise */
	struct slice table;  /* of which table it is */
	uint64_t at_ms;      /* Unix time: when that table was so */
};

/* A label of a table, for whoever looks after many of them. */
struct tag {
	struct slice key;
	struct slice value;
};

/*
 * Invariants: index ids rise; an LSI has the table's partition key; keys of table and LSIs have one
 * attribute a part.
 */
struct schema {
	struct slice table;  /* name */
	struct slice uuid;   /* TableId: no other table's, also not one of its name */
	uint32_t id;         /* in keys; never used again */
	uint32_t version;    /* changes with every change of the definition */
	uint64_t created_ms; /* Unix time */
	bool provisioned;    /* billing mode PROVISIONED; else PAY_PER_REQUEST */
	uint64_t read_units; /* provisioned throughput, informative */
	uint64_t write_units;
	uint64_t on_demand_ms; /* when it became PAY_PER_REQUEST, Unix time; 0: never */
	bool creating;         /* being filled: nobody else may read or write it yet */
	bool protected;        /* from deletion */
	enum table_class class;
	uint64_t class_ms; /* when UpdateTable changed it, Unix time; 0: never */
	struct on_demand on_demand;
	struct warm warm;
	struct encryption encryption;
	struct stream_setting stream;
	struct key_schema key;
	struct index *index;
	size_t n_index;
	uint16_t next_index;    /* id of the next one that is added */
	struct slice ttl;       /* attribute of the time to live; empty: there is none */
	uint64_t recovery_ms;   /* since when point-in-time recovery is on, Unix time; 0: off */
	uint32_t recovery_days; /* with it: how far back */
	struct tag *tags;       /* each key once */
	size_t n_tags;
	struct restored restored;
	bool throttle; /* requests beyond its throughput are refused */
	uint64_t
		collection_limit; /* bytes of a collection when there is an LSI; 0: DynamoDB's 10 GB */
};

static inline bool
key_schema_has_sort(const struct key_schema *k)
{
	return k->sk[0].name.len > 0;
}

/**
 * schema_definition - what CreateTable is to be told for a table that is like @s
 * @table: its name
 *
 * Everything but what belongs to one store: ids, times, states of indexes, and what other operations set (time to
 * live, point-in-time recovery, the backup it was made of).
 * Memory:  @a, and what @s points to
 */
struct schema *schema_definition(struct arena *a, const struct schema *s, struct slice table);

/** schema_warm - the throughput that the table (@ix NULL) or one of its GSIs can take at once */
struct warm schema_warm(const struct schema *s, const struct index *ix);

/** key_part_n - how many attributes a partition key or sort key has */
static inline size_t
key_part_n(const struct key_attr part[KEY_PART_MAX])
{
	size_t n = 0;

	while (n < KEY_PART_MAX && part[n].name.len > 0) {
		n++;
	}
	return n;
}

/** key_schema_n - how many attributes a key has */
static inline size_t
key_schema_n(const struct key_schema *k)
{
	return key_part_n(k->pk) + key_part_n(k->sk);
}

/** key_slot - the attributes of a key in a row, @i < KEY_ATTRS_MAX; those with empty names are none */
static inline const struct key_attr *
key_slot(const struct key_schema *k, size_t i)
{
	return i < KEY_PART_MAX ? &k->pk[i] : &k->sk[i - KEY_PART_MAX];
}

/** key_schema_eq - the same attributes, of the same types, in the same order? */
bool key_schema_eq(const struct key_schema *a, const struct key_schema *b);

/** key_schema_has - is @name one of the key's attributes? */
bool key_schema_has(const struct key_schema *k, struct slice name);

/**
 * item_with_key - @it with the attributes of a table's key first, and those that @key has taken from
 * there; arrays are in @a's memory
 */
struct item item_with_key(struct arena *a, const struct key_schema *k, const struct item *it,
			  const struct item *key);

/** item_key_first - @it with the attributes of a table's key first: itself, if they are */
struct item item_key_first(struct arena *a, const struct key_schema *k, const struct item *it);

/** schema_key - the key of the table (@ix NULL) or of one of its indexes */
static inline const struct key_schema *
schema_key(const struct schema *s, const struct index *ix)
{
	return ix == NULL ? &s->key : &ix->key;
}

/**
 * schema_place - the attributes whose values tell an item's (@ix NULL) or entry's place, in the order
 * of struct key_values; a name may come twice
 *
 * Return: how many
 */
size_t schema_place(const struct schema *s, const struct index *ix,
		    const struct key_attr *out[KEY_VALUES_MAX]);

/** stream_view_name - DynamoDB's word; "" for STREAM_NONE */
const char *stream_view_name(enum stream_view view);

/** stream_view_from_name - the inverse; STREAM_NONE for any other word */
enum stream_view stream_view_from_name(struct slice name);

/** schema_index - the index called @name, or NULL */
const struct index *schema_index(const struct schema *s, struct slice name);

/** schema_local_indexes - how many LSIs it has */
size_t schema_local_indexes(const struct schema *s);

/** schema_view - likewise if it may be read: it is complete and not going */
const struct index *schema_view(const struct schema *s, struct slice name);

/** schema_index_by_id - the index that has @id in keys, or NULL */
const struct index *schema_index_by_id(const struct schema *s, uint16_t id);

/** schema_busy - the index that is being built or deleted, or NULL; there is one at most */
const struct index *schema_busy(const struct schema *s);

/** schema_projects - is the top-level attribute @name in every entry of index @ix? */
bool schema_projects(const struct schema *s, const struct index *ix, struct slice name);

/**
 * fail_empty_key - refuse an empty value of the key attribute @attr of the table (@ix NULL) or index
 * @before: how the message begins; may be ""
 *
 * Return: -ERR_VALIDATION
 */
int fail_empty_key(struct call *c, const char *before, const struct index *ix,
		   const struct key_attr *attr) __attribute__((warn_unused_result));

/** fail_billing - refuse capacity that is given without, or missing with, the mode PROVISIONED */
int fail_billing(struct call *c, bool provisioned) __attribute__((warn_unused_result));

/** schema_copy - a deep copy in @a's memory */
struct schema *schema_copy(struct arena *a, const struct schema *s);

/**
 * schema_check - everything CreateTable demands of a definition
 *
 * Errors:  -ERR_VALIDATION  names, key types, number and names of indexes, LSI without a sort key,
 * INCLUDE over 100 names Source:  BEHAVIOUR 1.15, 3.1, 4.2, 4.3, 4.6
 */
int schema_check(struct call *c, const struct schema *s) __attribute__((warn_unused_result));

/**
 * schema_check_index - what it demands of the index at @at, which may be the last one so far
 *
 * By itself, and against the table and the indexes before it.
 */
int schema_check_index(struct call *c, const struct schema *s, size_t at)
	__attribute__((warn_unused_result));

/** schema_check_index_key - likewise, no more than its name and its key */
int schema_check_index_key(struct call *c, const struct schema *s, size_t at)
	__attribute__((warn_unused_result));

/** schema_check_definitions - no attribute is defined twice */
int schema_check_definitions(struct call *c, const struct key_attr *at, size_t n)
	__attribute__((warn_unused_result));

/** schema_check_counts - not too many indexes of a kind, nor names that they include */
int schema_check_counts(struct call *c, const struct schema *s) __attribute__((warn_unused_result));

/** schema_fail_no_range - an LSI in a table without a sort key */
int schema_fail_no_range(struct call *c) __attribute__((warn_unused_result));

/**
 * schema_check_warm - WarmThroughput that is asked for a table, or for @index unless that is empty
 * @asked: a number that is 0 is not asked for
 * @least: what it may not be lower than
 * @what:  the name of that
 */
int schema_check_warm(struct call *c, struct warm asked, struct warm least, struct slice index,
		      const char *what) __attribute__((warn_unused_result));

/** schema_check_new_warm - WarmThroughput of a new table and of its GSIs */
int schema_check_new_warm(struct call *c, const struct schema *s)
	__attribute__((warn_unused_result));

/** schema_check_units - provisioned throughput of a table, or of @index unless that is empty */
int schema_check_units(struct call *c, uint64_t reads, uint64_t writes, struct slice index)
	__attribute__((warn_unused_result));

/**
 * key_from_item - append the values of key @k in @it to @out
 *
 * Return:  0, or 1 when an attribute is missing or of another type.
 */
int key_from_item(const struct key_schema *k, const struct item *it, struct key_values *out);

/** key_values_of - pointers to the first @n values */
struct key_values key_values_of(const struct value *at, size_t n);

/**
 * index_key - likewise of an index; what is older than the index may have any value
 *
 * Return:  0, or 1 when an attribute is missing or of another type, empty, too long: the index is
 *          sparse, it skips the item.
 */
int index_key(const struct index *ix, const struct item *it, struct key_values *out);

/**
 * item_project - the attributes of @it that index @ix holds, in the item's order
 *
 * Memory:  @out's array is in the arena; the values are @it's.
 */
struct item item_project(struct arena *a, const struct schema *s, const struct index *ix,
			 const struct item *it);

/** schema_settle - forget limits on demand where throughput is provisioned, for the table and its GSIs */
void schema_settle(struct schema *s);

#endif
