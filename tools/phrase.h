/* phrase - words of SQL, kubectl and other programs before a command, as the words of one command */
#ifndef TOOLS_PHRASE_H
#define TOOLS_PHRASE_H

#include "store/base/core/base.h"

struct words;

/**
 * phrase_join - change "show tables", "describe table T", "DROP TABLE T" and similar words to those of one command
 * @meant: the command line that replaces a statement, in the call's arena; else empty
 */
void phrase_join(struct call *c, int *argc, char ***argv, struct slice *meant);

/** phrase_is_noun - return true if @word after "show" names a kind of thing, such as tables, keys or kinds */
bool phrase_is_noun(const char *word);

/** phrase_is_dotted - return true if @name has the form of a command of sqlite3 or psql: .schema, \d */
bool phrase_is_dotted(const char *name);

/**
 * phrase_meant - translate a line of another program's prompt, such as ".schema app", in one word or several
 * @out: in the call's arena
 *
 * Return: false if no command does that; @out then has the words of the line itself, or none
 */
bool phrase_meant(struct call *c, int argc, char **argv, struct words *out);

#endif
