/* complaint - see complaint.h */
#include "tools/session/complaint.h"

#include <sys/ioctl.h>

#include "store/base/core/escape.h"
#include "store/base/core/throttled.h"
#include "store/model/item_json.h"

#include "tools/cli/commands.h"
#include "tools/out/show.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/system/stop.h"
#include "tools/text/words.h"

/* The width of the terminal on stderr; 0: stderr is no terminal. */
static size_t
complaint_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void
ctl_complain(const struct ctl *ctl, const struct call *c)
{
	const struct error *e = &c->error;
	cleanup(buf_release) struct buf said = {0};
	cleanup(buf_release) struct buf b = {0};

	/* Errors of itemctl itself are not given the name that the API has for their code. */
	bool own = ctl->unopened || e->code == ERR_USAGE || e->code == ERR_GUARDED ||
		   (e->code == ERR_CORRUPT && ctl->command != NULL &&
		    words_in("backup restore check", slice_from(ctl->command->name))) ||
		   stop_asked() != 0;

	bool colors = show_has_colors(STDERR_FILENO);

	buf_fmt(&b, "%s%s:%s ", colors ? SHOW_ERROR : "", own ? "itemctl" : error_wire(e->code),
		colors ? SHOW_ERROR_END : "");
	exprs_say(ctl->exprs, e->message, &said);
	throttled_put(&said, &e->throttled);
	ctl_put_said(&b, ctl, buf_view(&said));
	if (ctl->exprs != NULL) {
		exprs_show(ctl->exprs, e, complaint_columns(), &b);
	}
	if (e->item != NULL) {
		cleanup(buf_release) struct buf item = {0};

		item_put_json(&item, e->item, ctl->format == OUT_TYPED ? ITEM_TYPED : ITEM_PLAIN);
		escape_lines(&b, buf_view(&item), false);
		buf_char(&b, '\n');
	}
	(void)fwrite(b.at, 1, b.len, stderr);
}
