/* model - table definitions from files: CreateTable's JSON, DescribeTable's, a NoSQL Workbench model with its data, templates */
#ifndef TOOLS_LOAD_MODEL_H
#define TOOLS_LOAD_MODEL_H

#include "store/base/text/json.h"
#include "store/op/op.h"

/* How Terraform's own language is read. */
struct model_table {
	struct create_table_in create;
	struct slice id;         /* its name in a template, or empty */
	struct slice ttl;        /* attribute of its time to live, or empty */
	const struct json *data; /* array of typed items, or NULL */
	const struct json *
		said; /* the members that the file has, as CreateTable's request; NULL: of no file */
};

struct model {
	struct model_table *tables;
	size_t n;
};

/**
 * model_read - every table that a file defines
 * @text: CreateTable's JSON, DescribeTable's answer, a Workbench model, a template of CloudFormation, SAM or CDK (JSON or
 *        YAML), Terraform's JSON; borrowed until the call ends
 *
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE
 */
int model_read(struct call *c, struct slice text, struct model *out)
	__attribute__((warn_unused_result));

/**
 * model_defines - does the text define tables, rather than have items?
 *
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE  it is no text of that kind
 */
int model_defines(struct call *c, struct slice text, bool *out) __attribute__((warn_unused_result));

/**
 * model_pick - only the table that is called @name, or OLD=NEW: then it gets a new name; a file's only table is renamed to any @name
 *
 * Errors:  -ERR_USAGE  no table of the model is called so
 */
int model_pick(struct call *c, struct model *model, struct slice name)
	__attribute__((warn_unused_result));

#endif
