/*
 * cmd_alter - alter: changes the definition of a table
 *
 * The store creates and deletes indexes in the background; the command waits for that.
 */
#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/op/validate.h"
#include "store/open.h"

#include "tools/advice/suggest.h"
#include "tools/cli/opts.h"
#include "tools/cmd/cmd.h"
#include "tools/model/table_change.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/system/servers.h"
#include "tools/text/fmt.h"
#include "tools/text/keyspec.h"

struct alter_opts {
	struct words add;
	struct words drop;
	const char *ttl;
	const char *stream;
	const char *throttle;
	const char *collection_limit;
	struct opt_count reads;
	struct opt_count writes;
};

static const struct opt alter_opts[] = {
	{"add-gsi", 0, OPT_LIST, "NAME=PK[:T][,SK[:T]][/PROJ]", offsetof(struct alter_opts, add),
	 "a new global index; PROJ: ALL, KEYS_ONLY, INCLUDE:a,b"},
	{"drop-gsi", 0, OPT_LIST, "NAME", offsetof(struct alter_opts, drop),
	 "the global index to drop"},
	{"ttl", 0, OPT_TEXT, "ATTR", offsetof(struct alter_opts, ttl),
	 "the attribute that holds an item's expiry time; off: no expiry"},
	{"stream", 0, OPT_TEXT, "VIEW", offsetof(struct alter_opts, stream),
	 "record changes: KEYS_ONLY, NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES; off: stop"},
	{"throttle", 0, OPT_TEXT, "on|off", offsetof(struct alter_opts, throttle),
	 "refuse requests beyond the table's throughput, or not"},
	{"read-units", 0, OPT_COUNT, "N", offsetof(struct alter_opts, reads),
	 "provisioned throughput of the table, and of its global indexes if it was on demand"},
	{"write-units", 0, OPT_COUNT, "N", offsetof(struct alter_opts, writes), "likewise"},
	{"collection-limit", 0, OPT_TEXT, "BYTES", offsetof(struct alter_opts, collection_limit),
	 "limit of a collection in a table with local indexes; off: DynamoDB's 10 GB"},
	OPTS_END(struct alter_opts),
};

/* All requested changes.  They are checked before the first one is made, so that an error changes nothing. */
struct plan {
	struct update_table_in settings;
	bool throttle;
	uint64_t limit;
	enum stream_view view;
	struct schema after; /* the table with its future indexes */
	struct index_change *changes;
	size_t n;
};

/* ------------------------------------------------------------ reading */

static int
read_settings(struct call *c, const struct alter_opts *o, struct plan *p)
{
	struct update_table_in *in = &p->settings;

	if (o->throttle != NULL) {
		p->throttle = strcmp(o->throttle, "on") == 0;
		if (!p->throttle && strcmp(o->throttle, "off") != 0) {
			return call_fail(c, ERR_USAGE, "--throttle needs on or off, not %s",
					 o->throttle);
		}
		in->throttle = &p->throttle;
	}
	if (o->collection_limit != NULL) {
		if (strcmp(o->collection_limit, "off") != 0 &&
		    !opts_count(o->collection_limit, &p->limit)) {
			return call_fail(c, ERR_USAGE,
					 "--collection-limit needs a number of bytes or off, "
					 "not %s",
					 o->collection_limit);
		}
		in->collection_limit = &p->limit;
	}
	if (o->stream == NULL) {
		return 0;
	}
	in->stream = &p->view;
	return keyspec_view(c, strcmp(o->stream, "off") == 0 ? NULL : o->stream, &p->view);
}

static int
read_ttl(struct call *c, const struct alter_opts *o, struct slice table)
{
	struct op_in in = {
		.type = OP_UPDATE_TIME_TO_LIVE,
		.update_time_to_live = {.table = table, .attribute = slice_from(o->ttl)}};

	return o->ttl == NULL ? 0 : op_validate(c, &in);
}

static int
read_drop(struct call *c, const char *name, struct plan *p)
{
	struct schema *s = &p->after;
	assert(p->changes != NULL);
	const struct index *ix = schema_index(s, slice_from(name));

	if (ix == NULL) {
		return call_fail(c, ERR_NO_TABLE,
				 "Requested resource not found: the table has no index %s%.*s",
				 name, SLICE_ARG(ctl_other_indexes(c, s, name)));
	}
	if (!ix->global) {
		return call_fail(c, ERR_USAGE,
				 "Cannot delete an index that is not a GlobalSecondaryIndex");
	}
	p->changes[p->n++] = (struct index_change){.kind = INDEX_DELETE, .index.name = ix->name};

	struct index *left = arena_new(&c->arena, struct index, s->n_index);
	size_t n = 0;

	for (size_t i = 0; i < s->n_index; i++) {
		if (&s->index[i] != ix) {
			left[n++] = s->index[i];
		}
	}
	s->index = left;
	s->n_index = n;
	return 0;
}

