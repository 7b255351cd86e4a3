/* place_query - see place_query.h */
#include "fs/place/place_query.h"

#include "fs/format/clauses.h"
#include "fs/place/path_query.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"

static_assert(CLAUSES_MAX + 4 <= INODE_DEPTH_MAX, "table, .index, index, chain, file");

bool
place_is_query(const struct place *dir, struct slice name)
{
	enum role role = dir->role;

	if (role == ROLE_QUERY && dir->clauses.awaits != CLAUSE_NONE) {
		return true;
	}
	return (role == ROLE_TABLE || role == ROLE_INDEX || role == ROLE_PARTITION ||
		role == ROLE_QUERY) &&
	       (clauses_name(name) != CLAUSE_NONE || clauses_generated(name) != GENERATED_NONE);
}

/* ------------------------------------------------------------ where each clause may stand */

static int
check_sort(struct call *c, const struct place *p)
{
	size_t n_sk = key_part_n(place_key(p)->sk);
	size_t n = p->clauses.n_sort;

	if (n_sk == 0) {
		return call_fail(c, ERR_VALIDATION, "there is no sort key for a condition");
	}
	if (n >= n_sk) {
		return call_fail(
			c, ERR_VALIDATION,
			"there is already a condition on the sort key, and only one is allowed");
	}
	return 0;
}

/* clauses_add() checks that no other clause precedes it. */
static int
check_shards(struct call *c, const struct place *dir)
{
	if (place_holds_items(dir) && !clauses_any(&dir->clauses)) {
		return call_fail(
			c, ERR_VALIDATION,
			".shards reads many partitions: it must be at the root of an index, or of a "
			"table that has a sort key");
	}
	if (key_part_n(place_key(dir)->pk) > 1) {
		return call_fail(c, ERR_VALIDATION,
				 ".shards needs a partition key of one attribute");
	}
	return 0;
}

/* Check the value of .shards against the key's type. */
static int
check_shard_type(struct call *c, const struct place *p)
{
	enum value_type type = place_key(p)->pk->type;

	if (type == VALUE_B) {
		return call_fail(c, ERR_VALIDATION, ".shards: the partition key is binary");
	}
	if (type == VALUE_N && p->clauses.shard_prefix.len > 0) {
		return call_fail(
			c, ERR_VALIDATION,
			".shards: the partition key is a number, which cannot have a prefix");
	}
	return 0;
}

/* Check a complete clause against this key and this engine. */
static int
place_query_check_value(struct mount *m, struct call *c, const struct place *p, enum clause kind)
{
	if (kind == CLAUSE_SHARDS) {
		return check_shard_type(c, p);
	}
	return kind == CLAUSE_LIMIT || kind == CLAUSE_REVERSE ? 0 : query_check(m, c, p);
}

/* Check whether the clause @kind may come next. */
static int
check_clause(struct call *c, const struct place *dir, enum clause kind)
{
	bool simple = !key_schema_has_sort(&dir->schema->key);
	bool scans = !place_holds_items(dir) || (place_spans(dir) && !dir->clauses.sharded);

	if (kind == CLAUSE_SHARDS) {
		return check_shards(c, dir);
	}
	if (scans && (clauses_is_sort(kind) || kind == CLAUSE_REVERSE)) {
		return call_fail(
			c, ERR_VALIDATION,
			"%.*s must follow a partition key, or .shards/LO..HI; the root only has "
			".filter, .project and .limit of a Scan",
			SLICE_ARG(clauses_text(kind)));
	}
	if (clauses_is_sort(kind)) {
		return check_sort(c, dir);
	}
	if (kind == CLAUSE_REVERSE && dir->index == NULL && simple) {
		return call_fail(
			c, ERR_VALIDATION,
			"a table without a sort key is read by Scan, which cannot reverse the order");
	}
	return 0;
}

/* ------------------------------------------------------------ */

int
place_child_query(struct mount *m, struct call *c, const struct place *dir, struct slice name,
		  struct child *out)
{
	struct clauses *q = &out->place.clauses;
	int r = 0;

	out->place.ino = place_child_ino(dir->ino, name);
	if (q->awaits == CLAUSE_NONE && clauses_generated(name) != GENERATED_NONE) {
		out->kind = NODE_TERMINAL;
		out->place.role = ROLE_TERMINAL;
		out->place.generated = clauses_generated(name);
		out->place.shown = name;
		return 0;
	}
	enum clause kind = q->awaits;

	if (kind == CLAUSE_NONE) {
		kind = clauses_name(name);
		r = check_clause(c, dir, kind);
	}
	if (r == 0) {
		r = clauses_add(c, q, name);
	}
	out->kind = NODE_QUERY;
	out->place.role = ROLE_QUERY;
	if (r == 0 && q->awaits == CLAUSE_NONE) {
		r = place_query_check_value(m, c, &out->place, kind);
	}
	return r == -ERR_VALIDATION ? PLACE_NO_QUERY : r;
}
