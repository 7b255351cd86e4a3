/*
 * refused - the newest operations that the mounts of a store refused, with the full sentence
 *
 * What .itemfs/errors shows and "itemctl why PATH" prints.  One line each:
 *
 *   2026-11-20T09:01:02.345Z  uid  path  EBADMSG  ValidationException  sentence  x 17    (tabs between)
 *
 * What would act on a terminal, in a path or a sentence, is written as \n, \u001b (store/base/core/visible.h).
 *
 * A refusal that repeats an older one of the same user is counted there: the line moves to the end, with the last time
 * and the number of times.  When the log is full, the oldest line of whoever has the most lines goes, so that
 * one user of one mount does not push out the lines of others.
 *
 * A refusal whose path is written later, and accepted, is settled: "settled" is its last field until it is refused again.
 */
#ifndef FS_SAVED_REFUSED_H
#define FS_SAVED_REFUSED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/buf.h"
#include "store/op/op.h"

enum {
	REFUSED_MAX = 1000,        /* lines of refusals */
	REFUSED_ANSWERS_MAX = 100, /* lines of plain answers, as EEXIST; of remarks */
};

struct refusal {
	uint64_t time_ms;
	const char *mount; /* the mount point */
	uint32_t uid;
	struct slice path;    /* absolute */
	int errnum;           /* 0, shown as "-": it was done, and is remarked on */
	const char *name;     /* DynamoDB's; "-" where it has none */
	const char *sentence; /* for the user */
};

/* Which lines a reader sees.  Zero: all of them. */
struct refused_reader {
	const char *mount; /* of this mount point; NULL: of all */
	bool only_own;     /* of @uid alone */
	uint32_t uid;
	struct slice path; /* of this path; empty: of all */
	bool meant; /* neither what is settled, nor what programs try and go on after, as EEXIST */
};

struct refused {
	pthread_mutex_t lock;
	struct refused_line *line[REFUSED_MAX]; /* oldest first */
	size_t n;
	atomic_size_t n_open; /* of them not settled */
	size_t max;
	struct refused_owner *owners; /* who has lines */
};

/** refused_init - an empty log of up to @max lines, at most REFUSED_MAX */
void refused_init(struct refused *log, size_t max);
void refused_release(struct refused *log);

void refused_add(struct refused *log, const struct refusal *r);

/** refused_settle - what was refused at @path, absolute, is settled: a write there was accepted */
void refused_settle(struct refused *log, struct slice path);

/** refused_list - the lines that @reader sees, oldest first */
void refused_list(struct refused *log, struct call *c, const struct refused_reader *reader,
		  struct refused_out *out);

/** refused_time - append @ms of Unix time as 2026-11-20T09:01:02.345Z */
void refused_time(struct buf *out, uint64_t ms);

#endif
