/* mend_int - functions that the passes share, and the passes */
#ifndef STORE_MEND_MEND_INT_H
#define STORE_MEND_MEND_INT_H

#include "store/expr/expr.h"
#include "store/mend/mend.h"

/** mend_get - return the present value of the member @name, or NULL */
const struct json *mend_get(const struct mend *m, const char *name);

/** mend_text - return the text of the member @name; empty if it is missing or no string */
struct slice mend_text(const struct mend *m, const char *name);

/** mend_raw - return the JSON text of @json, in the call's arena */
struct slice mend_raw(struct mend *m, const struct json *json);

/**
 * mend_set - set the member @name to the JSON text @raw, or remove it if @raw.at is NULL
 *
 * Text equal to the present one is no change. Text that is no JSON, and a new member of a full request, are ignored.
 */
void mend_set(struct mend *m, struct slice name, struct slice raw);

/** mend_set_text - set the member @name to the string @text, or remove it if @text is empty */
void mend_set_text(struct mend *m, struct slice name, struct slice text);

/** mend_why - set the reason, unless there is one */
void mend_why(struct mend *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes a replacement for @json to @w and returns true, or writes nothing and returns false. */
typedef bool mend_by(struct mend *m, struct json_writer *w, const struct json *json,
		     const void *arg);

/** mend_write - write @json, with the replacements of @by for it and the values in it; @arg goes to @by */
void mend_write(struct mend *m, struct json_writer *w, const struct json *json, mend_by *by,
		const void *arg);

/** mend_each - replace all members by what mend_write() writes for them with @by */
void mend_each(struct mend *m, mend_by *by, const void *arg);

/** mend_refused - return true if the message of the refusal contains @part */
bool mend_refused(const struct mend *m, const char *part);

/** mend_nearest - return the word of @names, separated by blanks, that is most similar to @word; empty if none is */
struct slice mend_nearest(struct slice word, const char *names);

/** mend_stands_for - return true if @word is @ours or a known alternative of it, in any case of letters */
bool mend_stands_for(struct slice word, const char *ours);

/**
 * mend_put_rows - append an array of AttributeDefinitions, or of a KeySchema if @schema
 * @from: the member that has the attribute names; only the first two are used
 */
void mend_put_rows(struct mend *m, struct buf *out, const char *from, bool schema);

/** mend_key_type - return the type of a key attribute of the table or its indexes; VALUE_TYPES if @name is none */
enum value_type mend_key_type(const struct mend *m, struct slice name);

/* ------------------------------------------------------------ mend_syntax.c: words and syntax of expressions */

/**
 * mend_word - return the next word of @text, and move *@at after it
 *
 * A word includes a leading "#" or ":". Any other character is a word of its own.
 * Return:  empty at the end of @text
 */
struct slice mend_word(struct slice text, size_t *at);

/** mend_is_name - return true if @word is a name of an attribute or function, or a "#" placeholder */
bool mend_is_name(struct slice word);

/** mend_with - return @text with @by in place of @word, which is a part of @text; in the call's arena */
struct slice mend_with(struct mend *m, struct slice text, struct slice word, struct slice by);

/**
 * mend_function - return the function that @word means
 * @functions: names of functions, separated by blanks
 *
 * Return:  one of @functions; empty if none is meant
 */
struct slice mend_function(struct slice word, const char *functions);

/** mend_fault - return the byte offset of the first fault in @text; SIZE_MAX: none, or @kind is EXPR_PROJECTION */
size_t mend_fault(struct mend *m, enum expr_kind kind, struct slice text);

/**
 * mend_syntax - correct up to six mistakes of syntax, one after the other
 * @keywords: keywords of this kind of expression, separated by blanks
 *
 * Return:  the corrected text, or @text if some fault remains
 */
struct slice mend_syntax(struct mend *m, enum expr_kind kind, const char *keywords,
			 struct slice text);

/* The passes, in the order in which mend_request() runs them. */
void mend_choices(struct mend *m); /* words of enums */
void mend_returns(struct mend *m); /* ReturnValues, which has messages of its own */
void mend_missing(struct mend *m); /* members that are missing */
void mend_values(struct mend *m);  /* values without types, or with wrong ones */
void mend_keys(struct mend *m);    /* keys and items that do not fit the key schema */
/* Syntax, functions, names and values of expressions; false if an expression stays unreadable. */
bool mend_expressions(struct mend *m);
void mend_query(struct mend *m);    /* the index, the key condition and the filter */
void mend_of_table(struct mend *m); /* definitions of tables */

#endif
