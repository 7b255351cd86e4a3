/* align - see align.h */
#include "tools/model/align.h"

#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "tools/model/table_change.h"
#include "tools/model/table_settings.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"

static bool
same_includes(const struct index *a, const struct index *b)
{
	for (size_t i = 0; i < a->n_include; i++) {
		bool found = false;

		for (size_t j = 0; j < b->n_include && !found; j++) {
			found = slice_eq(a->include[i], b->include[j]);
		}
		if (!found) {
			return false;
		}
	}
	return a->n_include == b->n_include;
}

/* Return true if @s has an index with the name, kind, key and projection of @ix. */
static bool
has_index(const struct schema *s, const struct index *ix)
{
	const struct index *other = schema_index(s, ix->name);

	return other != NULL && other->global == ix->global &&
	       other->projection == ix->projection && key_schema_eq(&other->key, &ix->key) &&
	       same_includes(other, ix);
}

static bool
same_local_indexes(const struct schema *a, const struct schema *b)
{
	for (size_t i = 0; i < a->n_index; i++) {
		if (!a->index[i].global && !has_index(b, &a->index[i])) {
			return false;
		}
	}
	return schema_local_indexes(a) == schema_local_indexes(b);
}

/* Adapt the units of a new index to the billing mode of the existing table @s. */
static void
fit_units(const struct schema *s, struct index *ix)
{
	if (!s->provisioned || ix->read_units == 0) {
		ix->read_units = s->read_units;
		ix->write_units = s->write_units;
	}
}

/* Ask before indexes are dropped from a store on another machine. */
static int
confirm_drops(struct ctl *ctl, struct call *c, const struct schema *now,
	      const struct schema *wanted)
{
	size_t n = 0;
	struct buf what = {.arena = &c->arena};

	buf_str(&what, "Drop index");
	for (size_t i = 0; i < now->n_index; i++) {
		if (now->index[i].global && !has_index(wanted, &now->index[i])) {
			buf_str(&what, n++ == 0 ? " " : ", ");
			buf_slice(&what, now->index[i].name);
		}
	}
	buf_str(&what, " of table");
	return n == 0 ? 0 : confirm_far(ctl, c, slice_cstr(&c->arena, buf_view(&what)), now->table);
}

/* Drop or add, by @kind, the global indexes of @of that @in does not have. */
static int
change_indexes(struct ctl *ctl, struct call *c, const struct schema *of, const struct schema *in,
	       enum index_change_kind kind)
{
	assert(kind == INDEX_CREATE || kind == INDEX_DELETE);
	for (size_t i = 0; i < of->n_index; i++) {
		struct index_change ch = {.kind = kind, .index = of->index[i]};

		if (of->index[i].global && !has_index(in, &of->index[i])) {
			fit_units(in, &ch.index);
			int r = alter_index(ctl, c, of->table, &ch);

			if (r < 0) {
				return r;
			}
		}
	}
	return 0;
}

/* Setting another attribute takes two changes; DynamoDB may allow only one in an hour. */
static int
align_ttl(struct ctl *ctl, struct call *c, struct slice table, struct slice wanted)
{
	struct slice now = {0};
	int r = ctl_time_to_live(ctl, c, table, &now);

	if (r < 0 || slice_eq(now, wanted)) {
		return r;
	}
	if (now.len > 0 && alter_ttl(ctl, c, table, SLICE("off")) < 0) {
		return call_prefix(c, "time to live still uses %.*s: ", SLICE_ARG(now));
	}
	if (wanted.len == 0 || alter_ttl(ctl, c, table, wanted) == 0) {
		return 0;
	}
	return now.len == 0
		       ? call_prefix(c, "time to live does not use %.*s: ", SLICE_ARG(wanted))
		       : call_prefix(c,
				     "time to live is off: it used %.*s and does not use %.*s "
				     "yet. DynamoDB may refuse a second change for an hour; then "
				     "repeat the command: ",
				     SLICE_ARG(now), SLICE_ARG(wanted));
}

/* Another view needs a new stream. */
static int
align_stream(struct ctl *ctl, struct call *c, const struct schema *now, const struct schema *wanted)
{
	int r = 0;

	if (now->stream.view == wanted->stream.view) {
		return 0;
	}
	if (now->stream.view != STREAM_NONE) {
		r = alter_stream(ctl, c, now->table, STREAM_NONE);
	}
	return r < 0 || wanted->stream.view == STREAM_NONE
		       ? r
		       : alter_stream(ctl, c, now->table, wanted->stream.view);
}

/* Sends only settings that differ, because other servers do not know them. */
static int
align_settings(struct ctl *ctl, struct call *c, const struct schema *now,
	       const struct schema *wanted)
{
	struct update_table_in in = {.table = now->table};
	struct update_table_out answer = {0};

	if (now->throttle != wanted->throttle) {
		in.throttle = &wanted->throttle;
	}
	if (now->collection_limit != wanted->collection_limit) {
		in.collection_limit = &wanted->collection_limit;
	}
	return in.throttle == NULL && in.collection_limit == NULL
		       ? 0
		       : engine_update_table(ctl->engine, c, &in, &answer);
}

int
align(struct ctl *ctl, struct call *c, const struct model_table *t)
{
	const struct schema *wanted = t->create.schema;
	const struct schema *now = NULL;
	int r = ctl_schema(ctl, c, wanted->table, &now);

	if (r < 0) {
		return r;
	}
	assert(now != NULL);
	if (!key_schema_eq(&now->key, &wanted->key) || !same_local_indexes(now, wanted)) {
		return call_fail(c, ERR_USAGE,
				 "the table %.*s has another key or other local indexes, which "
				 "cannot be changed",
				 SLICE_ARG(wanted->table));
	}
	r = definition_check(c, now, wanted);
	r = r < 0 ? r : confirm_drops(ctl, c, now, wanted);
	r = r < 0 ? r : align_settings(ctl, c, now, wanted);
	r = r < 0 ? r : align_stream(ctl, c, now, wanted);
	r = r < 0 ? r : change_indexes(ctl, c, now, wanted, INDEX_DELETE);
	/* After the drops, so that only indexes that stay get units; before the additions, which bring their own units. */
	r = r < 0 ? r : definition_change(ctl, c, t);
	r = r < 0 ? r : ctl_schema(ctl, c, wanted->table, &now);
	r = r < 0 ? r : change_indexes(ctl, c, wanted, now, INDEX_CREATE);
	/* Last, because it may have to wait for an hour. */
	return r < 0 ? r : align_ttl(ctl, c, wanted->table, t->ttl);
}
