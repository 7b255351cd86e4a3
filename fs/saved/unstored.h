/*
 * unstored - what was written to a mount and is no item: said when the mount ends
 *
 * In the log, which is standard error in the foreground; and on the terminal that the mount was started on, if
 * it is still there.  Nobody waits for a terminal that takes nothing.
 */
#ifndef FS_SAVED_UNSTORED_H
#define FS_SAVED_UNSTORED_H

#include <pthread.h>
#include <stdatomic.h>

#include "store/base/core/slice.h"

enum {
	UNSTORED_MAX = 100,  /* texts that are known, the newest */
	UNSTORED_SHOWN = 20, /* lines on a terminal */
};

struct unstored_text;

struct unstored {
	pthread_mutex_t lock;
	struct unstored_text *texts; /* oldest first */
	atomic_size_t n;
	size_t older;   /* that are not known any more */
	char *terminal; /* its name, of tty_put(); NULL: none */
};

void unstored_init(struct unstored *u);
void unstored_release(struct unstored *u);

/** unstored_on - the mount was started on the terminal of that name; "": on none */
void unstored_on(struct unstored *u, const char *terminal);

/**
 * unstored_add - a text is no item; replaces an older one of that path
 * @sentence: what it is, and where it is kept
 * @said:     in the log already
 */
void unstored_add(struct unstored *u, struct slice path, struct slice sentence, bool said);

/** unstored_forget - an item is stored at that path */
void unstored_forget(struct unstored *u, struct slice path);

/** unstored_say - the mount ends */
void unstored_say(struct unstored *u);

#endif
