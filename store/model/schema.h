/* schema - the definition of a table: key, indexes, settings; keys and projections of items */
#ifndef STORE_MODEL_SCHEMA_H
#define STORE_MODEL_SCHEMA_H

#include "store/model/item.h"

/* A key attribute: its type is S, N or B. */
struct key_attr {
	struct slice name;
	enum value_type type;
};

enum {
	KEY_PART_MAX = 4,                   /* attributes of a partition key or of a sort key */
	KEY_ATTRS_MAX = 2 * KEY_PART_MAX,   /* attributes of both */
	KEY_VALUES_MAX = KEY_ATTRS_MAX + 2, /* values of an index entry: its key, the table's */
};

/*
 * Partition key and sort key. Only a GSI can have more than one attribute in each. After the last one, names are empty.
 */
struct key_schema {
	struct key_attr pk[KEY_PART_MAX]; /* the first one always exists */
	struct key_attr sk[KEY_PART_MAX]; /* the first name is empty if there is no sort key */
};

/*
 * The values of a key, or the first of them, in this order: partition key, sort key; for an index entry, then the key
 * of the table.
 */
struct key_values {
	const struct value *at[KEY_VALUES_MAX];
	size_t n;
};

enum table_class {
	CLASS_NONE, /* not given: like STANDARD */
	CLASS_INFREQUENT_ACCESS,
	CLASS_STANDARD
};

/* OnDemandThroughput: stored, but not enforced. */
struct on_demand {
	bool given;
	uint64_t reads; /* most request units per second; 0: no limit */
	uint64_t writes;
};

/* WarmThroughput in units per second: stored, but not enforced. 0: the default, see schema_warm(). */
struct warm {
	uint64_t reads;
	uint64_t writes;
};

/* SSESpecification: stored, but the data is not encrypted. */
struct encryption {
	bool on;          /* with a key of KMS; else with a key that DynamoDB owns */
	struct slice key; /* KMSMasterKeyId; empty: the account's default key */
};

/* What the records of a stream contain in addition to keys. */
enum stream_view {
	STREAM_NONE, /* no stream */
	STREAM_KEYS_ONLY,
	STREAM_NEW_IMAGE,
	STREAM_OLD_IMAGE,
	STREAM_NEW_AND_OLD_IMAGES,
};

/* The stream to which a table's changes are written. */
struct stream_setting {
	enum stream_view view; /* STREAM_NONE: changes are not written, or not any more */
	uint64_t id;           /* ID of the newest stream in keys; never used again */
	uint64_t label_ms;     /* label of the newest stream, Unix time; 0: there never was one */
};

enum projection_type { PROJECTION_ALL, PROJECTION_KEYS_ONLY, PROJECTION_INCLUDE };

/* Indexes are built for existing items, and deleted, in the background. */
enum index_state {
	INDEX_ACTIVE,
	INDEX_CREATING,    /* writes maintain it; its backfill has not begun */
	INDEX_BACKFILLING, /* writes maintain it; its backfill is in progress */
	INDEX_DELETING,    /* writes ignore it; its entries are being deleted */
};

struct index {
	struct slice name;
	bool global; /* GSI; else LSI, which is always active */
	enum index_state state;
	uint16_t id; /* ID in keys, from 1, unique in the table; never used again */
	struct key_schema key;
	enum projection_type projection;
	struct slice *include; /* PROJECTION_INCLUDE: attribute names */
	size_t n_include;
	uint64_t read_units; /* GSI, if the table has provisioned throughput */
	uint64_t write_units;
	struct on_demand on_demand; /* GSI */
	struct warm warm;           /* GSI */
};

/* The backup from which a table was restored. */
struct restored {
	struct slice backup; /* its ID; empty: the table was not restored */
	struct slice table;  /* name of the table in the backup */
	uint64_t at_ms;      /* Unix time of the state that was restored */
};

/* A tag of a table. */
struct tag {
	struct slice key;
	struct slice value;
};

/*
 * Invariants: index IDs rise. An LSI has the table's partition key. Keys of the table and of LSIs have one attribute in
 * each part. A description from a server is not checked.
 */
