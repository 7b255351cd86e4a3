/* create_words - the words of create-table: keys in several words, and the line that is probably meant */
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

/** create_words_key - join @begin (or NULL) and the words from @from on to a key of one word, in the call's arena */
const char *create_words_key(struct call *c, const char *begin, const struct words *words,
			     size_t from);

/** create_words_file - return true if @word has the suffix of a file of definitions */
bool create_words_file(const char *word);

/** create_words_line - append the command for the table @name with @key; @gsi: its only GSI; NULL: those of @o */
void create_words_line(struct buf *b, const char *name, const char *key, const char *gsi,
		       const struct create_opts *o);

/** create_words_too_many - fail because there are two or more words and --key; suggests a line; Errors: -ERR_USAGE */
int create_words_too_many(const struct ctl *ctl, struct call *c, const struct words *words,
			  const struct create_opts *o);

/** create_words_there - check the key of the existing table, for --if-not-exists; Errors: -ERR_TABLE_IN_USE */
int create_words_there(struct ctl *ctl, struct call *c, const struct schema *wanted);

/** create_words_advise - after the table was refused because it exists, set ctl->advice: its key, or --if-not-exists */
void create_words_advise(struct ctl *ctl, struct call *c, const struct schema *wanted);

/** create_words_no_key - fail without --key; the words may be SQL or a file of definitions; Errors: -ERR_USAGE */
int create_words_no_key(struct call *c, const struct words *words);

#endif
