/* phrase - words before a command as SQL, kubectl and other programs have them, as the words of one command */
#ifndef TOOLS_PHRASE_H
#define TOOLS_PHRASE_H

#include "store/base/core/call.h"

#include "tools/cli/opts.h"

/**
 * phrase_join - "show tables", "describe table T", "DROP TABLE T": SQL's two words, and kubectl's; one of them is left
 * @meant: of a statement that a command carries out, its line, in the call's arena; else empty
 */
void phrase_join(struct call *c, int *argc, char ***argv, struct slice *meant);

/** phrase_is_noun - does @word behind "show" name what is shown, as tables, keys, kinds? */
bool phrase_is_noun(const char *word);

/** phrase_is_dotted - has @name the form of a command of sqlite3 or psql: .schema, \\d? */
bool phrase_is_dotted(const char *name);

/** phrase_meant - the words of a line of another program's prompt, as ".schema app", in one word or several; false: it has no command */
bool phrase_meant(struct call *c, int argc, char **argv, struct words *out);

#endif
