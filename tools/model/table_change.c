/* table_change - see table_change.h */
#include "tools/model/table_change.h"

#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/arn.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/open.h"

#include "tools/session/absent.h"
#include "tools/session/await.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/servers.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"
#include "tools/text/keyspec.h"

/* ------------------------------------------------------------ waiting */

struct wait {
	struct slice table;
	struct slice index;
	struct progress progress;
	uint64_t filled; /* items in the index at the last poll */
};

/* Fail if a signal has arrived; the store, not this process, does the work, and continues it. */
static int
check_stop(struct call *own, const struct wait *w)
{
	char items[64] = "";

	if (stop_asked() == 0) {
		return 0;
	}
	if (w->progress.total_items > 0) {
		(void)snprintf(items, sizeof(items), " after %s", progress_items(w->filled).at);
	}
	return call_fail(own, ERR_BUSY,
			 "interrupted%s; the store continues with index %.*s while it is open "
			 "(mounted, served)",
			 items, SLICE_ARG(w->index));
}

/* Poll for await(): *busy is whether the index is still being built or dropped. */
static int
table_change_look(struct ctl *ctl, struct call *own, void *arg, bool *busy)
{
	struct wait *w = arg;
	struct describe_table_in in = {.table = w->table};
	struct describe_table_out answer = {0};
	int r = check_stop(own, w);

	r = r < 0 ? r : engine_describe_table(ctl->engine, own, &in, &answer);
	if (r == 0) {
		const struct index *ix = schema_index(answer.table.schema, w->index);

		*busy = ix != NULL && ix->state != INDEX_ACTIVE;
		w->filled = answer.table.backfilled;
		progress_show(&w->progress, w->filled, 0);
	}
	return r;
}

/* ------------------------------------------------------------ one change */

/* Return the attribute of @key that has another type in @it; NULL: there is none. */
static const struct key_attr *
left_out_by(const struct key_schema *key, const struct item *it)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *attr = key_slot(key, i);
		const struct value *v = attr->name.len == 0 ? NULL : item_get(it, attr->name);

		if (v != NULL && v->type != attr->type) {
			return attr;
		}
	}
	return NULL;
}

/* Set the type of the attribute @name in @key; false: @type is not allowed in a key. */
static bool
retype(struct key_schema *key, struct slice name, enum value_type type)
{
	for (size_t i = 0; value_is_ordered(type) && i < KEY_PART_MAX; i++) {
		key->pk[i].type = slice_eq(key->pk[i].name, name) ? type : key->pk[i].type;
		key->sk[i].type = slice_eq(key->sk[i].name, name) ? type : key->sk[i].type;
	}
	return value_is_ordered(type);
}

/* Return true if each item of @page that has @name has it with type @type. */
static bool
always_is(const struct page *page, struct slice name, enum value_type type)
{
	bool always = true;

	for (size_t i = 0; i < page->count; i++) {
		const struct value *v = item_get(&page->items[i], name);

		always = always && (v == NULL || v->type == type);
	}
	return always;
}

void
alter_take_types(struct ctl *ctl, const struct call *c, const struct schema *s, struct index *ix)
{
	struct page page = {0};

	if (url_is_far(ctl->store)) {
		return;
	}
	call_scope(own, c->now_ms);
	int r = absent_sample(ctl, &own, s->table, &page);

	for (size_t i = 0; r == 0 && i < page.count; i++) {
		const struct key_attr *by = left_out_by(&ix->key, &page.items[i]);
		enum value_type type =
			by == NULL ? VALUE_S : item_get(&page.items[i], by->name)->type;
		bool keyed = by != NULL && key_schema_has(&s->key, by->name);

		for (size_t k = 0; by != NULL && k < s->n_index; k++) {
			keyed = keyed || key_schema_has(&s->index[k].key, by->name);
		}
		if (by != NULL && !keyed && always_is(&page, by->name, type) &&
		    retype(&ix->key, by->name, type)) {
			ctl_note(ctl, "%.*s is of type %s, as in the items", SLICE_ARG(by->name),
				 value_type_name(type));
		}
	}
}

