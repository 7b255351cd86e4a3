/*
 * fake - an engine for the tests of tools: integers as items, with faults on demand
 *
 * Query and Scan answer pages of {"n": i}; LoadItems remembers what it was
 * given; updates are counted.  May be asked from several threads.
 */
#ifndef TESTS_TOOLS_FAKE_H
#define TESTS_TOOLS_FAKE_H

#include <pthread.h>

#include "store/engine/engine.h"

enum { FAKE_LOADED_MAX = 100000 };

struct fake {
	struct engine base;
	pthread_mutex_t m;
	/* Query and Scan: stream s (its partition, or segment) has the items s, s+step, ... */
	int step;
	int items;     /* of each stream */
	int page;      /* items of one page at most */
	int fail_page; /* the n-th page of all fails, from 1; 0: none */
	int pages;     /* answered so far */
	/* LoadItems */
	bool no_load;   /* not known, as at a foreign endpoint */
	int refuse;     /* a batch with {"n": refuse} is refused; 0: none */
	int leave;      /* so many BatchWriteItem leave their second half unprocessed */
	int fail;       /* so many BatchWriteItem fail */
	int break_down; /* from this item on nothing is written any more: an I/O error; 0: none */
	int *loaded;    /* FAKE_LOADED_MAX: the "n" of each item, in order */
	int *times;     /* likewise the "t" of each; 0: none */
	size_t n_loaded;
	int twice; /* keys that stood in a BatchWriteItem before */
	int syncs;
	/* ChangeItems and UpdateItem, of a table with the key "n" */
	enum err change_fails; /* so ChangeItems ends when it is done; ERR_NONE: as it should */
	int changed;           /* keys, by either */
};

void fake_init(struct fake *f);
void fake_release(struct fake *f);

/** fake_number - the "n" of an item */
int fake_number(const struct item *it);

#endif
