/* words - text split, and quoted, as a shell does it: blanks, '...', "...", backslash */
#ifndef TOOLS_TEXT_WORDS_H
#define TOOLS_TEXT_WORDS_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/core/slice.h"

struct word {
	struct slice text;
	bool quoted; /* any part of it was */
};

enum { WORD_END = 1 };

struct words {
	const char **at;
	size_t n;
	bool dashes;   /* is there "--" ... */
	size_t before; /* ... and how many are in front of it? */
};

/**
 * words_next - take the first word off @rest
 * @rest: borrowed by the word where nothing had to be unquoted
 *
 * A word that begins with '{' is taken as it stands up to its closing brace,
 * as JSON.
 * Return:  0, or WORD_END when only blanks are left.
 * Errors:  -ERR_USAGE  a quote or brace that is not closed
 */
int words_next(struct call *c, struct slice *rest, struct word *out)
	__attribute__((warn_unused_result));

/** words_in - is @word one of those in @list, which has blanks between them? */
bool words_in(const char *list, struct slice word);

/** words_in_any_case - likewise, in small letters or capitals */
bool words_in_any_case(const char *list, struct slice word);

/** words_plain - a name of letters, digits and _, which needs no quotes in an expression, in jq and in a shell */
bool words_plain(struct slice word);

/** words_have - is one of the options @names among @argv, also as NAME=VALUE? */
bool words_have(int argc, char **argv, const char *names);

/** words_in_next - the next word of such a list, which *@list is moved behind; empty: no more */
struct slice words_in_next(const char **list);

/** words_split - append all words of @text; Errors: -ERR_USAGE  a quote or brace that is not closed */
int words_split(struct call *c, struct slice text, struct words *out)
	__attribute__((warn_unused_result));

/** words_put - append @text as a shell's word, quoted where it has to be */
void words_put(struct buf *out, struct slice text);

/** words_add - append; the array is in the call's arena */
void words_add(struct call *c, struct words *w, const char *word);

#endif
