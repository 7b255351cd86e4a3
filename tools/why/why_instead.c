/* why_instead - see why_instead.h */
#include "tools/why/why_instead.h"

#include <limits.h>

#include "store/base/core/escape.h"
#include "store/base/text/shell_word.h"
#include "store/engine/why_clause.h"

#include "tools/system/call_scope.h"
#include "tools/text/words.h"
#include "tools/why/why_key.h"
#include "tools/why/why_names.h"

static const struct slice suffix =
	SLICE_INIT(".json"); /* suffix of item files, unless the mount has another one */

/* Set w->instead to the first @keep bytes of the path, then @by and @rest, each one or several components or empty. */
static void
why_instead_put(struct why_walk *w, size_t keep, struct slice by, struct slice rest)
{
	cleanup(buf_release) struct buf path = {0};

	assert(keep <= w->here.len);
	buf_put(&path, w->here.at, keep);
	buf_fmt(&path, "%s%.*s", by.len > 0 ? "/" : "", SLICE_ARG(by));
	buf_fmt(&path, "%s%.*s", rest.len > 0 ? "/" : "", SLICE_ARG(rest));
	buf_clear(w->instead);
	shell_word(w->instead, buf_view(&path));
}

void
why_instead_here(struct why_walk *w, struct slice by)
{
	assert(w->dir.len > 0);
	why_instead_put(w, w->dir.len - 1, by, w->rest);
}

/* Remove the last component from @path and return it. */
static struct slice
why_instead_last(struct slice *path)
{
	size_t n = path->len;

	while (n > 0 && path->at[n - 1] != '/') {
		n--;
	}
	struct slice last = slice_skip(*path, n);

	path->len = n - (n > 0);
	return last;
}

/* Read the key of the table or index that the path is in. */
static bool
why_instead_read_key(const struct why_walk *w, struct call *c, struct why_key *out)
{
	struct slice root = slice_of(w->here.at, w->table);

	return w->table > 0 && why_key_read(c, slice_cstr(&c->arena, root), w->index, out);
}

/* ------------------------------------------------------------ files of items */

/* Remove one of @suffixes, a list of words, from @name.  Return: false if it has none, or nothing is left */
static bool
why_instead_drop(struct slice *name, const char *suffixes)
{
	while (*suffixes != '\0') {
		struct slice end = words_in_next(&suffixes);

		if (slice_ends(*name, end)) {
			name->len -= end.len;
			return name->len > 0;
		}
	}
	return false;
}

/* Append the name of the table that a file at the path is for, or TABLE if it is unknown. */
static void
why_instead_table(const struct why_walk *w, struct slice stem, struct buf *out)
{
	struct why_key key = {.table = stem};
	call_scope(c, 0);
	bool known = w->level == WHY_TABLES ? why_names_has_entry(w->dir.at, stem)
					    : why_instead_read_key(w, &c, &key);

	shell_word(out, known ? key.table : SLICE("TABLE"));
}

bool
why_instead_import(struct why_walk *w, struct slice name, bool is_there, struct buf *out)
{
	struct slice stem = name;
	bool any = why_instead_drop(&stem, ".gz .zst .bz2 .xz .zip") || w->level == WHY_TABLES;
	char source[PATH_MAX];
	cleanup(buf_release) struct buf line = {0};

	if (name.at[0] == '.' || w->index.len > 0 || w->level == WHY_OWN || w->level == WHY_QUERY ||
	    !(why_instead_drop(&stem, ".jsonl .ndjson .csv .tsv .yaml .yml") ||
	      (any && why_instead_drop(&stem, ".json")))) {
		return false;
	}
	struct slice form = slice_skip(name, stem.len);
	if (!is_there && !w->written && w->level == WHY_TABLES && form.len > 0 &&
	    words_in(".csv .json .jsonl", form) && why_names_has_entry(w->dir.at, stem)) {
		buf_fmt(&line, "%.*s/%.*s", SLICE_ARG(stem), SLICE_ARG(form));
		why_instead_here(w, buf_view(&line));
		buf_fmt(out, "there is no table %.*s; the items of %.*s in that form are in %.*s",
			SLICE_ARG(name), SLICE_ARG(stem), SLICE_ARG(buf_view(&line)));
		return true;
	}
	buf_str(&line, "itemctl import ");
	why_instead_table(w, stem, &line);
	buf_char(&line, ' ');
	if (is_there) {
		shell_word(&line, slice_of(w->here.at, w->here.len - 1));
	} else {
		is_there = realpath(w->here.at + w->here.len - 1 - name.len, source) != NULL;
		shell_word(&line, is_there ? slice_from(source) : name);
	}
	buf_fmt(out, "%.*s is a file of items, not an item; to import them: %s%.*s",
		SLICE_ARG(name), is_there ? "" : "in the directory that it was copied from, ",
		SLICE_ARG(buf_view(&line)));
	w->more = true;
	if (is_there) {
		buf_slice(w->instead, buf_view(&line));
	}
	return true;
}