struct schema {
	struct slice table; /* name */
	struct slice uuid;  /* TableId; also differs from that of an earlier table with this name */
	uint32_t id;        /* ID in keys; never used again */
	uint32_t version;   /* changes with every change of the definition */
	uint64_t created_ms; /* Unix time */
	bool provisioned;    /* billing mode PROVISIONED; else PAY_PER_REQUEST */
	uint64_t read_units; /* provisioned throughput */
	uint64_t write_units;
	uint64_t on_demand_ms; /* Unix time when it became PAY_PER_REQUEST; 0: never */
	bool creating;         /* it is being filled: no other code may read or write it yet */
	bool protected;        /* deletion protection is on */
	enum table_class table_class;
	uint64_t class_ms; /* Unix time when UpdateTable changed it; 0: never */
	struct on_demand on_demand;
	struct warm warm;
	struct encryption encryption;
	struct stream_setting stream;
	struct key_schema key;
	struct index *index;
	size_t n_index;
	uint16_t next_index;    /* ID of the next index that is added */
	struct slice ttl;       /* attribute of the time to live; empty: none */
	uint64_t recovery_ms;   /* Unix time since when point-in-time recovery is on; 0: off */
	uint32_t recovery_days; /* recovery period, if recovery is on */
	struct tag *tags;       /* keys are unique */
	size_t n_tags;
	struct restored restored;
	bool throttle;             /* refuse requests beyond its throughput */
	uint64_t collection_limit; /* bytes, if there is an LSI; 0: DynamoDB's 10 GB */
};

static inline bool
key_schema_has_sort(const struct key_schema *k)
{
	return k->sk[0].name.len > 0;
}

/**
 * schema_definition - return the input of CreateTable for a new table like @s
 * @table: name of the new table; borrowed
 *
 * It does not have IDs, times, states of indexes, or anything that other operations set (time to live, point-in-time
 * recovery, restored backup).
 * Memory:  in @a, and borrowed from @s
 */
struct schema *schema_definition(struct arena *a, const struct schema *s, struct slice table);

/** schema_warm - return the warm throughput of the table (@ix NULL) or of one of its GSIs */
struct warm schema_warm(const struct schema *s, const struct index *ix);

/** key_part_n - return the number of attributes of a partition key or sort key */
static inline size_t
key_part_n(const struct key_attr part[KEY_PART_MAX])
{
	size_t n = 0;

	while (n < KEY_PART_MAX && part[n].name.len > 0) {
		n++;
	}
	return n;
}

/** key_schema_n - return the number of attributes of a key */
static inline size_t
key_schema_n(const struct key_schema *k)
{
	return key_part_n(k->pk) + key_part_n(k->sk);
}

/** key_slot - return slot @i < KEY_ATTRS_MAX of a key, first pk, then sk; an empty name is no attribute */
static inline const struct key_attr *
key_slot(const struct key_schema *k, size_t i)
{
	return i < KEY_PART_MAX ? &k->pk[i] : &k->sk[i - KEY_PART_MAX];
}

/** key_schema_eq - return true if both have the same attributes, of the same types, in the same order */
bool key_schema_eq(const struct key_schema *a, const struct key_schema *b);

/** key_next - return the attribute of the key after @a, or the first one if @a is NULL; NULL after the last one */
const struct key_attr *key_next(const struct key_schema *k, const struct key_attr *a);

/* Iterate over the attributes of a key, first those of pk. */
/* NOLINTBEGIN(bugprone-macro-parentheses): the first argument is a name being declared */
#define key_each(attr_, key_) \
	for (const struct key_attr *attr_ = key_next((key_), NULL); attr_ != NULL; \
	     attr_ = key_next((key_), attr_))
/* NOLINTEND(bugprone-macro-parentheses) */

/** key_schema_attr - return the attribute @name of the key, or NULL */
const struct key_attr *key_schema_attr(const struct key_schema *k, struct slice name);

/** key_schema_has - return true if @name is an attribute of the key */
bool key_schema_has(const struct key_schema *k, struct slice name);

/**
 * item_with_key - return @it with the attributes of a table's key first
 * @key: its values of key attributes replace those of @it
 *
 * Memory: the array is in @a, the values are borrowed from @it and @key
 */
struct item item_with_key(struct arena *a, const struct key_schema *k, const struct item *it,
			  const struct item *key);

/** item_key_first - return @it with the attributes of a table's key first; @it itself if they are first */
struct item item_key_first(struct arena *a, const struct key_schema *k, const struct item *it);

/** schema_key - return the key of the table (@ix NULL) or of one of its indexes */
static inline const struct key_schema *
schema_key(const struct schema *s, const struct index *ix)
{
	return ix == NULL ? &s->key : &ix->key;
}

/**
 * schema_place - get the attributes that identify an item of the table (@ix NULL) or an index entry
 * @out: set to the attributes, in the order of struct key_values; a name may be there twice
 *
 * Return: the number of attributes
 */
size_t schema_place(const struct schema *s, const struct index *ix,
		    const struct key_attr *out[KEY_VALUES_MAX]);

/** stream_view_name - return DynamoDB's word for @view; "" for STREAM_NONE */
const char *stream_view_name(enum stream_view view);

/** stream_view_from_name - return the view for DynamoDB's word @name; STREAM_NONE for any other word */
enum stream_view stream_view_from_name(struct slice name);

/** schema_index - return the index @name, or NULL */
const struct index *schema_index(const struct schema *s, struct slice name);

/** schema_key_attr - return the attribute @name of the key of the table or of one of its indexes, or NULL */
const struct key_attr *schema_key_attr(const struct schema *s, struct slice name);

