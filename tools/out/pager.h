/*
 * pager - the user's pager, for output that does not fit on the terminal, as in git
 *
 * It is ITEMCTL_PAGER, else PAGER, else "less". Unless LESS is set, it is FRX: less shows colors, leaves the text on
 * the screen, and exits immediately if all of it fits. An empty value or "cat" means no pager.
 */
#ifndef TOOLS_OUT_PAGER_H
#define TOOLS_OUT_PAGER_H

#include "store/base/core/base.h"

struct pager {
	pid_t pid; /* 0: it does not run */
	int fd;    /* the pipe to it */
};

/** pager_is_needed - return true if @text needs more lines than the terminal @fd has */
bool pager_is_needed(struct slice text, int fd);

/**
 * pager_start - start it and ignore SIGINT while it runs: Ctrl-C is for the pager
 *
 * Return: false if there is no pager or it cannot be started
 */
bool pager_start(struct pager *p);

/** pager_is_left - return true if nobody reads the pipe any more, because the user has left the pager */
bool pager_is_left(const struct pager *p);

/** pager_end - close the pipe and wait until the user leaves the pager; harmless if it does not run */
void pager_end(struct pager *p);

#endif
