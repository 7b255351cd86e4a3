/*
 * make - random tables and requests as JSON texts, the same for the same seed
 *
 * case.c draws whole cases, table.c tables and changes of them, make.c requests, expression.c the expressions in them,
 * legacy.c what came before those, statement.c PartiQL, value.c the values.
 */
#ifndef TESTS_ORACLE_MAKE_H
#define TESTS_ORACLE_MAKE_H

#include "store/base/text/json.h"

/* What is drawn beside what every endpoint has. */
struct make_options {
	unsigned steps;  /* requests between those that make the tables and those that read all */
	unsigned broken; /* percent of them with one random fault */
	bool updates;    /* UpdateItem, alone and in transactions */
	bool capacity;   /* ReturnConsumedCapacity */
	bool statements; /* PartiQL */
	bool tables;     /* UpdateTable */
	bool legacy;     /* KeyConditions, Expected, AttributeUpdates ... in some requests */
};

struct request {
	const char *op;
	struct slice body;
	bool pages;        /* LastEvaluatedKey is followed and the pages are compared as one */
	const char *order; /* items may stand in any order that agrees on this attribute; "": any */
};

struct requests {
	struct request *at;
	size_t n;
	size_t cap;
};

/** make_requests - one case: CreateTable, random requests, what is in the tables in the end */
void make_requests(struct call *c, uint64_t seed, const struct make_options *o,
		   struct requests *out);

/**
 * make_without - @tree as text, changed at its node number @k (the root is 0, then depth first)
 * @instead: text in the node's place; empty: the node is left out
 */
struct slice make_without(struct call *c, const struct json *tree, size_t k, struct slice instead);

/* ------------------------------------------------------------ between the files that draw */

enum { MAKE_INDEXES = 6 };

struct make_index {
	const char *name;
	const char *hash;
	const char *range; /* or NULL */
};

struct make_table {
	char name[32];
	char types[2]; /* of "pk" and "sk": 'S', 'N' or 'B'; 0: there is no "sk" */
	struct make_index index[MAKE_INDEXES];
	size_t n_indexes;
};

struct make {
	struct call *c;
	uint64_t random;
	const struct make_options *o;
	struct make_table table[2];
	struct requests *out;
};

/** make_create_table - a random table, noted in @t */
struct request make_create_table(struct make *m, struct make_table *t);

/** make_update_table - the members of a random change of a table */
void make_update_table(struct make *m, struct json_writer *w);

/** make_request - any request of the tables */
struct request make_request(struct make *m);

/** make_pick - 0 to @n - 1 */
size_t make_pick(struct make *m, size_t n);
bool make_chance(struct make *m, unsigned percent);

/** make_value - any typed value; @depth: how deep it may nest */
void make_value(struct make *m, struct buf *b, int depth);

/** make_key_value - a value of an attribute of that type, from few, so that keys meet */
void make_key_value(struct make *m, struct buf *b, char type);

/** make_type - the type of a key attribute of the table or of its indexes */
char make_type(const struct make_table *t, const char *name);

/* The expressions of one request, and the placeholders that they use. */
struct expressions {
	struct make *m;
	struct buf names;
	struct buf values;
	unsigned n;
};

void expressions_begin(struct expressions *x, struct make *m);

/** expressions_end - write the two maps, where something is in them */
void expressions_end(struct expressions *x, struct json_writer *w);

/* Each writes one parameter. */
void expression_condition(struct expressions *x, struct json_writer *w, const char *parameter);
void expression_projection(struct expressions *x, struct json_writer *w);
void expression_update(struct expressions *x, struct json_writer *w);
void expression_key(struct expressions *x, struct json_writer *w, const struct make_table *t,
		    const char *hash, const char *range);

/** statement_alone - the members of an ExecuteStatement; sets @r->pages of one that reads */
void statement_alone(struct make *m, struct json_writer *w, struct request *r);

/** statement_several - a batch or a transaction */
void statement_several(struct make *m, struct json_writer *w, const char *list, bool transaction);

/** legacy_conditions - Expected, QueryFilter or ScanFilter, and ConditionalOperator */
void legacy_conditions(struct make *m, struct json_writer *w, const char *parameter);
void legacy_key(struct make *m, struct json_writer *w, const struct make_table *t, const char *hash,
		const char *range);
void legacy_attributes(struct make *m, struct json_writer *w);
void legacy_updates(struct make *m, struct json_writer *w);

#endif
