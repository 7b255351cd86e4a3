/*
 * check - Check: a self-check of the store in pages
 *
 * Each part of the work reads one snapshot, and everything that it compares comes
 * from that snapshot, including the definition of the table.  So concurrent
 * writes cannot cause false problems.  The first page begins with the database's
 * files and the keys that belong to nothing (check_stray.c).
 */
#include <assert.h>

#include "store/engine/feed.h"
#include "store/local/check/check_count.h"
#include "store/local/check/check_int.h"
#include "store/local/check/check_item.h"
#include "store/local/check/check_mend.h"
#include "store/local/check/check_page.h"
#include "store/local/check/check_record.h"
#include "store/local/check/check_stray.h"
#include "store/local/check/check_survey.h"
#include "store/local/check/survey.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog_int.h"
#include "store/local/records/keyspace.h"

static const struct {
	int (*run)(struct check *k, struct slice prefix);
	enum keyspace space; /* of the keys that it scans */
} parts[CHECK_PARTS] = {
	[CHECK_ITEMS] = {check_items, KEYSPACE_ITEM},
	[CHECK_COUNTS] = {check_counts, KEYSPACE_ITEM},
	[CHECK_TOTALS] = {check_totals, KEYSPACE_PARTITION},
};

/* Size of the database's files that a page reads; takes some tenths of a second. */
enum { FILES_BYTES = 64 << 20 };

/* ------------------------------------------------------------ pages */

/* Set @p to the part after the one that has ended. */
static void
check_step(const struct check *k, struct check_next *p)
{
	const struct schema *s = k->s;

	assert(s != NULL);
	p->key = slice_of(NULL, 0);
	if (++p->part < CHECK_PARTS) {
		return;
	}
	p->part = CHECK_ITEMS;
	if (++p->index > s->n_index) {
		check_go_on(p, catalog_next(k->local->catalog, k->c, s->table));
	}
}

/* Do one part of the work, or as much of it as fits into the page. */
static int
run_part(struct check *k, struct check_next *p)
{
	struct buf prefix;

	assert(k->s != NULL && p->part < CHECK_PARTS);
	p->parts = false;
	p->survey = 0;
	if (k->ix != NULL && k->ix->state == INDEX_DELETING) {
		check_step(k, p); /* its remaining keys are being deleted */
		return 0;
	}
	buf_init(&prefix, &k->c->arena);
	if (parts[p->part].space == KEYSPACE_PARTITION) {
		keyspace_partitions(&prefix, k->s, k->ix);
	} else {
		keyspace_table(&prefix, k->s, k->ix);
	}
	/* p->key may belong to another index: the schema may have changed since the last page. */
	kv_cursor_seek(k->cursor,
		       slice_starts(p->key, buf_view(&prefix)) ? p->key : buf_view(&prefix));

	int r = parts[p->part].run(k, buf_view(&prefix));

	r = kv_cursor_end(k->cursor, k->c, r);
	if (r < 0) {
		return r;
	}
	if (r == CHECK_MORE) {
		p->key = slice_copy(&k->c->arena, kv_cursor_key(k->cursor));
		if (p->part == CHECK_COUNTS && check_collection(k->s, k->ix, p->key) > 0) {
			/* By the next page, the collection may begin with another key. */
			p->key.len = check_collection(k->s, k->ix, p->key);
		}
	} else {
		check_step(k, p);
	}
	return 0;
}

/* ------------------------------------------------------------ one page */

/* Return: whether to begin or continue a survey of the table.  A repair checks its parts. */
static bool
is_for_survey(const struct check *k, const struct check_next *p)
{
	return k->t == NULL && !p->parts && p->part == CHECK_ITEMS && p->index == 0 &&
	       p->key.len == 0;
}

/* Return: 0, CHECK_PAUSED, < 0 */
static int
run_survey(struct check *k, struct check_next *p)
{
	int r = check_survey(k, &p->survey);

	if (r == CHECK_END) {
		check_go_on(p, catalog_next(k->local->catalog, k->c, k->s->table));
	} else if (r == CHECK_MORE) {
		p->parts = true;
	}
	return r == CHECK_END || r == CHECK_MORE ? 0 : r;
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
	*p = (struct check_next){.table = p->table};
	return check_survey_damaged(k, &p->survey);
}

/*
 * Check tables, or parts of tables, until the page is full.  A repair does only one part, because the next
 * part depends on its changes.  A page that has problems to repair begins no survey: the repair page would
 * not know of it.
 */