/* ------------------------------------------------------------ clauses */

static bool
why_instead_keeps(char ch)
{
	return ch != '/' && ch != '%';
}

/* Append a literal as a component.  Return: false if @text is not a single literal */
static bool
why_instead_literal(struct buf *out, struct slice text)
{
	char quote;

	text = ascii_trim(text);
	quote = text.len > 1 && (text.at[0] == '\'' || text.at[0] == '"') ? text.at[0] : '\0';
	if (quote != '\0') {
		if (text.at[text.len - 1] != quote) {
			return false;
		}
		text = slice_of(text.at + 1, text.len - 2);
	}
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];

		if (quote != '\0' ? ch == quote : !ascii_word(ch) && strchr(".-+", ch) == NULL) {
			return false;
		}
	}
	escape_percent(out, text, why_instead_keeps);
	return text.len > 0;
}

/* Append the components of the clause for "NAME OPERATOR LITERAL" or begins_with(NAME, LITERAL); else return false. */
static bool
why_instead_compared(struct slice text, struct slice name, struct buf *out)
{
	static const struct {
		const char *sign;
		const char *clause;
	} signs[] = {{"<=", ".le"}, {">=", ".ge"}, {"=", ".eq"}, {"<", ".lt"}, {">", ".gt"}};
	static const struct slice function = SLICE_INIT("begins_with(");
	cleanup(buf_release) struct buf b = {0};
	bool said = false;

	text = ascii_trim(text);
	if (slice_starts(text, function) && text.at[text.len - 1] == ')') {
		text = ascii_trim(slice_of(text.at + function.len, text.len - function.len - 1));
		text = slice_starts(text, name) ? ascii_trim(slice_skip(text, name.len))
						: SLICE("");
		buf_str(&b, ".begins_with/");
		said = text.len > 1 && text.at[0] == ',' &&
		       why_instead_literal(&b, slice_skip(text, 1));
	} else if (slice_starts(text, name)) {
		text = ascii_trim(slice_skip(text, name.len));
		for (size_t i = 0; b.len == 0 && i < sizeof(signs) / sizeof(signs[0]); i++) {
			struct slice sign = slice_from(signs[i].sign);

			if (slice_starts(text, sign)) {
				buf_fmt(&b, "%s/", signs[i].clause);
				said = why_instead_literal(&b, slice_skip(text, sign.len));
			}
		}
	}
	if (said) {
		buf_slice(out, buf_view(&b));
	}
	return said;
}

/* Return true if @text contains @name as a whole word. */
static bool
why_instead_has(struct slice text, struct slice name)
{
	size_t at = 0;

	while (name.len > 0 && at + name.len <= text.len) {
		const char *found = memmem(text.at + at, text.len - at, name.at, name.len);

		if (found == NULL) {
			return false;
		}
		size_t from = (size_t)(found - text.at);
		size_t end = from + name.len;

		if ((from == 0 || !ascii_word(text.at[from - 1])) &&
		    (end == text.len || !ascii_word(text.at[end]))) {
			return true;
		}
		at = end;
	}
	return false;
}

