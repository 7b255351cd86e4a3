/* schema - what is declared of a table: its key, its indexes */
#ifndef STORE_MODEL_SCHEMA_H
#define STORE_MODEL_SCHEMA_H

#include "store/model/item.h"

/* A key attribute: its type is S, N or B. */
struct key_attr {
	struct slice name;
	enum value_type type;
};

struct key_schema {
	struct key_attr pk; /* partition key */
	struct key_attr sk; /* sort key; name is empty when there is none */
};

enum table_class { CLASS_STANDARD, CLASS_INFREQUENT_ACCESS };

enum projection_type { PROJECTION_ALL, PROJECTION_KEYS_ONLY, PROJECTION_INCLUDE };

struct index {
	struct slice name;
	bool global; /* GSI; else LSI */
	uint16_t id; /* in keys; 1.. within its table, never used again */
	struct key_schema key;
	enum projection_type projection;
	struct slice *include; /* PROJECTION_INCLUDE: attribute names */
	size_t n_include;
};

/*
 * Invariants: index ids rise; an LSI has the table's partition key.
 */
struct schema {
	struct slice table;  /* name */
	uint32_t id;         /* in keys; never used again */
	uint32_t version;    /* changes with every change of the definition */
	uint64_t created_ms; /* Unix time */
	bool provisioned;    /* billing mode PROVISIONED; else PAY_PER_REQUEST */
	uint64_t read_units; /* provisioned throughput, informative */
	uint64_t write_units;
	uint64_t on_demand_ms; /* when it became PAY_PER_REQUEST, Unix time; 0: never */
	bool protected;        /* from deletion */
	enum table_class class;
	struct key_schema key;
	struct index *index;
	size_t n_index;
};

static inline bool
key_schema_has_sort(const struct key_schema *k)
{
	return k->sk.name.len > 0;
}

/** key_schema_has - is @name one of the key's attributes? */
static inline bool
key_schema_has(const struct key_schema *k, struct slice name)
{
	return slice_eq(k->pk.name, name) || (key_schema_has_sort(k) && slice_eq(k->sk.name, name));
}

/** schema_key - the key of the table (@ix NULL) or of one of its indexes */
static inline const struct key_schema *
schema_key(const struct schema *s, const struct index *ix)
{
	return ix == NULL ? &s->key : &ix->key;
}

/** schema_index - the index called @name, or NULL */
const struct index *schema_index(const struct schema *s, struct slice name);

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
 * INCLUDE over 100 names Source:  behaviour list 1.15, 3.1, 4.2, 4.3, 4.6
 */
int schema_check(struct call *c, const struct schema *s) __attribute__((warn_unused_result));

/**
 * key_from_item - the values of key @k in @it
 * @sk: set to NULL when the key has no sort part
 *
 * Return:  0, or 1 when an attribute is missing or of another type (a sparse index skips the item).
 */
int key_from_item(const struct key_schema *k, const struct item *it, const struct value **pk,
		  const struct value **sk);

/**
 * item_project - the attributes of @it that index @ix holds, in the item's order
 *
 * Memory:  @out's array is in the arena; the values are @it's.
 */
struct item item_project(struct arena *a, const struct schema *s, const struct index *ix,
			 const struct item *it);

#endif
