/*
 * cmd_copy - copy: a table from one store to another, with its definition
 *
 * Pages of a Scan are read ahead in a thread and put as they come.  Putting an item twice does no
 * harm, so a copy is resumed where a page ended of which is known that it lasts.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "store/base/cleanup.h"
#include "store/open.h"

#include "tools/await.h"
#include "tools/bulk.h"
#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/progress.h"
#include "tools/stop.h"
#include "tools/streams.h"

enum { SYNC_PAGES = 64 }; /* so many pages at most are put again after a failure */

struct copy_opts {
	const char *to;
	const char *start;
	struct opt_count jobs;
};

static const struct opt copy_opts[] = {
	{"to", 0, OPT_TEXT, "STORE[/TABLE]", offsetof(struct copy_opts, to),
	 "where: a directory, made where there is none, http://HOST:PORT or dynamodb:REGION"},
	{"start", 0, OPT_JSON, "KEYJSON", offsetof(struct copy_opts, start),
	 "go on behind this key, as a copy that was interrupted has said"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct copy_opts, jobs),
	 "1: read and write by turns; default: read ahead"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

struct copying {
	struct ctl *from;
	struct ctl to;
	bool same; /* one engine for both */
	struct slice source;
	struct slice target; /* tables */
	const struct schema *schema;
	struct item start; /* the key behind which it begins; without attributes: the beginning */
	struct bulk bulk;
	struct progress progress;
	uint64_t items;  /* put */
	uint64_t bytes;  /* of them, by DynamoDB's count, while progress is shown */
	struct buf next; /* heap: the key behind which the rest begins; empty: the beginning */
	struct buf safe; /* heap: likewise, of what lasts */
};

/* ------------------------------------------------------------ the other store */

static bool
is_store(struct call *c, struct slice dir)
{
	struct buf path;
	struct stat st;

	buf_init(&path, &c->arena);
	buf_fmt(&path, "%.*s/FORMAT", SLICE_ARG(dir));
	return stat(slice_cstr(&c->arena, buf_view(&path)), &st) == 0;
}

/* Where the store's name ends that may have "/TABLE" behind it; its whole length: there is no table. */
static size_t
store_length(struct call *c, const char *name)
{
	struct slice whole = slice_from(name);
	const char *slash = strrchr(name, '/');
	const char *scheme = strstr(name, "://");
	struct stat st;

	if (slash == NULL || slash[1] == '\0' || slash == name) {
		return whole.len;
	}
	if (scheme != NULL) {
		return slash < scheme + 3 ? whole.len : (size_t)(slash - name);
	}
	if (store_is_remote(name)) {
		return (size_t)(slash - name);
	}
	return stat(name, &st) != 0 && is_store(c, slice_of(name, (size_t)(slash - name)))
		       ? (size_t)(slash - name)
		       : whole.len;
}

static void
find_target(struct copying *cp, struct call *c, const char *name)
{
	size_t n = store_length(c, name);

	cp->to.store = slice_cstr(&c->arena, slice_of(name, n));
	cp->target = name[n] == '\0' ? cp->source : slice_from(name + n + 1);
	if (cp->target.len == 0) {
		cp->target = cp->source;
	}
}

static bool
same_store(const char *a, const char *b)
{
	struct stat x;
	struct stat y;

	if (store_is_remote(a) || store_is_remote(b)) {
		return strcmp(a, b) == 0;
	}
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int
open_target(struct copying *cp, struct call *c)
{
	cp->same = same_store(cp->from->store, cp->to.store);
	if (cp->same && slice_eq(cp->source, cp->target)) {
		return call_fail(c, ERR_USAGE, "--to is the table itself");
	}
	if (cp->same) {
		cp->to.engine = cp->from->engine;
		return 0;
	}
	return ctl_open_store(&cp->to, c, true);
}

/* ------------------------------------------------------------ the definition */

/* What CreateTable is to be told; times, ids and what belongs to one store are not. */
static struct schema *
definition(struct copying *cp, struct call *c)
{
	const struct schema *s = cp->schema;
	assert(s != NULL);
	struct schema *out = arena_new(&c->arena, struct schema, 1);

	*out = (struct schema){
		.table = cp->target,
		.provisioned = s->provisioned,
		.read_units = s->read_units,
		.write_units = s->write_units,
		.class = s->class,
		.stream.view = s->stream.view,
		.key = s->key,
		.index = arena_new(&c->arena, struct index, s->n_index + 1),
		.tags = s->tags,
		.n_tags = s->n_tags,
		.throttle = s->throttle,
		.collection_limit = s->collection_limit,
	};
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state != INDEX_DELETING) {
			struct index *ix = &out->index[out->n_index++];

			*ix = s->index[i];
			ix->state = INDEX_ACTIVE;
			ix->id = 0;
		}
	}
	return out;
}

