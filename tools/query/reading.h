/* reading - what the commands query and scan share: options, fields of the request, output; key conditions of query */
#ifndef TOOLS_QUERY_READING_H
#define TOOLS_QUERY_READING_H

#include "tools/advice/absent_key.h"
#include "tools/cli/opts.h"
#include "tools/explain/explain_requests.h"
#include "tools/query/result_printer.h"
#include "tools/text/words.h"

/* The first member of the options struct of a command. */
struct reading_opts {
	const char *index;
	const char *filter;
	const char *project;
	const char *select; /* a word of the API, or attributes */
	const char *names;
	const char *values;
	struct opt_count limit;
	bool count;
	bool consistent;
	struct opt_count page_size;
	const char *start;
	bool one_page;
	struct opt_count jobs;
	struct explain_opts explain;
};

/* Rows for the option table of a command. */
/* clang-format off */
#define READING_AT(field) offsetof(struct reading_opts, field)
#define READING_INDEX \
	{"index", 0, OPT_TEXT, "NAME", READING_AT(index), "a GSI or LSI instead of the table"}
#define READING_EXPRESSIONS \
	{"filter", 0, OPT_EXPR, "EXPR", READING_AT(filter), "FilterExpression"}, \
	{"project", 0, OPT_PATHS, "LIST", READING_AT(project), "only these attributes: a, b.c, d[0]"}, \
	{"names", 0, OPT_JSON, "JSON", READING_AT(names), "ExpressionAttributeNames: {\"#n\":\"name\"}"}, \
	{"values", 0, OPT_JSON, "JSON", READING_AT(values), "ExpressionAttributeValues: {\":v\":value}"}
#define READING_PAGES \
	{"count", 0, OPT_FLAG, NULL, READING_AT(count), "print only how many items match"}, \
	{"select", 0, OPT_PATHS, "WHAT", READING_AT(select), NULL}, \
	{"consistent", 0, OPT_FLAG, NULL, READING_AT(consistent), "ConsistentRead"}, \
	{"page-size", 0, OPT_COUNT, "N", READING_AT(page_size), "the API's Limit: items read for each page"}, \
	{"start", 0, OPT_JSON, "KEYJSON", READING_AT(start), "ExclusiveStartKey"}, \
	{"one-page", 0, OPT_FLAG, NULL, READING_AT(one_page), "one page; LastEvaluatedKey on stderr"}
#define READING_JOBS_AND_EXPLAIN \
	{"jobs", 'j', OPT_COUNT, "N", READING_AT(jobs), "requests at a time; default: one for each processor, 16 of an endpoint"}, \
	EXPLAIN_ROWS(READING_AT(explain))
/* clang-format on */

/** reading_check - check ranges and combinations of options; Errors: -ERR_USAGE */
int reading_check(struct call *c, const struct reading_opts *o) must_check;

/**
 * reading_request - fill the fields of a request from the options
 * @e: gets the expressions; the caller sets out->ph from it after all expressions were added
 *
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION
 */
int reading_request(struct call *c, const struct reading_opts *o, struct exprs *e,
		    struct read_in *out) must_check;

/**
 * reading_print - run the requests, print their items with progress, and note the cause of an empty result
 * @a:   the caller sets the requests and how to merge them; the other members are set here
 * @key: the partition or item that was requested; NULL: many
 *
 * Return: 0; NOTHING_WRONG: no item, because of a mistake that was reported; errors of result_printer_print()
 */
int reading_print(struct ctl *ctl, struct call *c, const struct reading_opts *o,
		  struct result_printer *a, const struct absent_key *key) must_check;

/* ------------------------------------------------------------ KeyConditionExpression of a query, with its own placeholders */

struct command;
struct exprs;
struct key_schema;
struct query_hints;

/* Placeholders that no user types; those of further attributes of a key have a number at their end. */
#define KEY_CONDITION_PK "#itemctl_pk"
#define KEY_CONDITION_SK "#itemctl_sk"
#define KEY_CONDITION_PK_VALUE ":itemctl_pk"
#define KEY_CONDITION_A ":itemctl_a"
#define KEY_CONDITION_B ":itemctl_b"

/* Conditions on the sort key, as typed; NULL or empty: not given */
struct sort_conditions {
	struct words eq; /* for the first attributes of the sort key, in order */
	const char *lt, *le, *gt, *ge, *begins;
	const char *between[2];
};

/* What the expression is made of */
struct key_condition {
	const struct command *command; /* query */
	const struct sort_conditions *o;
	const struct key_schema *key; /* of the table or index */
	struct exprs *exprs;          /* gets the placeholders */
	struct query_hints *hints;
};

/** key_condition_alias - the placeholder @name of attribute @i of a key; a C string, @name itself or in the call's arena */
const char *key_condition_alias(struct call *c, const char *name, size_t i);

/**
 * key_condition_text - the expression: an equality for each attribute of the partition key, and the sort conditions
 * @out: in the call's arena
 *
 * The caller sets the values of the placeholders KEY_CONDITION_PK_VALUE.
 *
 * Return: 0; -ERR_USAGE  too many or unsuitable conditions; the error of a value that does not fit the key
 */
int key_condition_text(struct call *c, const struct key_condition *k, struct slice *out) must_check;

/** key_condition_range - the sort condition as text, for a message; NULL if there is none, or if --eq is given */
const char *key_condition_range(struct call *c, const struct sort_conditions *o,
				const struct key_schema *key);

#endif
