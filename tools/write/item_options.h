/* item_options - options, expressions and key of the commands on one item */
#ifndef TOOLS_WRITE_ITEM_OPTIONS_H
#define TOOLS_WRITE_ITEM_OPTIONS_H

#include "tools/explain/explain_requests.h"

struct item_options_opts {
	const char *condition;
	const char *returned;
	const char *project;
	const char *names;
	const char *values;
	bool consistent;
	bool not_exists;
	struct explain_opts explain;
};

/* Rows for the table of a command's options; struct item_options_opts is at offset 0. */
/* clang-format off */
#define ITEM_OPTIONS_AT(field) offsetof(struct item_options_opts, field)
#define ITEM_OPTIONS_IF \
	{"if", 0, OPT_EXPR, "EXPR", ITEM_OPTIONS_AT(condition), "only if this is true for the present item"}
#define ITEM_OPTIONS_PLACEHOLDERS \
	{"names", 0, OPT_JSON, "JSON", ITEM_OPTIONS_AT(names), "ExpressionAttributeNames: {\"#n\":\"name\"}"}, \
	{"values", 0, OPT_JSON, "JSON", ITEM_OPTIONS_AT(values), "ExpressionAttributeValues: {\":v\":value}"}
/* clang-format on */

/* Parts of the request. */
struct item_options {
	struct exprs *exprs;            /* with the placeholders of --names and --values */
	struct slice condition;         /* rewritten */
	const struct name_alias *names; /* [n_names]: names in the condition without placeholders */
	size_t n_names;
	struct slice projection; /* rewritten */
	enum return_values returned;
};

/**
 * item_options_read - convert options to parts of a request
 * @update: --return may also be new, updated-old and updated-new
 *
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION
 */
int item_options_read(struct ctl *ctl, struct call *c, const struct item_options_opts *o,
		      bool update, struct item_options *out) must_check;

/** item_options_write - the struct write_in of a put, update or delete; @it: the item, or its key */
struct write_in item_options_write(struct slice table, const struct item_options *s,
				   const struct item *it);

/**
 * item_options_print - print the item that --return requested, if there is one; @alone: it is the only one in the
 * output
 */
void item_options_print(struct ctl *ctl, const struct written *written, bool alone);

/**
 * item_options_key - parse the key in the @n words PK [SK], or in JSON
 *
 * Also puts the key columns first in the output.
 * Errors:  -ERR_USAGE  with a suggestion; those of ctl_schema() and keyval.h
 */
int item_options_key(struct ctl *ctl, struct call *c, struct slice table, const char *const *words,
		     size_t n, struct item *out) must_check;

/**
 * item_options_named - the corrected command if @key has "NAME=VALUE" in place of a value; else NULL; in the call's
 * arena
 */
const char *item_options_named(struct ctl *ctl, struct call *c, struct slice table,
			       const struct item *key);

/**
 * item_options_absent - print "not found" and a suggestion if there is no item with @key; Return: the exit status, 1
 */
int item_options_absent(struct ctl *ctl, struct call *c, struct slice table,
			const struct item *key);

/**
 * item_options_expired - print a note if the time to live of @it is over and this process owns the store
 *
 * Otherwise the owner of the store, a server or a mount, deletes the item.
 */
void item_options_expired(struct ctl *ctl, struct call *c, struct slice table,
			  const struct item *it);

#endif
