/* transfer_tidy - see transfer_tidy.h */
#include "store/local/archive/transfer_tidy.h"

#include "store/local/archive/export_files.h"
#include "store/local/archive/transfer.h"
#include "store/local/commit/damage.h"
#include "store/local/records/catalog_int.h"
#include "store/model/limits.h"

/* Those that are looked for. */
struct search {
	bool (*wanted)(const struct call *c, const struct transfer *t);
	struct transfer *at;
	size_t n;
	size_t cap;
};

static int
transfer_tidy_look(void *arg, struct call *c, const struct transfer *t)
{
	struct search *s = arg;

	if (t == NULL) {
		damage_pass_over(c);
	} else if (s->wanted(c, t)) {
		s->at = arena_room(&c->arena, s->at, s->n, &s->cap);
		s->at[s->n++] = *t;
	}
	return 0;
}

static int
transfer_tidy_find(struct local *l, struct call *c, enum transfer_kind kind, struct search *s)
{
	return transfer_each(l, c, kind, slice_of(NULL, 0), transfer_tidy_look, s);
}

static bool
is_running(const struct call *c, const struct transfer *t)
{
	(void)c;
	return t->status == TRANSFER_RUNNING;
}

static bool
is_old(const struct call *c, const struct transfer *t)
{
	return t->status != TRANSFER_RUNNING && c->now_ms >= t->started_ms + LIMIT_TRANSFER_MS;
}

static bool
is_either(const struct call *c, const struct transfer *t)
{
	return is_running(c, t) || is_old(c, t);
}

int
transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
{
	struct search left = {is_running, NULL, 0, 0};
	int r = transfer_tidy_find(l, c, TRANSFER_IMPORT, &left);

	for (size_t i = 0; i < left.n && r == 0; i++) {
		if (slice_eq(left.at[i].table, table)) {
			*out = left.at[i];
			return 0;
		}
	}
	return r < 0 ? r : KV_ABSENT;
}

/* ------------------------------------------------------------ what an earlier process left */

static bool
transfer_tidy_is_being_made(struct local *l, struct call *c, struct slice table)
{
	const struct schema *s = catalog_get(l->catalog, c, table);

	return s != NULL && s->creating;
}

/* The state that an export was to write is no more. */
static int
tidy_one(struct local *l, struct call *c, enum transfer_kind kind, struct transfer *t)
{
	if (t->status != TRANSFER_RUNNING) {
		return transfer_forget(l, c, kind, t);
	}
	if (kind == TRANSFER_IMPORT && transfer_tidy_is_being_made(l, c, t->table)) {
		return 0;
	}
	if (kind == TRANSFER_EXPORT) {
		export_files_remove(l, c, t);
	}
	t->status = TRANSFER_FAILED;
	t->ended_ms = c->now_ms;
	t->failure_code = SLICE("InternalServerError");
	t->failure = SLICE("the store was not closed before it was whole");
	return transfer_write(l, c, kind, t);
}

/* What is found is tidied when all is: that changes the records that are walked over. */
static int
transfer_tidy_tidy(struct local *l, struct call *c, enum transfer_kind kind,
		   bool (*wanted)(const struct call *c, const struct transfer *t))
{
	struct search s = {.wanted = wanted};
	int r = transfer_tidy_find(l, c, kind, &s);

	for (size_t i = 0; i < s.n && r == 0; i++) {
		r = tidy_one(l, c, kind, &s.at[i]);
	}
	return r;
}

int
transfer_tidy(struct local *l, struct call *c)
{
	int r = transfer_tidy_tidy(l, c, TRANSFER_EXPORT, is_either);

	return r < 0 ? r : transfer_tidy_tidy(l, c, TRANSFER_IMPORT, is_either);
}

int
transfer_forget_old(struct local *l, struct call *c, enum transfer_kind kind)
{
	return transfer_tidy_tidy(l, c, kind, is_old);
}
