/* nothing - notes about the reason for an empty answer, such as a comparison with a value of another type */
#ifndef TOOLS_ADVICE_NOTHING_H
#define TOOLS_ADVICE_NOTHING_H

#include "tools/advice/absent_key.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"

struct nothing {
	struct slice table;
	struct slice filter;           /* as typed, or a statement from WHERE on; empty: none */
	const struct placeholders *ph; /* placeholders of @filter */
	const struct absent_key *key;  /* the partition that was read; NULL: several */
	bool statement;                /* @filter is PartiQL whose quotes have been checked */
	bool examined;                 /* items were read, and the filter removed them */
};

enum nothing_cause {
	NOTHING_SEEN = 0,  /* no reason was found */
	NOTHING_SAID = 1,  /* a note was printed */
	NOTHING_WRONG = 2, /* a note about an error of the user was printed; also the exit status */
};

/** nothing_say - print a note about the first reason that is found */
enum nothing_cause nothing_say(const struct ctl *ctl, struct call *c, const struct nothing *n);

/** nothing_say_compared - for an answer with items: print a note about an unquoted text in the filter */
void nothing_say_compared(const struct ctl *ctl, struct call *c, const struct nothing *n);

/**
 * nothing_say_projected - print a note about a projected attribute that no item of the answer has
 *
 * Except for far stores, checks the first items of the table: no note if one of them has the attribute.
 */
void nothing_say_projected(const struct ctl *ctl, struct call *c, struct slice table,
			   const struct absent_names *names);

/**
 * mistyped_put - append a note about the first comparison that is true for no item of @sample, and its correction
 * @expression: as typed, or a statement from WHERE on
 * @line: with the typed line, if the correction keeps the value
 *
 * Return: false: there is no such comparison
 */
bool mistyped_put(struct buf *out, const struct page *sample, struct slice expression,
		  const struct placeholders *ph, bool line);

#endif
