/*
 * apply - lines of incremental exports in any order: the newest line of each key is applied
 *
 *   {"Metadata":{"WriteTimestampMicros":{"N":"1700000000000000"}},"Keys":{...},"OldImage":{...},"NewImage":{...}}
 *
 * Without NewImage the item was deleted.  The time of the newest line of each key is kept in memory (about 100 bytes
 * per key), so that older lines which come later are ignored.
 *
 * Source: Developer Guide, "DynamoDB table export output format"
 */
#ifndef TOOLS_WRITE_APPLY_H
#define TOOLS_WRITE_APPLY_H

#include "store/base/text/json.h"
#include "store/model/schema.h"

enum { APPLY_NONE = SIZE_MAX };

/* The newest line of a key. */
struct apply_mark {
	uint64_t micros; /* time of the write */
	size_t id;       /* index among all lines; APPLY_NONE: there is no line */
};

/* One parsed line. */
struct apply_line {
	uint64_t micros; /* time of the write */
	bool deleted;    /* the item was deleted; there is only its key */
	/* Set by apply_choose(): */
	bool chosen;
	bool settled; /* set by the caller: do not choose it again */
	struct apply_mark
		before; /* if chosen: the newest line before this call of apply_choose() */
};

/**
 * apply_parse - parse a line; Thread: any
 * @out: the new item, or the key of a deleted one
 *
 * Errors: -ERR_VALIDATION  not such a line; those of item_from_typed_json()
 */
int apply_parse(struct call *c, const struct json *json, const struct key_schema *key,
		struct apply_line *line, struct item *out) must_check;

struct apply;

/** apply_new - a table of keys, empty; @key: borrowed; free it with apply_free() */
struct apply *apply_new(const struct key_schema *key);
void apply_free(struct apply *a);

/**
 * apply_choose - choose the newest of @n lines for each key, unless an earlier call has seen a newer one
 * @first: index of lines[0] among all lines
 * @lines: settled lines are skipped
 *
 * If two lines have the same time, the later line is newer.
 */
void apply_choose(struct apply *a, size_t first, struct apply_line *lines, const struct item *items,
		  size_t n);

/** apply_refused - undo the choice of a line, so that an older line of its key can be chosen */
void apply_refused(struct apply *a, struct apply_line *line, const struct item *it);

#endif
