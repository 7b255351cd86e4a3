/* options_other - what itemfs has in place of options of other mount programs */
#ifndef FS_DAEMON_OPTIONS_OTHER_H
#define FS_DAEMON_OPTIONS_OTHER_H

#include "store/op/op.h"

/** options_other - @name is without its value: advice to print behind "unknown option: NAME: "; NULL: there is none */
const char *options_other(const char *name);

/**
 * options_verb - is the first @word no store, but what other programs do?  @next: the word behind it, or NULL
 * @last: the word behind that, or NULL
 *
 * Return: 0: no; else the error, which has the line to type
 */
int options_verb(struct call *c, const char *word, const char *next, const char *last);

/** options_program - is the first argument a command of itemctl, and no store? Return: 0: no; else the error, which has the line to type */
int options_program(struct call *c, int argc, char *const *argv);

#endif
