/* instead - suggestions for commands that do not exist, filled with the words that were typed */
#ifndef TOOLS_CLI_INSTEAD_H
#define TOOLS_CLI_INSTEAD_H

#include "store/base/core/base.h"

/* How to convert Terraform's own language first */
#define INSTEAD_HCL \
	"to convert Terraform's own language to JSON: terraform init && terraform plan -out " \
	"plan && terraform show -json plan >plan.json"

/* The largest items of a table, for instead_fill() */
#define INSTEAD_LONGEST " | awk '{ print length, $0 }' | sort -rn | head -5 | cut -d' ' -f2-"
#define INSTEAD_LARGEST "itemctl scan TABLE" INSTEAD_LONGEST

/** instead_put - append the line for @argv, whose first word is not a command; false if there is no line */
bool instead_put(struct buf *out, int argc, char **argv);

/** instead_has - return true if there is a line for @name, which is not a command */
bool instead_has(const char *name);

/** instead_store - the store that -s or --endpoint-url names in the arguments of an unknown command; NULL if none */
const char *instead_store(int argc, char **argv);

/**
 * instead_fill - append @text with its markers, which are names in capitals, replaced by words
 * @takes: the markers that the @argc words replace, in that order, separated by blanks, each once
 *
 * A marker without a word stays. STORE, HERE, PROGRAM, LAST and WORDS are special, see instead.c.
 */
void instead_fill(struct buf *out, const char *text, const char *takes, int argc, char **argv);

#endif
