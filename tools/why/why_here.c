/* why_here - see why_here.h */
#include "tools/why/why_here.h"

#include <assert.h>
#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/text/json.h"

#include "tools/session/ctl.h"
#include "tools/why/why_names.h"

static void
why_here_item(const char *path, const char *dir, struct buf *out)
{
	const struct json *item = NULL;

	call_scope(c, clock_now_ms());
	struct buf text = {.arena = &c.arena};
	why_names_read(dir, path + strlen(dir) + 1, &text);
	if (text.len < 2 ||
	    json_parse(&c, slice_of(text.at, text.len - 1), JSON_LAST_WINS, &item) != 0 ||
	    item->type != JSON_OBJECT) {
		buf_str(out, "nothing was refused; this is not an item");
	} else {
		buf_fmt(out,
			"nothing was refused; the item is stored: %zu attribute%s, %zu bytes; its "
			"mode and owner are those of the mount, set by -o umask=, uid= and gid=; "
			"chmod and chown change nothing",
			item->n, item->n == 1 ? "" : "s", text.len - 1);
	}
}

static void
why_here_directory(const char *path, enum why_level level, struct buf *out)
{
	static const struct {
		const char *full;
		const char *empty;
	} what[] = {
		[WHY_OWN] = {"the mount's own directory: see README in it", NULL},
		[WHY_TABLES] = {"the root of the mount: each table is a directory",
				"the root of the mount, which has no tables yet; to create one: "
				"itemctl create-table NAME --key PK,SK"},
		[WHY_TABLE] = {"the root of a table", "the root of a table without items"},
		[WHY_INDEXES] =
			{"the directory of the table's indexes",
			 "the directory of the table's indexes, which has none yet; to add one: "
			 "itemctl alter TABLE --add-gsi NAME=PK,SK"},
		[WHY_INDEX] = {"the root of an index, which is read-only",
			       "the root of an index, which is read-only; no item has the key of "
			       "the index"},
		[WHY_ITEMS] =
			{"a partition: each item is a file; ls -U lists them by their sort key, ls by "
			 "their names",
			 "a partition without items: it exists only in memory until an item is "
			 "written to it: echo '{\"a\":1}' >NAME.json"},
		[WHY_QUERY] = {"a query: the items that it finds are files; ls -U lists them in "
			       "the order of the query",
			       "a valid query, which finds no item"},
	};
	bool empty = what[level].empty != NULL && why_names_is_empty(path);

	buf_fmt(out, "nothing was refused; this is %s",
		empty ? what[level].empty : what[level].full);
}

void
why_here(const char *path, const char *dir, enum why_level level, struct buf *out)
{
	struct stat st;
	assert(level != WHY_OUTSIDE);
	bool directory = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	if (directory) {
		why_here_directory(path, level, out);
	} else if (level == WHY_ITEMS) {
		why_here_item(path, dir, out);
	} else if (level == WHY_QUERY) {
		buf_str(out, "nothing was refused; this file is generated while it is read");
	} else {
		buf_str(out, "nothing was refused; this is one of the mount's own files");
	}
}
