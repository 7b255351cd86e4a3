/* where_projected - finds the attributes of filters that the entries of an index do not hold */
#include <assert.h>

#include "store/base/core/utf8.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/partiql/where_int.h"

struct hidden {
	struct arena *arena;
	const struct schema *schema;
	const struct index *ix;
	struct slice *at; /* distinct names */
	size_t n;
	size_t cap;
};

static void
where_projected_hidden_add(struct hidden *h, struct slice name)
{
	for (size_t i = 0; i < h->n; i++) {
		if (slice_eq(h->at[i], name)) {
			return;
		}
	}
	h->at = arena_room_of(h->arena, h->at, sizeof(*h->at), h->n, &h->cap);
	h->at[h->n++] = name;
}

static void
hidden_find(struct hidden *h, const struct node *n)
{
	if (n->type == NODE_PATH && !schema_projects(h->schema, h->ix, n->path.at[0].name)) {
		where_projected_hidden_add(h, n->path.at[0].name);
	}
	for (size_t i = 0; i < n->n; i++) {
		hidden_find(h, n->arg[i]);
	}
}

static struct hidden
hidden_of(struct call *c, const struct schema *s, const struct index *ix, const struct branch *b)
{
	struct hidden h = {.arena = &c->arena, .schema = s, .ix = ix};

	for (size_t i = 0; i < b->n_filter; i++) {
		hidden_find(&h, b->filter[i]);
	}
	return h;
}

/* ------------------------------------------------------------ the order of the names */

/* Java's String.hashCode(), mixed as in HashMap. */
static uint32_t
java_hash(struct slice text)
{
	uint32_t hash = 0;
	uint32_t unit;

	for (size_t at = 0; at < text.len;) {
		uint32_t ch = utf8_next(text, &at);

		if (ch > 0xffff) {
			unit = 0xd800 + ((ch - 0x10000) >> 10);
			hash = hash * 31 + unit;
			ch = 0xdc00 + ((ch - 0x10000) & 0x3ff);
		}
		hash = hash * 31 + ch;
	}
	return hash ^ (hash >> 16);
}

/* Return: the number of buckets of a HashSet with @n elements. */
static uint32_t
java_buckets(size_t n)
{
	uint32_t buckets = 16;

	while (n > (size_t)buckets / 4 * 3) {
		buckets *= 2;
	}
	return buckets;
}

/* Return: "a, b": bucket by bucket, and within a bucket in the order of insertion. */
static struct slice
hidden_list(const struct hidden *h)
{
	uint32_t buckets = java_buckets(h->n);
	struct buf out;

	buf_init(&out, h->arena);
	for (uint32_t bucket = 0; bucket < buckets; bucket++) {
		for (size_t i = 0; i < h->n; i++) {
			if ((java_hash(h->at[i]) & (buckets - 1)) == bucket) {
				buf_str(&out, out.len == 0 ? "" : ", ");
				buf_slice(&out, h->at[i]);
			}
		}
	}
	return buf_view(&out);
}

int
where_projected(struct call *c, const struct schema *s, const struct index *ix,
		const struct branches *all)
{
	const struct value *greatest = NULL;
	struct hidden named = {0};

	assert(all->n > 0);
	for (size_t i = 0; i < all->n; i++) {
		const struct value *partition = branch_partition(&all->at[i]);
		struct hidden h = hidden_of(c, s, ix, &all->at[i]);

		if (h.n == 0) {
			return 0;
		}
		if (greatest == NULL || value_cmp(partition, greatest) > 0) {
			greatest = partition;
			named = h;
		}
	}
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: Secondary index %.*s does not "
			 "project one or more filter attributes: [%.*s]",
			 SLICE_ARG(ix->name), SLICE_ARG(hidden_list(&named)));
}
