/* check_page - places as text, tables and snapshots, problems, damaged files, the number of keys ahead */
#include <stdarg.h>

#include "store/base/core/utf8.h"
#include "store/base/text/base64.h"
#include "store/local/check/check_int.h"
#include "store/local/commit/damage.h"
#include "store/local/records/catalog.h"
#include "store/local/records/definition.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/tables.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

/* "stage number table key-in-base64"; table names contain no space. */
struct slice
check_print_next(struct call *c, const struct check_next *p)
{
	struct buf b = {.arena = &c->arena};

	if (p->stage != CHECK_DONE) {
		buf_fmt(&b, "%d %llu %.*s ", p->stage, (unsigned long long)p->number,
			SLICE_ARG(p->table));
		base64_encode(&b, p->key);
	}
	return buf_view(&b);
}

static bool
check_next_cut_word(struct slice *rest, struct slice *word)
{
	const char *blank = slice_chr(*rest, ' ');

	if (blank == NULL) {
		return false;
	}
	*word = slice_of(rest->at, (size_t)(blank - rest->at));
	*rest = slice_skip(*rest, word->len + 1);
	return true;
}

int
check_read_next(struct call *c, struct slice next, struct check_next *out)
{
	struct slice rest = next;
	struct slice stage;
	struct slice number;
	struct buf key = {.arena = &c->arena};

	*out = (struct check_next){.stage = CHECK_FILES};
	if (next.len == 0) {
		return 0;
	}
	if (!check_next_cut_word(&rest, &stage) || !check_next_cut_word(&rest, &number) ||
	    !check_next_cut_word(&rest, &out->table) || stage.len != 1 || stage.at[0] < '0' ||
	    stage.at[0] >= '0' + CHECK_DONE || !base64_decode(&key, rest)) {
		return call_fail(c, ERR_VALIDATION, "not a place in a check: %.*s",
				 SLICE_ARG(next));
	}
	out->stage = (enum check_stage)(stage.at[0] - '0');
	out->number = strtoull(slice_cstr(&c->arena, number), NULL, 10);
	out->key = buf_view(&key);
	return 0;
}

/* ------------------------------------------------------------ number of keys still to check, from the totals */

bool
check_settled(const struct schema *s)
{
	const struct index *busy = schema_busy(s);

	return busy == NULL || busy->state == INDEX_DELETING;
}

int
check_failed(struct check *k, int r)
{
	assert(r >= 0 || k->scratch.error.code == (enum err) - r);
	return r < 0 ? call_adopt(k->c, &k->scratch) : r;
}

/* Damaged totals count as 0 here: the parts that compare them report the damage. */
static int
read_totals(struct check *k, const struct schema *s, const struct index *ix, struct totals *out)
{
	call_clear(&k->scratch);
	int r = table_totals(k->local, &k->scratch, k->at, s, ix, out);

	if (r == -ERR_CORRUPT) {
		*out = (struct totals){0};
		return 0;
	}
	return check_failed(k, r);
}

/* A check part by part reads each key twice. */
int
check_expect(struct check *k, const struct schema *s, bool parts)
{
	int r = 0;

	for (size_t i = 0; i <= s->n_index && r == 0; i++) {
		const struct index *ix = i == 0 ? NULL : &s->index[i - 1];
		struct totals totals;

		if (ix == NULL || ix->state != INDEX_DELETING) {
			r = read_totals(k, s, ix, &totals);
			k->ahead += (parts ? 2 : 1) * (totals.items + totals.partitions);
		}
	}
	return r;
}

int
check_expect_all(struct check *k)
{
	struct catalog *cat = k->local->catalog;
	const struct schema *s = catalog_next(cat, k->c, slice_of(NULL, 0));
	int r = 0;

	for (; r == 0 && s != NULL; s = catalog_next(cat, k->c, s->table)) {
		r = check_settled(s) && !s->creating ? check_expect(k, s, false) : 0;
	}
	return r;
}

/* ------------------------------------------------------------ snapshots */

void
check_open_snapshot(struct check *k)
{
	struct kv *kv = k->local->kv;

	k->at = kv->ops->snapshot_new(kv);
	k->cursor = kv_cursor_new(kv, k->at);
}

struct kv_snapshot *
check_take_snapshot(struct check *k)
{
	struct kv_snapshot *taken = k->at;

	kv_cursor_free(k->cursor);
	check_open_snapshot(k);
	return taken;
}

