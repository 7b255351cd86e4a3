/* opts_other - errors for options of other tools that itemctl does not accept, with the line to use instead */
#ifndef TOOLS_CLI_OPTS_OTHER_H
#define TOOLS_CLI_OPTS_OTHER_H

#include "tools/cli/synonyms.h"

/* Such an option and its context */
struct opts_other {
	struct slice name;   /* as it was typed */
	const char *dashes;  /* before the name */
	const char *arg;     /* the argument that contains it */
	const char *next;    /* the next argument, or NULL */
	const char *command; /* the command, or NULL if it is not known yet */
	const char *value;   /* the text after '=', or NULL */
	const char *table;   /* the table, or NULL if it is not known yet */
	bool alone; /* the option is on the typed line, not on a line of a file of patterns */
	int argc;   /* the words of the command */
	char **argv;
};

/**
 * opts_other - fail with the line to use instead
 * @s: a row of a kind from SYNONYM_LINE on, or SYNONYM_OPTION for a file name or template instead of a format
 *
 * Return: -ERR_USAGE
 */
int opts_other(struct call *c, const struct opts_other *o, const struct synonym *s) must_check;

/** opts_other_template - return true if the format is a template of kubectl, which selects parts */
bool opts_other_template(const char *form);

#endif
