/*
 * apply - the lines of incremental exports, in any order, applied as their times say
 *
 *   {"Metadata":{"WriteTimestampMicros":{"N":"1700000000000000"}},"Keys":{...},"OldImage":{...},"NewImage":{...}}
 *
 * Without NewImage the item was deleted.  Of each key the newest line counts: its time is kept, some 100 bytes a key,
 * and what comes later and is older is passed over.
 *
 * Source: Developer Guide, "DynamoDB table export output format"
 */
#ifndef TOOLS_WRITE_APPLY_H
#define TOOLS_WRITE_APPLY_H

#include "store/base/text/json.h"
#include "store/model/item.h"

#include "tools/write/bulk.h"

enum { APPLY_NONE = SIZE_MAX };

/* The newest line of a key. */
struct apply_mark {
	uint64_t micros; /* when it was written */
	size_t id;       /* APPLY_NONE: there is no line */
};

/* What one line says. */
struct apply_line {
	uint64_t micros; /* when it was written */
	bool deleted;    /* its item is a key */
	/* apply_choose() */
	bool chosen;
	bool settled; /* it is not to be chosen any more */
	struct apply_mark
		before; /* of a chosen one: what it took the place of, in what came before */
};

/**
 * apply_parse - a line
 * @out: the item as it became; or its key
 *
 * Errors: -ERR_VALIDATION and others of items
 */
int apply_parse(struct call *c, const struct json *json, const struct key_schema *key,
		struct apply_line *line, struct item *out) __attribute__((warn_unused_result));

struct apply;

struct apply *apply_new(const struct key_schema *key);
void apply_free(struct apply *a);

/**
 * apply_choose - choose the newest of each key of @n lines, unless one that came before them is newer; of two with one time, the later line
 * @first: the place of lines[0] among all lines
 * @lines: those that are settled are passed over
 */
void apply_choose(struct apply *a, size_t first, struct apply_line *lines, const struct item *items,
		  size_t n);

/** apply_refused - a chosen line counts no more: older ones of its key may be chosen then */
void apply_refused(struct apply *a, struct apply_line *line, const struct item *it);

/** apply_delete - as bulk_put(): delete @keys, of which none comes twice */
int apply_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n, size_t *done)
	__attribute__((warn_unused_result));

#endif
