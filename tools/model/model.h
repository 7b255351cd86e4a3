/* model - table definitions from files: JSON of CreateTable and DescribeTable, NoSQL Workbench models, templates */
#ifndef TOOLS_MODEL_MODEL_H
#define TOOLS_MODEL_MODEL_H

#include "store/base/text/json.h"
#include "store/op/op.h"

/* One table of a file. */
struct model_table {
	struct create_table_in create;
	struct slice id;         /* logical name in a template, or empty */
	struct slice ttl;        /* attribute of the time to live, or empty */
	const struct json *data; /* array of typed items, or NULL */
	const struct json *said; /* members of the file, as a CreateTable request; NULL: no file */
};

struct model {
	struct model_table *tables;
	size_t n;
};

/**
 * model_read - read all tables that a file defines
 * @text: a CreateTable request, a DescribeTable response, a Workbench model, a template of CloudFormation, SAM, CDK or
 *        serverless.yml (JSON or YAML), or Terraform JSON; borrowed until the call ends
 * @out:  its tables are in the arena of the call
 *
 * Prints notes about parts of a template that were not read.
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE
 */
int model_read(struct call *c, struct slice text, struct model *out) must_check;

/**
 * model_defines - set *@out to whether the text defines tables; otherwise it may contain items
 *
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE  the text is neither JSON nor a template in YAML
 */
int model_defines(struct call *c, struct slice text, bool *out) must_check;

/**
 * model_pick - keep only one table
 * @name: the name or template name of the table; OLD=NEW also renames it.  If the model has only one table, any @name
 *        without "=" renames it.
 *
 * @model must have at least one table.  Errors:  -ERR_USAGE  the model has no table of that name
 */
int model_pick(struct call *c, struct model *model, struct slice name) must_check;

#endif
