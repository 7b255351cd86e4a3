/*
 * input - a pipe from the same store
 *
 *   itemctl query tab a --project PK,SK | itemctl update tab - ...
 *
 * A store that nobody serves belongs to one of the two at a time.  So the one that reads opens it
 * when the pipe has something, and by then the other one has it: then everything is read first,
 * into a file without a name.  Where the store is free nothing is kept, and a command that waits for
 * its input keeps the store from nobody.
 */
#ifndef TOOLS_SESSION_INPUT_H
#define TOOLS_SESSION_INPUT_H

#include "store/engine/engine.h"

enum { INPUT_AHEAD = 64 * 1024 };

/* What standard input begins with. */
struct input_ahead {
	struct slice bytes; /* INPUT_AHEAD at most; in the call's arena */
	bool whole;         /* nothing follows */
};

/**
 * input_ahead - read it: to the end, or so many bytes
 * @patience_ms: no longer for the next byte, and not at all on a terminal; negative: without an end
 *
 * Errors:  -ERR_IO
 */
int input_ahead(struct call *c, int patience_ms, struct input_ahead *out)
	__attribute__((warn_unused_result));

/**
 * input_open - store_open(), for a command that reads standard input
 *
 * Errors:  those of store_open();  -ERR_IO, -ERR_NO_SPACE  keeping what was read
 */
int input_open(struct call *c, const char *store, bool create, struct engine **out)
	__attribute__((warn_unused_result));

#endif
