/* why_here - see why_here.h */
#include "tools/why_here.h"

#include <sys/stat.h>

#include "store/base/clock.h"
#include "store/base/json.h"
#include "store/base/shell_word.h"

#include "tools/ctl.h"

static const struct json *
why_here_json(struct call *c, const struct buf *text)
{
	const struct json *json = NULL;
	bool read = text->len > 1 &&
		    json_parse(c, slice_of(text->at, text->len - 1), JSON_LAST_WINS, &json) == 0;

	return read ? json : NULL;
}

/* The definition of the table that has its items, or its partitions, in @dir; NULL: none is there. */
static const struct json *
why_here_table(struct call *c, const char *dir)
{
	static const char *const places[] = {".table.json", "../.table.json"};
	const struct json *table = NULL;

	for (size_t i = 0; table == NULL && i < sizeof(places) / sizeof(places[0]); i++) {
		struct buf text;

		buf_init(&text, &c->arena);
		why_names_read(dir, places[i], &text);
		table = why_here_json(c, &text);
	}
	return table;
}

/* What makes such an item, and what does not. */
static void
why_here_bare(struct slice name, struct buf *out)
{
	struct buf file = {0};
	struct buf other = {0};

	buf_fmt(&other, "%.*s.new", SLICE_ARG(name));
	shell_word(&file, name);
	struct slice f = buf_view(&file);

	buf_fmt(out,
		"the item is stored with nothing but its key, as after: jq ... %.*s >%.*s (the shell "
		"empties the file before jq reads it); type: jq ... %.*s >",
		SLICE_ARG(f), SLICE_ARG(f), SLICE_ARG(f));
	shell_word(out, buf_view(&other));
	buf_str(out, " && mv ");
	shell_word(out, buf_view(&other));
	buf_fmt(out, " %.*s", SLICE_ARG(f));
	buf_release(&other);
	buf_release(&file);
}

/* Are the attributes of @item those of the table's key, and no others? */
static bool
why_here_is_bare(const struct json *item, const struct json *table)
{
	const struct json *keys = json_get(table, "KeySchema");

	json_each (key, keys) {
		const struct json *name = json_get(key, "AttributeName");

		if (name == NULL || json_get_slice(item, name->text) == NULL) {
			return false;
		}
	}
	return keys != NULL && item->n == keys->n;
}

static void
why_here_item(const char *path, const char *dir, struct buf *out)
{
	struct slice name = slice_from(path + strlen(dir) + 1);
	struct call c;
	struct buf text;

	call_open(&c, clock_now_ms(), CTL_BUDGET);
	buf_init(&text, &c.arena);
	why_names_read(dir, name.at, &text);
	const struct json *item = why_here_json(&c, &text);
	const struct json *table = item == NULL ? NULL : why_here_table(&c, dir);

	if (item == NULL || item->type != JSON_OBJECT) {
		buf_str(out, "nothing was refused; this is no item");
	} else if (table != NULL && why_here_is_bare(item, table)) {
		why_here_bare(name, out);
	} else {
		buf_fmt(out,
			"nothing was refused; the item is stored: %zu attribute%s, %zu bytes; its mode "
			"and owner are the mount's, of -o umask=, uid= and gid=: chmod and chown change "
			"nothing",
			item->n, item->n == 1 ? "" : "s", text.len - 1);
	}
	call_close(&c);
}

static void
why_here_directory(const char *path, enum why_level level, struct buf *out)
{
	static const struct {
		const char *full;
		const char *empty;
	} what[] = {
		[WHY_OWN] = {"the mount's own directory: README in it says what is there", NULL},
		[WHY_TABLES] = {"the root of the mount: each table is a directory",
				"the root of the mount, and there is no table yet: itemctl "
				"create-table NAME --key PK,SK makes one"},
		[WHY_TABLE] = {"the root of a table", "the root of a table without items"},
		[WHY_INDEXES] =
			{"the directory of the table's indexes",
			 "the directory of the table's indexes, and it has none: itemctl alter TABLE --add-gsi NAME=PK,SK "
			 "makes one"},
		[WHY_INDEX] = {"the root of an index, which is read-only",
			       "the root of an index, which is read-only; no item has its key"},
		[WHY_ITEMS] =
			{"a partition: each item is a file; ls -U lists them by their sort key, ls by "
			 "their names",
			 "a partition without items: it is only in memory until one is "
			 "written to it: echo '{\"a\":1}' >NAME.json"},
		[WHY_QUERY] = {"a query: what it finds are files; ls -U lists them in its order",
			       "a query without a mistake, which finds no item"},
	};
	bool empty = what[level].empty != NULL && why_names_is_empty(path);

	buf_fmt(out, "nothing was refused; this is %s",
		empty ? what[level].empty : what[level].full);
}

void
why_here(const char *path, const char *dir, enum why_level level, struct buf *out)
{
	struct stat st;
	bool directory = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	if (directory) {
		why_here_directory(path, level, out);
	} else if (level == WHY_ITEMS) {
		why_here_item(path, dir, out);
	} else if (level == WHY_QUERY) {
		buf_str(out, "nothing was refused; this is made while it is read");
	} else {
		buf_str(out, "nothing was refused; this is a file of the mount's own");
	}
}
