/*
 * shapes - kinds of items of a table or index, derived from its data
 *
 *   PK              SK             items  attributes
 *   CUSTOMER#<id>   CUSTOMER#<id>    120  Name S, Email S 98 %
 *   CUSTOMER#<id>   ORDER#<date>   1,022  Amount N, Status S
 *
 * A template of a key has fixed words and placeholders: <id> <text> <n> <date> <timestamp> <uuid> <ulid> <ksuid>
 * <email> <hash> <url> <binary>.  Used by itemctl shapes, itemctl draw and the pages.
 *
 * A large table is sampled with pages from its whole range of keys.  Memory and time depend only on the sample.
 */
#ifndef STORE_PAGE_SHAPES_H
#define STORE_PAGE_SHAPES_H

#include "store/engine/engine.h"

enum {
	SHAPES_SAMPLE = 20000,          /* number of items in a sample, by default */
	SHAPES_SAMPLE_MOST = 200000,    /* likewise, at most */
	SHAPES_MOST = 200,              /* kinds, at most; the rarest are left out and counted */
	SHAPE_ATTRS_MOST = 200,         /* attributes of one kind; likewise */
	SHAPE_EXAMPLES = 2,             /* examples of one kind, in different collections */
	SHAPE_EXAMPLE_SIZE = 16 * 1024, /* bytes; of a larger example only the key is shown */
};

/* An attribute of a kind; .name is as stored, so it needs escaping. */
struct shape_attr {
	struct slice name;
	uint64_t items;              /* number of items of the kind that have it, in the sample */
	uint64_t types[VALUE_TYPES]; /* these items by the type of the value */
};

/* One kind of items.  Texts contain stored words, so they need escaping. */
struct shape {
	/* Value of an attribute such as EntityType, else the words of its key; empty: no kind has such an attribute. */
	struct slice name;
	struct slice pk; /* template; those of several attributes are joined by " + " */
	struct slice sk; /* likewise; empty: no sort key */
	uint64_t items;  /* number in the sample */
	/* Attributes except the keys of the table and of the view, most frequent first. */
	struct shape_attr *attrs;
	size_t n_attrs;
	size_t attrs_left_out;
	/* For each index of the schema: how many items of the kind it has.  NULL: the view lacks some attributes. */
	const uint64_t *in_index;
	/* Keys, in the view and of the table, of items in different collections. */
	struct item keys[SHAPE_EXAMPLES];
	size_t n_keys; /* at least 1 */
};

struct shapes {
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct shape *at;          /* most frequent first */
	size_t n;
	size_t left_out;         /* number of kinds that are not in @at */
	uint64_t items_left_out; /* number of their items */
	uint64_t sampled;        /* number of items that were read */
	uint64_t total; /* approximate number of items of the table or index, from DescribeTable */
	bool whole;     /* all items were read */
};

struct shapes_options {
	struct slice index; /* empty: the table itself */
	size_t sample; /* number of items to read; 0: SHAPES_SAMPLE; at most SHAPES_SAMPLE_MOST */
};

/**
 * shapes_find - read a table or a sample of it, and derive its kinds
 * @table: result of DescribeTable; borrowed by @out
 *
 * Return:  0
 * Errors:  -ERR_NO_INDEX  the index does not exist or is not complete;  -ERR_BUSY  the call was given up;
 *          those of Scan
 * Memory:  @out is in @c; the sample takes about 1 KB per item, which is freed
 * Thread:  any that may wait for the engine
 */
int shapes_find(struct call *c, struct engine *e, const struct table_info *table,
		const struct shapes_options *o, struct shapes *out) must_check;

/**
 * shape_example - read the item of the first key of a kind
 * @out: the item; only its key if the item is larger than SHAPE_EXAMPLE_SIZE, does not exist, or may not be read
 *
 * Return:  0
 * Errors:  those of GetItem except -ERR_ACCESS
 * Memory:  that of @c
 */
int shape_example(struct call *c, struct engine *e, const struct schema *s,
		  const struct shape *shape, struct item *out) must_check;

/** shapes_note - append "12 kinds, from a sample of 20,000 of about 12,000,000 items" or "3 kinds of 108 items" */
void shapes_note(const struct shapes *s, struct buf *out);

/** shape_put_attr - append the types of an attribute and their shares: "S", "N 98%, S 1%" */
void shape_put_attr(const struct shape *s, const struct shape_attr *a, struct buf *out);

/** shape_put_share - append nothing if @n is @of, else " 40%" */
void shape_put_share(struct buf *out, uint64_t n, uint64_t of);

#endif
