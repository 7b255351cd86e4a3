/* nothing - why an answer is empty: what was typed as something else than was meant */
#ifndef TOOLS_ADVICE_NOTHING_H
#define TOOLS_ADVICE_NOTHING_H

#include "tools/advice/absent_key.h"
#include "tools/session/absent.h"

struct nothing {
	struct slice table;
	struct slice filter; /* as it was typed, or a statement from WHERE on; empty: none */
	const struct placeholders *ph; /* of it */
	const struct absent_key *key;  /* of which partition; NULL: of many */
	bool statement; /* @filter is of PartiQL, and its quotes have been looked at */
	bool examined;  /* some items were read, and the filter dropped them */
};

enum nothing_cause {
	NOTHING_SEEN = 0, /* none can be seen */
	NOTHING_SAID = 1,
	NOTHING_WRONG = 2, /* it was written wrong, and said how: also the exit status */
};

/** nothing_say - one line about the first thing that is the cause */
enum nothing_cause nothing_say(const struct ctl *ctl, struct call *c, const struct nothing *n);

/** nothing_say_compared - of an answer with items: a filter compares with a name that no item of the table has */
void nothing_say_compared(const struct ctl *ctl, struct call *c, const struct nothing *n);

/**
 * nothing_say_projected - an attribute that was asked for and that no item of the answer has
 *
 * Of a store, or of a server on this machine, some items of the table are looked at: they may have it.
 */
void nothing_say_projected(const struct ctl *ctl, struct call *c, struct slice table,
			   const struct absent_names *names);

#endif
