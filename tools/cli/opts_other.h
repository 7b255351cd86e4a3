/* opts_other - options of other tools that are no options here: the line that does it instead */
#ifndef TOOLS_CLI_OPTS_OTHER_H
#define TOOLS_CLI_OPTS_OTHER_H

#include "store/base/core/call.h"

#include "tools/cli/synonyms.h"

/* Such an option, and where it was typed. */
struct opts_other {
	struct slice name;   /* as it was typed */
	const char *dashes;  /* in front of it */
	const char *arg;     /* the argument that it is in */
	const char *next;    /* the argument after it; NULL: it is the last one */
	const char *command; /* that it is for; NULL: none yet */
	const char *value;   /* after '='; NULL: none */
	const char *table;   /* the table; NULL: not known yet */
	bool alone;          /* the typed line is not one of a pattern, whose words are filled in */
	int argc;            /* the words of the command */
	char **argv;         /* likewise */
};

/** opts_other - fail with what is written instead, of a row that is SYNONYM_LINE, _PIPE or _ANSWER, or a file in the place of a form; Return: -ERR_USAGE */
int opts_other(struct call *c, const struct opts_other *o, const struct synonym *s)
	__attribute__((warn_unused_result));

/** opts_other_template - is a form that was typed one of kubectl's, which pick parts? */
bool opts_other_template(const char *form);

#endif
