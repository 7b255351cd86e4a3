/*
 * shapes - which kinds of items a table or index has, derived from its data
 *
 *   PK              SK             items  attributes
 *   CUSTOMER#<id>   CUSTOMER#<id>    120  Name S, Email S 98 %
 *   CUSTOMER#<id>   ORDER#<date>   1,022  Amount N, Status S
 *
 * A template of a key has fixed words and placeholders: <id> <text> <n> <date> <timestamp> <uuid> <ulid> <ksuid>
 * <email> <hash> <url> <binary>.  For itemctl shapes, itemctl draw and the pages of a browser.
 *
 * A large table is sampled: pages from all over its keys.  Memory and time depend on the sample alone.
 */
#ifndef STORE_PAGE_SHAPES_H
#define STORE_PAGE_SHAPES_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"

enum {
	SHAPES_SAMPLE = 20000,          /* items, unless the caller says another number */
	SHAPES_SAMPLE_MOST = 200000,    /* at most */
	SHAPES_MOST = 200,              /* kinds; the rarest are left out and counted */
	SHAPE_ATTRS_MOST = 200,         /* attributes of one kind; likewise */
	SHAPE_EXAMPLES = 2,             /* of one kind, in different collections */
	SHAPE_EXAMPLE_SIZE = 16 * 1024, /* bytes of an example that is shown whole */
};

/* An attribute of a kind: .name is as stored, so it needs escaping. */
struct shape_attr {
	struct slice name;
	uint64_t items;              /* of the kind that have it, in the sample */
	uint64_t types[VALUE_TYPES]; /* items by the type of its value */
};

/* One kind of items.  Texts are as stored where they are fixed, so they need escaping. */
struct shape {
	struct slice
		name; /* by an attribute such as EntityType, else the words of its key; empty: no kind has such an attribute */
	struct slice pk; /* template; several attributes are joined by " + " */
	struct slice sk; /* likewise; empty: no sort key */
	uint64_t items;  /* in the sample */
	struct shape_attr
		*attrs; /* without the keys of the table and of the view; most frequent first */
	size_t n_attrs;
	size_t attrs_left_out;
	/* For each index of the schema: items of the kind that it has.  NULL: the view is an index without all attributes. */
	const uint64_t *in_index;
	struct item keys
		[SHAPE_EXAMPLES]; /* keys in the view, and of the table, of items in different collections */
	size_t n_keys;
};

struct shapes {
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct shape *at;          /* the most items first */
	size_t n;
	size_t left_out;         /* kinds */
	uint64_t items_left_out; /* items of these */
	uint64_t sampled;        /* items that were read */
	uint64_t total;          /* items of the table or index, about, as DescribeTable tells */
	bool whole;              /* all of them were read */
};

struct shapes_options {
	struct slice index; /* empty: the table itself */
	size_t sample;      /* items to read; 0: SHAPES_SAMPLE; at most SHAPES_SAMPLE_MOST */
};

/**
 * shapes_find - read a table or a sample of it, and derive its kinds
 * @table: as DescribeTable answered; borrowed by the result
 *
 * Errors:  -ERR_NO_INDEX  there is no such index, or it is not complete; those of Scan
 * Memory:  of @out: @c's; of the sample: its own, about 1 KB an item, freed
 * Thread:  any but one that must not wait
 */
int shapes_find(struct call *c, struct engine *e, const struct table_info *table,
		const struct shapes_options *o, struct shapes *out)
	__attribute__((warn_unused_result));

/**
 * shape_example - read an item of the kind, the first of its keys
 * @out: the item; or its key, if it is larger than SHAPE_EXAMPLE_SIZE, is gone, or may not be read
 *
 * Errors:  those of GetItem
 * Memory:  @c's
 */
int shape_example(struct call *c, struct engine *e, const struct schema *s,
		  const struct shape *shape, struct item *out) __attribute__((warn_unused_result));

/** shapes_note - "12 kinds, from a sample of 20,000 of about 12,000,000 items", "3 kinds of 108 items" */
void shapes_note(const struct shapes *s, struct buf *out);

/** shape_put_attr - how an attribute occurs, without its name: "S", "N 98%, S 1%" */
void shape_put_attr(const struct shape *s, const struct shape_attr *a, struct buf *out);

/** shape_put_share - nothing if @n is all of @of, else " 40%" */
void shape_put_share(struct buf *out, uint64_t n, uint64_t of);

#endif
