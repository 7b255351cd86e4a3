/*
 * check - Check: a self-check of the store in pages
 *
 * Each part of the work reads one snapshot, and everything that it compares comes
 * from that snapshot, including the definition of the table.  So concurrent
 * writes cannot cause false problems.  The first page begins with the database's
 * files and the keys that belong to nothing (check_orphan.c).
 */
#include "store/engine/feed.h"
#include "store/local/check/check_int.h"
#include "store/local/check/table_scan.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog.h"

/* Size of the database's files that a page reads; takes some tenths of a second. */
enum { FILES_BYTES = 64 << 20 };

/* ------------------------------------------------------------ stages that belong to no table */

static void
check_name_file(void *arg, const char *what)
{
	check_problem(arg, "%s: restore a backup", what);
}

/* Verify the checksums of the database's files, including data that no walk over keys reads, such as deleted keys. */
static int
check_files(struct check *k, struct check_next *p)
{
	int r = k->local->kv->ops->check == NULL
			? 0
			: kv_check(k->local->kv, k->c, &p->number, FILES_BYTES, check_name_file, k);

	if (r >= 0 && k->n_problems > 0) {
		check_damaged(k, k->problems[0].text);
	}
	return r == 1 ? CHECK_PAUSED : r;
}

/* If damage is met, unreadable keys may have caused the other problems, so only the damage is reported. */
static int
run_orphans(struct check *k)
{
	size_t before = k->n_problems;
	int r = check_orphans(k);

	if (r == -ERR_CORRUPT && k->t == NULL) {
		k->n_problems = before;
		check_pass_over(k, "keys that belong to nothing are not looked for");
		r = 0;
	}
	/* There may be more orphans than fit into a page: look again, as the reported ones are gone now. */
	return r == 0 && k->repaired > 0 && check_full(k) ? CHECK_PAUSED : r;
}

/* Return: 0: the stage has ended, and @p is at the next one;  CHECK_PAUSED;  < 0 */
static int
run_common(struct check *k, struct check_next *p)
{
	int r = p->stage == CHECK_FILES     ? check_files(k, p)
		: p->stage == CHECK_ORPHANS ? run_orphans(k)
					    : check_records(k, &p->key);

	if (r == 0) {
		*p = (struct check_next){.stage = p->stage + 1};
	}
	return r;
}

/* ------------------------------------------------------------ stages of a table */

static int
check_run_scan(struct check *k, struct check_next *p)
{
	int r = check_scan(k, &p->number);

	if (r == 0) {
		check_go_on(p, catalog_next(k->local->catalog, k->c, k->s->table));
	} else if (r == CHECK_DIFFERS) {
		p->stage = CHECK_ITEMS;
		r = 0;
	}
	return r;
}

/* Do one part of the work on a table or index, or as much of it as fits into the page. */
static int
run_part(struct check *k, struct check_next *p)
{
	int r = 0;

	assert(p->stage >= CHECK_ITEMS && p->stage <= CHECK_TOTALS && p->number <= k->s->n_index);
	k->ix = p->number == 0 ? NULL : &k->s->index[p->number - 1];
	/* The remaining keys of an index that was dropped are being deleted. */
	if (k->ix == NULL || k->ix->state != INDEX_DELETING) {
		r = p->stage == CHECK_ITEMS    ? check_items(k, &p->key)
		    : p->stage == CHECK_COUNTS ? check_counts(k, &p->key)
					       : check_totals(k);
		r = kv_cursor_end(k->cursor, k->c, r);
	}
	if (r != 0) {
		return r;
	}
	p->key = slice_of(NULL, 0);
	if (p->stage != CHECK_TOTALS) {
		p->stage++;
	} else if (p->number < k->s->n_index) {
		p->stage = CHECK_ITEMS;
		p->number++;
	} else {
		check_go_on(p, catalog_next(k->local->catalog, k->c, k->s->table));
	}
	return 0;
}

/* If a part meets damage, its problems of this page may be wrong: discard them, and count what can be read. */
static int
run_part_or_count(struct check *k, struct check_next *p)
{
	const struct check before = *k;
	int r = run_part(k, p);

	if (r != -ERR_CORRUPT || k->t != NULL) {
		return r;
	}
	k->n_problems = before.n_problems;
	k->items = before.items;
	k->entries = before.entries;
	*p = (struct check_next){.stage = CHECK_SCAN, .table = p->table};
	return check_scan_damaged(k, &p->number);
}

/* Return: 0: a stage has ended;  CHECK_PAUSED;  < 0 */
static int
run_table(struct check *k, struct check_next *p)
{
	int r = check_enter_table(k, p);

	if (r < 0 || k->s == NULL) {
		return r;
	}
	if (p->stage != CHECK_SCAN) {
		return run_part_or_count(k, p);
	}
	/* A repair gets here if the table has been dropped, and then leaves the scan to the next page. */
	return k->t != NULL ? 0 : check_run_scan(k, p);
}