bool
why_instead_key(struct why_walk *w, struct slice expression, struct buf *out)
{
	size_t keep = w->dir.len - sizeof("/.filter");
	cleanup(buf_release) struct buf by = {0};
	struct why_key key;
	call_scope(c, 0);

	if (!why_instead_read_key(w, &c, &key)) {
		return false;
	}
	if (why_instead_has(expression, key.names[1])) {
		buf_fmt(out,
			"%.*s is the sort key: compare it by .eq .lt .le .gt .ge .between "
			".begins_with; .filter is for other attributes",
			SLICE_ARG(key.names[1]));
		if (!w->sorts && why_instead_compared(expression, key.names[1], &by)) {
			why_instead_put(w, keep, buf_view(&by), w->rest);
		}
		return true;
	}
	if (!why_instead_has(expression, key.names[0])) {
		return false;
	}
	buf_fmt(out, "%.*s is the partition key, which is the same for all items here",
		SLICE_ARG(key.names[0]));
	if (why_instead_compared(expression, key.names[0], &by) &&
	    slice_starts(buf_view(&by), SLICE(".eq/"))) {
		why_instead_put(w, keep, SLICE(""), w->rest);
	}
	return true;
}

/* The value of an earlier clause @name in the same query; empty: there is none */
static struct slice
why_instead_earlier(const struct why_walk *w, struct slice name)
{
	assert(w->query < w->dir.len);
	struct slice query = slice_of(w->dir.at + w->query, w->dir.len - 1 - w->query);

	while (query.len > 0) {
		bool same = slice_eq(slice_take(&query, '/'), name);

		if (same) {
			return slice_take(&query, '/');
		}
	}
	return query;
}

/* Append a sentence about a clause that occurs twice: join two filters, or use the second value. */
static void
why_instead_again(struct why_walk *w, struct slice name, struct slice earlier, struct buf *out)
{
	struct slice rest = w->rest;
	struct slice value = slice_take(&rest, '/');
	bool joined = slice_is(name, ".filter");
	size_t keep = (size_t)(earlier.at - w->dir.at) - 1;
	struct slice middle =
		slice_skip(slice_of(w->dir.at, w->dir.len - 1), keep + 1 + earlier.len);
	cleanup(buf_release) struct buf by = {0};

	buf_fmt(out, "there is already a %.*s%s", SLICE_ARG(name),
		joined ? ": join both conditions by AND in one filter" : "");
	if (value.len > 0) {
		buf_fmt(&by, "%.*s%s%.*s%.*s", joined ? (int)earlier.len : 0, earlier.at,
			joined ? " AND " : "", SLICE_ARG(value), SLICE_ARG(middle));
		why_instead_put(w, keep, buf_view(&by), rest);
	}
}

/* Append a sentence about two conditions on the sort key; .ge/A/.le/B becomes .between/A/B. */
static void
why_instead_both_ends(struct why_walk *w, struct slice name, struct buf *out)
{
	struct slice rest = w->rest;
	struct slice value = slice_take(&rest, '/');
	struct slice path = slice_of(w->dir.at, w->dir.len - 1);
	struct slice other = why_instead_last(&path);
	struct slice clause = why_instead_last(&path);
	bool from = slice_is(clause, ".ge") && slice_is(name, ".le");
	bool to = slice_is(clause, ".le") && slice_is(name, ".ge");
	cleanup(buf_release) struct buf by = {0};

	buf_str(out, "the sort key can have only one condition; for a range: .between/FROM/TO");
	if (value.len > 0 && (from || to)) {
		struct slice low = from ? other : value;
		struct slice high = from ? value : other;

		buf_fmt(&by, ".between/%.*s/%.*s", SLICE_ARG(low), SLICE_ARG(high));
		why_instead_put(w, path.len, buf_view(&by), rest);
	}
}

