/*
 * mend - guesses the request that a client meant to send from the one that was refused
 *
 * Each pass looks for one kind of mistake and changes members of the request. A request without such mistakes stays as
 * it is. A value that only the user knows is written as VALUE or NAME. The command line prints the typed line with the
 * changes; the server's log names the changed members.
 */
#ifndef STORE_MEND_MEND_H
#define STORE_MEND_MEND_H

#include "store/base/text/json.h"
#include "store/engine/engine.h"

enum { MEND_MEMBERS = 32 }; /* at most in one request; a request with more gives no result */

/* A member of the corrected request. */
struct mend_member {
	struct slice name;
	const struct json *json; /* NULL: the member is removed */
	bool changed;
};

struct mend {
	struct call *c;              /* memory; its error is overwritten */
	struct engine *engine;       /* describes the table; NULL: not known */
	enum op_type type;           /* OP_QUERY becomes OP_SCAN if no key condition is possible */
	const char *message;         /* why the request was refused */
	struct buf why;              /* the reason in plain words; may be empty */
	const struct schema *schema; /* of the request's table; NULL: not known */
	struct mend_member member[MEND_MEMBERS];
	size_t n;
};

/**
 * mend_request - correct a request that was refused
 * @m: has c, engine, type and message set; the rest is 0
 *
 * Return:  true if members were changed or @m->why is set, false if nothing was found
 * Memory:  in the arena of @m->c
 */
bool mend_request(struct mend *m, const struct json *request);

/** mend_changes - return true if a member was changed */
bool mend_changes(const struct mend *m);

/** mend_json - append the corrected request to @out */
void mend_json(const struct mend *m, struct buf *out);

/* How a row of the table of foreign operators is used; MEND_TOLD: only to tell the user. */
enum mend_foreign_kind { MEND_SIGN, MEND_CLAUSE, MEND_FUNCTION, MEND_TOLD };

struct mend_foreign {
	const char *other;
	const char *ours; /* the replacement; empty for MEND_TOLD */
	enum mend_foreign_kind kind;
	const char *how; /* text for the user; NULL: "OTHER is written OURS" */
};

/** mend_foreign_next - return the row after @row, or the first one if @row is NULL; NULL after the last one */
const struct mend_foreign *mend_foreign_next(const struct mend_foreign *row);

/** mend_foreign - return the replacement for @word, or NULL if no row of @kind has that word */
const char *mend_foreign(struct slice word, enum mend_foreign_kind kind);

/** mend_foreign_put - append the text for the first foreign operator in @text; return false if @text has none */
bool mend_foreign_put(struct buf *out, struct slice text);

#endif
