/* check_problem - problems as text */
#include <stdarg.h>
#include <stdio.h>

#include "store/base/core/utf8.h"
#include "store/local/check/check_int.h"
#include "store/local/records/key.h"
#include "store/model/item_json.h"

/* A problem is cut to so much. */
enum { SENTENCE_BYTES = 1000 };

void
check_begin(struct check *k)
{
	call_clear(&k->scratch);
}

static void
check_keep_problem(struct check *k, struct slice text)
{
	k->problems = arena_room(&k->c->arena, k->problems, k->n_problems, &k->cap_problems);
	k->problems[k->n_problems++] = (struct problem){.text = text};
}

void
check_mended(struct check *k, const char *fmt, ...)
{
	struct problem *last = &k->problems[k->n_problems - 1];
	char text[SENTENCE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	k->mended += last->done.len == 0;
	last->done = slice_copy(&k->c->arena, slice_from(text));
}

void
check_problem(struct check *k, const char *fmt, ...)
{
	struct buf text;
	char sentence[SENTENCE_BYTES + 16];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	buf_init(&text, &k->c->arena);
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
	check_keep_problem(k, buf_view(&text));
}

const char *
check_place(struct check *k, const struct values *values)
{
	struct item place = key_to_item(&k->scratch, k->s, k->ix, values);
	struct buf text;

	buf_init(&text, &k->scratch.arena);
	item_put_json(&text, &place, ITEM_PLAIN);
	if (!utf8_valid(buf_view(&text))) {
		return "a key that is not UTF-8";
	}
	buf_char(&text, 0);
	return text.at;
}
