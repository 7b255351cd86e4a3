/*
 * recorder - engine wrapper that records the requests of a command, and executes those that its mode allows
 *
 * Used by run --all, which looks for Scans, by --explain, and by cost.  Pages and shards of a Query share one record.
 */
#ifndef TOOLS_EXPLAIN_RECORDER_H
#define TOOLS_EXPLAIN_RECORDER_H

#include "store/engine/engine.h"

enum { RECORDER_KEYS = 10 };

enum recorder_mode {
	RECORDER_ALL,     /* execute every request */
	RECORDER_READS,   /* execute reads; answer writes as done */
	RECORDER_NOTHING, /* answer writes as done, and reads as empty */
	/*
	 * Answer writes as done, so that the command goes on to its last item.  Execute the first page of a Query, and answer it
	 * as empty, so that the command reads no other page.  A Scan or GetItem ends the command with an error, and sets
	 * @skipped, since the first one is sufficient.  Any other operation that writes or reports capacity fails.
	 */
	RECORDER_COST,
};

struct record {
	struct record *next;
	enum op_type type;
	bool consistent;
	bool writes;
	bool read;                        /* it was executed */
	struct slice table;               /* empty: a transaction or a statement */
	struct slice index;               /* empty: the table itself */
	struct slice keys[RECORDER_KEYS]; /* conditions, with names and values for placeholders */
	size_t n_keys;                    /* of all shards; keys[] has the first ones in order */
	struct slice filter;              /* likewise; empty: none */
	uint64_t pages;                   /* requests */
	uint64_t count;                   /* items after the filter */
	uint64_t scanned;                 /* items before it */
	uint64_t halves;                  /* half units, of reads or writes */
	uint64_t limit;                   /* Scan: items that all segments read at most; 0: all */
	bool more;                        /* Query: pages follow that were not read */
	/* For RECORDER_COST alone; the writes of one type to one table share a record. */
	uint64_t kb;      /* sizes of written items, each rounded up */
	uint64_t unsized; /* written items of unknown size */
};

struct recorder {
	enum recorder_mode mode;
	pthread_mutex_t lock;
	struct arena arena;
	struct record *first;
	struct record **end;
	uint64_t scans;      /* Scan requests */
	uint64_t statements; /* PartiQL requests, which may be Scans */
	bool skipped;        /* a request was not executed */
};

/** recorder_init - start without records; pair with recorder_release() */
void recorder_init(struct recorder *r, enum recorder_mode mode);
void recorder_release(struct recorder *r);

/** recorder_open - wrap an engine; engine_close() closes @below, too; @r is borrowed; Thread: any may use the engine */
struct engine *recorder_open(struct engine *below, struct recorder *r);

/** recorder_close - free the wrapper only; Return: the engine below */
struct engine *recorder_close(struct engine *engine);

#endif
