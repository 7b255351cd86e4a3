/* instead - what is typed in place of a command that there is not, with the words that were typed */
#ifndef TOOLS_CLI_INSTEAD_H
#define TOOLS_CLI_INSTEAD_H

#include "store/base/core/buf.h"

/* What Terraform files in its own language become first. */
#define INSTEAD_HCL \
	"Terraform's own language is read as JSON: terraform init && " \
	"terraform plan -out plan && terraform show -json plan >plan.json"

/* Its items by their length, for instead_fill(). */
#define INSTEAD_LONGEST " | awk '{ print length, $0 }' | sort -rn | head -5 | cut -d' ' -f2-"
#define INSTEAD_LARGEST "itemctl scan TABLE" INSTEAD_LONGEST

/** instead_put - append the right command for @argv, whose first word is no command; false: none is known */
bool instead_put(struct buf *out, int argc, char **argv);

/** instead_has - is there a line for the command @name, which is none? */
bool instead_has(const char *name);

/** instead_store - the store that -s or --endpoint-url names behind a command that there is not; NULL: none */
const char *instead_store(int argc, char **argv);

/**
 * instead_fill - append @text, with words for its markers, which are names in capitals
 * @takes: the markers that the @argc words stand for, in that order, each once
 */
void instead_fill(struct buf *out, const char *text, const char *takes, int argc, char **argv);

#endif