/* ------------------------------------------------------------ one page */

/*
 * Run stages until the page is full.  A page of a repair is one stage at most, because the next one depends on
 * its changes.
 */
static int
run_page(struct check *k, struct check_next *p)
{
	int r;

	do {
		r = p->stage < CHECK_SCAN ? run_common(k, p) : run_table(k, p);
	} while (r == 0 && p->stage != CHECK_DONE && !k->repairs && !check_full(k));
	return r < 0 ? r : 0;
}

/* Set @out.  Everything is copied into @c, because the memory of @k may be freed first. */
static void
check_tell(const struct check *k, struct call *c, const struct check_next *p, struct check_out *out)
{
	struct slice *problems = arena_new(&c->arena, struct slice, k->n_problems);
	struct buf line;

	for (size_t i = 0; i < k->n_problems; i++) {
		const struct problem *of = &k->problems[i];

		buf_init(&line, &c->arena);
		buf_slice(&line, of->text);
		if (k->t != NULL) {
			buf_fmt(&line, ": %s%s", of->done == NULL ? "it stays as it is" : of->done,
				of->moved ? k->saved_name : "");
		}
		problems[i] = buf_view(&line);
	}
	*out = (struct check_out){
		.problems = problems,
		.n_problems = k->n_problems,
		.repaired = k->repaired,
		.items = k->items,
		.entries = k->entries,
		.looked = k->looked,
		.ahead = k->ahead,
		.next = check_print_next(c, p),
	};
}

/* ------------------------------------------------------------ one page, read only */

static void
close_check(struct check *k)
{
	call_close(&k->scratch);
	kv_cursor_free(k->cursor);
	k->local->kv->ops->snapshot_free(k->local->kv, k->at);
}

static void
open_check(struct check *k, struct local *l, struct call *c)
{
	*k = (struct check){.local = l, .c = c};
	check_open_snapshot(k);
	call_open(&k->scratch, c->now_ms, SIZE_MAX);
	buf_init(&k->saved, &c->arena);
}

static int
check_look(struct local *l, struct call *c, const struct check_in *in, struct check_next place,
	   struct check_out *out)
{
	cleanup(close_check) struct check k;

	open_check(&k, l, c);
	k.repairs = in->repair && !atomic_load(&l->damaged_files);
	int r = in->next.len == 0 ? check_expect_all(&k) : 0;

	r = r < 0 ? r : run_page(&k, &place);
	if (r == 0) {
		check_tell(&k, c, &place, out);
	}
	return r;
}

/* ------------------------------------------------------------ one page of a repair */

struct repair {
	struct local *local;
	struct check_next place;
	struct call *asks;
	struct check_out *out; /* in: result of the page outside the queue; out: of the repair */
	bool changed;
};

/* Runs in the commit leader's thread, alone: the snapshot is the newest state until its own batch is committed. */
static int
repair_page(struct txn *t, struct call *c, void *arg)
{
	struct repair *of = arg;
	cleanup(close_check) struct check k;

	open_check(&k, of->local, c);
	k.t = t;
	k.repairs = true;
	int r = run_page(&k, &of->place);

	if (r == 0) {
		r = check_keep_moved(&k);
	}
	if (r == 0) {
		of->changed = k.repaired > 0;
		if (of->changed) {
			/* Mounts believe what they read until a change has a newer number. */
			(void)txn_seq(t);
		}
		k.ahead = of->out->ahead; /* the page outside the queue has counted it */
		check_tell(&k, of->asks, &of->place, of->out);
	}
	return r;
}

/* Make readers that cache data, such as mounts, discard it. */
static void
repaired(void *arg)
{
	const struct repair *of = arg;

	if (of->changed) {
		feed_lose(of->local->feed);
	}
}

static int
repair(struct local *l, struct call *c, struct check_next place, struct check_out *out)
{
	struct repair of = {.local = l, .place = place, .asks = c, .out = out};
	struct txn_op op = {.run = repair_page,
			    .committed = repaired,
			    .arg = &of,
			    .durable = true,
			    .ends_group = true,
			    .alone = true};
	struct call own;

	call_open(&own, c->now_ms, SIZE_MAX);
	int r = txn_run(l->queue, &own, &op);

	r = r < 0 ? call_adopt(c, &own) : r;
	call_close(&own);
	return r;
}

int
local_exec_check(struct local *l, struct call *c, const struct check_in *in, struct check_out *out)
{
	struct check_next place;
	int r = check_read_next(c, in->next, &place);

	table_scans_forget(l->table_scans, c->now_ms);
	if (r == 0) {
		r = check_look(l, c, in, place, out);
	}
	if (r == 0 && in->repair && out->n_problems > 0 && !atomic_load(&l->damaged_files)) {
		r = repair(l, c, place, out);
	}
	return r;
}
