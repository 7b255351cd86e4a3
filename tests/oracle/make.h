/*
 * make - random tables and requests as JSON texts; the same seed gives the same texts
 *
 * case.c makes whole cases, table.c tables and changes of them, make.c requests, expression.c their expressions,
 * legacy.c legacy parameters, statement.c PartiQL, value.c values.
 */
#ifndef TESTS_ORACLE_MAKE_H
#define TESTS_ORACLE_MAKE_H

#include "store/base/text/json.h"

/* Options for what not every endpoint supports. */
struct make_options {
	unsigned
		steps; /* requests after those that create the tables and before those that read everything */
	unsigned broken; /* percentage of these with one random fault */
	bool updates;    /* UpdateItem, alone and in transactions */
	bool capacity;   /* ReturnConsumedCapacity */
	bool statements; /* PartiQL */
	bool tables;     /* UpdateTable */
	bool legacy;     /* KeyConditions, Expected, AttributeUpdates ... in some requests */
};

struct request {
	const char *op;
	struct slice body;
	bool pages;        /* LastEvaluatedKey is followed, and all pages are compared as one */
	const char *order; /* items are in order of this attribute only; "": in any order */
};

struct requests {
	struct request *at;
	size_t n;
	size_t cap;
};

/** make_requests - make one case: CreateTable, random requests, and reads of the final contents of the tables */
void make_requests(struct call *c, uint64_t seed, const struct make_options *o,
		   struct requests *out);

/**
 * make_without - @tree as text, changed at its node number @k (the root is 0, then depth first)
 * @instead: text that replaces the node; empty: the node is removed
 */
struct slice make_without(struct call *c, const struct json *tree, size_t k, struct slice instead);

/* ------------------------------------------------------------ shared by the files that make requests */

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

/** make_create_table - make a random table, and record it in @t */
struct request make_create_table(struct make *m, struct make_table *t);

/** make_update_table - write the members of a random change of a table */
void make_update_table(struct make *m, struct json_writer *w);

/** make_request - make any request for the tables */
struct request make_request(struct make *m);

/** make_pick - 0 to @n - 1 */
size_t make_pick(struct make *m, size_t n);
bool make_chance(struct make *m, unsigned percent);

/** make_value - write any typed value; @depth: maximum depth of nesting */
void make_value(struct make *m, struct buf *b, int depth);

/** make_key_value - write a value of an attribute of that type, from a small set, so that keys repeat */
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

/** expressions_end - write the two maps, unless they are empty */
void expressions_end(struct expressions *x, struct json_writer *w);

/* Each function writes one parameter. */
void expression_condition(struct expressions *x, struct json_writer *w, const char *parameter);
void expression_projection(struct expressions *x, struct json_writer *w);
void expression_update(struct expressions *x, struct json_writer *w);
void expression_key(struct expressions *x, struct json_writer *w, const struct make_table *t,
		    const char *hash, const char *range);

/** statement_alone - write the members of an ExecuteStatement; set @r->pages if it is a read */
void statement_alone(struct make *m, struct json_writer *w, struct request *r);

/** statement_several - write a batch or a transaction */
void statement_several(struct make *m, struct json_writer *w, const char *list, bool transaction);

/** legacy_conditions - write Expected, QueryFilter or ScanFilter, and ConditionalOperator */
void legacy_conditions(struct make *m, struct json_writer *w, const char *parameter);
void legacy_key(struct make *m, struct json_writer *w, const struct make_table *t, const char *hash,
		const char *range);
void legacy_attributes(struct make *m, struct json_writer *w);
void legacy_updates(struct make *m, struct json_writer *w);

#endif
