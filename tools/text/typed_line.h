/* typed_line - the command line of this process with one word corrected, to be pasted: for every "did you mean" */
#ifndef TOOLS_TEXT_TYPED_LINE_H
#define TOOLS_TEXT_TYPED_LINE_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/text/near.h"

/** typed_line_keep - main() has got @argv, whose texts stay; called once, before anything changes their order */
void typed_line_keep(int argc, char **argv);

/** typed_line_hide - in a new process: ps and pkill -f find it no more by the line */
void typed_line_hide(void);

/**
 * typed_line_with - append "itemctl ..." as it was typed, with @by in the place of @word
 * @word: a part of one of the words that main() got, or a copy of a text that stands once in them; empty: the line as it is
 *
 * Return: false, and nothing is appended, if it is none of them, stands there twice, if @by has quotes and replaces
 * only a part of a word, or if the line is too long to be shown.
 */
bool typed_line_with(struct buf *out, struct slice word, struct slice by);

/** typed_line_change - @by in the place of the argument @word of main(), in all lines from now on, NULL: without it; false: it is none of them */
bool typed_line_change(const char *word, struct slice by);

/** typed_line_words - likewise with @by, which is text for a shell, in the place of the whole word @word, which no option is in front of */
bool typed_line_words(struct buf *out, struct slice word, struct slice by);

/** typed_line_option - likewise in the place of an option and its value @word, as --filter @word; @by may be empty */
bool typed_line_option(struct buf *out, struct slice word, struct slice by);

/**
 * typed_line_insert - append "itemctl ..." as it was typed, with more words in it
 * @before: the argument of main() that they stand before; "--": where it may be, else at the end of the line
 * @text:   words in quotes where they need them
 *
 * Return: false, and nothing is appended, if there is no such argument, or if the line is too long to be shown.
 */
bool typed_line_insert(struct buf *out, struct slice before, struct slice text);

/** typed_line_file - the last argument of main() that ends in @suffix, without "--OPTION="; NULL: none does */
const char *typed_line_file(const char *suffix);

/** typed_line_word - the argument @i of main(), from 1 on; NULL: there are fewer */
const char *typed_line_word(int i);

/** typed_line_set - from here on the line has --@option with @value, empty: a flag, NULL: not at all, whatever it had */
void typed_line_set(struct slice option, const char *value);

/** typed_line_take - the value of the first option of @names, which are separated by blanks; from here on the line has neither; NULL: none */
const char *typed_line_take(const char *names);

/** typed_line_has - is @word an argument of main()? */
bool typed_line_has(const char *word);

/** typed_line_said - likewise behind @before, as "did you mean: ", which is not appended alone either */
bool typed_line_said(struct buf *out, const char *before, struct slice word, struct slice by);

/** typed_line_meant - append "did you mean: LINE", with what is near in its place; Return: as of typed_line_with() */
bool typed_line_meant(struct buf *out, const struct near *near);

/** typed_line_near - append ": did you mean: LINE", else as near_put() does; nothing if no name is near */
void typed_line_near(struct buf *out, const struct near *near, const char *before);

/** typed_line_no_choice - @typed is none of @choices, "--option is a, b or c"; with the line that has a near one */
int typed_line_no_choice(struct call *c, const char *choices, const char *typed)
	__attribute__((warn_unused_result));

/** typed_line_store - from here on the line has "-s" before its argument @word, which was understood as the store */
void typed_line_store(const char *word);

#endif
