/* mend_syntax - words of expressions, and corrections of their syntax */
#include "store/expr/expr.h"
#include "store/mend/mend.h"
#include "store/mend/mend_int.h"

enum { MEND_ROUNDS = 6 }; /* mistakes in one expression */

struct slice
mend_word(struct slice text, size_t *at)
{
	while (*at < text.len && ascii_blank(text.at[*at])) {
		(*at)++;
	}
	size_t from = *at;
	bool alias = from < text.len && (text.at[from] == '#' || text.at[from] == ':');

	*at += alias;
	while (*at < text.len && ascii_word(text.at[*at])) {
		(*at)++;
	}
	*at += *at == from && from < text.len;
	return slice_of(text.at + from, *at - from);
}

struct slice
mend_with(struct mend *m, struct slice text, struct slice word, struct slice by)
{
	struct buf b;

	assert(word.at >= text.at && word.at + word.len <= text.at + text.len);
	buf_init(&b, &m->c->arena);
	buf_put(&b, text.at, (size_t)(word.at - text.at));
	buf_slice(&b, by);
	buf_slice(&b, slice_skip(text, (size_t)(word.at - text.at) + word.len));
	return buf_view(&b);
}

bool
mend_is_name(struct slice word)
{
	return word.len > 0 && (ascii_word(word.at[word.len - 1]) || word.at[0] == '#') &&
	       word.at[0] != ':' && !ascii_digit(word.at[0]);
}

/* The search for a correction, and the best candidate so far. */
struct mend_try {
	struct mend *m;
	enum expr_kind kind;
	struct slice best;
	size_t place; /* byte offset of its first fault; SIZE_MAX: it has none */
};

size_t
mend_fault(struct mend *m, enum expr_kind kind, struct slice text)
{
	m->c->error = (struct error){0};
	if (kind == EXPR_PROJECTION || expr_syntax(m->c, kind, text) == 0) {
		return SIZE_MAX;
	}
	return m->c->error.place == 0 ? 0 : m->c->error.place - 1;
}

/* Keeps @text if its first fault comes later than that of the best candidate. */
static void
mend_attempt(struct mend_try *t, struct slice text)
{
	size_t place = mend_fault(t->m, t->kind, text);

	if (place > t->place) {
		t->best = text;
		t->place = place;
	}
}

/* Tries to replace signs and clauses of other languages, each at its first occurrence. */
static void
mend_try_foreign(struct mend_try *t, struct slice text)
{
	const struct mend_foreign *row = NULL;

	while ((row = mend_foreign_next(row)) != NULL) {
		struct slice from = slice_from(row->other);
		const char *at = row->kind > MEND_CLAUSE || text.len == 0
					 ? NULL
					 : memmem(text.at, text.len, from.at, from.len);

		if (at != NULL) {
			mend_attempt(t, mend_with(t->m, text, slice_of(at, from.len),
						  slice_from(row->ours)));
		}
	}
}

/* Tries "a = a + :b" for "a + :b" and "a += :b". @sign: the token that was refused. */
static void
mend_try_sum(struct mend_try *t, struct slice text, struct slice name, struct slice sign)
{
	struct buf b;

	if (sign.len != 1 || (sign.at[0] != '+' && sign.at[0] != '-') || !mend_is_name(name)) {
		return;
	}
	size_t rest = (size_t)(sign.at + 1 - text.at);

	if (rest < text.len && text.at[rest] == sign.at[0]) {
		return; /* n++ */
	}
	rest += rest < text.len && text.at[rest] == '=';
	buf_init(&b, &t->m->c->arena);
	buf_put(&b, text.at, (size_t)(name.at - text.at));
	buf_fmt(&b, "%.*s = %.*s %c%.*s", SLICE_ARG(name), SLICE_ARG(name), sign.at[0],
		SLICE_ARG(slice_skip(text, rest)));
	mend_attempt(t, buf_view(&b));
}

struct slice
mend_function(struct slice word, const char *functions)
{
	const char *ours = mend_foreign(word, MEND_FUNCTION);

	return ours != NULL && strstr(functions, ours) != NULL ? slice_from(ours)
							       : mend_nearest(word, functions);
}

