/* single - what the commands on one item share: options, expressions, the parts of a request */
#ifndef TOOLS_WRITE_SINGLE_H
#define TOOLS_WRITE_SINGLE_H

#include "tools/explain/explain_requests.h"

struct single_opts {
	const char *condition;
	const char *returned;
	const char *project;
	const char *names;
	const char *values;
	bool consistent;
	bool not_exists;
	struct explain_opts explain;
};

/* Rows for the table of options. */
/* clang-format off */
#define SINGLE_AT(field) offsetof(struct single_opts, field)
#define SINGLE_IF \
	{"if", 0, OPT_EXPR, "EXPR", SINGLE_AT(condition), "only if this is true for the present item"}
#define SINGLE_PLACEHOLDERS \
	{"names", 0, OPT_JSON, "JSON", SINGLE_AT(names), "ExpressionAttributeNames: {\"#n\":\"name\"}"}, \
	{"values", 0, OPT_JSON, "JSON", SINGLE_AT(values), "ExpressionAttributeValues: {\":v\":value}"}
#define SINGLE_END \
	{NULL, 0, OPT_FLAG, NULL, 0, NULL}
/* clang-format on */

/* The command's expressions and what --names, --values, --return say. */
struct single {
	struct exprs *exprs;
	struct slice condition; /* rewritten */
	const struct name_alias
		*names; /* [n_names]: what the condition names without an alias of the user's */
	size_t n_names;
	struct slice projection; /* likewise */
	enum return_values returned;
};

/**
 * single_read - from options to the parts of a request
 * @update: --return may also be one of an update's forms
 *
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION
 */
int single_read(struct ctl *ctl, struct call *c, const struct single_opts *o, bool update,
		struct single *out) __attribute__((warn_unused_result));

/** single_write - the part that all writes have; @it: the item, or its key */
struct write_in single_write(struct slice table, const struct single *s, const struct item *it);

/** single_print - what --return asked for, if there is any; @alone: nothing comes before or behind it */
void single_print(struct ctl *ctl, const struct written *written, bool alone);

/** single_key - the key of the @n words [PK, SK] behind the table */
int single_key(struct ctl *ctl, struct call *c, struct slice table, const char *const *words,
	       size_t n, struct item *out) __attribute__((warn_unused_result));

/** single_named - the command as it is meant, when @key has "NAME=VALUE" where a value belongs; else NULL */
const char *single_named(struct ctl *ctl, struct call *c, struct slice table,
			 const struct item *key);

/** single_absent - the command's end when there is no item with @key; Return: its exit status */
int single_absent(struct ctl *ctl, struct call *c, struct slice table, const struct item *key);

/** single_expired - tell that @it is past its time to live, where no server or mount is that would delete it; @it was found */
void single_expired(struct ctl *ctl, struct call *c, struct slice table, const struct item *it);

#endif
