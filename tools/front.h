/* front - words of main() in front of the command, and the store among its words */
#ifndef TOOLS_FRONT_H
#define TOOLS_FRONT_H

#include "tools/cli/opts.h"

struct ctl;

/** front_aws - leave out "aws --region R dynamodb", whose options @globals gets; "query help" becomes "help query"; Errors: those of opts_parse() */
int front_aws(struct call *c, struct opt_target *globals, int *argc, char ***argv)
	__attribute__((warn_unused_result));

/** front_words - leave out "cost", which is noted; "explain" becomes an option of the command behind it */
void front_words(struct ctl *ctl, int *argc, char ***argv);

/** front_store - leave out the word that is the store, also in later lines; alone it is the shell's; Return: the word; NULL: none is */
const char *front_store(struct call *c, int *argc, char **argv);

/** front_table - STORE/TABLE in the place of a table becomes the table, and @store the store; in "copy STORE NEW" the table is OTHER_STORE_ALL */
void front_table(struct call *c, const char **store, int argc, char **argv);

#endif