/* Plan a new index.  With provisioned throughput it gets that of the table. */
static int
read_add(struct ctl *ctl, struct call *c, const char *spec, struct plan *p)
{
	struct schema *s = &p->after;
	assert(p->changes != NULL);
	struct schema alone =
		*s; /* checks the new index only: the store checks the number of indexes */
	struct index *all = arena_new(&c->arena, struct index, s->n_index + 1);
	struct index *added = &all[s->n_index];
	int r = keyspec_index(c, s, spec, added);

	if (r < 0) {
		return r;
	}
	if (strchr(spec, ':') == NULL) {
		alter_take_types(ctl, c, s, added);
	}
	if (schema_index(s, added->name) != NULL) {
		return call_fail(c, ERR_USAGE,
				 "Attempting to create an index which already exists");
	}
	if (s->provisioned) {
		added->read_units = s->read_units;
		added->write_units = s->write_units;
	}
	p->changes[p->n++] = (struct index_change){.kind = INDEX_CREATE, .index = *added};
	for (size_t i = 0; i < s->n_index; i++) {
		all[i] = s->index[i];
	}
	s->index = all;
	s->n_index++;
	alone.index = added;
	alone.n_index = 1;
	return schema_check(c, &alone);
}

/* Plan the provisioned throughput.  If the table was on demand, its global indexes get the same throughput. */
static void
cmd_alter_read_units(struct call *c, const struct alter_opts *o, struct plan *p)
{
	struct update_table_in *in = &p->settings;
	struct schema *s = &p->after;
	struct index_change *changes = arena_new(&c->arena, struct index_change, s->n_index + 1);

	if (!o->reads.given && !o->writes.given) {
		return;
	}
	in->read_units = o->reads.given ? o->reads.n : s->provisioned ? s->read_units : o->writes.n;
	in->write_units = o->writes.given  ? o->writes.n
			  : s->provisioned ? s->write_units
					   : o->reads.n;
	for (size_t i = 0; i < s->n_index && !s->provisioned; i++) {
		if (s->index[i].global) {
			changes[in->n_changes++] =
				(struct index_change){INDEX_UPDATE,
						      {.name = s->index[i].name,
						       .global = true,
						       .read_units = in->read_units,
						       .write_units = in->write_units}};
		}
	}
	in->changes = changes;
	in->billing = s->provisioned ? in->billing : BILLING_PROVISIONED;
	s->provisioned = true;
	s->read_units = in->read_units;
	s->write_units = in->write_units;
}

static int
cmd_alter_read_all(struct ctl *ctl, struct call *c, const struct alter_opts *o, struct plan *p)
{
	const struct schema *s = NULL;
	int r = read_settings(c, o, p);

	r = r < 0 ? r : read_ttl(c, o, p->settings.table);
	r = r < 0 ? r : ctl_schema(ctl, c, p->settings.table, &s);
	if (r < 0) {
		return r;
	}
	assert(s != NULL);
	p->after = *s;
	cmd_alter_read_units(c, o, p);
	p->changes = arena_new(&c->arena, struct index_change, o->drop.n + o->add.n + 1);
	for (size_t i = 0; i < o->drop.n && r == 0; i++) {
		r = read_drop(c, o->drop.at[i], p);
	}
	for (size_t i = 0; i < o->add.n && r == 0; i++) {
		r = read_add(ctl, c, o->add.at[i], p);
	}
	return r;
}

/* ------------------------------------------------------------ doing */

/* Note "NAME VALUE", unless @value is NULL. */
static void
say_set(const struct ctl *ctl, const char *name, const char *value)
{
	if (value != NULL) {
		ctl_note(ctl, "%s %s", name, value);
	}
}

