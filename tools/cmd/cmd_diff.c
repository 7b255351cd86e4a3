/* cmd_diff - diff: compares two tables, or all tables of two stores, by item and attribute */
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"
#include "store/open.h"

#include "tools/cli/opts.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/diff_sides.h"
#include "tools/load/diff.h"
#include "tools/out/out.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/streams.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/row.h"
#include "tools/write/spill.h"

enum {
	DIFFERENT = 1, /* exit status: there are differences */
	IN_MEMORY =
		64 * 1024 *
		1024, /* bytes of items that wait for the other side; more items go to a temporary store */
	READ_AHEAD = 2, /* jobs of a stream: its pages are read in a thread */
};

struct diff_opts {
	struct words ignore;
	struct opt_count limit;
	bool summary;
	bool consistent;
};

static const struct opt diff_opts[] = {
	{"ignore", 0, OPT_LIST, "ATTR", offsetof(struct diff_opts, ignore),
	 "ignore this attribute ..."},
	{"limit", 'n', OPT_COUNT, "N", offsetof(struct diff_opts, limit),
	 "stop after N items that differ"},
	{"summary", 0, OPT_FLAG, NULL, offsetof(struct diff_opts, summary),
	 "print only how many items are equal, removed, added and changed"},
	{"consistent", 0, OPT_FLAG, NULL, offsetof(struct diff_opts, consistent), "ConsistentRead"},
	OPTS_END(struct diff_opts),
};

struct diffing {
	struct diff_sides sides;
	const struct diff_opts *o;
	struct op_in request[2]; /* Scan of each side */
	struct streams *pages[2];
	struct diff diff;
	unsigned first;  /* the store whose tables are compared, if there are two */
	uint64_t before; /* differences of earlier tables */
	uint64_t n[3];   /* differences of this table, by diff_kind */
	struct progress progress;
};

/* ------------------------------------------------------------ printing */

static const char *const diff_names[] = {"removed", "added", "changed"};

/* Print a row; if stores are compared, it begins with the table. */
static void
diff_row(struct diffing *df, const struct attr *more, size_t n)
{
	struct attr row[6] = {row_text("Table", df->sides.side[0].table)};
	size_t first = df->sides.stores ? 1 : 0;

	assert(n < sizeof(row) / sizeof(row[0]));
	memcpy(row + first, more, n * sizeof(*more));
	if (!out_item(&df->sides.ctl->out, &(struct item){.at = row, .n = first + n})) {
		df->diff.stop = true;
	}
}

/* Print a row for an item, or for the attribute @name of it.  @old, @updated: NULL: that side has none */
static void
diff_print(struct diffing *df, enum diff_kind kind, const struct item *key, struct slice name,
	   const struct value *old, const struct value *updated)
{
	struct attr row[5] = {row_text("Change", slice_from(diff_names[kind])),
			      {.name = SLICE("Key"), .value = {.type = VALUE_M, .map = *key}}};
	size_t n = 2;

	if (name.len > 0) {
		row[n++] = row_text("Attribute", name);
	}
	if (old != NULL) {
		row[n++] = (struct attr){.name = SLICE("Old"), .value = *old};
	}
	if (updated != NULL) {
		row[n++] = (struct attr){.name = SLICE("New"), .value = *updated};
	}
	diff_row(df, row, n);
}

/* Print a row for each attribute of a changed item that differs. */
static void
diff_print_attributes(struct diffing *df, const struct item *key, const struct item *old,
		      const struct item *updated)
{
	assert(old != NULL && updated != NULL);
	for (size_t i = 0; i < old->n; i++) {
		const struct attr *a = &old->at[i];
		const struct value *now = item_get(updated, a->name);

		if (!diff_is_ignored(&df->diff, a->name) &&
		    (now == NULL || !value_eq(&a->value, now))) {
			diff_print(df, DIFF_CHANGED, key, a->name, &a->value, now);
		}
	}
	for (size_t i = 0; i < updated->n; i++) {
		const struct attr *a = &updated->at[i];

		if (!diff_is_ignored(&df->diff, a->name) && item_get(old, a->name) == NULL) {
			diff_print(df, DIFF_CHANGED, key, a->name, NULL, &a->value);
		}
	}
}

/* Count a difference.  Return: false if --limit is reached */
static bool
diff_count(struct diffing *df, enum diff_kind kind)
{
	uint64_t all = df->before + df->n[0] + df->n[1] + df->n[2] + 1;

	df->n[kind]++;
	return !df->o->limit.given || all < df->o->limit.n;
}