static int
run_parts(struct check *k, struct check_next *p)
{
	int r = check_enter_table(k, p);

	while (r == 0 && k->s != NULL && (p->parts || !check_full(k))) {
		bool whole = is_for_survey(k, p);

		if (whole && k->repairs && k->n_problems > 0) {
			break;
		}
		k->ix = p->index == 0 ? NULL : &k->s->index[p->index - 1];
		r = whole ? run_survey(k, p) : run_part_or_count(k, p);
		if (r == CHECK_PAUSED) {
			return 0;
		}
		if (r == 0 && p->table.len == 0) {
			k->s = NULL;
		} else if (r == 0) {
			r = check_enter_table(k, p);
		}
		if (k->t != NULL) {
			break;
		}
	}
	return r;
}

static void
check_name_file(void *arg, const char *what)
{
	check_problem(arg, "%s: restore a backup", what);
}

/*
 * Verify the checksums of the database's files, including data that no walk over keys reads, such as deleted
 * keys.  In a repair, and if a file is damaged, these are separate pages, because the repair page does not read
 * the files again.
 */
static int
check_files(struct check *k, struct check_next *p)
{
	int r = kv_check(k->local->kv, k->c, &p->after, FILES_BYTES, check_name_file, k);

	p->files = r == 1;
	if (r >= 0 && k->n_problems > 0) {
		check_damaged(k, k->problems[0].text);
	}
	return r < 0 ? r : 0;
}

/* If damage is met, unreadable keys may have caused the other problems, so only the damage is reported. */
static int
run_strays(struct check *k, struct check_next *p)
{
	size_t before = k->n_problems;
	int r = check_strays(k);

	if (r == -ERR_CORRUPT && k->t == NULL) {
		k->n_problems = before;
		check_pass_over(k, "keys that belong to nothing are not looked for");
		r = 0;
	}
	/* There may be more strays than fit into a page: look again, as the reported ones are gone now. */
	p->strays = r == 0 && k->mended > 0 && check_full(k);
	return r;
}

static int
run_records(struct check *k, struct check_next *p)
{
	int r = check_records(k, &p->key);

	p->records = r == CHECK_MORE;
	return r < 0 ? r : 0;
}

/* Check everything that belongs to no table.  Return: 0; CHECK_PAUSED: end the page; < 0 */
static int
run_common(struct check *k, struct check_next *p)
{
	int r = 0;

	if (p->files) {
		r = check_files(k, p);
		if (r < 0 || p->files || k->repairs || k->n_problems > 0) {
			return r < 0 ? r : CHECK_PAUSED;
		}
	}
	if (p->strays) {
		r = run_strays(k, p);
		if (r < 0 || k->t != NULL) {
			return r < 0 ? r : CHECK_PAUSED;
		}
	}
	if (p->records) {
		r = run_records(k, p);
	}
	return r == 0 && p->records ? CHECK_PAUSED : r;
}

static int
run_page(struct check *k, struct check_next *p)
{
	bool common = p->strays || p->records;
	int r = run_common(k, p);

	if (r != 0) {
		return r == CHECK_PAUSED ? 0 : r;
	}
	return common && k->t != NULL ? check_enter_table(k, p) : run_parts(k, p);
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
			buf_fmt(&line, ": %.*s",
				SLICE_ARG(of->done.len > 0 ? of->done
							   : SLICE("it stays as it is")));
		}
		problems[i] = buf_view(&line);
	}
	*out = (struct check_out){
		.problems = problems,
		.n_problems = k->n_problems,
		.repaired = k->mended,
		.items = k->items,
		.entries = k->entries,
		.looked = k->looked,
		.ahead = k->ahead,
		.next = k->s == NULL && !p->records ? slice_of(NULL, 0) : check_print_next(c, p),
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
	k.ahead = of->out->ahead;
	int r = run_page(&k, &of->place);

	if (r == 0) {
		r = check_keep_moved(&k);
	}
	if (r == 0) {
		of->changed = k.mended > 0;
		if (of->changed) {
			(void)txn_seq(
				t); /* mounts believe what they read until a change has a newer number */
		}
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

	if (r < 0) {
		r = call_fail(c, own.error.code, "%s", own.error.message);
	}
	call_close(&own);
	return r;
}

int
local_exec_check(struct local *l, struct call *c, const struct check_in *in, struct check_out *out)
{
	struct check_next place;
	int r = check_read_next(c, in->next, &place);

	surveys_forget(l->surveys, c->now_ms);
	place.files = place.files && l->kv->ops->check != NULL;
	if (r == 0) {
		r = check_look(l, c, in, place, out);
	}
	if (r == 0 && in->repair && out->n_problems > 0 && !place.files &&
	    !atomic_load(&l->damaged_files)) {
		r = repair(l, c, place, out);
	}
	return r;
}
