/* why_path - see why_path.h */
#include "tools/why/why_path.h"

#include <limits.h>
#include <sys/stat.h>

#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/engine/why_clause.h"

#include "tools/system/call_scope.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/why/why_instead.h"
#include "tools/why/why_look.h"
#include "tools/why/why_names.h"
#include "tools/why/why_outside.h"

static const char suffix[] = ".json"; /* suffix of item files, unless the mount has another one */

/* Append a sentence about an unquoted word in a filter that finds nothing; else return false. */
static bool
why_empty_filter(struct why_walk *w, struct slice expression, struct buf *out)
{
	struct bare b;

	if (!bare_find(expression, &b) || !why_names_is_empty(w->here.at)) {
		return false;
	}
	buf_fmt(out, "%.*s was taken for an attribute name. Quote text: %.*s %.*s '%.*s'",
		SLICE_ARG(b.word), SLICE_ARG(b.name), SLICE_ARG(b.comparator), SLICE_ARG(b.word));
	if (b.word.at >= expression.at && b.word.at < expression.at + expression.len) {
		size_t at = (size_t)(b.word.at - expression.at);

		cleanup(buf_release) struct buf by = {0};

		buf_fmt(&by, "%.*s'%.*s'%.*s", (int)at, expression.at, SLICE_ARG(b.word),
			SLICE_ARG(slice_skip(expression, at + b.word.len)));
		why_instead_here(w, buf_view(&by));
	}
	return true;
}

/* Return true if the file contains a JSON object; *item: the object; *n: its bytes. */
static bool
why_is_object(struct call *c, const char *dir, struct slice name, const struct json **item,
	      size_t *n)
{
	struct slice text = why_names_read(c, dir, name);

	*n = text.len;
	return json_parse(c, text, JSON_LAST_WINS, item) == 0 && (*item)->type == JSON_OBJECT;
}

/* Append a sentence about an existing file that is no item; else return false. */
static bool
why_scratch(struct why_walk *w, struct slice name, struct buf *out)
{
	bool dot = name.at[0] == '.';
	bool item = slice_ends(name, slice_from(suffix));
	const struct json *object = NULL;
	size_t n;
	call_scope(c, 0);

	if ((item && !dot) || w->level == WHY_OWN || why_clause_is(name) ||
	    !S_ISREG(why_look_mode(w->here.at))) {
		return false;
	}
	if (why_instead_import(w, name, true, out)) {
		return true;
	}
	buf_fmt(out,
		"%.*s is a scratch file, not an item: its text is in memory, and is moved "
		"to STORE/rejected at unmount; ",
		SLICE_ARG(name));
	if (!why_is_object(&c, w->dir.at, name, &object, &n)) {
		buf_str(out, "an item is a JSON object in a file NAME.json");
		return true;
	}
	struct slice made = fmt_slice(&c.arena, "%s%.*s%s", dot ? "%2E" : "",
				      SLICE_ARG(slice_skip(name, dot)), item ? "" : suffix);

	fmt_shell(out, "to make it an item: mv % %", name, made);
	fmt_shell(w->instead, "mv % %", slice_of(w->here.at, w->here.len - 1),
		  fmt_slice(&c.arena, "%s/%.*s", w->dir.at, SLICE_ARG(made)));
	return true;
}

/* Append a sentence if there is an item file with this name and the suffix; else return false. */
static bool
why_item(struct why_walk *w, struct slice name, struct buf *out)
{
	char item[PATH_MAX];

	if (name.at[0] == '.' || w->rest.len > 0 || slice_ends(name, slice_from(suffix)) ||
	    snprintf(item, sizeof(item), "%s%s", w->here.at, suffix) >= PATH_MAX ||
	    why_look_mode(item) == 0) {
		return false;
	}
	buf_fmt(out, "the item's file is %.*s%s", SLICE_ARG(name), suffix);
	buf_clear(w->instead);
	shell_word(w->instead, slice_from(item));
	return true;
}

