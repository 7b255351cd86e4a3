/* cmd_copy - copy: copies a table with its definition, or all tables, to another store or name */
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/advice/nothing.h"
#include "tools/cmd/cmd.h"
#include "tools/mask/mask.h"
#include "tools/mask/subset.h"
#include "tools/model/table_change.h"
#include "tools/out/show.h"
#include "tools/session/await.h"
#include "tools/session/command.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/other_store.h"
#include "tools/system/progress.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"

struct copy_opts {
	struct subset_opts subset;
	const char *to;
	const char *start;
	bool all;
	bool consistent;
	struct opt_count jobs;
};

static const struct opt copy_opts[] = {
	{"to", 0, OPT_TEXT, "NEW|STORE[/TABLE]", offsetof(struct copy_opts, to),
	 "the target: a new table, or a directory, which is created if it does not exist, "
	 "http://HOST:PORT or dynamodb:REGION"},
	{"start", 0, OPT_JSON, "KEYJSON", offsetof(struct copy_opts, start),
	 "continue after this key, as an interrupted copy has printed it"},
	{"all", 0, OPT_FLAG, NULL, offsetof(struct copy_opts, all), "all tables, into a store"},
	{"consistent", 0, OPT_FLAG, NULL, offsetof(struct copy_opts, consistent),
	 "ConsistentRead of the source: twice the read units"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct copy_opts, jobs),
	 "1: read and write alternately; N: at most N writes at a time to an endpoint"},
	SUBSET_OPTIONS,
	OPTS_END(struct copy_opts),
};

struct copying {
	struct ctl *from;
	struct ctl to;
	bool same;           /* both stores are one and share an engine */
	bool all;            /* all tables of the store are copied: the target is a store */
	struct slice source; /* table */
	struct slice target; /* table */
	const struct schema *schema;
	struct slice arn;     /* of the source; empty: a local store, whose schema is complete */
	struct subset subset; /* of the items of the source */
	struct subset_copy copy;
};

/* ------------------------------------------------------------ the other store */

static int
find_target(struct copying *cp, struct call *c, const char *name)
{
	struct other_store to = {0};
	int r = cp->all ? find_store(c, name, &to.store)
			: other_store_target(c, cp->from->store, name, &to);

	if (r == 0) {
		cp->to.store = to.store;
		cp->target = to.table.len == 0 ? cp->source : to.table;
	}
	return r;
}

