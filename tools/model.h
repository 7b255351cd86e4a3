/* model - table definitions from files: CreateTable's JSON, or a NoSQL Workbench model with its data */
#ifndef TOOLS_MODEL_H
#define TOOLS_MODEL_H

#include "store/base/json.h"
#include "store/op/op.h"

struct model_table {
	struct create_table_in create;
	struct slice ttl;        /* attribute of its time to live, or empty */
	const struct json *data; /* array of typed items, or NULL */
};

struct model {
	struct model_table *tables;
	size_t n;
};

/**
 * model_read - every table that a file defines
 * @text: CreateTable's JSON, DescribeTable's answer or a Workbench model; borrowed until the call ends
 *
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE
 */
int model_read(struct call *c, struct slice text, struct model *out)
	__attribute__((warn_unused_result));

#endif
