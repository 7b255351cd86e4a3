/* front - words before the command, and the store among the words of a command line */
#ifndef TOOLS_FRONT_H
#define TOOLS_FRONT_H

#include "tools/cli/opts.h"

struct ctl;

/**
 * front_aws - remove "aws --region R dynamodb"; "query help" after it becomes "help query"
 * @globals: gets the options among these words
 *
 * Return: 0; the errors of opts_parse()
 */
int front_aws(struct call *c, struct opt_target *globals, int *argc, char ***argv) must_check;

/** front_words - remove "cost" and set ctl->estimates; change "explain" to an option of the command after it */
void front_words(struct ctl *ctl, int *argc, char ***argv);

/**
 * front_store - remove the word that is the store; if it is the only word, the command becomes shell
 *
 * The store is also added to lines that are suggested later.
 *
 * Return: the word; NULL if there is none
 */
const char *front_store(struct call *c, int *argc, char **argv);

/**
 * front_table - replace STORE/TABLE in the place of a table by the table
 * @store: set to STORE unless another store is named
 *
 * In "copy STORE NEW" the table becomes OTHER_STORE_ALL.
 */
void front_table(struct call *c, const char **store, int argc, char **argv);

#endif
