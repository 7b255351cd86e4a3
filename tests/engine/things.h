/* things - a table that the suites about reads share, on every engine */
#ifndef TESTS_ENGINE_THINGS_H
#define TESTS_ENGINE_THINGS_H

#include "store/model/item.h"

#include "tests/engine/engines.h"

enum {
	THINGS_PARTITIONS = 5,
	THINGS_SORTS = 12,
	THINGS = THINGS_PARTITIONS * THINGS_SORTS,
	THINGS_NOW_MS = 1600000000,
	THINGS_BUDGET = 1 << 30,
};

/* The call of a test; the two functions below open and close it. */
extern struct call things_call;

void things_setup(void);
void things_teardown(void);

/** things_text - return the string @prefix followed by @n; in the arena of the call */
struct value things_text(const char *prefix, unsigned n);
struct value things_number(unsigned n);

/** things_create - create the table "Things" with the key P, S and the indexes Local (P, X) and Global (Y) */
void things_create(struct testee *t);

void things_load(struct testee *t, const struct item *items, size_t n);

/** things_fill - create the table with THINGS_PARTITIONS times THINGS_SORTS items */
void things_fill(struct testee *t);

/** things_page - return one page of a Query or Scan; @limit 0: no limit */
struct page things_page(struct testee *t, const struct op_in *in, uint32_t limit,
			struct item start);

#endif
