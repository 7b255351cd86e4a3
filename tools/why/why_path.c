/* why_path - see why_path.h */
#include "tools/why/why_path.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/engine/why_clause.h"

#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/why/why_here.h"
#include "tools/why/why_instead.h"
#include "tools/why/why_names.h"
#include "tools/why/why_outside.h"
#include "tools/why/why_read_only.h"

static const char suffix[] = ".json"; /* suffix of item files, unless the mount has another one */

/* Append a sentence about an unquoted word in a filter that finds nothing; else return false. */
static bool
why_empty_filter(struct why_walk *w, struct slice expression, struct buf *out)
{
	struct bare b;
	struct buf by = {0};

	if (!bare_find(expression, &b) || !why_names_is_empty(w->here.at)) {
		return false;
	}
	buf_fmt(out, "%.*s was taken for an attribute name. Quote text: %.*s %.*s '%.*s'",
		SLICE_ARG(b.word), SLICE_ARG(b.name), SLICE_ARG(b.comparator), SLICE_ARG(b.word));
	if (b.word.at >= expression.at && b.word.at < expression.at + expression.len) {
		size_t at = (size_t)(b.word.at - expression.at);

		buf_fmt(&by, "%.*s'%.*s'%.*s", (int)at, expression.at, SLICE_ARG(b.word),
			SLICE_ARG(slice_skip(expression, at + b.word.len)));
		why_instead_here(w, buf_view(&by));
		buf_release(&by);
	}
	return true;
}

/* Return true if the file contains a JSON object. */
static bool
why_is_object(const char *dir, struct slice name)
{
	struct buf text = {0};
	const struct json *json = NULL;
	struct call c;

	call_open(&c, 0, SIZE_MAX);
	why_names_read(dir, slice_cstr(&c.arena, name), &text);
	bool is = json_parse(&c, slice_of(text.at, text.len - 1), JSON_LAST_WINS, &json) == 0 &&
		  json->type == JSON_OBJECT;

	call_close(&c);
	buf_release(&text);
	return is;
}

/* Append a sentence about an existing file that is no item; else return false. */
static bool
why_scratch(struct why_walk *w, struct slice name, struct buf *out)
{
	struct stat st;
	bool dot = name.at[0] == '.';
	bool item = slice_ends(name, slice_from(suffix));
	struct buf made = {0};
	struct buf path = {0};

	if ((item && !dot) || w->level == WHY_OWN || why_clause_is(name) ||
	    lstat(w->here.at, &st) != 0 || !S_ISREG(st.st_mode)) {
		return false;
	}
	if (why_instead_import(w, name, true, out)) {
		return true;
	}
	buf_fmt(out,
		"%.*s is a scratch file, not an item: its text is in memory, and is moved "
		"to STORE/rejected at unmount; ",
		SLICE_ARG(name));
	if (!why_is_object(w->dir.at, name)) {
		buf_str(out, "an item is a JSON object in a file NAME.json");
		return true;
	}
	buf_fmt(&made, "%s%.*s%s", dot ? "%2E" : "", SLICE_ARG(slice_skip(name, dot ? 1 : 0)),
		item ? "" : suffix);
	fmt_shell(out, "to make it an item: mv % %", name, buf_view(&made));
	buf_clear(&path);
	buf_fmt(&path, "%s/%.*s", w->dir.at, SLICE_ARG(buf_view(&made)));
	fmt_shell(w->instead, "mv % %", slice_of(w->here.at, w->here.len - 1), buf_view(&path));
	buf_release(&path);
	buf_release(&made);
	return true;
}

/* Append a sentence if there is an item file with this name and the suffix; else return false. */
static bool
why_item(struct why_walk *w, struct slice name, struct buf *out)
{
	char item[PATH_MAX];
	struct stat st;

	if (name.at[0] == '.' || w->rest.len > 0 || slice_ends(name, slice_from(suffix)) ||
	    snprintf(item, sizeof(item), "%s%s", w->here.at, suffix) >= PATH_MAX ||
	    lstat(item, &st) != 0) {
		return false;
	}
	buf_fmt(out, "the item's file is %.*s%s", SLICE_ARG(name), suffix);
	why_instead_put(w, w->here.len - 1, SLICE(""), SLICE(""));
	buf_clear(w->instead);
	shell_word(w->instead, slice_from(item));
	return true;
}

/* Append a sentence about a missing index, file of the mount, or name of data; else return false. */
static bool
why_absent_name(struct why_walk *w, struct slice name, struct buf *out)
{
	struct buf by = {0};
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
		why_names_read_only(w->dir.at, out);
	}
	buf_release(&by);
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
	struct buf above = {0}; /* directory of the clause */
	struct slice dir = slice_of(w->dir.at, w->dir.len - 1 - w->before.len - 1);

	buf_slice(&above, dir);
	buf_char(&above, '\0');
	bool said = why_names_attribute(above.at, value, out);

	buf_release(&above);
	return said;
}

/* Append a sentence if the path continues after an item, because of a / in its key; else return false. */
static bool
why_below_item(struct why_walk *w, struct slice name, struct buf *out)
{
	struct stat st;
	struct buf b = {0};

	if (w->rest.len == 0 || (w->level != WHY_ITEMS && w->level != WHY_TABLE) ||
	    name.at[0] == '.' || !slice_ends(name, slice_from(suffix)) ||
	    lstat(w->here.at, &st) != 0 || !S_ISREG(st.st_mode)) {
		return false;
	}
	struct slice key = slice_of(name.at, name.len - (sizeof(suffix) - 1));

	buf_fmt(&b, "%.*s is an item, and nothing is below it", SLICE_ARG(name));
	bool said = why_instead_slash(w, true, key, &b);

	buf_slice(out, said ? buf_view(&b) : SLICE(""));
	buf_release(&b);
	return said;
}

/* Append a sentence about an existing component; else return false. */
static bool
why_present(struct why_walk *w, struct slice name, struct buf *out)
{
	struct buf by = {0};
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
	buf_release(&by);
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
	struct stat st;
	bool is_there;

	buf_clear(&w->dir);
	buf_slice(&w->dir, buf_view(&w->here));
	buf_char(&w->dir, '\0');
	buf_char(&w->here, '/');
	buf_slice(&w->here, name);
	buf_char(&w->here, '\0');
	is_there = lstat(w->here.at, &st) == 0;
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

/* No mistake was found: describe what is at the path, or say that it is in no mount. */
static void
why_rest(struct why_walk *w, const char *path, struct why_answer *out)
{
	struct buf by = {0};

	if (w->level == WHY_OUTSIDE) {
		why_outside(path, w->dir.len == 0 ? "" : w->dir.at, w->absent, &out->message, &by);
		if (by.len > 0) {
			why_instead_here(w, buf_view(&by));
		}
		buf_release(&by);
	} else if (why_read_only(path, &out->message)) {
		buf_str(&out->message, out->message.len == 0
					       ? "the mount is read-only: nothing is written here"
					       : "");
	} else if (w->absent.len == 0) {
		why_here(path, w->dir.at, w->level, &out->message);
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
		const char *slash = slice_chr(w.rest, '/');
		struct slice name = slice_of(
			w.rest.at, slash == NULL ? w.rest.len : (size_t)(slash - w.rest.at));

		w.rest = slice_skip(w.rest, name.len + (slash != NULL));
		found = name.len > 0 && why_component(&w, name, &out->message);
	}
	if (out->message.len == 0) {
		why_rest(&w, path, out);
	}
	out->more = w.more || out->instead.len > 0;
	buf_release(&w.here);
	buf_release(&w.dir);
}