/* Append a sentence about a missing index, file of the mount, or name of data; else return false. */
static bool
why_absent_name(struct why_walk *w, struct slice name, struct buf *out)
{
	cleanup(buf_release) struct buf by = {0};
	bool said = true;

	if (w->level == WHY_OWN || w->level == WHY_INDEXES) {
		buf_fmt(out, "there is no %s%.*s", w->level == WHY_OWN ? ".itemfs/" : "index ",
			SLICE_ARG(name));
		(void)why_names_nearest(w->dir.at, name, out, &by);
	} else if (w->written) {
		said = why_instead_name(w, name, out);
	} else {
		said = why_names_absent(w->dir.at, w->level, name, w->rest, out, &by);
		if (said && by.len == 0 && w->level != WHY_TABLES && name.at[0] != '.') {
			(void)why_instead_name(w, name, out);
		}
	}
	if (by.len > 0) {
		why_instead_here(w, buf_view(&by));
	}
	if (said && w->level != WHY_OWN && w->level != WHY_INDEXES && name.at[0] != '.') {
		(void)why_names_read_only(w->dir.at, "; ", out);
	}
	return said;
}

/* Append a sentence about a missing component; else return false. */
static bool
why_absent(struct why_walk *w, struct slice name, struct buf *out)
{
	if (w->level == WHY_OUTSIDE) {
		return false;
	}
	if (w->level == WHY_QUERY && why_clause_awaits(w->before)) {
		/* The mount refused the value; the log line explains that, except for a key in a filter. */
		return slice_is(w->before, ".filter") && why_instead_key(w, name, out);
	}
	return why_instead_clause(w, name, out) || why_item(w, name, out) ||
	       (w->rest.len == 0 && why_instead_import(w, name, false, out)) ||
	       why_absent_name(w, name, out);
}

/* Return true if the value of .filter or .project names an attribute that no item has. */
static bool
why_attribute(const struct why_walk *w, struct slice value, struct buf *out)
{
	assert(w->before.len > 0);
	call_scope(c, 0);
	struct slice above = slice_of(w->dir.at, w->dir.len - 1 - w->before.len - 1);

	return why_names_attribute(slice_cstr(&c.arena, above), value, out);
}

/* Append a sentence if the path continues after an item, because of a / in its key; else return false. */
static bool
why_below_item(struct why_walk *w, struct slice name, struct buf *out)
{

	if (w->rest.len == 0 || (w->level != WHY_ITEMS && w->level != WHY_TABLE) ||
	    name.at[0] == '.' || !slice_ends(name, slice_from(suffix)) ||
	    !S_ISREG(why_look_mode(w->here.at))) {
		return false;
	}
	struct slice key = slice_of(name.at, name.len - (sizeof(suffix) - 1));
	size_t begin = out->len;

	buf_fmt(out, "%.*s is an item, and nothing is below it", SLICE_ARG(name));
	bool said = why_instead_slash(w, true, key, out);

	out->len = said ? out->len : begin;
	return said;
}

/* Append a sentence about an existing component; else return false. */
static bool
why_present(struct why_walk *w, struct slice name, struct buf *out)
{
	cleanup(buf_release) struct buf by = {0};
	bool last = w->rest.len == 0;

	if (w->level == WHY_OUTSIDE) {
		return false;
	}
	if (slice_is(w->before, ".filter")) {
		return why_empty_filter(w, name, out) ||
		       (why_names_is_empty(w->here.at) && why_attribute(w, name, out));
	}
	if (slice_is(w->before, ".project") && why_attribute(w, name, out)) {
		return true;
	}
	if (slice_is(name, ".stream")) {
		buf_str(out,
			"each reader of .stream waits for new changes, without an end: cat and "
			"tail -f show them; for the table's own stream: itemctl tail TABLE");
		return true;
	}
	bool said = last && (why_clause_unfinished(w->before, name, out, &by) ||
			     why_clause_text(name, out));

	if (by.len > 0) {
		why_instead_here(w, buf_view(&by));
	}
	return said || why_below_item(w, name, out) || why_scratch(w, name, out);
}

