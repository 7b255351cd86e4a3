/* complete - see complete.h */
#include "tools/session/complete.h"

#include "store/base/core/clock.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/schema.h"

#include "tools/cli/commands.h"
#include "tools/cli/topics.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/text/words.h"

enum {
	WORDS_MAX = 32, /* words of a line that are examined */
	SAMPLE = 50,    /* items whose attributes are candidates */
	KEYS = 1000,    /* items whose partition keys are candidates */
};

/* The words of a line before the word that is completed. */
struct line {
	struct slice at[WORDS_MAX];
	size_t n;
};

static void
complete_add(struct buf *out, struct slice candidate)
{
	buf_slice(out, candidate);
	buf_char(out, '\0');
}

static struct line
complete_split(struct slice before)
{
	struct line line = {.n = 0};
	size_t begin = 0;

	for (size_t i = 0; i <= before.len && line.n < WORDS_MAX; i++) {
		if (i == before.len || ascii_blank(before.at[i])) {
			if (i > begin) {
				line.at[line.n++] = slice_of(before.at + begin, i - begin);
			}
			begin = i + 1;
		}
	}
	return line;
}

/* ------------------------------------------------------------ candidates without a store */

static void
complete_commands(struct buf *out)
{
	static const char *const others[] = {"help",  "exit",    ".tables", ".schema", ".mode",
					     ".read", ".output", ".once",   "SELECT",  "INSERT"};

	const struct command *command = NULL;

	while ((command = commands_next(command)) != NULL) {
		complete_add(out, slice_from(command->name));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		complete_add(out, slice_from(others[i]));
	}
}

static void
complete_topics(struct buf *out)
{
	complete_commands(out);
	complete_add(out, SLICE("aliases"));
	for (const struct topic *t = topics; t->name != NULL; t++) {
		complete_add(out, slice_from(t->name));
	}
}

static void
complete_forms(struct buf *out)
{
	for (enum out_format f = OUT_AUTO; f < OUT_EXPORT; f++) {
		complete_add(out, slice_from(out_format_name(f)));
	}
}

static void
complete_options(struct call *c, struct slice command, struct buf *out)
{
	const struct command *found = commands_find(slice_cstr(&c->arena, command));

	for (const struct opt *o = found == NULL ? NULL : found->opts; o != NULL && o->name != NULL;
	     o++) {
		buf_str(out, "--");
		complete_add(out, slice_from(o->name));
	}
}

/* ------------------------------------------------------------ candidates from the store */

static void
complete_tables(struct ctl *ctl, struct call *c, struct buf *out)
{
	struct list_tables_in in = {0};
	struct list_tables_out list = {0};

	if (engine_list_tables(ctl->engine, c, &in, &list) == 0) {
		for (size_t i = 0; i < list.n_names; i++) {
			complete_add(out, list.names[i]);
		}
	}
}

static void
complete_indexes(const struct schema *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_index; i++) {
		complete_add(out, s->index[i].name);
	}
}

/* Add the attribute names of a sample; the library of prompt.c removes duplicates. */
static void
complete_attributes(struct ctl *ctl, struct call *c, const struct schema *s, struct buf *out)
{
	struct scan_in in = {.read = {.table = s->table, .has_limit = true, .limit = SAMPLE}};
	struct scan_out page = {0};

	if (engine_scan(ctl->engine, c, &in, &page) == 0) {
		for (size_t i = 0; i < page.page.count; i++) {
			for (size_t k = 0; k < page.page.items[i].n; k++) {
				complete_add(out, page.page.items[i].at[k].name);
			}
		}
	}
}

/* Find the first word of the line that names a table. */
static bool
complete_table_of(struct ctl *ctl, struct call *c, const struct line *line,
		  const struct schema **out)
{
	for (size_t i = 1; i < line->n; i++) {
		struct slice name = line->at[i];

		c->error = (struct error){0};
		if (name.len >= 2 && name.at[0] == '"' && name.at[name.len - 1] == '"') {
			name = slice_of(name.at + 1, name.len - 2);
		}
		if (name.at[0] != '-' && ctl_schema(ctl, c, name, out) == 0) {
			return true;
		}
	}
	return false;
}

/* Add partition keys of the table, or of the index that the line names, that need no quotes. */
static void
complete_keys(struct ctl *ctl, struct call *c, const struct line *line, const struct schema *s,
	      struct buf *out)
{
	struct scan_in in = {.read = {.table = s->table, .has_limit = true, .limit = KEYS}};
	const struct index *ix = NULL;
	struct scan_out page = {0};

	for (size_t i = 0; i + 1 < line->n; i++) {
		ix = slice_is(line->at[i], "--index") ? schema_index(s, line->at[i + 1]) : ix;
	}
	in.read.index = ix == NULL ? (struct slice){0} : ix->name;
	struct slice name = schema_key(s, ix)->pk[0].name;

	if (engine_scan(ctl->engine, c, &in, &page) != 0) {
		return;
	}
	for (size_t i = 0; i < page.page.count; i++) {
		const struct value *v = item_get(&page.page.items[i], name);
		bool plain = v != NULL && (v->type == VALUE_S || v->type == VALUE_N);

		for (size_t k = 0; plain && k < v->text.len; k++) {
			plain = !ascii_blank(v->text.at[k]) && v->text.at[k] != '\0' &&
				strchr("\"'`(),=<>\\", v->text.at[k]) == NULL;
		}
		if (plain) {
			complete_add(out, v->text);
		}
	}
}

/* Return true if the next word is the partition key of a command.  Options and the value of --index do not count. */
static bool
complete_is_key(const struct line *line)
{
	bool takes = words_in("query get update edit delete size count", line->at[0]);
	size_t words = 0;

	for (size_t i = 1; i < line->n; i++) {
		bool value = slice_is(line->at[i - 1], "--index");

		words += line->at[i].at[0] != '-' && !value;
	}
	return takes && words == 1 && line->at[line->n - 1].at[0] != '-';
}

static void
complete_from_store(struct ctl *ctl, struct call *c, const struct line *line, struct buf *out)
{
	struct slice last = line->at[line->n - 1];
	const struct schema *s = NULL;

	if (line->n == 1 || ascii_same(last, SLICE("from")) || ascii_same(last, SLICE("into")) ||
	    ascii_same(last, SLICE("update"))) {
		complete_tables(ctl, c, out);
	} else if (complete_table_of(ctl, c, line, &s)) {
		if (slice_is(last, "--index") || slice_is(last, "--drop-gsi")) {
			complete_indexes(s, out);
		} else if (complete_is_key(line)) {
			complete_keys(ctl, c, line, s, out);
		} else {
			complete_attributes(ctl, c, s, out);
		}
	}
}

void
complete_line(void *arg, struct slice before, struct slice word, struct buf *out)
{
	struct ctl *ctl = arg;
	struct line line = complete_split(before);
	call_scope(c, clock_now_ms());
	if (line.n == 0) {
		complete_commands(out);
	} else if (line.n == 1 && slice_is(line.at[0], "help")) {
		complete_topics(out);
	} else if (line.n == 1 && slice_is(line.at[0], ".mode")) {
		complete_forms(out);
	} else if (slice_starts(word, SLICE("--"))) {
		complete_options(&c, line.at[0], out);
	} else if (ctl->store != NULL && ctl_open_store(ctl, &c, false) == 0) {
		complete_from_store(ctl, &c, &line, out);
		engine_close(ctl->engine);
		ctl->engine = NULL;
	}
}
