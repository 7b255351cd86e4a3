/* create_words - the words of create-table: a key in several of them, and the line that was meant */
#ifndef TOOLS_SQL_CREATE_WORDS_H
#define TOOLS_SQL_CREATE_WORDS_H

#include "tools/cli/opts.h"
#include "tools/session/ctl.h"

struct create_opts {
	const char *key;
	struct words gsi;
	struct words lsi;
	const char *stream;
	const char *from;
	const char *ttl;
	struct opt_count collection_limit;
	bool throttle;
	bool data;
	bool if_not_exists;
	bool update;
	bool no_wait;
};

/** create_words_key - the words from @from on as a key of one word, behind @begin unless that is NULL; in the call's arena */
const char *create_words_key(struct call *c, const char *begin, const struct words *words,
			     size_t from);

/** create_words_file - is @word by its suffix a file of definitions? */
bool create_words_file(const char *word);

/** create_words_line - append the whole command for the table @name, with @key and as its only index @gsi unless that is NULL */
void create_words_line(struct buf *b, const char *name, const char *key, const char *gsi,
		       const struct create_opts *o);

/** create_words_too_many - fail for words behind the table's name beside a --key; Errors: -ERR_USAGE */
int create_words_too_many(const struct ctl *ctl, struct call *c, const struct words *words,
			  const struct create_opts *o);

/** create_words_there - the table exists: with another key it is not the one that is meant; Errors: -ERR_TABLE_IN_USE */
int create_words_there(struct ctl *ctl, struct call *c, const struct schema *wanted);

/** create_words_advise - likewise, where that was refused: what may be wanted is advised */
void create_words_advise(struct ctl *ctl, struct call *c, const struct schema *wanted);

/** create_words_no_key - fail for a statement of SQL, or a file that defines tables, in place of NAME and --key; Errors: -ERR_USAGE */
int create_words_no_key(struct call *c, const struct words *words);

#endif