static int
look(struct ctl *ctl, struct call *own, void *arg, bool *busy)
{
	const struct copying *cp = arg;
	struct describe_table_in in = {.table = cp->target};
	struct describe_table_out answer = {0};
	int r = stop_check(own);

	r = r < 0 ? r : engine_describe_table(ctl->engine, own, &in, &answer);
	*busy = r == 0 && answer.table.status != TABLE_ACTIVE;
	return r;
}

static int
create_target(struct copying *cp, struct call *c)
{
	struct create_table_in in = {.schema = definition(cp, c)};
	struct create_table_out answer = {0};
	struct slice ttl = {0};

	int r = ctl_time_to_live(cp->from, c, cp->source, &ttl);
	if (r == 0) {
		r = engine_create_table(cp->to.engine, c, &in, &answer);
	}
	if (r == 0) {
		r = await(&cp->to, c, look, cp);
	}
	if (r == 0 && ttl.len > 0) {
		struct update_time_to_live_in expire = {
			.table = cp->target, .enabled = true, .attribute = ttl};
		struct update_time_to_live_out done;

		r = engine_update_time_to_live(cp->to.engine, c, &expire, &done);
	}
	if (r == 0) {
		ctl_note(cp->from, "table %.*s created", SLICE_ARG(cp->target));
	}
	return r;
}

/* It is there, with the same key. */
static int
prepare_target(struct copying *cp, struct call *c)
{
	struct describe_table_in in = {.table = cp->target};
	struct describe_table_out there = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_describe_table(cp->to.engine, &own, &in, &there);

	if (r == -ERR_NO_TABLE) {
		r = create_target(cp, c);
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	} else if (!key_schema_eq(&cp->schema->key, &there.table.schema->key)) {
		r = call_fail(c, ERR_USAGE, "the table %.*s there has another key",
			      SLICE_ARG(cp->target));
	}
	call_close(&own);
	return r;
}

/* ------------------------------------------------------------ items */

/* What has been put lasts: a copy that fails from here on is resumed behind it. */
static int
make_safe(struct copying *cp, struct call *c)
{
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = bulk_sync(&cp->bulk, &own);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else {
		buf_clear(&cp->safe);
		buf_slice(&cp->safe, buf_view(&cp->next));
	}
	call_close(&own);
	return r;
}

static int
put_page(struct copying *cp, struct call *c, const struct page *page)
{
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = bulk_put(&cp->bulk, &own, page->items, page->count);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else {
		cp->items += page->count;
		for (size_t i = 0; cp->progress.on && i < page->count; i++) {
			cp->bytes += item_size(&page->items[i]);
		}
		buf_clear(&cp->next);
		if (page->last.n > 0) {
			item_put_json(&cp->next, &page->last, ITEM_PLAIN);
		}
		progress_show(&cp->progress, cp->items, cp->bytes);
	}
	call_close(&own);
	return r;
}

static int
copy_pages(struct copying *cp, struct call *c, struct streams *pages)
{
	struct stream_page *page = NULL;
	int r = 0;

	for (unsigned n = 1; r == 0; n++) {
		r = stop_check(c);
		if (r == 0) {
			r = streams_next(pages, c, 0, &page);
		}
		if (r == 0) {
			r = put_page(cp, c, &page->page);
		}
		if (r == 0 && n % SYNC_PAGES == 0) {
			r = make_safe(cp, c);
		}
	}
	int safe = make_safe(cp, c);

	return r < 0 ? r : safe;
}