static bool
diff_told(void *arg, enum diff_kind kind, const struct item *old, const struct item *updated)
{
	struct diffing *df = arg;
	struct arena a;

	if (!df->o->summary) {
		arena_init(&a, SIZE_MAX);
		struct item key = spill_key(&a, df->diff.key, old == NULL ? updated : old);

		if (kind == DIFF_CHANGED) {
			diff_print_attributes(df, &key, old, updated);
		} else {
			assert(old != NULL || updated != NULL);
			struct value whole = {.type = VALUE_M,
					      .map = old == NULL ? *updated : *old};

			diff_print(df, kind, &key, SLICE(""), old == NULL ? NULL : &whole,
				   old == NULL ? &whole : NULL);
		}
		arena_drop(&a);
	}
	return diff_count(df, kind);
}

static void
diff_sum(struct diffing *df, struct call *c)
{
	struct attr row[] = {
		row_count(&c->arena, "Equal", df->diff.equal),
		row_count(&c->arena, "Removed", df->n[DIFF_REMOVED]),
		row_count(&c->arena, "Added", df->n[DIFF_ADDED]),
		row_count(&c->arena, "Changed", df->n[DIFF_CHANGED]),
	};

	if (df->o->summary) {
		diff_row(df, row, 4);
	} else {
		ctl_note(df->sides.ctl, "%.*s%s%.*s equal, %.*s removed, %.*s added, %.*s changed",
			 SLICE_ARG(df->sides.stores ? df->sides.side[0].table : SLICE("")),
			 df->sides.stores ? ": " : "", SLICE_ARG(row[0].value.text),
			 SLICE_ARG(row[1].value.text), SLICE_ARG(row[2].value.text),
			 SLICE_ARG(row[3].value.text));
	}
}

/* ------------------------------------------------------------ two tables */

static void
diff_read(struct diffing *df, uint64_t now_ms)
{
	for (unsigned i = 0; i < 2; i++) {
		struct diff_side *side = &df->sides.side[i];

		df->request[i] = (struct op_in){
			.type = OP_SCAN,
			.scan.read = {.table = side->table,
				      .once = true,
				      .consistent = df->o->consistent},
		};
		df->pages[i] = streams_new(&(struct streams_options){.engine = side->ctl.engine,
								     .requests = &df->request[i],
								     .n = 1,
								     .jobs = READ_AHEAD,
								     .patient = true,
								     .now_ms = now_ms});
	}
}

static int
diff_one_page(struct diffing *df, struct call *c, unsigned i)
{
	struct stream_page *page = NULL;
	int r = streams_next(df->pages[i], c, 0, &page);

	if (r == STREAMS_END) {
		diff_end(&df->diff, i);
		return 0;
	}
	if (r < 0) {
		return r;
	}
	call_scope(own, c->now_ms);
	r = diff_page(&df->diff, &own, i, page->page.items, page->page.count);
	r = r < 0 ? ctl_adopt(c, &own) : r;
	progress_show(&df->progress, df->diff.equal + df->n[DIFF_CHANGED], 0);
	return r;
}

static int
diff_pages(struct diffing *df, struct call *c)
{
	int r = 0;

	diff_begin(&df->diff);
	progress_begin(&df->progress,
		       df->sides.ctl->quiet || df->sides.ctl->out.format == OUT_TABLE, 0);
	diff_read(df, c->now_ms);
	for (unsigned i = diff_next(&df->diff); r == 0 && i < 2; i = diff_next(&df->diff)) {
		r = stop_check(c);
		r = r < 0 ? r : diff_one_page(df, c, i);
	}
	r = r < 0 ? r : diff_finish(&df->diff, c);
	progress_end(&df->progress);
	return r;
}

/* Compare the tables of both sides, which exist. */
static int
diff_tables(struct diffing *df, struct call *c)
{
	int r = diff_sides_key(&df->sides, c, &df->diff.key);

	if (r == 0) {
		r = diff_pages(df, c);
		for (unsigned i = 0; i < 2; i++) {
			streams_free(df->pages[i]);
		}
		diff_release(&df->diff);
	}
	if (r == 0) {
		diff_sum(df, c);
	}
	return r;
}

static size_t
diff_in_memory(void)
{
	const char *bytes = getenv("ITEMFS_DIFF_MEMORY"); /* NOLINT(concurrency-mt-unsafe) */
	uint64_t n;

	return bytes != NULL && opts_count(bytes, &n) ? n : IN_MEMORY;
}

/* ------------------------------------------------------------ two stores */

/* Print a row for a table that only one store has, or that has different keys. */
static void
diff_whole(struct diffing *df, enum diff_kind kind, const char *message)
{
	struct attr row = row_text("Change", slice_from(diff_names[kind]));

	diff_row(df, &row, 1);
	ctl_note(df->sides.ctl, "%.*s: %s", SLICE_ARG(df->sides.side[0].table), message);
	df->diff.stop = !diff_count(df, kind);
}

