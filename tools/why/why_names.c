/* why_names - see why_names.h */
#include "tools/why/why_names.h"

#include <limits.h>
#include <sys/statvfs.h>

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/engine/why_clause.h"
#include "store/model/item_json.h"

#include "tools/advice/absent_key.h"
#include "tools/advice/nothing.h"
#include "tools/session/absent.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/why/why_key.h"
#include "tools/why/why_look.h"

enum {
	WHY_TABLES_MAX = 100,     /* tables that are searched for a name */
	WHY_SHORT = 3,            /* bytes: shorter names are similar to too many others */
	WHY_NAMES = 10000,        /* entries that are compared with a missing name */
	WHY_ITEMS_MAX = 200,      /* items whose types are examined */
	WHY_SAMPLE = 1024 * 1024, /* bytes of items that are searched for an attribute */
};

static const char suffix[] = ".json"; /* suffix of item files, unless the mount has another one */

bool
why_names_has_entry(const char *dir, struct slice name)
{
	char path[PATH_MAX];

	return name.len > 0 &&
	       snprintf(path, sizeof(path), "%s/%.*s", dir, SLICE_ARG(name)) < PATH_MAX &&
	       why_look_mode(path) != 0;
}

static bool
why_names_is_hidden(void *empty, struct slice name)
{
	*(bool *)empty = name.at[0] == '.';
	return *(bool *)empty;
}

bool
why_names_is_empty(const char *path)
{
	bool empty = true;

	return why_look_list(path, why_names_is_hidden, &empty) && empty;
}

struct slice
why_names_read(struct call *c, const char *dir, struct slice name)
{
	struct buf text = {.arena = &c->arena};

	why_look_read(arena_print(&c->arena, "%s/%.*s", dir, SLICE_ARG(name)), WHY_SAMPLE, &text);
	return buf_view(&text);
}

enum why_level
why_names_root(const char *path)
{
	if (!why_names_has_entry(path, SLICE(".itemfs/config.json"))) {
		return WHY_OUTSIDE;
	}
	if (why_names_has_entry(path, SLICE(".table.json"))) {
		return WHY_TABLE;
	}
	return why_names_has_entry(path, SLICE(".count")) ? WHY_INDEX : WHY_TABLES;
}

/* @name without the suffix, which would make all names of items similar */
static struct slice
why_names_bare(struct slice name)
{
	return slice_ends(name, slice_from(suffix))
		       ? slice_of(name.at, name.len - (sizeof(suffix) - 1))
		       : name;
}

/* The search for the name that is most similar to a missing one */
struct why_names_search {
	struct slice name;
	struct near near;
	struct buf best;
	int n;
};

static bool
why_names_compare(void *to, struct slice entry)
{
	struct why_names_search *s = to;
	bool item = slice_ends(s->name, slice_from(suffix));
	size_t before = s->near.distance;

	/* Dates and numbers with different digits are different keys, not misspelt ones. */
	if (entry.at[0] != '.' && absent_key_same(s->name, entry, true) &&
	    (!item || slice_ends(entry, slice_from(suffix)))) {
		near_try(&s->near, why_names_bare(entry));
	}
	if (s->near.distance < before) { /* the entry ends with this call */
		buf_clear(&s->best);
		buf_slice(&s->best, entry);
	}
	return ++s->n < WHY_NAMES;
}

bool
why_names_nearest(const char *path, struct slice name, struct buf *out, struct buf *by)
{
	struct why_names_search s = {.name = name, .near = near_start(why_names_bare(name))};

	if (s.near.typed.len >= WHY_SHORT) {
		(void)why_look_list(path, why_names_compare, &s);
	}
	bool found = s.best.len > 0;

	if (found) {
		s.near.best = buf_view(&s.best);
		near_put(out, &s.near, "");
		buf_slice(by, s.near.best);
	}
	buf_release(&s.best);
	return found;
}

/* ------------------------------------------------------------ missing names */

/* Append the member ro_why of .itemfs/config.json in the root @dir of a mount.  Return: false if there is no such file */
static bool
why_names_put_ro_why(const char *dir, const char *before, struct buf *out)
{
	const struct json *settings = NULL;
	call_scope(c, 0);
	struct slice text = why_names_read(&c, dir, SLICE(".itemfs/config.json"));

	if (text.len == 0) {
		return false;
	}
	bool valid = json_parse(&c, text, JSON_LAST_WINS, &settings) == 0;
	const struct json *why = valid ? json_get(settings, "ro_why") : NULL;

	buf_str(out, before);
	buf_slice(out, why != NULL && why->text.len > 0
			       ? why->text
			       : SLICE("the mount is read-only: nothing is written here"));
	return true;
}

