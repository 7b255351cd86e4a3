/*
 * import_pipeline - records parsed in several threads, put in the order of the file
 *
 *   source_next() --chunk--> parsers (--jobs threads) --items, by ticket--> bulk_put()
 *
 * Whoever holds the next ticket puts; the others parse meanwhile.  So of two
 * lines with one key the last one wins, and after "stop" everything before
 * the bad line is in the table and nothing behind it.  With apply this holds
 * by chunk where the store refuses a line: a chunk is put, then deleted.
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
	unsigned jobs;       /* parsing threads, at least 1 */
	struct apply *apply; /* lines of incremental exports are applied; NULL: items are put */
	const struct derive *derive; /* attributes that are made; NULL: none */
	bool skip;                   /* report bad records and go on; else stop at the first */
};

struct import_result {
	uint64_t items;    /* put */
	uint64_t deleted;  /* with apply: keys; whether there were such items is not known */
	uint64_t older;    /* with apply: lines that newer ones of their keys made void */
	uint64_t rejected; /* lines, reported on stderr */
	bool of_record;    /* a record is to blame for the failure */
};

/**
 * import_run - everything the source has
 * @out: also filled on failure
 *
 * Errors:  that of the first bad record, with its place (without skip); -ERR_IO and others that are
 *          no record's fault
 */
int import_run(const struct import_options *o, struct call *c, struct import_result *out)
	__attribute__((warn_unused_result));

/**
 * import_peek - the first items of the source, without putting them; the source is not to be read on
 * @out: in the call's arena; they end before the first bad record
 *
 * Return: how many
 */
size_t import_peek(const struct import_options *o, struct call *c, struct item **out);

#endif