/*
 * Compare a table of store df->first with the other store.  For store 1 only report that store 0 lacks the table: the
 * other tables were compared before.
 */
static int
diff_of_both(struct ctl *ctl, struct call *c, struct slice table, void *arg)
{
	struct diffing *df = arg;
	unsigned first = df->first;

	(void)ctl;
	assert(first < 2);
	df->sides.side[0].table = df->sides.side[1].table = table;
	df->before += df->n[0] + df->n[1] + df->n[2];
	memset(df->n, 0, sizeof(df->n));
	if (df->diff.stop) {
		return 0;
	}
	call_scope(own, c->now_ms);
	int r = ctl_readable(&df->sides.side[1 - first].ctl, &own, table, NULL);

	if (r == -ERR_NO_TABLE) {
		diff_whole(df, first == 0 ? DIFF_REMOVED : DIFF_ADDED,
			   first == 0 ? "only in the first store" : "only in the second store");
		r = 0;
	} else if (r == 0 && first == 0) {
		r = diff_tables(df, &own);
		if (r == -ERR_USAGE) {
			diff_whole(df, DIFF_CHANGED, own.error.message);
			r = 0;
		}
	}
	return r < 0 ? ctl_adopt(c, &own) : r;
}

/* ------------------------------------------------------------ the command */

static int
run_diff(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct diff_opts *o = opts;
	struct diffing df = {.sides.ctl = ctl, .o = o};
	struct slice *ignored = arena_new(&c->arena, struct slice, o->ignore.n + 1);

	if (o->limit.given && o->limit.n == 0) {
		return call_fail(c, ERR_USAGE, "--limit must be 1 or more");
	}
	for (size_t i = 0; i < o->ignore.n; i++) {
		ignored[i] = slice_from(o->ignore.at[i]);
	}
	df.sides.side[0].ctl = df.sides.side[1].ctl = *ctl;
	int r = diff_sides_find(&df.sides, c, 0, words->at[0]);

	r = r < 0 ? r : diff_sides_find(&df.sides, c, 1, words->at[1]);
	r = r < 0 ? r : diff_sides_open(&df.sides, c);
	df.diff = (struct diff){.ignored = ignored,
				.n_ignored = o->ignore.n,
				.in_memory = diff_in_memory(),
				.ordered = r == 0 && !store_is_remote(df.sides.side[0].ctl.store) &&
					   !store_is_remote(df.sides.side[1].ctl.store),
				.told = diff_told,
				.arg = &df};
	stop_listen();
	if (r == 0 && !df.sides.stores) {
		r = diff_tables(&df, c);
	}
	for (; r == 0 && df.sides.stores && df.first < 2; df.first++) {
		r = command_each_table(&df.sides.side[df.first].ctl, c, diff_of_both, &df);
	}
	diff_sides_close(&df.sides);
	if (r == 0 && o->limit.given && df.diff.stop) {
		ctl_note(ctl, "stopped at --limit; there may be more");
	}
	return r < 0 ? r : df.before + df.n[0] + df.n[1] + df.n[2] > 0 ? DIFFERENT : 0;
}

const struct command cmd_diff = {
	.name = "diff",
	.usage = "A B [--ignore ATTR ...] [--limit N] [--summary]",
	.summary = "compare two tables, or two stores, item by item",
	.details =
		"A is TABLE or STORE/TABLE. B is the same, or a STORE that has a table of the same name.\n"
		"A word that is not a store is a table of the store of -s; one of them may be a file of\n"
		"items as import reads it, or -. If both are a STORE, each table is compared, rows begin\n"
		"with its name, and a table that only one of them has, or that has another key there, is\n"
		"a row without a Key. Definitions are not compared otherwise. Each row is an item that was removed (only in A) or added (only in B), or an attribute that\n"
		"changed, with its Old and New value; a missing attribute has none. If both are\n"
		"directories, rows are in key order. Otherwise items wait for their counterpart, up to\n"
		"64 MB in memory, the rest in a temporary store in TMPDIR or /var/tmp. Changes made\n"
		"meanwhile may be reported as differences. Exit status: 0: equal; 1: different; 2 or\n"
		"more: an error.",
	.examples = "itemctl diff music STORE/copied\n"
		    "itemctl diff ./db ./db.old\n"
		    "itemctl diff ./db music songs.jsonl\n"
		    "itemctl diff music copied --ignore Updated --summary\n",
	.opts = diff_opts,
	.min_words = 2,
	.max_words = 2,
	.no_store = true,
	.pages = true,
	.lists = true,
	.run = run_diff,
};