/* Change @path to its parent directory; return false if there is none. */
static bool
why_names_above(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL || path[1] == '\0') {
		return false;
	}
	slash[slash == path] = '\0';
	return true;
}

bool
why_names_read_only(const char *path, const char *before, struct buf *out)
{
	char here[PATH_MAX];
	struct statvfs st;

	if (why_look_is_own()) {
		return false; /* nothing is written through it */
	}
	(void)snprintf(here, sizeof(here), "%s", path);
	while (statvfs(here, &st) != 0) {
		if (!why_names_above(here)) {
			return false;
		}
	}
	if ((st.f_flag & ST_RDONLY) == 0) {
		return false;
	}
	do {
		if (why_names_put_ro_why(here, before, out)) {
			return true;
		}
	} while (why_names_above(here));
	return false;
}

/* Return true if the table at @dir has a sort key, so that its partitions are directories. */
static bool
why_names_sorted(const char *dir)
{
	struct why_key key;
	call_scope(c, 0);

	return why_key_read(&c, dir, SLICE(""), &key) && key.names[1].len > 0;
}

static void
why_names_no_item(const char *dir, struct slice name, struct slice rest, struct buf *out,
		  struct buf *by)
{
	buf_fmt(out, "there is no item %.*s", SLICE_ARG(name));
	if (rest.len == 0) { /* not a directory: an item has no entries */
		(void)why_names_nearest(dir, name, out, by);
	}
}

/* Append a sentence if @name is NAME or .NAME of an index; else return false. */
static bool
why_names_index(const char *dir, struct slice name, struct buf *out, struct buf *by)
{
	struct slice plain = slice_skip(name, name.at[0] == '.');

	buf_fmt(by, ".index/%.*s", SLICE_ARG(plain));
	if (plain.len == 0 || !why_names_has_entry(dir, buf_view(by))) {
		buf_clear(by);
		return false;
	}
	buf_fmt(out, "%.*s is an index: %.*s", SLICE_ARG(plain), SLICE_ARG(buf_view(by)));
	return true;
}

static void
why_names_no_partition(const char *dir, enum why_level level, struct slice name, struct slice rest,
		       struct buf *out, struct buf *by)
{
	bool sorted = level == WHY_INDEX || why_names_sorted(dir);
	struct slice bare = why_names_bare(name);

	if (!sorted) {
		why_names_no_item(dir, name, rest, out, by);
	} else if (bare.len < name.len && why_names_has_entry(dir, bare)) {
		buf_fmt(out, "%.*s is a partition, and its items are the files in it",
			SLICE_ARG(bare));
		buf_slice(by, bare);
	} else if (bare.len < name.len) {
		buf_fmt(out, "this directory has partitions, which have the items: PARTITION/%.*s",
			SLICE_ARG(name));
	} else {
		buf_fmt(out, "no item has the partition key %.*s", SLICE_ARG(name));
		if (!why_names_nearest(dir, name, out, by) && level == WHY_TABLE) {
			cleanup(buf_release) struct buf path = {0};

			buf_fmt(&path, "%s/%.*s", dir, SLICE_ARG(name));
			fmt_shell(out, "; to create it: mkdir %", buf_view(&path));
		}
	}
}

/* The search for a name in all tables */
struct why_names_tables {
	const char *path;
	struct slice name;
	struct slice rest;
	struct buf *by;
	size_t found;
	int n;
};

static bool
why_names_try_table(void *to, struct slice table)
{
	static const char *const below[] = {"", ".index/"};
	struct why_names_tables *t = to;

	for (size_t i = 0; table.at[0] != '.' && i < 2; i++) {
		cleanup(buf_release) struct buf entry = {0};

		buf_fmt(&entry, "%.*s/%s%.*s", SLICE_ARG(table), below[i], SLICE_ARG(t->name));
		size_t len = entry.len;

		buf_fmt(&entry, "%s%.*s", t->rest.len > 0 ? "/" : "", SLICE_ARG(t->rest));
		if (why_names_has_entry(t->path, buf_view(&entry)) && t->found++ == 0) {
			buf_put(t->by, entry.at, len);
		}
	}
	return ++t->n < WHY_TABLES_MAX;
}

/*
 * Append TABLE/NAME or TABLE/.index/NAME to @by if exactly one table has an entry or index of that name, with @rest
 * below it; else return false.
 */
static bool
why_names_in_table(const char *path, struct slice name, struct slice rest, struct buf *by)
{
	struct why_names_tables t = {.path = path, .name = name, .rest = rest, .by = by};

	(void)why_look_list(path, why_names_try_table, &t);
	if (t.found != 1) {
		buf_clear(by);
	}
	return t.found == 1;
}

