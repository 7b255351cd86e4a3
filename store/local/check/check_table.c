/* check_table - the table where a check goes on, and a snapshot in which it is defined as in the catalog */
#include "store/local/check/check_int.h"
#include "store/local/records/catalog_int.h"
#include "store/local/records/definition.h"

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

/* ------------------------------------------------------------ tables */

/*
 * The table at @p, or the next one when it is gone; NULL after the last.  One that a restore or an
 * import makes is passed over: after a crash it is emptied first, key by key, without its counts.
 */
static const struct schema *
check_find_table(const struct check *k, struct check_next *p)
{
	struct catalog *cat = k->local->catalog;
	const struct schema *s = p->table.len == 0 ? NULL : catalog_get(cat, k->c, p->table);

	if (s == NULL || s->creating || p->index > s->n_index) {
		do {
			s = catalog_next(cat, k->c, s == NULL ? p->table : s->table);
		} while (s != NULL && s->creating);
		*p = (struct check_next){.table = s == NULL ? slice_of(NULL, 0) : s->table};
	}
	return s;
}

void
check_go_on(struct check_next *p, const struct schema *s)
{
	*p = (struct check_next){.table = s == NULL ? slice_of(NULL, 0) : s->table};
}

/* Is the definition in the snapshot the same as @s?  KV_ABSENT: no. */
static int
check_is_of_snapshot(struct check *k, const struct schema *s)
{
	struct schema there;
	struct buf key;
	struct buf bytes;

	call_clear(&k->scratch);
	buf_init(&key, &k->scratch.arena);
	buf_init(&bytes, &k->scratch.arena);
	catalog_key(&key, s->table);
	int r = kv_get(k->local->kv, k->c, k->at, buf_view(&key), &bytes);

	if (r == 0) {
		r = definition_decode(k->c, s->table, buf_view(&bytes), &there);
	}
	return r != 0 || (there.id == s->id && there.version == s->version) ? r : KV_ABSENT;
}

/*
 * The definition of k->s cannot be read.  The catalog's is the newest one, as it has been there since the
 * store was opened or changed, and nothing changes it after damage.
 */
static int
check_enter_undefined(struct check *k, const struct check_next *p)
{
	bool first = p->survey == 0 && p->part == CHECK_ITEMS && p->index == 0 && p->key.len == 0 &&
		     !p->parts;

	k->ix = NULL;
	if (first) {
		check_pass_over(k, "its definition cannot be read");
	} else {
		(void)check_take_damage(k);
	}
	check_renew_snapshot(k);
	return 0;
}

/* The table where the work goes on, with a snapshot in which it is defined as in the catalog. */
int
check_enter_table(struct check *k, struct check_next *p)
{
	int r = 0;

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
