/* mend_int - what the passes share */
#ifndef STORE_MEND_MEND_INT_H
#define STORE_MEND_MEND_INT_H

#include "store/mend/mend.h"

/** mend_get - the member @name as it is now, or NULL */
const struct json *mend_get(const struct mend *m, const char *name);

/** mend_text - its text; empty if it is none */
struct slice mend_text(const struct mend *m, const char *name);

/** mend_raw - @json as a text, in the call's arena */
struct slice mend_raw(struct mend *m, const struct json *json);

/** mend_set - the member @name becomes the JSON @raw; NULL at: it goes; what it is already is no change */
void mend_set(struct mend *m, struct slice name, struct slice raw);

/** mend_set_text - likewise a string */
void mend_set_text(struct mend *m, struct slice name, struct slice text);

/** mend_why - say what is wrong, if nothing is said yet */
void mend_why(struct mend *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** mend_write - write @json, but where @by has written something else for it and returns true */
typedef bool mend_by(struct mend *m, struct json_writer *w, const struct json *json,
		     const void *arg);
void mend_write(struct mend *m, struct json_writer *w, const struct json *json, mend_by *by,
		const void *arg);

/** mend_each - all members, written again by @by */
void mend_each(struct mend *m, mend_by *by, const void *arg);

/** mend_refused - does the message of the refusal hold @part? */
bool mend_refused(const struct mend *m, const char *part);

/** mend_nearest - the one of @names, words with blanks between, that @word is near to; empty: none */
struct slice mend_nearest(struct slice word, const char *names);

/** mend_stands_for - is @word @ours, or one of other tools and people for it? */
bool mend_stands_for(struct slice word, const char *ours);

/** mend_put_rows - append AttributeDefinitions, or a KeySchema, of the first two names in the member @from */
void mend_put_rows(struct mend *m, struct buf *out, const char *from, bool schema);

/** mend_key_type - the type of an attribute of a key of the table or of its indexes; VALUE_TYPES: it is in none */
enum value_type mend_key_type(const struct mend *m, struct slice name);

/* The passes. */
void mend_values(struct mend *m); /* values without their types, or with wrong ones */
void mend_keys(struct mend *m);   /* a key or an item that is not of the table */
bool mend_expressions(
	struct mend *m); /* their syntax, functions, names and values; false: one cannot be read */
void mend_query(struct mend *m);    /* which index; what the key condition may have */
void mend_of_table(struct mend *m); /* what is defined of a table */

#endif
