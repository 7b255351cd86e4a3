/*
 * error - the one error type, from the parser to every door
 *
 * Sign rule for every function that can fail:
 *   0      done
 *   < 0    -ERR_*: travels up unchanged to the door, which replies with it
 *   > 0    a local outcome, documented at that function; the direct caller
 *          handles it and never returns it
 */
#ifndef STORE_BASE_CORE_ERROR_H
#define STORE_BASE_CORE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "store/base/core/throttled.h"

enum err {
	ERR_NONE,
#define ERROR(name, wire, http, posix, exit) ERR_##name,
#include "store/base/core/error.def"
#undef ERROR
	ERR_COUNT
};

struct item;          /* store/model/item.h */
struct cancel_reason; /* store/op/op.h */

/* All pointers are into the call's arena. */
struct error {
	enum err code;
	const char *message; /* UTF-8, shown to the user */
	const char *file;    /* where it was raised */
	int line;            /* in that file */
	size_t place;        /* expressions: byte offset + 1 of the fault; 0 = unknown */
	bool whole; /* in a transaction: the request's fault, not the reason of one action */
	const struct cancel_reason *reasons; /* ERR_CANCELED: one an action, in request order */
	size_t n_reasons;                    /* how many */
	const struct item *item;             /* ERR_CONDITION: the item in the way, if asked for */
	struct throttled throttled;          /* error_throttled(): why; may be empty */
};

const char *error_wire(enum err code);
int error_http(enum err code);
int error_posix(enum err code);
int error_exit(enum err code);

/** error_throttled - is @code one of the two refusals for want of throughput? */
static inline bool
error_throttled(enum err code)
{
	return code == ERR_THROTTLED || code == ERR_THROTTLED_ON_DEMAND;
}

/** error_of_path - what errno @e says of a path that somebody has named: a name that will not do is ERR_VALIDATION */
enum err error_of_path(int e);

/** error_of_disk - what errno @e says of a file of our own: ERR_NO_SPACE or ERR_IO */
enum err error_of_disk(int e);

/**
 * error_from_wire - the code of a "__type" read from the wire
 * @wire: the part behind '#'; the first row with that name wins
 *
 * Return: ERR_IO for a name that no row has.
 */
enum err error_from_wire(const char *wire);

#endif
