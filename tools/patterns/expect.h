/*
 * expect - expected results of an access pattern, for "itemctl run --all"
 *
 *   expect with genre=Crime, 2 items, at most 1.5 read units, no Scan
 *   expect first Song=Blue
 *   expect first {"PK":"C1","SK":"OPEN#2"}
 *
 *   [exactly | at least | at most] NUMBER items | requests | units | read units | write units
 */
#ifndef TOOLS_PATTERNS_EXPECT_H
#define TOOLS_PATTERNS_EXPECT_H

#include "store/engine/meter.h"

#include "tools/cli/opts.h"

enum expect_kind {
	EXPECT_ITEMS,
	EXPECT_REQUESTS,
	EXPECT_UNITS, /* read and write units */
	EXPECT_READ_UNITS,
	EXPECT_WRITE_UNITS,
	EXPECT_NO_SCAN,
	EXPECT_FIRST,
};

enum expect_compare { EXPECT_EXACTLY, EXPECT_AT_LEAST, EXPECT_AT_MOST };

struct expectation {
	enum expect_kind kind;
	enum expect_compare compare;
	double n;
	struct slice first; /* an item as JSON, or NAME=VALUE */
	struct slice text;  /* as written in the file */
};

struct expect {
	struct expectation *at;
	size_t n;
	size_t cap;
	struct words with; /* parameters of the run, "name=value" each */
};

/* Results of a run */
struct expect_found {
	uint64_t items;
	struct meter_sums sums;
	uint64_t scans;
	uint64_t statements;
	struct slice first; /* first line of the output; empty: no output */
};

/**
 * expect_parse - parse the text after the word "expect", and add its expectations to @out
 *
 * Return: 0; -ERR_USAGE
 */
int expect_parse(struct call *c, struct slice text, struct expect *out) must_check;

/**
 * expect_holds - return true if the result is as expected; else append "expected 2 items, found 3" or a similar text to
 * @why
 */
bool expect_holds(struct call *c, const struct expectation *e, const struct expect_found *found,
		  struct buf *why);

#endif