bool
why_instead_clause(struct why_walk *w, struct slice name, struct buf *out)
{
	struct slice path = slice_of(w->dir.at, w->dir.len - 1);
	struct slice to = why_instead_last(&path);
	struct slice earlier;

	if (w->level == WHY_QUERY && ascii_same(to, SLICE("and"))) {
		struct slice from = why_instead_last(&path);
		cleanup(buf_release) struct buf by = {0};

		if (slice_is(why_instead_last(&path), ".between")) {
			buf_fmt(out,
				".between takes two values, each a path component, without %.*s",
				SLICE_ARG(to));
			buf_fmt(&by, ".between/%.*s/%.*s", SLICE_ARG(from), SLICE_ARG(name));
			why_instead_put(w, path.len, buf_view(&by), w->rest);
			return true;
		}
	}
	if (w->level != WHY_QUERY && w->level != WHY_ITEMS && w->level != WHY_INDEX) {
		return false;
	}
	if (words_in(".index .stream .stream.jsonl .table.json", name)) {
		buf_fmt(out, "%.*s is at the root of the table", SLICE_ARG(name));
		why_instead_put(w, w->table, name, w->rest);
		return true;
	}
	if (slice_is(name, ".itemfs")) {
		buf_str(out, ".itemfs is only at the mount's root");
		why_instead_put(w, w->root, name, w->rest);
		return true;
	}
	if (w->level != WHY_QUERY || !why_clause_is(name)) {
		return false;
	}
	if (w->sorts && why_clause_is_sort(name)) {
		why_instead_both_ends(w, name, out);
		return true;
	}
	earlier = why_clause_awaits(name) ? why_instead_earlier(w, name) : SLICE("");
	if (earlier.len > 0) {
		why_instead_again(w, name, earlier, out);
	}
	return earlier.len > 0;
}

/* ------------------------------------------------------------ names */

/* Remove @n components from @path, and append each after %2F. */
static void
why_instead_join(struct buf *out, size_t n, struct slice *path)
{
	while (n-- > 0) {
		struct slice part = slice_take(path, '/');

		buf_fmt(out, "%%2F%.*s", SLICE_ARG(part));
	}
}

/* Return how many of the @n components after @name belong to the partition: the most for which a directory exists */
static size_t
why_instead_partition(const struct why_walk *w, struct slice name, size_t n)
{
	cleanup(buf_release) struct buf entry = {0};

	while (n > 0) {
		struct slice rest = w->rest;

		buf_clear(&entry);
		buf_slice(&entry, name);
		why_instead_join(&entry, n, &rest);
		if (why_names_has_entry(w->dir.at, buf_view(&entry))) {
			break;
		}
		n--;
	}
	return n;
}

bool
why_instead_slash(struct why_walk *w, bool in_file, struct slice name, struct buf *out)
{
	bool item = slice_ends(w->rest, suffix);
	size_t n = 0; /* components of the rest */
	struct slice rest = w->rest;
	cleanup(buf_release) struct buf by = {0};

	for (struct slice left = rest; left.len > 0; n++) {
		struct slice part = slice_take(&left, '/');

		if (part.len == 0 || part.at[0] == '.') {
			return false;
		}
	}
	if (n <= (item && !in_file) || w->level == WHY_INDEX || w->index.len > 0) {
		return false;
	}
	size_t first = in_file || !item ? n : why_instead_partition(w, name, n - 1);

	buf_slice(&by, name);
	why_instead_join(&by, first, &rest);
	if (first < n) {
		struct slice part = slice_take(&rest, '/');

		buf_fmt(&by, "/%.*s", SLICE_ARG(part));
		why_instead_join(&by, n - first - 1, &rest);
	}
	if (in_file && !item) {
		buf_slice(&by, suffix);
	}
	buf_str(out, "; a / in a key is written %2F in its name");
	why_instead_put(w, w->dir.len - 1, buf_view(&by), SLICE(""));
	return true;
}

bool
why_instead_name(struct why_walk *w, struct slice name, struct buf *out)
{
	bool item = slice_ends(name, suffix);
	struct slice value = slice_of(name.at, name.len - (item ? suffix.len : 0));
	cleanup(buf_release) struct buf by = {0};
	struct why_key key;
	call_scope(c, 0);

	if ((w->index.len > 0 && w->level == WHY_ITEMS) || !why_instead_read_key(w, &c, &key)) {
		return false;
	}
	const char *sentence = why_key_respell(&key, w->level == WHY_ITEMS, value, &by);
	bool file = w->level == WHY_ITEMS || key.names[1].len == 0;

	if (sentence == NULL) {
		return why_instead_slash(w, file, name, out);
	}
	buf_str(&by, file && w->rest.len == 0 ? ".json" : "");
	buf_fmt(out, "; %s: %.*s", sentence, SLICE_ARG(buf_view(&by)));
	why_instead_here(w, buf_view(&by));
	return true;
}
