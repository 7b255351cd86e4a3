/* words - splits and quotes words as a shell does: blanks, '...', "...", backslash; without its expansions */
#ifndef TOOLS_TEXT_WORDS_H
#define TOOLS_TEXT_WORDS_H

#include "store/base/core/base.h"

struct word {
	struct slice text;
	bool quoted; /* any part of it was quoted */
};

enum { WORD_END = 1 };

struct words {
	const char **at;
	size_t n;
	bool dashes;   /* "--" was among the words */
	size_t before; /* number of words before "--" */
};

/**
 * words_next - take the first word off @rest
 * @out: in the call's arena, or borrowed from @rest
 *
 * A word that begins with '{' is JSON: it is taken unchanged, up to its closing brace.
 * Return:  0, or WORD_END if only blanks are left
 * Errors:  -ERR_USAGE  a quote or brace that is not closed, or text right after that brace
 */
int words_next(struct call *c, struct slice *rest, struct word *out) must_check;

/** words_in - return true if @word is in @list, whose words are separated by single blanks */
bool words_in(const char *list, struct slice word);

/** words_in_any_case - as words_in(), without regard to case */
bool words_in_any_case(const char *list, struct slice word);

/**
 * words_plain - return true if @word has only letters, digits and _, so that expressions, jq and shells need no quotes
 */
bool words_plain(struct slice word);

/** words_have - return true if one of the options @names is in @argv, also as NAME=VALUE */
bool words_have(int argc, char **argv, const char *names);

/** words_in_next - take the next word off a list as of words_in(); empty if there are no more */
struct slice words_in_next(const char **list);

/** words_blank_next - take the first word, and the blanks around it, off *@rest */
struct slice words_blank_next(struct slice *rest);

/** words_begin - return true if @line begins with one of the alternatives @all, "A B|C", in any case; *@rest follows it */
bool words_begin(struct slice line, const char *all, struct slice *rest);

/** words_split - append all words of @text; Errors: -ERR_USAGE  a quote or brace that is not closed */
int words_split(struct call *c, struct slice text, struct words *out) must_check;

/** words_add - append @word, which is borrowed; the array is in the call's arena */
void words_add(struct call *c, struct words *w, const char *word);

#endif
