/* suggest - usage lines, and names of tables */
#include "tools/suggest.h"

#include "tools/command.h"
#include "tools/help.h"
#include "tools/near.h"

/* The error as it is, and @line below it. */
static void
suggest_line(struct call *c, struct slice line)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s\n%.*s", c->error.message, SLICE_ARG(line));
	buf_char(&b, '\0');
	c->error.message = b.at;
}

static void
suggest_usage(const struct ctl *ctl, struct call *c)
{
	struct buf b;

	buf_init(&b, &c->arena);
	help_usage(&b, ctl->command);
	b.len -= b.len > 0; /* the last line's end */
	suggest_line(c, buf_view(&b));
}

/* Compare the names of all tables, page by page. */
static int
suggest_compare(struct engine *engine, struct call *c, struct near *near, size_t *n)
{
	struct list_tables_in in = {0};
	struct list_tables_out out;
	int r;

	do {
		r = engine_list_tables(engine, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			if (slice_eq(out.names[i], near->typed)) {
				return 1; /* it is there: something else is missing */
			}
			near_try(near, out.names[i]);
			++*n;
		}
		in.start = r == 0 ? out.last : (struct slice){0};
	} while (r == 0 && in.start.len > 0);
	return r;
}

static void
suggest_table(const struct ctl *ctl, struct call *c)
{
	struct near near = near_start(slice_from(ctl->words.at[0]));
	struct call own;
	struct buf b;
	size_t n = 0;

	call_open(&own, c->now_ms, CTL_BUDGET);
	buf_init(&b, &c->arena);
	if (suggest_compare(ctl->engine, &own, &near, &n) == 0) {
		if (near.best.len > 0) {
			buf_fmt(&b, "did you mean %.*s?", SLICE_ARG(near.best));
		} else if (n == 0) {
			buf_str(&b, "the store has no tables; itemctl create-table makes one");
		} else {
			buf_str(&b, "itemctl tables lists those there are");
		}
		suggest_line(c, buf_view(&b));
	}
	call_close(&own);
}

void
suggest(const struct ctl *ctl, struct call *c)
{
	enum err code = c->error.code;

	if (code == ERR_USAGE && ctl->command != NULL && ctl->words.n == 0) {
		suggest_usage(ctl, c);
	} else if ((code == ERR_NO_TABLE || code == ERR_NO_SUCH_TABLE) && ctl->engine != NULL &&
		   ctl->words.n > 0) {
		suggest_table(ctl, c);
	}
}
