/* table_file - see table_file.h; place.c finds the names, ops_made.c opens and reads the files */
#include "fs/made/table_file.h"

#include "store/engine/engine.h"
#include "store/wire/codec/describe.h"

#include "fs/core/memory_account.h"
#include "fs/file/handle.h"
#include "fs/made/follow.h"
#include "fs/made/generated.h"
#include "fs/made/records.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

enum { INDENT = 2 };

/* The attribute of TTL; empty if there is none, or the store does not support it. */
static int
table_file_time_to_live(struct mount *m, struct call *c, struct slice table, struct slice *out)
{
	struct describe_time_to_live_in in = {.table = table};
	struct describe_time_to_live_out answer = {0};
	int r = engine_describe_time_to_live(m->engine, c, &in, &answer);

	*out = answer.attribute;
	if (r == -ERR_UNKNOWN_OPERATION) {
		c->error = (struct error){0};
		r = 0;
	}
	return r;
}

static int
table_file_describe(struct mount *m, struct call *c, struct slice table, struct slice *out)
{
	struct description description;
	struct slice ttl = {0};
	int r = describe_ask(m->engine, c, table, &description);

	if (r == 0) {
		r = table_file_time_to_live(m, c, table, &ttl);
	}
	return r < 0 ? r : describe_as_told(c, &description, ttl, INDENT, out);
}

static int
table_file_check_records(struct call *c, const struct place *p)
{
	return p->schema->stream.view == STREAM_NONE ? records_none(c, p->table) : 0;
}

int
table_file_stat(struct mount *m, struct call *c, const struct place *p, struct attributes *out)
{
	struct slice text = {0};
	int r = 0;

	if (slice_is(p->shown, PLACE_DESCRIPTION)) {
		r = table_file_describe(m, c, p->table, &text);
	} else if (slice_is(p->shown, PLACE_RECORDS)) {
		r = table_file_check_records(c, p);
	}
	*out = (struct attributes){.size = text.len, .mtime_ns = place_content_time(m, p)};
	if (slice_is(p->shown, PLACE_STREAM)) {
		out->size = follow_size(m, p->table);
	}
	return r;
}

int
table_file_open(struct request *rq, struct handle *h, const struct place *p,
		struct fuse_file_info *fi)
{
	struct slice text = {0};

	if (slice_is(p->shown, PLACE_STREAM)) {
		fi->nonseekable = 1;
		return follow_open(rq, h, p);
	}
	if (slice_is(p->shown, PLACE_RECORDS)) {
		int r = table_file_check_records(&rq->c, p);

		if (r == 0) {
			generated_open(rq->m, h);
		}
		return r;
	}
	int r = table_file_describe(rq->m, &rq->c, p->table, &text);

	return r != 0 || handle_keep_text(h, text) ? r : account_full(&rq->c);
}
