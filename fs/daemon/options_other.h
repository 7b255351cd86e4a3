/* options_other - advice on options and commands of other programs */
#ifndef FS_DAEMON_OPTIONS_OTHER_H
#define FS_DAEMON_OPTIONS_OTHER_H

#include "store/op/op.h"

/**
 * options_other - advice on an unknown option, to print after "unknown option: NAME: "
 * @name: without its value
 *
 * Return: NULL: there is none
 */
const char *options_other(const char *name);

/**
 * options_verb - refuse a first argument that is no store, but a command of other programs, such as umount
 * @next: the second argument, or NULL
 * @last: the third argument, or NULL
 *
 * Return: 0: it is not refused; -ERR_VALIDATION: the message has the command to type
 */
int options_verb(struct call *c, const char *word, const char *next, const char *last);

/**
 * options_program - refuse a first argument that is no store, but a command of itemctl
 *
 * Return: 0: it is not refused; -ERR_VALIDATION: the message has the command to type
 */
int options_program(struct call *c, int argc, char *const *argv);

#endif
