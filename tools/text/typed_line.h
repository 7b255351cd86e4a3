/*
 * typed_line - keeps the command line of this process, to suggest it with a correction: "did you mean: itemctl ..."
 *
 * The state is static. Only the main thread calls these functions. Arguments are numbered as in argv; 0 is the program.
 */
#ifndef TOOLS_TEXT_TYPED_LINE_H
#define TOOLS_TEXT_TYPED_LINE_H

#include "store/base/text/near.h"

/** typed_line_keep - copy main()'s @argv, but not its texts; main() calls it once, before anything reorders @argv */
void typed_line_keep(int argc, char **argv);

/** typed_line_hide - overwrite the arguments in a child process, so that ps and pkill -f do not find it by them */
void typed_line_hide(void);

/**
 * typed_line_with - append "itemctl ..." as it was typed, with @by in place of @word
 * @word: points into an argument, or is a copy of a text that occurs once in the arguments; empty: the unchanged line
 *
 * Return: false, and nothing is appended, if @word does not occur or occurs twice, if @by has quotes and replaces only
 * a part of an argument, or if the line is too long to be shown.
 */
bool typed_line_with(struct buf *out, struct slice word, struct slice by);

/**
 * typed_line_change - replace @word by @by in all further lines
 * @word: points into an argument
 * @by: copied; by.at NULL removes the whole argument
 *
 * Return: false if @word does not point into an argument
 */
bool typed_line_change(const char *word, struct slice by);

/**
 * typed_line_words - as typed_line_with(), with @by in place of the whole argument @word
 * @by: text for a shell, which is not quoted; if empty, the argument is left out
 *
 * Return: also false if @word is only a part of an argument or follows an option
 */
bool typed_line_words(struct buf *out, struct slice word, struct slice by);

/** typed_line_option - as typed_line_words(), with @by in place of an option and its value @word, as --filter @word */
bool typed_line_option(struct buf *out, struct slice word, struct slice by);

/**
 * typed_line_insert - append "itemctl ..." as it was typed, with more words in it
 * @before: the argument to insert before; it must point to it. "--": before that argument, else at the end of the line
 * @text:   words, quoted for a shell
 *
 * Return: false, and nothing is appended, if there is no such argument, or if the line is too long to be shown.
 */
bool typed_line_insert(struct buf *out, struct slice before, struct slice text);

/** typed_line_file - the last argument that ends with @suffix, without "--OPTION="; NULL if there is none */
const char *typed_line_file(const char *suffix);

/** typed_line_word - the argument @i, from 1 on; NULL if there are fewer */
const char *typed_line_word(int i);

/**
 * typed_line_set - set the option --@option in all further lines
 * @value: copied; if empty, the option is a flag; NULL removes the option
 * @most:  number of values that the typed option has at most; those of aws have any number (INT_MAX)
 */
void typed_line_set(struct slice option, const char *value, int most);

/**
 * typed_line_take - remove the first option of @names from all further lines
 * @names: with their dashes, separated by blanks
 *
 * Return: its value; NULL if there is no such option or no value
 */
const char *typed_line_take(const char *names);

/** typed_line_has - return true if @word is an argument */
bool typed_line_has(const char *word);

/** typed_line_said - as typed_line_with(), with @before, such as "did you mean: ", in front of the line */
bool typed_line_said(struct buf *out, const char *before, struct slice word, struct slice by);

/** typed_line_meant - as typed_line_said(), with near->best in place of near->typed */
bool typed_line_meant(struct buf *out, const struct near *near);

/** typed_line_near - append ": did you mean: LINE", else as near_put() does; nothing if no name is near */
void typed_line_near(struct buf *out, const struct near *near, const char *before);

/**
 * typed_line_no_choice - fail because @typed is not a value of an option; suggest the line with a similar value
 * @choices: "--option is a, b or c"
 *
 * Return: -ERR_USAGE
 */
int typed_line_no_choice(struct call *c, const char *choices, const char *typed) must_check;

/** typed_line_store - insert "-s" before the argument @word, which was taken as the store, in all further lines */
void typed_line_store(const char *word);

#endif
