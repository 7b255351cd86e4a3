/*
 * import_pipeline - parses records in several threads, and puts them in the order of the file
 *
 *   source_next() --chunk--> parsers (--jobs threads) --items, by ticket--> bulk_put()
 *
 * The thread with the next ticket puts its items while the others parse.  So the last of two lines with one key wins,
 * and after a stop all lines before the bad one are in the table and none after it.  With apply, if the store refuses a
 * line, this holds only for whole chunks, because the items of a chunk are put before its deletes run.
 */
#ifndef TOOLS_LOAD_IMPORT_PIPELINE_H
#define TOOLS_LOAD_IMPORT_PIPELINE_H

#include "tools/load/derive.h"
#include "tools/load/source.h"
#include "tools/system/progress.h"
#include "tools/write/apply.h"
#include "tools/write/bulk.h"

struct import_options {
	struct bulk *bulk;
	struct source *source;
	struct progress *progress;
	unsigned jobs;               /* parsing threads, at least 1 */
	struct apply *apply;         /* apply lines of incremental exports; NULL: put items */
	const struct derive *derive; /* attributes to add; NULL: none */
	bool skip; /* report bad records and continue; else stop at the first one */
};

struct import_result {
	uint64_t items;    /* put */
	uint64_t deleted;  /* with apply: keys that were deleted; the items may not have existed */
	uint64_t older;    /* with apply: lines superseded by newer lines with the same key */
	uint64_t rejected; /* lines, reported on stderr */
	bool of_record;    /* the failure was caused by a record */
};

/**
 * import_run - import all records of the source; reads in the calling thread
 * @out: also set on failure
 *
 * Errors:  that of the first bad record, with its place (without skip); -ERR_IO and others that no record causes
 */
int import_run(const struct import_options *o, struct call *c, struct import_result *out)
	must_check;

/**
 * import_peek - return the first items of the source without putting them; do not use the source afterwards
 * @out: in the arena of the call; the items before the first bad record
 *
 * Return: the number of items
 */
size_t import_peek(const struct import_options *o, struct call *c, struct item **out);

#endif
