/*
 * error - the error type of all layers
 *
 * Return values of all functions that can fail:
 *   0      done
 *   < 0    -ERR_*: callers return it unchanged up to the front end, which replies with it
 *   > 0    a local outcome, documented at that function; the direct caller
 *          handles it and never returns it
 */
#ifndef STORE_BASE_CORE_ERROR_H
#define STORE_BASE_CORE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "store/base/core/throttled.h"

/* The caller must use the return value: it is an error, or says what happened. */
#define must_check __attribute__((warn_unused_result))

enum err {
	ERR_NONE,
#define ERROR(name, wire, http, posix, exit) ERR_##name,
#include "store/base/core/error.def"
#undef ERROR
	ERR_COUNT
};

struct item;          /* store/model/item.h */
struct cancel_reason; /* store/op/op.h */

/* All pointers except file point into the call's arena. */
struct error {
	enum err code;
	const char *message; /* UTF-8, shown to the user */
	const char *file;    /* where it was raised */
	int line;            /* in that file */
	size_t place;        /* expressions: byte offset + 1 of the fault; 0 = unknown */
	bool whole;          /* in a transaction: a fault of the whole request, not of one action */
	const struct cancel_reason *reasons; /* ERR_CANCELED: one per action, in request order */
	size_t n_reasons;                    /* 0: none */
	const struct item *item;    /* ERR_CONDITION: the item that failed it, if requested */
	struct throttled throttled; /* error_throttled(): the reasons; may be empty */
};

const char *error_wire(enum err code);
int error_http(enum err code);
int error_posix(enum err code);
int error_exit(enum err code);

/** error_throttled - return true if @code is one of the two throttling errors */
static inline bool
error_throttled(enum err code)
{
	return code == ERR_THROTTLED || code == ERR_THROTTLED_ON_DEMAND;
}

/** error_of_path - error code for errno @e of a path that the user named; ERR_VALIDATION if the name is unusable */
enum err error_of_path(int e);

/** error_of_disk - error code for errno @e of one of our own files: ERR_NO_SPACE or ERR_IO */
enum err error_of_disk(int e);

/**
 * error_from_wire - error code for a "__type" read from the wire
 * @wire: the part after '#'
 *
 * Return: the first row of error.def with that name; ERR_IO if there is none.
 */
enum err error_from_wire(const char *wire);

#endif
