/*
 * check_damage - a damaged file ends writing and repairs, but not the check
 *
 * A repair could bring back old versions: LevelDB shows what an unreadable block has overwritten.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "store/local/check/check_int.h"
#include "store/local/commit/damage.h"

void
check_damaged(struct check *k, struct slice why)
{
	struct call own;

	atomic_store(&k->local->damaged_files, true);
	call_open(&own, k->c->now_ms, SIZE_MAX);
	int r = call_fail(&own, ERR_CORRUPT, "%.*s", SLICE_ARG(why));

	r = damage_seen(k->local, &own, r);
	assert(r == -ERR_CORRUPT);
	call_close(&own);
}

struct slice
check_take_damage(struct check *k)
{
	struct slice why = slice_from(k->c->error.message);

	k->c->error = (struct error){0};
	kv_cursor_free(k->cursor); /* it would keep the error */
	k->cursor = kv_cursor_new(k->local->kv, k->at);
	check_damaged(k, why);
	return why;
}

void
check_pass_over(struct check *k, const char *fmt, ...)
{
	struct slice why = check_take_damage(k);
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	check_problem(k, "%s: %.*s", what, SLICE_ARG(why));
}