static void
why_names_no_table(const char *dir, struct slice name, struct slice rest, struct buf *out,
		   struct buf *by)
{
	bool clause = name.at[0] == '.';

	if (clause) {
		buf_fmt(out, "this directory has tables: TABLE/%.*s", SLICE_ARG(name));
		(void)why_names_in_table(dir, name, rest, by);
		return;
	}
	buf_fmt(out, "there is no table %.*s", SLICE_ARG(name));
	if (why_names_in_table(dir, name, rest, by)) {
		buf_fmt(out, "; a table contains that name: %.*s", SLICE_ARG(buf_view(by)));
	} else if (!why_names_nearest(dir, name, out, by)) {
		buf_fmt(out,
			"; to create it with the key PK and SK: itemctl create-table %.*s --key "
			"PK,SK",
			SLICE_ARG(name));
	}
}

/* Append a sentence about a clause that is not allowed in this directory; else return false. */
static bool
why_names_clause(const char *dir, enum why_level level, struct slice name, struct slice rest,
		 struct buf *out, struct buf *by)
{
	if (slice_is(name, ".itemfs")) {
		buf_str(out, ".itemfs is only at the mount's root");
	} else if (level == WHY_TABLES) {
		why_names_no_table(dir, name, rest, out, by);
	} else if (level == WHY_TABLE && why_clause_is_sort(name) && !why_names_sorted(dir)) {
		buf_fmt(out,
			"%.*s compares sort keys, but this table has no sort key; .filter "
			"compares attributes",
			SLICE_ARG(name));
	} else if ((level == WHY_TABLE || level == WHY_INDEX) && why_clause_is_sort(name)) {
		buf_fmt(out,
			"%.*s compares the sort keys of one partition: PARTITION/%.*s; at the "
			"root, .filter, .project and .limit are a Scan, and .shards reads many "
			"partitions",
			SLICE_ARG(name), SLICE_ARG(name));
	} else {
		return false;
	}
	return true;
}

bool
why_names_absent(const char *dir, enum why_level level, struct slice name, struct slice rest,
		 struct buf *out, struct buf *by)
{
	if (level == WHY_TABLE && why_names_index(dir, name, out, by)) {
		return true;
	}
	if (name.at[0] == '.' && name.len > 1) {
		if (why_clause_is(name)) {
			return why_names_clause(dir, level, name, rest, out, by);
		}
		why_clause_none(name, rest.len > 0 && rest.at[0] != '.', out, by);
		return true;
	}
	bool named = level == WHY_TABLES || level == WHY_TABLE || level == WHY_INDEX ||
		     level == WHY_ITEMS;

	if (!named) {
		return false;
	}
	if (level == WHY_TABLES) {
		why_names_no_table(dir, name, rest, out, by);
	} else if (level == WHY_ITEMS) {
		why_names_no_item(dir, name, rest, out, by);
	} else {
		why_names_no_partition(dir, level, name, rest, out, by);
	}
	if (level != WHY_TABLES && by->len == 0 && !slice_ends(name, slice_from(suffix))) {
		size_t before = out->len;

		buf_str(out, "; ");
		if (!why_clause_bare(name, rest.len > 0 && rest.at[0] != '.', out, by)) {
			out->len = before;
		}
	}
	return true;
}

/* ------------------------------------------------------------ attributes */

/* Parse the lines as items, at most WHY_ITEMS_MAX; skip lines that are no items. */
static struct page
why_names_items(struct call *c, struct slice lines)
{
	struct page page = {.items = arena_new(&c->arena, struct item, WHY_ITEMS_MAX)};

	while (lines.len > 0 && page.count < WHY_ITEMS_MAX) {
		const struct json *json;

		if (json_parse(c, slice_take(&lines, '\n'), JSON_STRICT, &json) == 0 &&
		    item_from_json(c, json, &page.items[page.count]) == 0) {
			page.count++;
		}
	}
	return page;
}

bool
why_names_attribute(const char *above, struct slice expression, struct buf *out)
{
	static const struct placeholders none;
	call_scope(c, 0);
	struct page page =
		why_names_items(&c, why_names_read(&c, above, SLICE(".limit/200/.jsonl")));
	struct slice name;
	struct near near;
	size_t at = 0;

	while (page.count > 0 && (name = bare_name(expression, &at)).len > 0) {
		if (absent_near(&page, name, &near)) {
			buf_fmt(out, "none of the examined items has an attribute %.*s",
				SLICE_ARG(name));
			near_put(out, &near, "");
			return true;
		}
	}
	return mistyped_put(out, &page, expression, &none, false);
}
