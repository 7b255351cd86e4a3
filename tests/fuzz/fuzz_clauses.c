/*
 * clauses - fuzzes path components as a chain of clauses: an accepted chain never exceeds the documented length, and
 * every refusal has a reason
 */
#include "fs/format/clauses.h"

enum { CALL_BUDGET = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct clauses *q)
{
	assert(q->n_sort <= KEY_PART_MAX);
	for (size_t i = 0; i < q->n_sort; i++) {
		const struct sort_clause *s = &q->sort[i];

		assert(clauses_is_sort(s->kind) && s->a.len > 0);
		assert((s->b.len > 0) == (s->kind == CLAUSE_BETWEEN));
		assert(s->kind == CLAUSE_EQ || i + 1 == q->n_sort);
	}
	assert(q->shard_lo <= q->shard_hi && q->shard_hi - q->shard_lo < CLAUSES_SHARDS_MAX);
	assert(q->sharded || q->shard_hi == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice rest = slice_of((const char *)data, size);
	struct clauses q = {.limit = 0};
	struct call c;
	size_t n = 0;

	call_open(&c, 0, CALL_BUDGET);
	while (rest.len > 0 && rest.at[0] != '/') {
		const char *cut = memchr(rest.at, '/', rest.len);
		size_t len = cut == NULL ? rest.len : (size_t)(cut - rest.at);

		if (clauses_add(&c, &q, slice_of(rest.at, len)) != 0) {
			assert(c.error.code == ERR_VALIDATION && c.error.message[0] != '\0');
			break;
		}
		n++;
		check(&q);
		rest = slice_skip(rest, cut == NULL ? len : len + 1);
	}
	assert(n <= CLAUSES_MAX);
	call_close(&c);
	return 0;
}
