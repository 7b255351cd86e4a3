/*
 * survey_damage - a table some of whose files are damaged: how much of it can be read?
 *
 * LevelDB's cursor passes over a damaged block and shows what comes after it, and older versions of what the
 * block has replaced.  So nothing is compared: an entry whose item is not seen would be no problem of its own.
 */
#include "store/local/check/check_int.h"
#include "store/local/check/survey_int.h"

void
survey_keep_damage(struct survey *s, struct slice why)
{
	if (!survey_is_damaged(s)) {
		s->damage = slice_copy(&s->call.arena, why);
	}
}

int
survey_take_damage(struct check *k, struct walk *w)
{
	int r = w->result;

	w->result = 0;
	if (r == 0) {
		return 0;
	}
	r = call_fail(k->c, w->c.error.code, "%s", w->c.error.message);
	w->c.error = (struct error){0};
	if (r != -ERR_CORRUPT) {
		return r;
	}
	survey_keep_damage(w->of, check_take_damage(k));
	return 0;
}

/* Of the table (@place 0) or of an index, as struct sums. */
static void
survey_tell_place(const struct survey *s, struct check *k, size_t place)
{
	const struct sums *found = &s->found[place];
	const char *what = place == 0 ? "items" : "entries";
	unsigned long long read = place == 0 ? s->expected[0].n : found->n;
	unsigned long long all = found->totals.items;

	if (found->totals_lost) {
		check_problem(k, "%llu %s can be read, of a number that is not known: %.*s", read,
			      what, SLICE_ARG(s->damage));
	} else if (read > all) {
		check_problem(
			k,
			"%llu %s can be read, more than its %llu, as deleted ones are back: %.*s",
			read, what, all, SLICE_ARG(s->damage));
	} else if (place == 0 || read < all) {
		check_problem(k, "%llu of %llu %s can be read: %.*s", read, all, what,
			      SLICE_ARG(s->damage));
	}
}

void
survey_tell_readable(struct survey *s, struct check *k)
{
	k->ix = NULL;
	survey_tell_place(s, k, 0);
	k->items += s->expected[0].n;
	for (size_t i = 1; i <= s->s->n_index; i++) {
		k->ix = &s->s->index[i - 1];
		if (k->ix->state != INDEX_DELETING) {
			survey_tell_place(s, k, i);
		}
		k->entries += s->found[i].n;
	}
	k->ix = NULL;
}
