/*
 * cmd_alter - what is declared of a table is changed
 *
 * Indexes come and go in the background, and are waited for.
 */
#include "tools/alter.h"
#include "tools/command.h"
#include "tools/keyspec.h"

struct alter_opts {
	struct words add;
	struct words drop;
	const char *ttl;
	const char *stream;
	const char *throttle;
	const char *collection_limit;
};

static const struct opt alter_opts[] = {
	{"add-gsi", 0, OPT_LIST, "NAME=PK[:T][,SK[:T]][/PROJ]", offsetof(struct alter_opts, add),
	 "a new global index; PROJ: ALL, KEYS_ONLY, INCLUDE:a,b"},
	{"drop-gsi", 0, OPT_LIST, "NAME", offsetof(struct alter_opts, drop),
	 "a global index that is to go"},
	{"ttl", 0, OPT_TEXT, "ATTR", offsetof(struct alter_opts, ttl),
	 "the attribute that tells when an item expires; off: none does"},
	{"stream", 0, OPT_TEXT, "VIEW", offsetof(struct alter_opts, stream),
	 "record changes: KEYS_ONLY, NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES; off: no more"},
	{"throttle", 0, OPT_TEXT, "on|off", offsetof(struct alter_opts, throttle),
	 "refuse what is beyond the table's throughput, or do not"},
	{"collection-limit", 0, OPT_TEXT, "BYTES", offsetof(struct alter_opts, collection_limit),
	 "of a collection of a table with local indexes; off: DynamoDB's 10 GB"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

/* With provisioned throughput a new index has as much of it as the table. */
static int
add(struct ctl *ctl, struct call *c, struct slice table, const char *spec)
{
	struct index_change ch = {.kind = INDEX_CREATE};
	const struct schema *s;
	int r = ctl_schema(ctl, c, table, &s);

	if (r == 0) {
		r = keyspec_index(c, s, spec, &ch.index);
	}
	if (r < 0) {
		return r;
	}
	if (s->provisioned) {
		ch.index.read_units = s->read_units;
		ch.index.write_units = s->write_units;
	}
	return alter_index(ctl, c, table, &ch);
}

static int
set_stream(struct ctl *ctl, struct call *c, struct slice table, const char *word)
{
	enum stream_view view;
	int r = keyspec_view(c, strcmp(word, "off") == 0 ? NULL : word, &view);

	return r < 0 ? r : alter_stream(ctl, c, table, view);
}

/* What is set in one request, and needs no waiting. */
static int
set_settings(struct ctl *ctl, struct call *c, struct slice table, const struct alter_opts *o)
{
	struct update_table_in in = {.table = table};
	struct update_table_out answer = {0};
	bool throttle = o->throttle != NULL && strcmp(o->throttle, "on") == 0;
	uint64_t limit = 0;

	if (o->throttle != NULL) {
		if (!throttle && strcmp(o->throttle, "off") != 0) {
			return call_fail(c, ERR_VALIDATION, "--throttle wants on or off, not %s",
					 o->throttle);
		}
		in.throttle = &throttle;
	}
	if (o->collection_limit != NULL) {
		if (strcmp(o->collection_limit, "off") != 0 &&
		    !opts_count(o->collection_limit, &limit)) {
			return call_fail(c, ERR_VALIDATION,
					 "--collection-limit wants a number of bytes or off, "
					 "not %s",
					 o->collection_limit);
		}
		in.collection_limit = &limit;
	}
	return in.throttle == NULL && in.collection_limit == NULL
		       ? 0
		       : engine_update_table(ctl->engine, c, &in, &answer);
}

static int
run_alter(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct alter_opts *o = opts;
	struct slice table = slice_from(words->at[0]);
	int r;

	if (o->add.n + o->drop.n == 0 && o->ttl == NULL && o->stream == NULL &&
	    o->throttle == NULL && o->collection_limit == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "alter wants --add-gsi, --drop-gsi, --ttl, --stream, --throttle "
				 "or --collection-limit");
	}
	r = set_settings(ctl, c, table, o);
	if (r == 0 && o->ttl != NULL) {
		r = alter_ttl(ctl, c, table, slice_from(o->ttl));
	}
	if (r == 0 && o->stream != NULL) {
		r = set_stream(ctl, c, table, o->stream);
	}
	for (size_t i = 0; i < o->drop.n && r == 0; i++) {
		r = alter_index(ctl, c, table,
				&(struct index_change){.kind = INDEX_DELETE,
						       .index.name = slice_from(o->drop.at[i])});
	}
	for (size_t i = 0; i < o->add.n && r == 0; i++) {
		r = add(ctl, c, table, o->add.at[i]);
	}
	return r;
}

const struct command cmd_alter = {
	.name = "alter",
	.usage = "TABLE [--drop-gsi NAME]... [--add-gsi SPEC]... [--ttl ATTR|off]\n"
		 "[--stream VIEW|off] [--throttle on|off] [--collection-limit BYTES|off]",
	.summary = "add indexes to a table, drop indexes, change its settings",
	.details =
		"One after the other, those that are dropped first. Each is waited for; a new index\n"
		"is filled with the table's items, which are read and written meanwhile. Who is\n"
		"interrupted need not ask again: the store goes on with what it has begun.",
	.opts = alter_opts,
	.opts_bytes = sizeof(struct alter_opts),
	.min_words = 1,
	.max_words = 1,
	.run = run_alter,
};
