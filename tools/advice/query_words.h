/* query_words - corrections of words that are names, conditions, NAME=VALUE or values of another key, and scans */
#ifndef TOOLS_ADVICE_QUERY_WORDS_H
#define TOOLS_ADVICE_QUERY_WORDS_H

#include "store/model/schema.h"

#include "tools/advice/query_hints.h"

/** named_key_value - the rest of @word after "NAME=", without quotes; empty if @word does not begin with it */
struct slice named_key_value(struct slice name, struct slice word);

/**
 * named_key_hint - the corrected command, if a value of its key was typed as NAME=VALUE
 * @command: its name
 * @values: [n], at most 2, the values of the key as they were typed
 * @rest: the word after them, or NULL
 *
 * Return: a line in the call's arena; NULL if no value was typed so
 */
const char *named_key_hint(const char *command, struct call *c, struct slice table,
			   const struct key_schema *key, const struct slice *values, size_t n,
			   const char *rest);

/**
 * query_words_put_key - correct "PK = 'a'" and "PK = 'a' AND begins_with(SK, 'b')" in the first word of the key
 * @b:     gets the typed line with the correction
 * @meant: gets the corrected words; stays empty if the line has to be completed by the user
 *
 * Return: false: the word is neither of these
 */
bool query_words_put_key(const struct query_hints *q, struct call *c, struct buf *b,
			 struct words *meant);

/** query_words_put_sort - likewise for a sort key @word: "SK >= 5", "begins_with ORDER#", "ORDER#%" */
bool query_words_put_sort(const struct query_hints *q, struct call *c, const char *word,
			  struct buf *b, struct words *meant);

/**
 * query_words_put_other - correct "Status=BOOKED" if Status is the key of the table or of another index
 * @refused: the word was refused: if Status is no key, append a scan with a filter
 *
 * Return: false: nothing is appended
 */
bool query_words_put_other(const struct query_hints *q, struct buf *b, const char *word,
			   bool refused);

/** query_words_put_number - explain that @attr is a number; corrects a number in quotes; false: @attr is no number */
bool query_words_put_number(const struct query_hints *q, const struct key_attr *attr,
			    const char *word, struct buf *b);

/**
 * query_words_put_filter - append a scan with a filter if the words are a condition: "total > 1", "total=1", "total gt 1"
 *
 * Appends nothing otherwise, for a far store, or if no item of a sample has the attribute.
 */
void query_words_put_filter(const struct query_hints *q, struct call *c, struct buf *b);

/** query_words_put_limit - for "show TABLE 5" append a scan of the first 5 items; nothing if the word is no small number */
void query_words_put_limit(const struct query_hints *q, struct buf *b);

#endif