static int
copy_items(struct copying *cp, struct call *c, const struct copy_opts *o)
{
	struct op_in request = {.type = OP_SCAN, .scan.read = {.table = cp->source, .once = true}};
	struct streams_options so = {.engine = cp->from->engine,
				     .requests = &request,
				     .n = 1,
				     .jobs = ctl_jobs(&o->jobs),
				     .now_ms = c->now_ms};
	request.scan.read.start = cp->start;
	if (o->start != NULL) {
		buf_str(&cp->next, o->start);
		buf_str(&cp->safe, o->start);
	}
	struct streams *pages = streams_new(&so);

	int r = copy_pages(cp, c, pages);

	streams_free(pages);
	return r;
}

/* ------------------------------------------------------------ the whole */

/* Also with --quiet: without the key the rest cannot be had alone. */
static void
tell_rest(const struct copying *cp)
{
	cleanup(buf_release) struct buf quoted = {0};
	cleanup(buf_release) struct buf line = {0};

	for (size_t i = 0; i < cp->safe.len; i++) {
		buf_str(&quoted, cp->safe.at[i] == '\'' ? "'\\''" : "");
		buf_put(&quoted, &cp->safe.at[i], cp->safe.at[i] != '\'');
	}
	buf_fmt(&line, "copied %lu items; the same ", (unsigned long)cp->items);
	if (cp->safe.len > 0) {
		buf_str(&line, "with --start '");
		buf_slice(&line, buf_view(&quoted));
		buf_str(&line, "' goes on");
	} else {
		buf_str(&line, "again starts at the beginning");
	}
	ctl_show(buf_view(&line));
}

static int
copy(struct copying *cp, struct call *c, const struct copy_opts *o, uint64_t total)
{
	int r = prepare_target(cp, c);

	if (r < 0) {
		return r;
	}
	cp->bulk = (struct bulk){
		.engine = cp->to.engine, .table = cp->target, .key = &cp->schema->key};
	progress_begin(&cp->progress, cp->from->quiet, 0);
	cp->progress.total_items = o->start == NULL ? total : 0;
	stop_listen();
	r = copy_items(cp, c, o);
	progress_end(&cp->progress);
	if (r < 0 && (cp->items > 0 || stop_asked() != 0)) {
		tell_rest(cp);
	}
	if (r == 0) {
		ctl_note(cp->from, "copied %lu item%s in %.2f s; durable", (unsigned long)cp->items,
			 cp->items == 1 ? "" : "s", progress_seconds(&cp->progress));
	}
	return r;
}

static int
run_copy(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct copy_opts *o = opts;
	struct copying cp = {.from = ctl, .to = *ctl, .source = slice_from(words->at[0])};
	struct describe_table_in in = {.table = cp.source};
	struct describe_table_out answer = {0};

	if (o->to == NULL || *o->to == '\0') {
		return call_fail(c, ERR_USAGE, "copy wants --to STORE[/TABLE]");
	}
	int r = ctl_check_jobs(c, &o->jobs);

	if (r == 0 && o->start != NULL) {
		r = ctl_item(c, slice_from(o->start), &cp.start);
	}
	r = r < 0 ? r : engine_describe_table(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	cp.schema = answer.table.schema;
	cp.to.engine = NULL;
	cp.to.meter = NULL;
	find_target(&cp, c, o->to);
	buf_init(&cp.next, NULL);
	buf_init(&cp.safe, NULL);
	r = open_target(&cp, c);
	r = r < 0 ? r : copy(&cp, c, o, answer.table.totals.items);
	if (!cp.same) {
		engine_close(cp.to.engine);
	}
	buf_release(&cp.next);
	buf_release(&cp.safe);
	return r;
}

const struct command cmd_copy = {
	.name = "copy",
	.usage = "TABLE --to STORE[/TABLE] [--start KEYJSON]",
	.summary = "a whole table to another store or server, or to another name",
	.details =
		"A table that is not there is made, with indexes, time to live, stream and settings;\n"
		"one that is there must have the same key, and keeps what it has beside the items.\n"
		"The last part of a path is the table's name if what stands before it is a store.\n"
		"What is written meanwhile may be in the copy or not. When a copy fails or is\n"
		"interrupted it says with which --start the rest is copied; copying all again does no\n"
		"harm either.",
	.opts = copy_opts,
	.opts_bytes = sizeof(struct copy_opts),
	.min_words = 1,
	.max_words = 1,
	.run = run_copy,
};
