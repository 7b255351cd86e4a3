/*
 * recorder - engine wrapper that records the requests of a command, and executes those that its mode allows
 *
 * Used by run --all, which looks for Scans, and by --explain.  Pages and shards of a Query share one record.
 */
#ifndef TOOLS_EXPLAIN_RECORDER_H
#define TOOLS_EXPLAIN_RECORDER_H

#include <pthread.h>

#include "store/engine/engine.h"

enum { RECORDER_KEYS = 10 };

enum recorder_mode {
	RECORDER_ALL,     /* execute every request */
	RECORDER_READS,   /* execute reads; answer writes as done */
	RECORDER_NOTHING, /* answer writes as done, and reads as empty */
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
};

struct recorder {
	enum recorder_mode mode;
	pthread_mutex_t lock;
	struct arena arena;
	struct record *first;
	struct record **end;
	uint64_t scans;      /* Scan requests */
	uint64_t statements; /* PartiQL requests, which may be Scans */
};

/** recorder_init - start without records; pair with recorder_release() */
void recorder_init(struct recorder *r, enum recorder_mode mode);
void recorder_release(struct recorder *r);

/** recorder_open - wrap an engine; engine_close() closes @below, too; @r is borrowed; Thread: any may use the engine */
struct engine *recorder_open(struct engine *below, struct recorder *r);

/** recorder_close - free the wrapper only; Return: the engine below */
struct engine *recorder_close(struct engine *engine);

#endif
