/*
 * confirm - ask the person at the terminal before many items change
 *
 * The terminal itself is asked, /dev/tty, since standard input may be the data.  There is one to ask on when standard
 * error is a terminal and this process is in its foreground.
 */
#ifndef TOOLS_SESSION_CONFIRM_H
#define TOOLS_SESSION_CONFIRM_H

#include "tools/session/ctl.h"

/**
 * confirm_check - is there somebody to ask, or need nobody be asked?  Before anything is read
 * @does: the command, as in "drop deletes a table for good"
 *
 * Errors:  -ERR_USAGE  it names --yes
 */
int confirm_check(const struct ctl *ctl, struct call *c, const char *does)
	__attribute__((warn_unused_result));

/**
 * confirm - ask, unless --yes, --dry-run or cost says that nobody wants to be asked
 * @does: as above
 * @what: begins the question, as in "Drop table"; the table, how many items it has, its account and where it is follow
 *
 * Errors:  -ERR_USAGE  the answer is no, or there is no terminal;  -ERR_NO_TABLE;  -ERR_BUSY  interrupted
 */
int confirm(const struct ctl *ctl, struct call *c, const char *does, const char *what,
	    struct slice table) __attribute__((warn_unused_result));

/** confirm_far_check, confirm_far - likewise, but only of DynamoDB and of servers on other machines: scripts change local stores without a question */
int confirm_far_check(const struct ctl *ctl, struct call *c) __attribute__((warn_unused_result));
int confirm_far(const struct ctl *ctl, struct call *c, const char *what, struct slice table)
	__attribute__((warn_unused_result));

/**
 * confirm_far_puts - likewise, before items are put into table @t, unless it is empty; a Scan looks where the server counts none
 * @deletes: some may be deleted, too
 */
int confirm_far_puts(const struct ctl *ctl, struct call *c, const struct table_info *t,
		     bool deletes) __attribute__((warn_unused_result));

#endif
