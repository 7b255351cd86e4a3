/*
 * refused - log of the newest operations that the mounts of a store refused
 *
 * .itemfs/errors shows the log and "itemctl why PATH" prints it.  Each refusal is a line with its full sentence:
 *
 *   2026-11-20T09:01:02.345Z  uid  path  EBADMSG  ValidationException  sentence  x 17    (tabs between)
 *
 * Control characters in paths and sentences are written as \n, \u001b (store/base/core/escape.h).
 *
 * A refusal that repeats an older one of the same user moves that line to the end, with the last time and the number of
 * times.  A full log drops the oldest line of the user of a mount with the most lines, so that one user does not push
 * out the lines of others.
 *
 * A refusal is settled when a later write to its path is accepted.  Its last field is then "settled", until the path is
 * refused again.
 */
#ifndef FS_SAVED_REFUSED_H
#define FS_SAVED_REFUSED_H

#include <stdatomic.h>

#include "store/op/op.h"

enum {
	REFUSED_MAX = 1000,        /* lines of refusals */
	REFUSED_ANSWERS_MAX = 100, /* lines of plain answers, such as EEXIST, and of remarks */
};

struct refusal {
	uint64_t time_ms;
	const char *mount; /* the mount point */
	uint32_t uid;
	struct slice path;    /* absolute */
	int errnum;           /* 0, shown as "-": the operation succeeded, with a remark */
	const char *name;     /* of DynamoDB's exception; "-": none */
	const char *sentence; /* for the user */
};

/* The lines that a reader sees.  Zero: all lines. */
struct refused_reader {
	const char *mount; /* only lines of this mount point; NULL: of all */
	bool only_own;     /* only lines of @uid */
	uint32_t uid;
	struct slice path; /* only lines of this path; empty: of all */
	bool meant;        /* omit settled lines, and errors that programs expect, such as EEXIST */
};

struct refused {
	pthread_mutex_t lock;
	struct refused_line *line[REFUSED_MAX]; /* oldest first */
	size_t n;
	atomic_size_t n_open; /* lines that are not settled; may be read without the lock */
	size_t max;
};

/** refused_init - create an empty log of up to @max lines, at most REFUSED_MAX */
void refused_init(struct refused *log, size_t max);
void refused_release(struct refused *log);

/** refused_add - add a copy of @r, or count it in the line that it repeats */
void refused_add(struct refused *log, const struct refusal *r);

/** refused_settle - mark the refusals at the absolute path @path as settled, because a write there was accepted */
void refused_settle(struct refused *log, struct slice path);

/** refused_list - list the lines that @reader sees, oldest first, in the call's memory */
void refused_list(struct refused *log, struct call *c, const struct refused_reader *reader,
		  struct refused_out *out);

#endif
