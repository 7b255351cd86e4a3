/* table_tags - see table_tags.h */
#include "tools/model/table_tags.h"

#include <assert.h>
#include <string.h>

#include "store/engine/engine.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

#include "tools/session/ctl.h"

/* ------------------------------------------------------------ tags */

/* Append all pages of the tags to @out. */
static int
table_tags_list(struct ctl *ctl, struct call *c, struct slice arn, struct schema *out)
{
	struct list_tags_of_resource_in in = {.arn = arn};
	size_t room = 0;
	int r = 0;

	assert(arn.len > 0 && out->n_tags == 0);
	do {
		struct list_tags_of_resource_out page = {0};

		r = engine_list_tags_of_resource(ctl->engine, c, &in, &page);
		for (size_t i = 0; r == 0 && i < page.n_tags; i++) {
			out->tags = arena_room(&c->arena, out->tags, out->n_tags, &room);
			out->tags[out->n_tags++] = page.tags[i];
		}
		in.next = page.n_tags > 0 ? page.next : (struct slice){0};
	} while (r == 0 && in.next.len > 0 && out->n_tags <= LIMIT_TAGS);
	return r;
}

/*
 * Turn an error into success if the caller may not access @what (adds a note) or if the endpoint does not have the
 * operation.  @before: the error of the call to restore.  Return: 0 or @r
 */
static int
table_tags_tolerate(struct ctl *ctl, struct call *c, int r, const char *what, struct slice table,
		    const char *is_not, struct error before)
{
	if (r == -ERR_ACCESS) {
		ctl_note(ctl, "the %s of %.*s %s: AccessDenied: %s", what, SLICE_ARG(table), is_not,
			 c->error.message);
	}
	if (r == -ERR_ACCESS || r == -ERR_UNKNOWN_OPERATION) {
		c->error = before;
		r = 0;
	}
	return r;
}

int
definition_tags(struct ctl *ctl, struct call *c, struct slice arn, const char *are_not,
		struct schema *out)
{
	struct error before = c->error;

	if (out->n_tags > 0 || arn.len == 0) {
		return 0;
	}
	int r = table_tags_list(ctl, c, arn, out);

	return table_tags_tolerate(ctl, c, r, "tags", out->table, are_not, before);
}

/* ------------------------------------------------------------ point-in-time recovery */

int
definition_recovery(struct ctl *from, struct call *c, struct slice table, struct ctl *to,
		    struct slice target)
{
	struct describe_continuous_backups_in in = {.table = table};
	struct describe_continuous_backups_out now = {0};
	struct update_continuous_backups_out done;
	struct error before = c->error;
	int r = engine_describe_continuous_backups(from->engine, c, &in, &now);

	if (r < 0 || !now.recovery.enabled) {
		return table_tags_tolerate(from, c, r, "point-in-time recovery", table,
					   "is not copied", before);
	}
	struct update_continuous_backups_in on = {.table = target,
						  .enabled = true,
						  .has_days = now.recovery.days != 0,
						  .days = now.recovery.days};

	r = engine_update_continuous_backups(to->engine, c, &on, &done);
	return table_tags_tolerate(to, c, r, "point-in-time recovery", target, "is not set",
				   before);
}

/* ------------------------------------------------------------ changes of tags */

static const struct tag *
table_tags_find(const struct schema *s, struct slice key)
{
	for (size_t i = 0; i < s->n_tags; i++) {
		if (slice_eq(s->tags[i].key, key)) {
			return &s->tags[i];
		}
	}
	return NULL;
}

/* Remove the tags that @wanted does not have.  Return: 1: some were removed, 0: none, -1: failure */
static int
table_tags_remove(struct ctl *ctl, struct call *c, const struct schema *wanted,
		  const struct schema *now, struct slice arn)
{
	struct slice *keys = arena_new(&c->arena, struct slice, now->n_tags + 1);
	struct untag_resource_in in = {.arn = arn, .keys = keys};
	struct untag_resource_out done;

	for (size_t i = 0; i < now->n_tags; i++) {
		/* Tags that begin with "aws:" belong to the service. */
		if (table_tags_find(wanted, now->tags[i].key) == NULL &&
		    !slice_starts(now->tags[i].key, SLICE("aws:"))) {
			keys[in.n_keys++] = now->tags[i].key;
		}
	}
	return in.n_keys == 0 ? 0 : engine_untag_resource(ctl->engine, c, &in, &done) < 0 ? -1 : 1;
}

/* Add or replace the tags that differ.  Return: as table_tags_remove() */
static int
table_tags_add(struct ctl *ctl, struct call *c, const struct schema *wanted,
	       const struct schema *now, struct slice arn)
{
	struct tag *tags = arena_new(&c->arena, struct tag, wanted->n_tags + 1);
	struct tag_resource_in in = {.arn = arn, .tags = tags};
	struct tag_resource_out done;

	for (size_t i = 0; i < wanted->n_tags; i++) {
		const struct tag *there = table_tags_find(now, wanted->tags[i].key);

		if (there == NULL || !slice_eq(there->value, wanted->tags[i].value)) {
			tags[in.n_tags++] = wanted->tags[i];
		}
	}
	return in.n_tags == 0 ? 0 : engine_tag_resource(ctl->engine, c, &in, &done) < 0 ? -1 : 1;
}

int
table_tags_change(struct ctl *ctl, struct call *c, const struct schema *wanted,
		  const struct schema *there, struct slice arn)
{
	struct schema now = *there;
	struct slice of = arn;
	struct buf made;

	if (arn.len == 0) {
		buf_init(&made, &c->arena);
		arn_put_table(&made, SLICE(""), now.table);
		of = buf_view(&made);
	}
	int r = definition_tags(ctl, c, arn, "cannot be read, so none is removed", &now);

	if (r < 0) {
		return r;
	}
	int removed = table_tags_remove(ctl, c, wanted, &now, of);
	int added = removed < 0 ? 0 : table_tags_add(ctl, c, wanted, &now, of);

	if (removed < 0 || added < 0) {
		return call_prefix(c, "Tags: ");
	}
	if (removed + added > 0) {
		ctl_note(ctl, "Tags");
	}
	return 0;
}
