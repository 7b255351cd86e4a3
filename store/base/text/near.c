/* near - edit distance with transpositions (optimal string alignment) */
#include "store/base/text/near.h"

enum { NEAR_LONGEST = 64 }; /* bytes; longer names are not compared */

struct near
near_start(struct slice typed)
{
	return (struct near){.typed = typed, .distance = SIZE_MAX};
}

static char
near_letter(struct slice s, size_t i)
{
	return s.at[i] == '_' ? '-' : ascii_lower(s.at[i]);
}

static size_t
near_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t
near_distance(struct slice a, struct slice b)
{
	/* Rows of the matrix, in rotation: two letters back, one letter back, the current letter of @a. */
	size_t rows[3][NEAR_LONGEST + 1];

	assert(a.len <= NEAR_LONGEST && b.len <= NEAR_LONGEST);
	for (size_t k = 0; k <= b.len; k++) {
		rows[1][k] = k;
	}
	for (size_t i = 1; i <= a.len; i++) {
		size_t *above = rows[i % 3];
		size_t *row = rows[(i + 1) % 3];
		const size_t *before = rows[(i + 2) % 3];

		row[0] = i;
		for (size_t k = 1; k <= b.len; k++) {
			bool same = near_letter(a, i - 1) == near_letter(b, k - 1);

			row[k] = near_least(above[k - 1] + !same,
					    near_least(above[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && near_letter(a, i - 1) == near_letter(b, k - 2) &&
			    near_letter(a, i - 2) == near_letter(b, k - 1)) {
				row[k] = near_least(row[k], before[k - 2] + 1);
			}
		}
	}
	return rows[(a.len + 1) % 3][b.len];
}

/* Returns true if @typed is a prefix of @name, or @name and at most two letters. The prefix has at least 3 letters. */
static bool
near_begins(struct slice typed, struct slice name)
{
	size_t n = near_least(typed.len, name.len);

	return n >= 3 && typed.len <= name.len + 2 &&
	       ascii_same(slice_of(typed.at, n), slice_of(name.at, n));
}

/* Returns the maximum number of typing errors in a word of @n letters. */
static size_t
near_limit(size_t n)
{
	return n < 2 ? 0 : n < 6 ? 1 : n < 10 ? 2 : 3;
}

void
near_try(struct near *n, struct slice name)
{
	if (n->typed.len == 0 || n->typed.len > NEAR_LONGEST || name.len > NEAR_LONGEST) {
		return;
	}
	size_t distance = near_distance(n->typed, name);
	size_t shortest = near_least(n->typed.len, name.len);

	if (near_begins(n->typed, name) && distance > 1) {
		distance = 1;
	} else if (distance > near_limit(shortest)) {
		return;
	}
	if (distance < n->distance) {
		n->distance = distance;
		n->best = name;
	}
}

void
near_put(struct buf *out, const struct near *n, const char *before)
{
	if (n->best.len > 0) {
		buf_fmt(out, ": did you mean %s%.*s?", before, SLICE_ARG(n->best));
	}
}
