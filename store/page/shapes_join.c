/*
 * shapes_join - joins kinds whose templates differ only in one word
 *
 * Kinds with similar attributes are joined if the words at the position where they differ look like values: the words
 * are short, or there are three of them or more.  The word becomes a placeholder.
 */
#include "store/base/core/max.h"
#include "store/model/schema.h"
#include "store/page/shapes_int.h"

enum {
	PASSES_MOST = 6,   /* passes over all kinds */
	SHORTEST_WORD = 2, /* bytes: WA, NE */
	SHORT_WORD = 3,    /* USA, PNW */
	WORDS_FEW = 3,     /* different words that look like values if the attributes are similar */
	WORDS_MANY = 10,   /* likewise, whatever the attributes */
	RARE_SHARE = 10,   /* an attribute is rare if less than one item in this number has it */
	ALIKE_PERCENT = 70, /* share of common attributes of similar kinds */
};

/* ------------------------------------------------------------ similar attributes */

/* Return: whether the attribute is typical of its kind: no key of an index, and not rare. */
static bool
counts(const struct shapes_kinds *k, const struct shapes_kind *kind, size_t i)
{
	const struct shapes_kind_attr *a = &kind->attrs[i];

	return !k->is_key[a->name] && (uint64_t)a->items * RARE_SHARE >= kind->items;
}

/* Return: the share in percent of attributes that both have, of all that at least one has; 100: there are none. */
static unsigned
kinds_alike(const struct shapes_kinds *k, const struct shapes_kind *a, const struct shapes_kind *b,
	    size_t *common)
{
	size_t all = 0;
	size_t i = 0;
	size_t j = 0;

	*common = 0;
	while (i < a->n_attrs || j < b->n_attrs) {
		bool left =
			j == b->n_attrs || (i < a->n_attrs && a->attrs[i].name <= b->attrs[j].name);
		bool right =
			i == a->n_attrs || (j < b->n_attrs && b->attrs[j].name <= a->attrs[i].name);
		bool in_a = left && counts(k, a, i);
		bool in_b = right && counts(k, b, j);

		all += in_a || in_b;
		*common += in_a && in_b;
		i += left;
		j += right;
	}
	return all == 0 ? 100 : (unsigned)(*common * 100 / all);
}

bool
shapes_alike(const struct shapes_kinds *k, const struct shapes_kind *a, const struct shapes_kind *b,
	     size_t *common)
{
	return kinds_alike(k, a, b, common) >= ALIKE_PERCENT;
}

/* ------------------------------------------------------------ words */

static bool
is_caps_word(struct slice word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (word.at[i] >= 'a' && word.at[i] <= 'z') {
			return false;
		}
	}
	return true;
}

/* Return: length of the common prefix of all these words that ends with '-' or '_'. */
static size_t
common_prefix(const struct shapes_kinds *k, const uint32_t *cluster, size_t n, size_t piece)
{
	struct slice first = k->at[cluster[0]].pieces[piece].text;
	size_t same = first.len;

	for (size_t i = 1; i < n; i++) {
		struct slice word = k->at[cluster[i]].pieces[piece].text;

		same = word.len < same ? word.len : same;
		while (memcmp(word.at, first.at, same) != 0) {
			same--;
		}
	}
	while (same > 0 && first.at[same - 1] != '-' && first.at[same - 1] != '_') {
		same--;
	}
	return same;
}

/* Return: whether the words at one position of kinds with similar attributes look like values. */
static bool
words_vary(const struct shapes_kinds *k, const uint32_t *cluster, size_t n, size_t piece,
	   size_t common)
{
	const struct shapes_node *at = &k->at[cluster[0]].pieces[piece];
	bool leads = at->separator != '\0' && at->attribute < key_part_n(k->sample->key->pk) &&
		     (piece == 0 || at[-1].attribute != at->attribute || at[-1].text.len == 0);
	size_t prefix = common_prefix(k, cluster, n, piece);
	size_t longest = 0;
	bool caps = true;

	for (size_t i = 0; i < n; i++) {
		struct slice word = k->at[cluster[i]].pieces[piece].text;

		longest = max_of(longest, word.len - prefix);
		caps = caps && is_caps_word(word);
	}
	if (leads && caps) { /* more likely names of entities */
		return common > 0 && (n >= WORDS_MANY || longest <= SHORTEST_WORD);
	}
	return (longest <= SHORT_WORD && common > 0) || (n >= WORDS_FEW && common > 1) ||
	       n >= WORDS_MANY;
}

/* ------------------------------------------------------------ joining */

