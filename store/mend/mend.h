/*
 * mend - a request that was refused, and the one that was meant
 *
 * For the command line, which prints the typed line with what changed, and for the server's log, which names those members.  Each pass looks for one kind of mistake and changes members of the request; a request that has
 * none of them is left as it is.  Where only the user knows a value, it is VALUE or NAME.
 */
#ifndef STORE_MEND_MEND_H
#define STORE_MEND_MEND_H

#include "store/base/core/buf.h"
#include "store/base/text/json.h"
#include "store/engine/engine.h"

enum { MEND_MEMBERS = 32 }; /* of one request: more are not looked at */

/* A member of the request as it should be. */
struct mend_member {
	struct slice name;
	const struct json *json; /* NULL: it has to go */
	bool changed;
};

struct mend {
	struct call *c;        /* memory; its error is overwritten */
	struct engine *engine; /* is asked for the table; NULL: nobody is */
	enum op_type type;     /* OP_QUERY becomes OP_SCAN where no key condition is possible */
	const char *message;   /* why the request was refused */
	struct buf why;        /* what is wrong in plain words; may be empty */
	const struct schema *schema; /* of its table; NULL: not known */
	struct mend_member member[MEND_MEMBERS];
	size_t n;
};

/**
 * mend_request - find what was meant
 * @m: with call, engine, type and message; the rest is 0
 *
 * Return:  false: nothing is known.  True with no member changed: only @m->why is.
 * Memory:  in the call's arena
 */
bool mend_request(struct mend *m, const struct json *request);

/** mend_changes - has a member changed? */
bool mend_changes(const struct mend *m);

/** mend_json - append the request as it should be */
void mend_json(const struct mend *m, struct buf *out);

/* What other languages have in an expression. */
enum mend_foreign_kind { MEND_SIGN, MEND_CLAUSE, MEND_FUNCTION, MEND_TOLD };

struct mend_foreign {
	const char *other;
	const char *ours; /* what is written in its place; of MEND_TOLD nothing is */
	enum mend_foreign_kind kind;
	const char *how; /* NULL: "OTHER is written OURS" */
};

/** mend_foreign_next - the row behind @row, NULL: the first one; NULL: there are no more */
const struct mend_foreign *mend_foreign_next(const struct mend_foreign *row);

/** mend_foreign - what is written in the place of @word; NULL: it is none of that kind */
const char *mend_foreign(struct slice word, enum mend_foreign_kind kind);

/** mend_foreign_put - append how the first one in @text is written; false: it has none */
bool mend_foreign_put(struct buf *out, struct slice text);

#endif
