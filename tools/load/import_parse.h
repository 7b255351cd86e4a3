/* import_parse - the records of a chunk as items: each thread of an import parses one chunk at a time */
#ifndef TOOLS_LOAD_IMPORT_PARSE_H
#define TOOLS_LOAD_IMPORT_PARSE_H

#include "tools/load/import_pipeline.h"
#include "tools/load/source.h"
#include "tools/write/apply.h"

/* The result of parsing a chunk. */
struct parsed {
	struct call call; /* memory of the items */
	struct item *items;
	const struct record **of; /* [i]: the record of the i-th item */
	struct apply_line *lines; /* [i]: with apply, the content of the line */
	bool *good;               /* [i]: the record was parsed, and the store has not refused it */
	size_t n;
	bool deletes;             /* the items are keys of items to be deleted */
	const struct record *bad; /* without skip: the record that ended parsing; else NULL */
};

/** import_parse_open - open the call of @p, and allocate room for @n items; the caller closes p->call */
void import_parse_open(struct parsed *p, uint64_t now_ms, size_t n);

/**
 * import_parse_record - parse one record, and make the attributes of o->derive
 * @line: with o->apply, gets the content of the line
 *
 * Runs in any thread.  Errors:  that of the record, without its place
 */
int import_parse_record(const struct import_options *o, struct call *c, const struct chunk *chunk,
			const struct record *record, struct apply_line *line, struct item *out)
	must_check;

/**
 * import_parse_chunk - parse all records of a chunk, without o->skip up to the first bad one
 * @p: opened here; the caller closes p->call
 *
 * Runs in any thread.  With o->skip, bad records stay in @p with good[i] == false; nothing is reported here.
 */
void import_parse_chunk(const struct import_options *o, uint64_t now_ms, const struct chunk *chunk,
			struct parsed *p);

#endif