/** schema_local_indexes - return the number of LSIs */
size_t schema_local_indexes(const struct schema *s);

/** schema_view - return the index @name if it may be read (INDEX_ACTIVE), or NULL */
const struct index *schema_view(const struct schema *s, struct slice name);

/** schema_index_by_id - return the index with this ID in keys, or NULL */
const struct index *schema_index_by_id(const struct schema *s, uint16_t id);

/** schema_busy - return the index that is being built or deleted, at most one, or NULL */
const struct index *schema_busy(const struct schema *s);

/** schema_projects - return true if index @ix has the top-level attribute @name */
bool schema_projects(const struct schema *s, const struct index *ix, struct slice name);

/**
 * fail_empty_key - fail because a key attribute of the table (@ix NULL) or index has an empty value
 * @before: beginning of the message; may be ""
 *
 * Return: -ERR_VALIDATION
 */
int fail_empty_key(struct call *c, const char *before, const struct index *ix,
		   const struct key_attr *attr) must_check;

/** fail_key_type - fail because a key attribute of the table (@ix NULL) or index has another type; Return: -ERR_VALIDATION */
int fail_key_type(struct call *c, const struct index *ix, const struct key_attr *attr,
		  enum value_type actual) must_check;

/** schema_check_value - check that @v has the type of @attr and is not empty; Errors: those of the two functions above */
int schema_check_value(struct call *c, const struct index *ix, const struct key_attr *attr,
		       const struct value *v) must_check;

/** fail_billing - fail because capacity is missing (@provisioned), or given without the mode PROVISIONED */
int fail_billing(struct call *c, bool provisioned) must_check;

/** schema_copy - return a deep copy in @a */
struct schema *schema_copy(struct arena *a, const struct schema *s);

/** schema_name_characters - return true if @name has only letters, digits, '_', '-' and '.' */
bool schema_name_characters(struct slice name);

/**
 * schema_check - check a definition as CreateTable does
 *
 * Errors:  -ERR_VALIDATION  names, key types, number and names of indexes, LSI without a sort key, INCLUDE over 100
 *          names
 * Source:  BEHAVIOUR 1.15, 3.1, 4.2, 4.3, 4.6
 */
int schema_check(struct call *c, const struct schema *s) must_check;

/**
 * schema_check_index - check the index s->index[@at] by itself, and against the table and the indexes before it
 * @at: may be s->n_index while the indexes are read
 */
int schema_check_index(struct call *c, const struct schema *s, size_t at) must_check;

/** schema_check_index_key - check only name and key of the index s->index[@at] */
int schema_check_index_key(struct call *c, const struct schema *s, size_t at) must_check;

/** schema_check_definitions - check that no attribute is defined twice */
int schema_check_definitions(struct call *c, const struct key_attr *at, size_t n) must_check;

/** schema_check_counts - check the numbers of LSIs, GSIs and NonKeyAttributes */
int schema_check_counts(struct call *c, const struct schema *s) must_check;

/** schema_fail_no_range - fail because of an LSI in a table without a sort key */
int schema_fail_no_range(struct call *c) must_check;

/**
 * schema_check_warm - check the WarmThroughput of a table, or of @index unless that is empty
 * @asked: the requested throughput; 0 is not requested
 * @least: the minimum
 * @what:  name of the minimum, for the message
 */
int schema_check_warm(struct call *c, struct warm asked, struct warm least, struct slice index,
		      const char *what) must_check;

/** schema_check_new_warm - check the WarmThroughput of a new table and of its GSIs */
int schema_check_new_warm(struct call *c, const struct schema *s) must_check;

/** schema_check_units - check the provisioned throughput of a table, or of @index unless that is empty */
int schema_check_units(struct call *c, uint64_t reads, uint64_t writes, struct slice index)
	must_check;

/**
 * key_from_item - append the values of key @k in @it to @out
 *
 * Return:  0, or 1 if an attribute is missing or of another type; then @out may have the first values
 */
int key_from_item(const struct key_schema *k, const struct item *it, struct key_values *out);

/** key_values_of - return pointers to @n <= KEY_VALUES_MAX values */
struct key_values key_values_of(const struct value *at, size_t n);

/**
 * index_key - append the values of the key of index @ix in @it to @out
 *
 * An item that is older than the index may have any value.
 * Return:  0, or 1 if an attribute is missing, of another type, empty or too long: the index skips the item
 */
int index_key(const struct index *ix, const struct item *it, struct key_values *out);

/**
 * item_project - return the attributes of @it that index @ix has, in the item's order
 *
 * Memory:  the array is in @a, the values are borrowed from @it
 */
struct item item_project(struct arena *a, const struct schema *s, const struct index *ix,
			 const struct item *it);

/** schema_settle - clear the on-demand limits of the table and its GSIs if throughput is provisioned */
void schema_settle(struct schema *s);

#endif