static int
open_target(struct copying *cp, struct call *c)
{
	cp->same = other_store_same(cp->from->store, cp->to.store);
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

static int
create_target(struct copying *cp, struct call *c)
{
	struct schema *wanted = schema_definition(&c->arena, cp->schema, cp->target);
	struct create_table_in in = {.schema = wanted};
	struct create_table_out answer = {0};
	struct slice ttl = {0};

	int r = ctl_time_to_live(cp->from, c, cp->source, &ttl);

	r = r < 0 ? r : definition_tags(cp->from, c, cp->arn, "are not copied", wanted);
	r = r < 0 ? r : engine_create_table(cp->to.engine, c, &in, &answer);
	r = r < 0 ? r : await_table(&cp->to, c, cp->target);
	if (r == 0 && ttl.len > 0) {
		struct update_time_to_live_in expire = {
			.table = cp->target, .enabled = true, .attribute = ttl};
		struct update_time_to_live_out done;

		r = engine_update_time_to_live(cp->to.engine, c, &expire, &done);
	}
	r = r < 0 ? r : definition_recovery(cp->from, c, cp->source, &cp->to, cp->target);
	if (r == 0) {
		ctl_note(cp->from, "table %.*s created", SLICE_ARG(cp->target));
		alter_note_settings(&cp->to, c, wanted);
	}
	return r;
}

/* Return true if the target is the source table itself, because both stores are names of one server. */
static bool
is_source(const struct copying *cp, struct call *c, const struct schema *there)
{
	struct slice server = store_server(c, cp->to.store);

	assert(there != NULL);
	return server.len > 0 && slice_eq(server, store_server(c, cp->from->store)) &&
	       there->uuid.len > 0 && slice_eq(there->uuid, cp->schema->uuid);
}

/* Create the table if it does not exist; otherwise check that it has the same key and is not the source. */
static int
prepare_target(struct copying *cp, struct call *c)
{
	struct describe_table_in in = {.table = cp->target};
	struct describe_table_out there = {0};

	call_scope(own, c->now_ms);
	int r = engine_describe_table(cp->to.engine, &own, &in, &there);

	if (r == -ERR_NO_TABLE) {
		r = create_target(cp, c);
	} else if (r == -ERR_ACCESS) {
		ctl_note(
			cp->from,
			"the definition of the table %.*s there could not be read: AccessDenied: %s",
			SLICE_ARG(cp->target), own.error.message);
		r = 0;
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	} else if (is_source(cp, c, there.table.schema)) {
		r = call_fail(
			c, ERR_USAGE, "--to is the table itself: %s and %s are the server %.*s",
			url_shown(&c->arena, cp->from->store), url_shown(&c->arena, cp->to.store),
			SLICE_ARG(store_server(c, cp->to.store)));
	} else if (!key_schema_eq(&cp->schema->key, &there.table.schema->key)) {
		r = call_fail(c, ERR_USAGE, "the table %.*s there has another key",
			      SLICE_ARG(cp->target));
	} else {
		r = confirm_far_puts(&cp->to, c, &there.table, false);
	}
	return r;
}

/* ------------------------------------------------------------ the table */

/* Say how to continue, also with --quiet: without this key only the whole copy can be repeated. */
static void
tell_rest(const struct copying *cp)
{
	cleanup(buf_release) struct buf line = {0};

	buf_fmt(&line, "copied %s; the same command ", progress_items(cp->copy.items).at);
	if (cp->subset.mask != NULL || cp->subset.keys != NULL) {
		buf_str(&line, "may be repeated safely"); /* no --start: its key is not masked */
	} else if (cp->copy.safe.len > 0) {
		buf_str(&line, "with --start ");
		shell_text(&line, buf_view(&cp->copy.safe));
		buf_str(&line, " continues");
	} else {
		buf_str(&line, "starts again at the beginning");
	}
	show_lines(buf_view(&line));
}

/* The target as text; for dynamodb:REGION with the server, because the settings may name another one */
static const char *
copy_target(const struct copying *cp, struct call *c, const struct copy_opts *o)
{
	struct slice server = strncmp(cp->to.store, "dynamodb:", 9) == 0
				      ? store_server(c, cp->to.store)
				      : SLICE("");

	if (cp->same) {
		return arena_print(&c->arena, "table %.*s of %s", SLICE_ARG(cp->target),
				   url_shown(&c->arena, cp->to.store));
	}
	const char *to = url_shown(&c->arena, o->to);

	return server.len == 0 ? to : arena_print(&c->arena, "%s (%.*s)", to, SLICE_ARG(server));
}

static int
cmd_copy_copy(struct copying *cp, struct call *c, const struct copy_opts *o, uint64_t total)
{
	int r = prepare_target(cp, c);

	if (r < 0) {
		return r;
	}
	cp->copy.from = cp->from->engine;
	cp->copy.subset = &cp->subset;
	cp->copy.jobs = ctl_jobs(&o->jobs);
	cp->copy.bulk = (struct bulk){
		.engine = cp->to.engine,
		.table = cp->target,
		.key = &cp->schema->key,
		.parallel = {.progress = &cp->copy.progress, .most = (unsigned)o->jobs.n}};
	progress_begin(&cp->copy.progress, cp->from->quiet, 0);
	cp->copy.progress.total_items =
		o->start == NULL && !cp->subset.sampled && cp->subset.keys == NULL ? total : 0;
	stop_listen();
	r = subset_copy_items(&cp->copy, c, o->start);
	progress_end(&cp->copy.progress);
	if (r < 0 && (cp->copy.items > 0 || stop_asked() != 0)) {
		tell_rest(cp);
	}
	if (r == 0) {
		ctl_note(cp->from, "copied %s to %s in %.2f s; durable",
			 progress_items(cp->copy.items).at, copy_target(cp, c, o),
			 progress_seconds(&cp->copy.progress));
		if (cp->subset.mask != NULL && cp->copy.items > 0) {
			mask_note_unused(cp->subset.mask, cp->from, "no item has it");
		}
	}
	if (r == 0 && cp->copy.items == 0 && o->subset.filter != NULL) {
		struct nothing none = {.table = cp->source,
				       .filter = slice_from(o->subset.filter),
				       .ph = &cp->subset.exprs->request.ph,
				       .examined = true};

		r = nothing_say(cp->from, c, &none) == NOTHING_WRONG ? NOTHING_WRONG : 0;
	}
	return r;
}

static int
copy_subset(struct copying *cp, struct call *c, const struct copy_opts *o, uint64_t total)
{
	cp->from->exprs = NULL;
	int r = subset_open(c, &o->subset, cp->schema, total, &cp->subset);

	cp->subset.read.consistent = o->consistent;

	cp->from->exprs = cp->subset.exprs;
	return r;
}

/* Note that "--to Songs" was read as the store of that name, although a table may have been meant. */
static void
say_there(const struct ctl *ctl, struct call *c, const char *table, const char *to,
	  const char *found)
{
	if (strpbrk(to, "/.:") == NULL && strcmp(found, to) == 0) {
		ctl_note(ctl,
			 "./%s is a store; to copy a table of this store: itemctl copy %s --to "
			 "%s/%s",
			 to, table, url_shown(&c->arena, ctl->store), to);
	}
}

/* Refuse a target that is a file of items. */
static int
no_file_target(struct call *c, const struct words *words, const char *to)
{
	if (strcmp(to, "-") != 0 && source_form_of(to) == SOURCE_JSONL &&
	    !source_has_suffix(to, ".jsonl")) {
		return 0;
	}
	return call_fail(c, ERR_USAGE, "to write a file: itemctl export %s %s",
			 fmt_word(&c->arena, words->at[0]), fmt_word(&c->arena, to));
}

/* Copy one table.  @arg: const struct copy_opts; all: it is one of all tables of the store */
static int
copy_table(struct ctl *ctl, struct call *c, struct slice table, void *arg)
{
	const struct copy_opts *o = arg;
	struct copying cp = {.from = ctl, .to = *ctl, .all = o->all, .source = table};
	struct describe_table_in in = {.table = cp.source};
	struct describe_table_out answer = {0};
	int r = o->start == NULL ? 0 : ctl_item(c, slice_from(o->start), &cp.copy.start);

	r = r < 0 ? r : engine_describe_table(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	cp.schema = answer.table.schema;
	cp.arn = answer.table.arn;
	r = copy_subset(&cp, c, o, answer.table.totals.items);
	cp.to.engine = NULL;
	cp.to.meter = NULL;
	r = r < 0 ? r : find_target(&cp, c, o->to);
	if (r == 0 && !o->all) {
		say_there(ctl, c, slice_cstr(&c->arena, table), o->to, cp.to.store);
	}
	r = r < 0 ? r : open_target(&cp, c);
	r = r < 0 ? r : cmd_copy_copy(&cp, c, o, answer.table.totals.items);
	if (!cp.same) {
		engine_close(cp.to.engine);
	}
	subset_close(&cp.subset);
	buf_release(&cp.copy.next);
	buf_release(&cp.copy.safe);
	return r;
}

/* "copy A B" means "copy A --to B", as for cp. */
static int
run_copy(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct copy_opts o = *(const struct copy_opts *)opts;

	if (words->n > 1 && o.to == NULL) {
		o.to = words->at[1];
	} else if (words->n > 1) {
		return call_fail(c, ERR_USAGE, "copy: two targets: %s and --to %s", words->at[1],
				 o.to);
	}
	if (o.to == NULL || *o.to == '\0') {
		const struct schema *schema = NULL;
		struct slice word = slice_from(words->at[0]);
		bool updated = !o.all && strpbrk(words->at[0], "*:") == NULL &&
			       ctl_schema(ctl, c, word, &schema) < 0;
		struct buf line = {.arena = &c->arena};

		c->error = (struct error){0};
		fmt_shell(&line,
			  updated ? "; for all tables, into a new store: itemctl copy --all --to "
				    "./%"
				  : "",
			  word);
		return call_fail(
			c, ERR_USAGE,
			"copy needs --to NEW, a table of this store, or --to STORE[/TABLE]%.*s",
			SLICE_ARG(buf_view(&line)));
	}
	int r = no_file_target(c, words, o.to);

	r = r < 0 ? r : ctl_check_jobs(c, &o.jobs);
	o.all = o.all || strcmp(words->at[0], OTHER_STORE_ALL) == 0;
	if (r == 0 && o.start != NULL && (o.subset.partitions != NULL || o.all)) {
		return call_fail(c, ERR_USAGE, "--start does not go with %s",
				 o.all ? "--all" : "--partitions");
	}
	return r < 0   ? r
	       : o.all ? command_each_table(ctl, c, copy_table, &o)
		       : copy_table(ctl, c, slice_from(words->at[0]), &o);
}

const struct command cmd_copy = {
	.id = COMMAND_COPY,
	.name = "copy",
	.usage =
		"TABLE|--all --to NEW|STORE[/TABLE] [--sample P%|N] [--filter EXPR] [--partitions FILE] "
		"[--mask RULES] [--start KEYJSON]",
	.summary = "copy a table to another store, server or name",
	.details =
		"A table that does not exist is created with the same definition, tags, time to live and\n"
		"point-in-time recovery. A table that exists must have the same key; its other settings\n"
		"do not change. TABLE may be STORE/TABLE, and --to may be left out before the target. A name\n"
		"without a slash is a table of the same store, unless it ends in .db or a store of that\n"
		"name exists. The last part of a path is the table's name if the part before it is a store\n"
		"or is not there. --all, or STORE in place of TABLE, copies all tables. The copy may or may not contain changes that are made while it runs. A copy that\n"
		"fails or is interrupted prints the --start that continues it; copying everything again\n"
		"is safe, too. Throttling and temporary failures end it only after ITEMFS_PATIENCE\n"
		"seconds without progress (default 600). --sample selects partitions by a hash of their\n"
		"keys: item collections stay whole, and each copy, also of another table with the same\n"
		"keys, selects the same ones. --mask changes items before they are written; see help\n"
		"mask.",
	.examples = "itemctl copy music --to copied\n"
		    "itemctl copy music --to ./other\n"
		    "itemctl copy http://127.0.0.1:8000 ./all\n"
		    "itemctl copy music --to STORE/some --sample 10% --filter 'Year > 1990'\n",
	.opts = copy_opts,
	.min_words = 1,
	.max_words = 2,
	.run = run_copy,
};