static void
check_renew_snapshot(struct check *k)
{
	k->local->kv->ops->snapshot_free(k->local->kv, check_take_snapshot(k));
}

void
check_seek(struct check *k, struct slice prefix, struct slice from)
{
	kv_cursor_seek(k->cursor, slice_starts(from, prefix) ? from : prefix);
}

/* ------------------------------------------------------------ tables */

void
check_go_on(struct check_next *p, const struct schema *s)
{
	*p = s == NULL ? (struct check_next){.stage = CHECK_DONE}
		       : (struct check_next){.stage = CHECK_SCAN, .table = s->table};
}

/*
 * Return: the table at @p, or the next one if it is gone; NULL after the last.  Tables that a restore or an
 * import is creating are skipped: after a crash, their keys are deleted one by one without updating counts.
 */
static const struct schema *
check_find_table(const struct check *k, struct check_next *p)
{
	struct catalog *cat = k->local->catalog;
	const struct schema *s = p->table.len == 0 ? NULL : catalog_get(cat, k->c, p->table);

	if (s == NULL || s->creating || (p->stage > CHECK_SCAN && p->number > s->n_index)) {
		do {
			s = catalog_next(cat, k->c, s == NULL ? p->table : s->table);
		} while (s != NULL && s->creating);
		check_go_on(p, s);
	}
	return s;
}

/* Compare the definition in the snapshot with @s.  Return: 0: same; KV_ABSENT: it differs or is missing; < 0 */
static int
check_is_of_snapshot(struct check *k, const struct schema *s)
{
	struct schema there;
	struct buf bytes = {.arena = &k->scratch.arena};

	call_clear(&k->scratch);
	int r = kv_get(k->local->kv, k->c, k->at,
		       keyspace_name(&k->scratch.arena, KEYSPACE_TABLE, s->table), &bytes);

	if (r == 0) {
		r = definition_decode(k->c, s->table, buf_view(&bytes), &there);
	}
	return r != 0 || (there.id == s->id && there.version == s->version) ? r : KV_ABSENT;
}

/*
 * The definition of k->s cannot be read.  Continue with that of the catalog: it was read at open or written by a
 * later change, and nothing changes it after damage, so it is the newest one.
 */
static int
check_enter_undefined(struct check *k, const struct check_next *p)
{
	if (p->stage == CHECK_SCAN && p->number == 0) {
		check_pass_over(k, "its definition cannot be read");
	} else {
		(void)check_take_damage(k);
	}
	check_renew_snapshot(k);
	return 0;
}

int
check_enter_table(struct check *k, struct check_next *p)
{
	int r = 0;

	k->ix = NULL;
	for (;;) {
		k->s = check_find_table(k, p);
		r = k->s == NULL ? 0 : check_is_of_snapshot(k, k->s);
		if (r == -ERR_CORRUPT && k->t == NULL) {
			return check_enter_undefined(k, p);
		}
		if (r != KV_ABSENT) {
			return r;
		}
		check_renew_snapshot(k);
	}
}

/* ------------------------------------------------------------ problems as text */

enum { SENTENCE_BYTES = 1000 }; /* longer problems are truncated */

void
check_problem(struct check *k, const char *fmt, ...)
{
	struct buf text = {.arena = &k->c->arena};
	char sentence[SENTENCE_BYTES + 16];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	if (k->s == NULL) {
		buf_str(&text, "store");
	} else {
		buf_fmt(&text, "table %.*s", SLICE_ARG(k->s->table));
	}
	if (k->ix != NULL) {
		buf_fmt(&text, ", index %.*s", SLICE_ARG(k->ix->name));
	}
	buf_str(&text, ": ");
	buf_slice(&text, utf8_cut(slice_from(sentence), SENTENCE_BYTES));
	k->problems = arena_room(&k->c->arena, k->problems, k->n_problems, &k->cap_problems);
	k->problems[k->n_problems++] = (struct problem){.text = buf_view(&text)};
}

const char *
check_place(struct check *k, const struct values *values)
{
	struct item place = key_to_item(&k->scratch, k->s, k->ix, values);
	struct buf text = {.arena = &k->scratch.arena};

	item_put_json(&text, &place, ITEM_PLAIN);
	if (!utf8_valid(buf_view(&text))) {
		return "a key that is not UTF-8";
	}
	buf_char(&text, 0);
	return text.at;
}

/* ------------------------------------------------------------ damaged files */

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
	kv_cursor_free(k->cursor); /* a cursor keeps its first error: open another one */
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
