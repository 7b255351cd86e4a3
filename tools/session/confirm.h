/*
 * confirm - ask the person at the terminal before many items change
 *
 * The question is asked on /dev/tty, because standard input may be the data.  This requires that standard error is a
 * terminal and that this process is in the foreground.
 */
#ifndef TOOLS_SESSION_CONFIRM_H
#define TOOLS_SESSION_CONFIRM_H

#include "tools/session/ctl.h"

/**
 * confirm_check - check that confirm() can ask, or need not; call it before the command reads anything
 * @does: what the command does, as in "drop deletes a table for good"
 *
 * Errors:  -ERR_USAGE  there is no terminal; the message suggests --yes
 */
int confirm_check(const struct ctl *ctl, struct call *c, const char *does) must_check;

/**
 * confirm - ask, unless --yes, --dry-run or cost is given
 * @does: as above
 * @what: beginning of the question, as in "Drop table"; table, number of items, account and endpoint are appended
 *
 * Errors:  -ERR_USAGE  the answer is no, or there is no terminal;  -ERR_NO_TABLE;  -ERR_BUSY  interrupted
 */
int confirm(const struct ctl *ctl, struct call *c, const char *does, const char *what,
	    struct slice table) must_check;

/**
 * confirm_far_check, confirm_far - likewise, but only for DynamoDB and for servers on other machines
 *
 * Local stores are changed without a question, because scripts do so.
 */
int confirm_far_check(const struct ctl *ctl, struct call *c) must_check;
int confirm_far(const struct ctl *ctl, struct call *c, const char *what, struct slice table)
	must_check;

/**
 * confirm_far_puts - likewise, before items are put into table @t, unless it is empty
 * @deletes: items may be deleted, too
 *
 * If the server reports 0 items, sends a Scan for one item to verify that.
 */
int confirm_far_puts(const struct ctl *ctl, struct call *c, const struct table_info *t,
		     bool deletes) must_check;

#endif
