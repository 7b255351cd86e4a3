/*
 * refused - the newest 1,000 operations that a mount refused, with the full sentence
 *
 * What .itemfs/errors shows and "itemctl why PATH" prints.  One line each:
 *
 *   2026-11-20T09:01:02.345Z  uid  path  EBADMSG  ValidationException  sentence     (tabs between)
 */
#ifndef FS_REFUSED_H
#define FS_REFUSED_H

#include <pthread.h>
#include <stdint.h>

#include "store/base/buf.h"
#include "store/op/op.h"

enum { REFUSED_MAX = 1000 };

struct refusal {
	uint64_t time_ms;
	uint32_t uid;
	struct slice path; /* absolute */
	int errnum;
	const char *name;     /* DynamoDB's; "-" where it has none */
	const char *sentence; /* for the user */
};

struct refused {
	pthread_mutex_t lock;
	struct refused_line *line[REFUSED_MAX]; /* a ring */
	size_t next;                            /* where the next line goes */
	size_t n;                               /* lines in it */
};

void refused_init(struct refused *log);
void refused_release(struct refused *log);

void refused_add(struct refused *log, const struct refusal *r);

/** refused_list - the lines, oldest first; @path empty: all, else those of this path */
void refused_list(struct refused *log, struct call *c, struct slice path, struct refused_out *out);

/** refused_time - append @ms of Unix time as 2026-11-20T09:01:02.345Z */
void refused_time(struct buf *out, uint64_t ms);

#endif
