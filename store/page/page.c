/* page - chooses the page for a path */
#include "store/page/page.h"

#include "store/base/core/call.h"
#include "store/engine/engine.h"
#include "store/page/page_html.h"

struct slice
page_argument(const struct page_request *rq, const char *name)
{
	for (size_t i = 0; i < rq->n; i++) {
		if (slice_is(rq->at[i].name, name)) {
			return rq->at[i].value;
		}
	}
	return (struct slice){0};
}

static unsigned
page_missing(struct buf *out, const struct error *e)
{
	page_head(out, SLICE(""), NULL);
	buf_str(out, "</header>\n");
	page_error(out, e->message, SLICE(""), 0);
	return page_foot(out, e);
}

unsigned
page_answer(struct call *c, struct engine *e, const struct page_request *rq, struct buf *out)
{
	/* DynamoDB Local has its page at this path. */
	static const struct slice local = SLICE_INIT("/shell");
	bool moved = slice_starts(rq->path, SLICE("/shell/"));
	struct describe_table_in in = {
		.table = slice_skip(rq->path, (moved ? local.len : 0) + 1),
	};
	struct describe_table_out table;
	bool found = in.table.len > 0 && engine_describe_table(e, c, &in, &table) == 0;

	if (in.table.len == 0 || (!found && slice_eq(rq->path, local))) {
		c->error = (struct error){0};
		return page_argument(rq, "pattern").len > 0 ? page_pattern(c, e, rq, out)
							    : page_tables(c, e, rq, out);
	}
	if (!found) {
		return page_missing(out, &c->error);
	}
	if (page_argument(rq, "shapes").len > 0) {
		return page_shapes(c, e, rq, &table.table, out);
	}
	return page_argument(rq, "changes").at == NULL ? page_table(c, e, rq, &table.table, out)
						       : page_changes(c, e, rq, &table.table, out);
}
