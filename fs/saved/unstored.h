/*
 * unstored - texts that were written to a mount and did not become items, reported when the mount ends
 *
 * They are reported in the log, which is standard error in the foreground, and on the terminal that the mount was
 * started on, if it still exists.  The report does not wait for a blocked terminal.
 */
#ifndef FS_SAVED_UNSTORED_H
#define FS_SAVED_UNSTORED_H

#include <stdatomic.h>

#include "store/base/core/base.h"

enum {
	UNSTORED_MAX = 100,  /* texts that are remembered, the newest */
	UNSTORED_SHOWN = 20, /* lines on a terminal */
};

struct unstored_text;

struct unstored {
	pthread_mutex_t lock;
	struct unstored_text *texts; /* oldest first */
	atomic_size_t n;
	size_t older;   /* number of texts that are no longer remembered */
	char *terminal; /* name from tty_put(); NULL: none */
};

void unstored_init(struct unstored *u);
void unstored_release(struct unstored *u);

/** unstored_on - set the name of the terminal that the mount was started on, from tty_put(); "": none */
void unstored_on(struct unstored *u, const char *terminal);

/**
 * unstored_add - remember that the text at @path is no item; replaces an older text of the same path
 * @sentence: what the text is, and where it is kept
 * @said:     it is in the log already
 */
void unstored_add(struct unstored *u, struct slice path, struct slice sentence, bool said);

/** unstored_forget - forget the text at @path, because an item is stored there */
void unstored_forget(struct unstored *u, struct slice path);

/** unstored_say - report all texts, when the mount ends */
void unstored_say(struct unstored *u);

#endif
