/*
 * pager - what does not fit on the terminal goes through the user's pager, as git's answers do
 *
 * ITEMCTL_PAGER, else PAGER, else "less", which shows colours, leaves the text there, and ends when all of it
 * fits (LESS=FRX, unless LESS is set); "cat" or nothing is no pager.
 */
#ifndef TOOLS_OUT_PAGER_H
#define TOOLS_OUT_PAGER_H

#include <sys/types.h>

#include "store/base/core/slice.h"

struct pager {
	pid_t pid; /* 0: there is none */
	int fd;    /* that it reads from */
};

/** pager_is_needed - does @text need more lines than the terminal @fd has? */
bool pager_is_needed(struct slice text, int fd);

/** pager_start - from here on Ctrl-C is the pager's; Return: false: there is none, or it cannot be started */
bool pager_start(struct pager *p);

/** pager_end - wait until its user has seen enough; harmless without one */
void pager_end(struct pager *p);

#endif
