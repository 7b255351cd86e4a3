/*
 * input - standard input from a pipe whose writer uses the same store
 *
 *   itemctl query tab a --project PK,SK | itemctl update tab - ...
 *
 * Without a server only one of the two processes can have the store open.  The reader opens it when the pipe has data.
 * If the writer still has the store open then, the reader first copies all of the pipe into an unnamed file.  A reader
 * that waits for input does not block other processes from the store.
 */
#ifndef TOOLS_SYSTEM_INPUT_H
#define TOOLS_SYSTEM_INPUT_H

#include "store/engine/engine.h"

enum { INPUT_AHEAD = 64 * 1024 };

/* The beginning of standard input. */
struct input_ahead {
	struct slice bytes; /* at most INPUT_AHEAD; in the call's arena */
	bool whole;         /* the end was read */
};

/**
 * input_ahead - read the beginning of standard input: up to INPUT_AHEAD bytes
 * @patience_ms: longest wait for more bytes, in milliseconds, and do not read a terminal; negative: wait without limit
 *
 * Errors:  -ERR_IO
 */
int input_ahead(struct call *c, int patience_ms, struct input_ahead *out) must_check;

/**
 * input_open - store_open() for a command that reads standard input
 *
 * Errors:  those of store_open();  -ERR_IO, -ERR_NO_SPACE  the input could not be copied
 */
int input_open(struct call *c, const char *store, bool create, struct engine **out) must_check;

#endif
