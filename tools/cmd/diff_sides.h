/* diff_sides - the two tables or stores that diff compares: finds and opens them, and checks their keys */
#ifndef TOOLS_CMD_DIFF_SIDES_H
#define TOOLS_CMD_DIFF_SIDES_H

#include "tools/session/ctl.h"
#include "tools/system/scratch_store.h"

struct key_schema;

struct diff_side {
	struct ctl ctl; /* with the store of this side */
	struct slice table;
};

struct diff_sides {
	struct ctl *ctl; /* of the command */
	struct diff_side side[2];
	bool stores; /* all tables of both stores are compared */
	struct scratch
		scratch; /* store with the items of a file; its path is NULL if there is none */
};

/**
 * diff_sides_find - set store and table of side @i, 0 before 1
 * @word: TABLE, STORE/TABLE or STORE; STORE alone as the second word means its table of the same name
 */
int diff_sides_find(struct diff_sides *d, struct call *c, unsigned i, const char *word) must_check;

/**
 * diff_sides_open - open the stores; both sides share an engine if they are one store
 *
 * Return: 0; -ERR_USAGE  a table is missing, or both sides are the same; the errors of store_open()
 */
int diff_sides_open(struct diff_sides *d, struct call *c) must_check;

/** diff_sides_close - close the engines and remove the temporary store; also after an error */
void diff_sides_close(struct diff_sides *d);

/**
 * diff_sides_key - the key of both tables; a file of items becomes a table of a temporary store
 * @out: in the call's arena
 *
 * Return: 0; -ERR_USAGE  the keys differ; the errors of DescribeTable and of import
 */
int diff_sides_key(struct diff_sides *d, struct call *c, const struct key_schema **out) must_check;

#endif
