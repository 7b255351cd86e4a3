/* why_path - see why_path.h; the mount answers what is there */
#include "tools/why_path.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "store/base/shell_word.h"

#include "tools/bare.h"
#include "tools/why_clause.h"
#include "tools/why_here.h"
#include "tools/why_names.h"
#include "tools/why_outside.h"
#include "tools/why_read_only.h"

static const char suffix[] = ".json"; /* of items, where the mount has no other */

/* A walk along a path. */
struct why_walk {
	struct buf here; /* up to the component that is looked at, which ends with a zero */
	struct buf dir;  /* the directory that it is in */
	enum why_level level;
	struct slice absent; /* the first component that is not there */
	struct slice before; /* the component in front of it */
	bool sorts;          /* a condition on the sort key is in front of it */
};

static bool
why_empty_filter(const char *path, struct slice expression, struct buf *out)
{
	struct bare b;

	if (!bare_find(expression, &b) || !why_names_is_empty(path)) {
		return false;
	}
	buf_fmt(out, "%.*s was taken for an attribute name. Quote text: %.*s %.*s '%.*s'",
		SLICE_ARG(b.word), SLICE_ARG(b.name), SLICE_ARG(b.operator), SLICE_ARG(b.word));
	return true;
}

/* A file that is there, and is no item. */
static bool
why_scratch(const struct why_walk *w, struct slice name, struct buf *out)
{
	struct stat st;
	bool dot = name.at[0] == '.';
	bool item = slice_ends(name, slice_from(suffix));
	struct buf made = {0};

	if ((item && !dot) || w->level == WHY_OWN || why_clause_is(name) ||
	    lstat(w->here.at, &st) != 0 || !S_ISREG(st.st_mode)) {
		return false;
	}
	buf_fmt(out,
		"%.*s is a scratch file and no item: its bytes are in memory, and go to "
		"STORE/rejected when it is unmounted; mv ",
		SLICE_ARG(name));
	buf_fmt(&made, "%s%.*s%s", dot ? "%2E" : "", SLICE_ARG(slice_skip(name, dot ? 1 : 0)),
		item ? "" : suffix);
	shell_word(out, name);
	buf_char(out, ' ');
	shell_word(out, buf_view(&made));
	buf_str(out, " makes it one");
	buf_release(&made);
	return true;
}

/* The item that has the name and the suffix. */
static bool
why_item(const struct why_walk *w, struct slice name, struct buf *out)
{
	char item[PATH_MAX];
	struct stat st;

	if (name.at[0] == '.' || slice_ends(name, slice_from(suffix)) ||
	    snprintf(item, sizeof(item), "%s%s", w->here.at, suffix) >= PATH_MAX ||
	    lstat(item, &st) != 0) {
		return false;
	}
	buf_fmt(out, "the item's file is %.*s%s", SLICE_ARG(name), suffix);
	return true;
}

/* A component that is not there, nor what is below it. */
static bool
why_absent(const struct why_walk *w, struct slice name, struct buf *out)
{
	bool clause = name.at[0] == '.' && name.len > 1;

	if (w->level == WHY_OUTSIDE || (why_clause_awaits(w->before) && w->level == WHY_QUERY)) {
		return false; /* a value that is none was refused */
	}
	if (w->level == WHY_OWN) {
		buf_fmt(out, "there is no .itemfs/%.*s", SLICE_ARG(name));
		(void)why_names_nearest(w->dir.at, name, out);
		return true;
	}
	if (w->level == WHY_INDEXES) {
		buf_fmt(out, "there is no index %.*s", SLICE_ARG(name));
		(void)why_names_nearest(w->dir.at, name, out);
		return true;
	}
	if (clause && !why_clause_is(name)) {
		why_clause_none(name, out);
		return true;
	}
	if (w->sorts && why_clause_is_sort(name)) {
		buf_str(out,
			"the sort key has one condition: .between/FROM/TO has both ends in it");
		return true;
	}
	return why_item(w, name, out) || why_names_absent(w->dir.at, w->level, name, out);
}

/* Does the value of .filter or .project name an attribute that no item has? */
static bool
why_attribute(const struct why_walk *w, struct slice value, struct buf *out)
{
	struct buf above = {0}; /* the directory that the clause is in */
	struct slice dir = slice_of(w->dir.at, w->dir.len - 1 - w->before.len - 1);

	buf_slice(&above, dir);
	buf_char(&above, '\0');
	bool said = why_names_attribute(above.at, value, out);

	buf_release(&above);
	return said;
}

