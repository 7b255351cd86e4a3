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
#ifndef TOOLS_APPLY_H
#define TOOLS_APPLY_H

#include "store/base/json.h"
#include "store/model/item.h"

#include "tools/bulk.h"

/* What one line says. */
struct apply_line {
	uint64_t micros; /* when it was written */
	bool deleted;    /* its item is a key */
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

enum { APPLY_NONE = SIZE_MAX };

/**
 * apply_newest - the lines come in this order: is this one the newest of its key so far?
 * @id:    tells lines from each other
 * @older: the line that was the newest before; APPLY_NONE: none was
 */
bool apply_newest(struct apply *a, const struct apply_line *line, const struct item *it, size_t id,
		  size_t *older);

/** apply_delete - delete @keys, of which none comes twice; durable after bulk_sync() */
int apply_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n)
	__attribute__((warn_unused_result));

#endif