/* Note items that are not in the new index because a key attribute has another type, which is probably a mistake. */
static void
say_left_out(struct ctl *ctl, const struct call *c, struct slice table, const struct index *ix)
{
	const struct key_attr *attr = NULL;
	enum value_type found = VALUE_S;
	struct page page = {0};
	size_t n = 0;

	if (ctl->quiet || url_is_far(ctl->store)) {
		return;
	}
	call_scope(own, c->now_ms);
	if (absent_sample(ctl, &own, table, &page) == 0) {
		for (size_t i = 0; i < page.count; i++) {
			const struct key_attr *by = left_out_by(&ix->key, &page.items[i]);

			if (by != NULL) {
				attr = by;
				found = item_get(&page.items[i], by->name)->type;
				n++;
			}
		}
	}
	if (attr != NULL) {
		struct index other = *ix;
		struct buf line = {.arena = &own.arena};

		if (retype(&other.key, attr->name, found)) {
			fmt_shell(&line, "; to fix it: itemctl alter % --drop-gsi %", table,
				  ix->name);
			buf_fmt(&line, " --add-gsi %.*s=", SLICE_ARG(ix->name));
			keyspec_print_index(&line, &other);
		}
		ctl_note(
			ctl,
			"%zu of the %s%zu items %s not in index %.*s: %.*s is of type %s there, not %s%.*s",
			n, page.last.n > 0 ? "first " : "", page.count, n == 1 ? "is" : "are",
			SLICE_ARG(ix->name), SLICE_ARG(attr->name), value_type_name(found),
			value_type_name(attr->type), SLICE_ARG(buf_view(&line)));
	}
}

int
alter_index(struct ctl *ctl, struct call *c, struct slice table, const struct index_change *ch)
{
	struct update_table_in in = {.table = table, .changes = ch, .n_changes = 1};
	struct update_table_out answer = {0};
	struct wait w = {.table = table, .index = ch->index.name};

	stop_listen();
	int r = engine_update_table(ctl->engine, c, &in, &answer);

	if (r == 0) {
		uint64_t total = ch->kind == INDEX_CREATE ? answer.table.totals.items : 0;

		progress_begin(&w.progress, ctl->quiet || total == 0, 0);
		w.progress.total_items = total;
		r = await(ctl, c, table_change_look, &w);
		progress_end(&w.progress);
	}
	if (r == 0) {
		ctl_note(ctl, "index %.*s %s", SLICE_ARG(ch->index.name),
			 ch->kind == INDEX_CREATE ? "added" : "dropped");
		if (ch->kind == INDEX_CREATE) {
			say_left_out(ctl, c, table, &ch->index);
		}
	}
	return r;
}

int
alter_ttl(struct ctl *ctl, struct call *c, struct slice table, struct slice attribute)
{
	struct update_time_to_live_in in = {
		.table = table, .enabled = true, .attribute = attribute};
	struct update_time_to_live_out answer;

	if (slice_is(attribute, "off")) {
		struct describe_time_to_live_out now = {0};
		int r = engine_describe_time_to_live(
			ctl->engine, c, &(struct describe_time_to_live_in){.table = table}, &now);

		if (r < 0) {
			return r;
		}
		in.enabled = false;
		in.attribute = now.attribute.len == 0 ? attribute : now.attribute;
	}
	return engine_update_time_to_live(ctl->engine, c, &in, &answer);
}

int
alter_stream(struct ctl *ctl, struct call *c, struct slice table, enum stream_view view)
{
	struct update_table_in in = {.table = table, .stream = &view};
	struct update_table_out answer = {0};

	return engine_update_table(ctl->engine, c, &in, &answer);
}

/* ------------------------------------------------------------ settings of this store alone */

int
alter_check_settings(const struct ctl *ctl, struct call *c, struct slice line)
{
	if (!store_is_remote(ctl->store)) {
		return 0;
	}
	const char *store = servers_store(c, ctl->store);

	return call_fail(c, ERR_USAGE,
			 "%s does not support --throttle and --collection-limit, which DynamoDB's "
			 "protocol lacks. The directory of a store does, also while it is served: "
			 "itemctl -s %s %.*s",
			 url_shown(&c->arena, ctl->store),
			 fmt_word(&c->arena, store == NULL ? "STORE" : store), SLICE_ARG(line));
}

void
alter_note_settings(const struct ctl *ctl, struct call *c, const struct schema *wanted)
{
	if (!wanted->throttle && wanted->collection_limit == 0) {
		return;
	}
	call_scope(own, c->now_ms);
	struct buf line = {.arena = &own.arena};
	buf_fmt(&line, "alter %.*s%s", SLICE_ARG(wanted->table),
		wanted->throttle ? " --throttle on" : "");
	if (wanted->collection_limit != 0) {
		buf_fmt(&line, " --collection-limit %lu", (unsigned long)wanted->collection_limit);
	}
	if (alter_check_settings(ctl, &own, buf_view(&line)) < 0) {
		ctl_note(ctl, "%s", own.error.message);
	}
}

/* ------------------------------------------------------------ tags and point-in-time recovery */

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
	struct buf made = {.arena = &c->arena};

	if (arn.len == 0) {
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
