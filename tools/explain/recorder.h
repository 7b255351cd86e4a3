/*
 * recorder - an engine that notes which requests a command makes, and carries out as many as it may
 *
 * For run --all, which looks for a Scan, and for --explain.  Pages and shards of one Query are one record.
 */
#ifndef TOOLS_EXPLAIN_RECORDER_H
#define TOOLS_EXPLAIN_RECORDER_H

#include <pthread.h>

#include "store/engine/engine.h"

enum { RECORDER_KEYS = 10 };

enum recorder_mode {
	RECORDER_ALL,     /* every request is carried out */
	RECORDER_READS,   /* writes are answered as if they were done */
	RECORDER_NOTHING, /* reads, too, as if there were nothing */
};

struct record {
	struct record *next;
	enum op_type type;
	bool consistent;
	bool writes;
	bool read;                        /* it was carried out */
	struct slice table;               /* empty: of a transaction or a statement */
	struct slice index;               /* empty: the table itself */
	struct slice keys[RECORDER_KEYS]; /* conditions, with names and values in place */
	size_t n_keys;                    /* of all shards; the first ones in order are kept */
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
	uint64_t scans;      /* requests that are a Scan */
	uint64_t statements; /* requests that hold PartiQL, which may be one */
};

/** recorder_init - nothing noted yet; pair with recorder_release() */
void recorder_init(struct recorder *r, enum recorder_mode mode);
void recorder_release(struct recorder *r);

/** recorder_open - @below is closed with it; @r is borrowed */
struct engine *recorder_open(struct engine *below, struct recorder *r);

/** recorder_close - let go of the engine alone; Return: the one below */
struct engine *recorder_close(struct engine *engine);

#endif
