/*
 * fake - an engine for the tests of tools: integers as items, with faults on demand
 *
 * Query and Scan return pages of {"n": i}; LoadItems records its items; updates are
 * counted.  Several threads may call it.
 */
#ifndef TESTS_TOOLS_FAKE_H
#define TESTS_TOOLS_FAKE_H

#include "store/engine/engine.h"

enum { FAKE_LOADED_MAX = 100000 };

struct fake {
	struct engine base;
	pthread_mutex_t m;
	/* Query and Scan: stream s (its partition, or segment) has the items s, s+step, ... */
	int step;
	int items;     /* of each stream */
	int page;      /* maximum items per page */
	int fail_page; /* number of the page that fails, from 1; 0: none */
	int pages;     /* returned so far */
	/* LoadItems */
	bool no_load;   /* LoadItems is unknown, as at a foreign endpoint */
	int refuse;     /* a batch with {"n": refuse} is refused; 0: none */
	int leave;      /* number of BatchWriteItem that leave their second half unprocessed */
	int fail;       /* number of BatchWriteItem that fail */
	int break_down; /* from this item on writes fail with an I/O error; 0: none */
	int *loaded;    /* FAKE_LOADED_MAX: the "n" of each item, in order */
	int *times;     /* the "t" of each, in the same order; 0: none */
	size_t n_loaded;
	int twice; /* number of repeated keys in a BatchWriteItem */
	int syncs;
	/* ChangeItems and UpdateItem, of a table with the key "n" */
	enum err change_fails; /* error of ChangeItems after its changes; ERR_NONE: success */
	int changed;           /* number of keys changed by either */
};

void fake_init(struct fake *f);
void fake_release(struct fake *f);

/** fake_number - the "n" of an item */
int fake_number(const struct item *it);

#endif