/* Note that a table on demand only has limits for each partition, which a test does not reach. */
static void
say_on_demand(const struct ctl *ctl, const struct alter_opts *o, const struct schema *s)
{
	cleanup(buf_release) struct buf b = {0};

	if (o->throttle != NULL && strcmp(o->throttle, "on") == 0 && !s->provisioned) {
		fmt_shell(
			&b,
			"% is on demand: at most 3000 read and 1000 write units per second of one "
			"partition. After a burst of 300 units: itemctl alter % --read-units 1 "
			"--write-units 1",
			s->table, s->table);
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
}

/* Make the changes of one UpdateTable request that need no waiting. */
static int
set_settings(struct ctl *ctl, struct call *c, const struct alter_opts *o, const struct schema *s,
	     const struct update_table_in *in)
{
	struct update_table_out answer = {0};

	bool units = o->reads.given || o->writes.given;

	if (in->throttle == NULL && in->collection_limit == NULL && in->stream == NULL && !units) {
		return 0;
	}
	int r = engine_update_table(ctl->engine, c, in, &answer);

	if (r == 0) {
		say_set(ctl, "throttle", o->throttle);
		say_on_demand(ctl, o, s);
		if (units) {
			ctl_note(ctl, "read units %lu, write units %lu",
				 (unsigned long)in->read_units, (unsigned long)in->write_units);
		}
		say_set(ctl, "collection limit", o->collection_limit);
		say_set(ctl, "stream", o->stream);
	}
	return r;
}

/*
 * The change was refused.  Succeed if time to live is as wanted already; if another attribute is set, suggest to switch
 * that off first.
 */
static int
ttl_refused(struct ctl *ctl, struct call *c, const char *wanted, struct slice table)
{
	struct describe_time_to_live_out now = {0};
	bool off = strcmp(wanted, "off") == 0;
	struct buf line = {.arena = &c->arena};

	call_scope(own, c->now_ms);
	bool known = engine_describe_time_to_live(
			     ctl->engine, &own, &(struct describe_time_to_live_in){.table = table},
			     &now) == 0;

	if (known && (off ? now.attribute.len == 0 : slice_is(now.attribute, wanted))) {
		c->error = (struct error){0};
		ctl_note(ctl, "time to live is %s already", wanted);
	} else if (known && !off && now.attribute.len > 0) {
		fmt_shell(&line, "itemctl alter % --ttl off && itemctl alter % --ttl %", table,
			  table, slice_from(wanted));
		suggest_line(c, buf_view(&line));
	}
	return -(int)c->error.code;
}

static int
set_ttl(struct ctl *ctl, struct call *c, const struct alter_opts *o, struct slice table)
{
	int r = o->ttl == NULL ? 0 : alter_ttl(ctl, c, table, slice_from(o->ttl));

	if (r == 0) {
		say_set(ctl, "time to live", o->ttl);
	}
	return r == -ERR_VALIDATION ? ttl_refused(ctl, c, o->ttl, table) : r;
}

/* Refuse settings that the server does not know; if it runs on this machine, use the directory of its store instead. */
static int
cmd_alter_check_server(struct ctl *ctl, struct call *c, const struct alter_opts *o,
		       struct slice table)
{
	struct buf line = {.arena = &c->arena};

	if (o->throttle == NULL && o->collection_limit == NULL) {
		return 0;
	}
	const char *here = store_is_remote(ctl->store) && ctl->dry == NULL
				   ? servers_store(c, ctl->store)
				   : NULL;

	if (here != NULL) { /* the directory has the same tables */
		engine_close(ctl->engine);
		ctl->engine = NULL;
		ctl->store = here;
		return ctl_open_store(ctl, c, false);
	}
	buf_fmt(&line, "alter %.*s", SLICE_ARG(table));
	if (o->throttle != NULL) {
		fmt_shell(&line, " --throttle %", slice_from(o->throttle));
	}
	if (o->collection_limit != NULL) {
		fmt_shell(&line, " --collection-limit %", slice_from(o->collection_limit));
	}
	return alter_check_settings(ctl, c, buf_view(&line));
}

/* The first words of the question about dropped indexes; in the call's arena */
static const char *
dropping(struct call *c, const struct alter_opts *o)
{
	struct buf b = {.arena = &c->arena};

	buf_str(&b, "Drop index");
	for (size_t i = 0; i < o->drop.n; i++) {
		buf_fmt(&b, "%s %s", i == 0 ? "" : ",", o->drop.at[i]);
	}
	buf_str(&b, " of table");
	return slice_cstr(&c->arena, buf_view(&b));
}

static int
run_alter(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct alter_opts *o = opts;
	struct slice table = slice_from(words->at[0]);
	struct plan p = {.settings.table = table};

	if (o->add.n + o->drop.n == 0 && o->ttl == NULL && o->stream == NULL &&
	    o->throttle == NULL && o->collection_limit == NULL && !o->reads.given &&
	    !o->writes.given) {
		return call_fail(c, ERR_USAGE,
				 "alter needs --add-gsi, --drop-gsi, --ttl, --stream, --throttle, "
				 "--read-units, --write-units or --collection-limit");
	}
	int r = cmd_alter_check_server(ctl, c, o, table);

	r = r < 0 ? r : cmd_alter_read_all(ctl, c, o, &p);
	if (r == 0 && o->drop.n > 0) {
		r = confirm_far(ctl, c, dropping(c, o), table);
	}
	r = r < 0 ? r : set_settings(ctl, c, o, &p.after, &p.settings);
	r = r < 0 ? r : set_ttl(ctl, c, o, table);
	for (size_t i = 0; i < p.n && r == 0; i++) {
		r = alter_index(ctl, c, table, &p.changes[i]);
	}
	return r;
}

const struct command cmd_alter = {
	.name = "alter",
	.usage =
		"TABLE [--drop-gsi NAME]... [--add-gsi SPEC]... [--ttl ATTR|off] "
		"[--stream VIEW|off] [--throttle on|off] [--read-units N] [--write-units N] [--collection-limit BYTES|off]",
	.summary = "add indexes to a table, drop indexes, change its settings",
	.details =
		"Settings change first. Then indexes are dropped and added, one after the other. If any\n"
		"option is wrong, nothing changes. The command waits for each index; the table can be\n"
		"read and written while a new index is filled. If interrupted, the store continues what\n"
		"it has begun; there is no need to repeat the command. A new index whose SPEC has no types\n"
		"takes those of the table's items.",
	.examples = "itemctl alter music --add-gsi 'ByTag=Tag,Year:N'\n"
		    "itemctl alter music --drop-gsi ByTag\n"
		    "itemctl alter music --ttl off --throttle on\n",
	.opts = alter_opts,
	.min_words = 1,
	.max_words = 1,
	.run = run_alter,
};
