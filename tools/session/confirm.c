/* confirm - see confirm.h */
#include "tools/session/confirm.h"

#include <fcntl.h>

#include "store/base/core/escape.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/open.h"

#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/typed_line.h"

/* Open the terminal; NULL in the background, where reading from it would stop the process. */
static FILE *
confirm_terminal(void)
{
	int fd = isatty(STDERR_FILENO) ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
	FILE *f = fd >= 0 && tcgetpgrp(fd) == getpgrp() ? fdopen(fd, "r+") : NULL;

	if (f == NULL && fd >= 0) {
		(void)close(fd);
	}
	return f;
}

static bool
confirm_is_given(const struct ctl *ctl)
{
	return ctl->yes || ctl->dry != NULL || ctl->estimates;
}

static bool
confirm_is_far(const struct ctl *ctl)
{
	return ctl->store != NULL && url_is_far(ctl->store);
}

static int
confirm_nobody(struct call *c, const char *does)
{
	struct buf line = {.arena = &c->arena};

	if (!typed_line_with(&line, SLICE(""), SLICE(""))) {
		buf_str(&line, "the same with");
	}
	return call_fail(c, ERR_USAGE, "%s. To confirm: %.*s --yes", does,
			 SLICE_ARG(buf_view(&line)));
}

int
confirm_check(const struct ctl *ctl, struct call *c, const char *does)
{
	FILE *f = confirm_is_given(ctl) ? NULL : confirm_terminal();

	if (f != NULL) {
		(void)fclose(f);
		return 0;
	}
	return confirm_is_given(ctl) ? 0 : confirm_nobody(c, does);
}

/* ------------------------------------------------------------ the question */

/* Append the number of items ("about": DynamoDB updates it every six hours), and for far stores account and region. */
static void
confirm_put_table(struct buf *b, const struct ctl *ctl, const struct table_info *t)
{
	bool far = confirm_is_far(ctl);
	struct slice arn = t->arn; /* arn:aws:dynamodb:REGION:ACCOUNT:table/NAME */

	for (int i = 0; i < 3; i++) {
		(void)slice_take(&arn, ':');
	}
	struct slice region = slice_take(&arn, ':');
	struct slice account = slice_take(&arn, ':');

	buf_fmt(b, " with %s%s", far ? "about " : "", progress_items(t->totals.items).at);
	if (far && account.len > 0) {
		buf_fmt(b, ", account %.*s", SLICE_ARG(account));
	}
	if (far && region.len > 0) {
		buf_fmt(b, ", region %.*s", SLICE_ARG(region));
	}
}

static int
confirm_question(const struct ctl *ctl, struct call *c, const char *what, struct slice table,
		 struct buf *b)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};

	buf_fmt(b, "%s %.*s", what, SLICE_ARG(table));
	call_scope(own, c->now_ms);
	int r = engine_describe_table(ctl->engine, &own, &in, &answer);

	if (r == 0) {
		confirm_put_table(b, ctl, &answer.table);
	} else if (r == -ERR_ACCESS) {
		r = 0; /* a user who may delete a table need not be permitted to describe it */
	} else {
		r = ctl_adopt(c, &own);
	}
	if (confirm_is_far(ctl)) {
		buf_fmt(b, ", at %s", store_shown(c, ctl->store));
	}
	buf_str(b, "? [y/N] ");
	return r;
}

static bool
confirm_hear(FILE *terminal, struct slice question)
{
	cleanup(buf_release) struct buf shown = {0};
	char line[16];

	(void)escape_put(&shown, question, SIZE_MAX);
	(void)fwrite(shown.at, 1, shown.len, terminal);
	(void)fflush(terminal);
	return fgets(line, sizeof(line), terminal) != NULL && (line[0] == 'y' || line[0] == 'Y');
}

int
confirm(const struct ctl *ctl, struct call *c, const char *does, const char *what,
	struct slice table)
{
	if (confirm_is_given(ctl)) {
		return 0;
	}
	struct buf question = {.arena = &c->arena};
	int r = confirm_question(ctl, c, what, table, &question);

	if (r < 0) {
		return r;
	}
	FILE *terminal = confirm_terminal();

	if (terminal == NULL) {
		return confirm_nobody(c, does);
	}
	bool yes = confirm_hear(terminal, buf_view(&question));

	(void)fclose(terminal);
	r = stop_check(c);
	return r == 0 && !yes ? call_fail(c, ERR_USAGE, "not confirmed: nothing is changed") : r;
}

/* What a command does, for DynamoDB and for servers on other machines. */
static const char confirm_many[] = "this changes many items in a remote store";

int
confirm_far_check(const struct ctl *ctl, struct call *c)
{
	return confirm_is_far(ctl) ? confirm_check(ctl, c, confirm_many) : 0;
}

/* Return true if the table has no items: DynamoDB's count may be six hours old.  Return false if the Scan fails. */
static bool
confirm_is_empty(const struct ctl *ctl, struct call *c, const struct table_info *t)
{
	struct scan_in in = {.read = {.table = t->schema->table, .has_limit = true, .limit = 1}};
	struct scan_out out = {0};

	if (t->totals.items > 0) {
		return false;
	}
	call_scope(own, c->now_ms);
	return engine_scan(ctl->engine, &own, &in, &out) == 0 && out.page.count == 0 &&
	       out.page.last.n == 0;
}

int
confirm_far_puts(const struct ctl *ctl, struct call *c, const struct table_info *t, bool deletes)
{
	bool asks = confirm_is_far(ctl) && !confirm_is_given(ctl);

	return !asks || confirm_is_empty(ctl, c, t)
		       ? 0
		       : confirm(ctl, c, confirm_many,
				 deletes ? "Put items, in place of those with the same key, and "
					   "delete others, in table"
					 : "Put items, in place of those with the same key, into "
					   "table",
				 t->schema->table);
}

int
confirm_far(const struct ctl *ctl, struct call *c, const char *what, struct slice table)
{
	return confirm_is_far(ctl) ? confirm(ctl, c, confirm_many, what, table) : 0;
}