/* A component that is there; @last: nothing is behind it. */
static bool
why_present(const struct why_walk *w, struct slice name, bool last, struct buf *out)
{
	if (w->level == WHY_OUTSIDE) {
		return false;
	}
	if (slice_is(w->before, ".filter")) {
		return why_empty_filter(w->here.at, name, out) ||
		       (why_names_is_empty(w->here.at) && why_attribute(w, name, out));
	}
	if (slice_is(w->before, ".project") && why_attribute(w, name, out)) {
		return true;
	}
	if (slice_is(name, ".stream")) {
		buf_str(out,
			"each reader of .stream waits for changes from then on, and there is no end: cat "
			"shows them, tail -f looks for an end first; itemctl tail TABLE is the table's "
			"own stream");
		return true;
	}
	if (last && (why_clause_unfinished(w->before, name, out) || why_clause_text(name, out))) {
		return true;
	}
	return why_scratch(w, name, out);
}

/* What is in the component @name of the walk. */
static void
why_enter(struct why_walk *w, struct slice name)
{
	/* To look below a clause is a query, and refused: a line in the log that why shows. */
	bool below = w->level == WHY_QUERY || (w->level != WHY_OUTSIDE && why_clause_is(name));
	enum why_level root = below ? WHY_OUTSIDE : why_names_root(w->here.at);

	if (root != WHY_OUTSIDE) {
		w->level = root;
	} else if (w->level == WHY_OUTSIDE) {
		return;
	} else if (slice_is(name, ".itemfs")) {
		w->level = WHY_OWN;
	} else if (slice_is(name, ".index") && w->level == WHY_TABLE) {
		w->level = WHY_INDEXES;
	} else if (why_clause_is(name) && !why_clause_awaits(w->before)) {
		w->level = WHY_QUERY;
		w->sorts = w->sorts || why_clause_is_sort(name);
	} else if (w->level == WHY_TABLES) {
		w->level = WHY_TABLE;
	} else if (w->level == WHY_INDEXES) {
		w->level = WHY_INDEX;
	} else if (w->level == WHY_TABLE || w->level == WHY_INDEX) {
		w->level = WHY_ITEMS;
	}
}

/* One component; returns: is there a sentence, or no use to go on? */
static bool
why_component(struct why_walk *w, struct slice name, bool last, struct buf *out)
{
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
	if (is_there ? why_present(w, name, last, out)
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

/* A value that a query does not take; itemctl why of the path up to it has the sentence. */
static void
why_refused(const struct why_walk *w, const char *path, struct buf *out)
{
	struct slice refused = slice_of(path, (size_t)(w->absent.at + w->absent.len - path));

	buf_fmt(out, "there is no %.*s", SLICE_ARG(w->absent));
	if (path[refused.len] != '\0') {
		buf_str(out, ": itemctl why ");
		shell_word(out, refused);
		buf_str(out, " says the reason");
	}
}

/* The path has no mistake that is known, or is in no mount. */
static void
why_rest(const struct why_walk *w, const char *path, struct buf *out)
{
	if (w->level == WHY_OUTSIDE) {
		why_outside(path, w->dir.len == 0 ? "" : w->dir.at, w->absent, out);
	} else if (why_read_only(path, out)) {
		buf_str(out,
			out->len == 0 ? "the mount is read-only: nothing is written here" : "");
	} else if (w->absent.len == 0) {
		why_here(path, w->dir.at, w->level, out);
	} else {
		why_refused(w, path, out);
	}
}

void
why_path(const char *path, struct buf *out)
{
	struct why_walk w = {0};
	struct slice rest = slice_from(path);
	size_t before = out->len;

	for (bool found = false; !found && rest.len > 0;) {
		const char *slash = memchr(rest.at, '/', rest.len);
		struct slice name =
			slice_of(rest.at, slash == NULL ? rest.len : (size_t)(slash - rest.at));

		rest = slice_skip(rest, name.len + (slash != NULL));
		found = name.len > 0 && why_component(&w, name, rest.len == 0, out);
	}
	if (out->len == before) {
		why_rest(&w, path, out);
	}
	buf_release(&w.here);
	buf_release(&w.dir);
}