/* Tries "contains(a, :v)" for "a contains :v", and the same for begins_with. */
static void
mend_try_infix(struct mend_try *t, struct slice text, struct slice wrong)
{
	size_t begin = (size_t)(wrong.at - text.at);
	size_t at = begin + wrong.len;
	struct slice name = mend_function(wrong, "begins_with contains");
	struct slice value = mend_word(text, &at);
	struct buf b;

	if (wrong.len == 0 || name.len == 0 || value.len == 0 || value.at[0] != ':') {
		return;
	}
	struct slice left = ascii_trim(slice_of(text.at, begin));
	size_t n = left.len;

	while (n > 0 && (ascii_word(left.at[n - 1]) || strchr("#.[]", left.at[n - 1]) != NULL)) {
		n--;
	}
	buf_init(&b, &t->m->c->arena);
	buf_fmt(&b, "%.*s%.*s(%.*s, %.*s)%.*s", (int)n, text.at, SLICE_ARG(name),
		SLICE_ARG(slice_skip(left, n)), SLICE_ARG(value), SLICE_ARG(slice_skip(text, at)));
	mend_attempt(t, buf_view(&b));
}

/* Tries all corrections at the word @wrong, which was refused; @before: the word before it, or empty. */
static void
mend_try_at(struct mend_try *t, struct slice text, struct slice before, struct slice wrong,
	    const char *keywords)
{
	struct slice keyword = mend_is_name(wrong) ? mend_nearest(wrong, keywords) : SLICE("");

	if (keyword.len > 0 && !ascii_same(keyword, wrong)) {
		mend_attempt(t, mend_with(t->m, text, wrong, keyword));
	}
	mend_try_foreign(t, text);
	mend_try_infix(t, text, wrong);
	if (t->kind == EXPR_UPDATE) {
		mend_try_sum(t, text, before, wrong);
		if (ascii_same(wrong, SLICE("AND"))) {
			bool blank = wrong.at > text.at && ascii_blank(wrong.at[-1]);

			mend_attempt(t, mend_with(t->m, text,
						  slice_of(wrong.at - blank, wrong.len + blank),
						  SLICE(",")));
		}
		mend_attempt(t, mend_with(t->m, text, slice_of(text.at, 0), SLICE("SET ")));
	}
	if (t->kind == EXPR_UPDATE && mend_is_name(wrong) && before.len > 0 &&
	    before.at + before.len < wrong.at) {
		mend_attempt(t, mend_with(t->m, text,
					  slice_of(before.at + before.len,
						   (size_t)(wrong.at - before.at) - before.len),
					  SLICE(", ")));
	}
	if (slice_ends(text, SLICE(","))) {
		mend_attempt(t, ascii_trim(slice_of(text.at, text.len - 1)));
	}
	mend_attempt(t, mend_with(t->m, text, slice_skip(text, text.len), SLICE(")")));
	if (wrong.len > 0 && (strchr(",)=", wrong.at[0]) != NULL || wrong.at[0] == ':' ||
			      (t->kind == EXPR_UPDATE && ascii_same(wrong, SLICE("SET"))))) {
		struct slice gone = wrong;

		for (; gone.at > text.at && ascii_blank(gone.at[-1]); gone.at--, gone.len++) {
		}
		mend_attempt(t, mend_with(t->m, text, gone, SLICE("")));
	}
}

struct slice
mend_syntax(struct mend *m, enum expr_kind kind, const char *keywords, struct slice text)
{
	struct mend_try t = {.m = m, .kind = kind, .best = text};

	t.place = mend_fault(m, kind, text);
	for (int i = 0; i < MEND_ROUNDS && t.place != SIZE_MAX; i++) {
		struct slice last = t.best;
		struct slice before = {0};
		size_t fault = t.place < last.len ? t.place : last.len;
		size_t at = 0;
		struct slice wrong = mend_word(last, &at);

		while (wrong.len > 0 && (size_t)(wrong.at - last.at) + wrong.len <= fault) {
			before = wrong;
			wrong = mend_word(last, &at);
		}
		mend_try_at(&t, last, before, wrong, keywords);
		if (t.best.at == last.at && t.best.len == last.len) {
			return text; /* no correction helps */
		}
	}
	return t.place == SIZE_MAX ? t.best : text;
}