/* Join the kinds of @cluster into the first one; the piece in which they differ becomes a placeholder. */
static void
shapes_kinds_join(struct shapes_kinds *k, const uint32_t *cluster, size_t n, size_t piece,
		  bool words)
{
	assert(n > 1 && piece < k->at[cluster[0]].n);

	struct shapes_node *into = &k->at[cluster[0]].pieces[piece];
	struct shapes_node joined = *into;

	joined.piece = PIECE_ID;
	joined.looks = words ? 0 : LOOK_MIXED;
	joined.text =
		words ? slice_of(into->text.at, common_prefix(k, cluster, n, piece)) : SLICE("");
	for (size_t i = 0; i < n; i++) {
		const struct shapes_node *one = &k->at[cluster[i]].pieces[piece];

		joined.looks |= one->piece == PIECE_FIXED ? LOOK_WORD : one->looks;
		k->at[cluster[i]].into = cluster[0];
	}
	*into = joined;
	for (size_t p = 0; p < k->at[cluster[0]].n; p++) {
		for (size_t i = 1; p != piece && i < n; i++) {
			k->at[cluster[0]].pieces[p].looks |= k->at[cluster[i]].pieces[p].looks;
		}
	}
}

/* A kind, and its template without one piece. */
struct rest {
	struct slice text;
	uint64_t items;
	uint32_t kind;
	bool done;
};

static int
compare_rests(const void *a, const void *b)
{
	const struct rest *x = a;
	const struct rest *y = b;
	int r = slice_cmp(x->text, y->text);

	return r != 0 ? r : (x->items < y->items) - (x->items > y->items);
}

/* Join the kinds of a run whose attributes are similar to those of @seed, if allowed;  Return: whether it was done */
static bool
try_join(struct shapes_kinds *k, struct rest *run, size_t n, size_t seed, size_t piece,
	 uint32_t *cluster)
{
	size_t least = SIZE_MAX;
	size_t in = 0;
	size_t fixed = 0;

	for (size_t i = seed; i < n; i++) {
		const struct shapes_kind *kind = &k->at[run[i].kind];
		size_t common = 0;

		if (!run[i].done && shapes_alike(k, &k->at[run[seed].kind], kind, &common)) {
			run[i].done = true;
			cluster[in++] = run[i].kind;
			fixed += kind->pieces[piece].piece == PIECE_FIXED;
			least = common < least ? common : least;
		}
	}
	bool joins = in > 1 && (fixed == 0    ? true
				: fixed == in ? words_vary(k, cluster, in, piece, least)
					      : least > 0);

	if (joins) {
		shapes_kinds_join(k, cluster, in, piece, fixed == in);
	}
	return joins;
}

static void
put_rest(struct buf *b, const struct shapes_kind *kind, size_t without)
{
	for (size_t i = 0; i < kind->n; i++) {
		const struct shapes_node *p = &kind->pieces[i];

		buf_fmt(b, "%u%c", p->attribute, p->separator == '\0' ? '0' : p->separator);
		if (i == without) {
			/* Do not join an empty segment with others. */
			buf_str(b, p->piece == PIECE_FIXED && p->text.len == 0 ? "!" : "?");
		} else if (p->piece == PIECE_FIXED) {
			buf_fmt(b, "f%zu:", p->text.len);
			buf_slice(b, p->text);
		} else {
			buf_fmt(b, "v%d", (int)p->piece);
		}
	}
}

/* Join kinds that differ only in the piece @piece;  Return: whether there were any */
static bool
join_at(struct shapes_kinds *k, size_t piece)
{
	struct arena *a = &k->sample->arena;
	struct arena_mark mark = arena_mark(a);
	struct rest *rests = arena_new(a, struct rest, k->n + 1);
	uint32_t *cluster = arena_new(a, uint32_t, k->n + 1);
	bool any = false;
	size_t n = 0;
	size_t end;

	for (size_t i = 0; i < k->n; i++) {
		struct buf b;

		if (k->at[i].into != i || k->at[i].n <= piece || k->at[i].items == 0) {
			continue;
		}
		buf_init(&b, a);
		put_rest(&b, &k->at[i], piece);
		rests[n++] = (struct rest){buf_view(&b), k->at[i].items, (uint32_t)i, false};
	}
	qsort(rests, n, sizeof(*rests), compare_rests);
	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && slice_eq(rests[end].text, rests[i].text); end++) {
		}
		for (size_t seed = i; seed < end; seed++) {
			any = (!rests[seed].done &&
			       try_join(k, rests + i, end - i, seed - i, piece, cluster)) ||
			      any;
		}
	}
	arena_reset(a, mark);
	return any;
}

void
shapes_join(struct shapes_kinds *k)
{
	bool any = true;

	for (int pass = 0; any && pass < PASSES_MOST; pass++) {
		size_t most = 0;

		any = false;
		shapes_kinds_gather(k);
		for (size_t i = 0; i < k->n; i++) {
			most = k->at[i].n > most ? k->at[i].n : most;
		}
		for (size_t piece = 0; piece < most; piece++) {
			any = join_at(k, piece) || any;
		}
	}
}