/* Update the level after the component @name, which exists. */
static void
why_enter(struct why_walk *w, struct slice name)
{
	/* A lookup below a clause is a query, which the mount may refuse, with a line in the log that why prints. */
	bool below = w->level == WHY_QUERY || (w->level != WHY_OUTSIDE && why_clause_is(name));
	enum why_level root = below ? WHY_OUTSIDE : why_names_root(w->here.at);

	if (root != WHY_OUTSIDE) {
		w->level = root;
		w->root = w->here.len - 1;
		w->table = root == WHY_TABLE ? w->root : 0;
	} else if (w->level == WHY_OUTSIDE) {
		return;
	} else if (slice_is(name, ".itemfs")) {
		w->level = WHY_OWN;
	} else if (slice_is(name, ".index") && w->level == WHY_TABLE) {
		w->level = WHY_INDEXES;
	} else if (why_clause_is(name) && !why_clause_awaits(w->before)) {
		w->query = w->level == WHY_QUERY ? w->query : w->dir.len - 1;
		w->level = WHY_QUERY;
		w->sorts = w->sorts || why_clause_is_sort(name);
	} else if (w->level == WHY_TABLES) {
		w->level = WHY_TABLE;
		w->table = w->here.len - 1;
	} else if (w->level == WHY_INDEXES) {
		w->level = WHY_INDEX;
		w->index = name;
	} else if (w->level == WHY_TABLE || w->level == WHY_INDEX) {
		w->level = WHY_ITEMS;
	}
}

/* Examine one component.  Return: true if there is a sentence, or the walk cannot go on */
static bool
why_component(struct why_walk *w, struct slice name, struct buf *out)
{
	assert(name.len > 0);
	bool is_there;

	buf_clear(&w->dir);
	buf_slice(&w->dir, buf_view(&w->here));
	buf_char(&w->dir, '\0');
	buf_char(&w->here, '/');
	buf_slice(&w->here, name);
	buf_char(&w->here, '\0');
	is_there = why_look_mode(w->here.at) != 0;
	if (!is_there && w->absent.len == 0) {
		w->absent = name;
	}
	if (is_there ? why_present(w, name, out)
		     : why_absent(w, name, out) || w->level != WHY_QUERY) {
		return true;
	}
	if (is_there) {
		why_enter(w, name);
	}
	w->here.len--;
	w->before = name;
	return false;
}

/* ------------------------------------------------------------ no mistake */

static void
why_here_item(struct slice name, const char *dir, struct buf *out)
{
	const struct json *item = NULL;
	size_t n;
	call_scope(c, 0);

	if (!why_is_object(&c, dir, name, &item, &n)) {
		buf_str(out, "nothing was refused; this is not an item");
	} else {
		buf_fmt(out,
			"nothing was refused; the item is stored: %zu attribute%s, %zu bytes; its "
			"mode and owner are those of the mount, set by -o umask=, uid= and gid=; "
			"chmod and chown change nothing",
			item->n, item->n == 1 ? "" : "s", n);
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

/* Append a sentence about what is at @path, which exists.  w->level is that of its entries if it is a directory. */
static void
why_here(const struct why_walk *w, const char *path, struct buf *out)
{

	assert(w->level != WHY_OUTSIDE);
	if (S_ISDIR(why_look_mode(path))) {
		why_here_directory(path, w->level, out);
	} else if (w->level == WHY_ITEMS) {
		why_here_item(slice_skip(slice_from(path), w->dir.len), w->dir.at, out);
	} else if (w->level == WHY_QUERY) {
		buf_str(out, "nothing was refused; this file is generated while it is read");
	} else {
		buf_str(out, "nothing was refused; this is one of the mount's own files");
	}
}

/* No mistake was found: describe what is at the path, or say that it is in no mount. */
static void
why_rest(struct why_walk *w, const char *path, struct why_answer *out)
{
	cleanup(buf_release) struct buf by = {0};

	if (w->level == WHY_OUTSIDE) {
		why_outside(path, w->dir.len == 0 ? "" : w->dir.at, w->absent, &out->message, &by);
		if (by.len > 0) {
			why_instead_here(w, buf_view(&by));
		}
	} else if (why_names_read_only(path, "", &out->message)) {
		return;
	} else if (w->absent.len == 0) {
		why_here(w, path, &out->message);
	} else {
		out->refused = (size_t)(w->absent.at + w->absent.len - path);
		buf_fmt(&out->message, "there is no %.*s", SLICE_ARG(w->absent));
	}
}

void
why_path(const char *path, struct why_answer *out)
{
	struct why_walk w = {
		.written = out->written, .instead = &out->instead, .rest = slice_from(path)};

	for (bool found = false; !found && w.rest.len > 0;) {
		struct slice name = slice_take(&w.rest, '/');

		found = name.len > 0 && why_component(&w, name, &out->message);
	}
	if (out->message.len == 0) {
		why_rest(&w, path, out);
	}
	out->more = w.more || out->instead.len > 0;
	buf_release(&w.here);
	buf_release(&w.dir);
}
