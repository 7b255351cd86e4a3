/* find_store_hints - see find_store_hints.h */
#include "tools/system/find_store_hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/shell_word.h"

#include "tools/system/call_scope.h"
#include "tools/system/find_store.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

/* Append the typed line with "-s STORE" inserted; false if the line is not known. */
static bool
find_store_insert(struct buf *out, const char *before, struct slice store)
{
	static const struct slice program = SLICE_INIT("itemctl");
	cleanup(buf_release) struct buf line = {0};
	bool known = typed_line_with(&line, SLICE(""), SLICE(""));

	if (known) {
		buf_fmt(out, "%s%.*s -s ", before, SLICE_ARG(program));
		shell_word(out, store);
		buf_slice(out, slice_skip(buf_view(&line), program.len));
	}
	return known;
}

/* Append the typed line with each store of the working directory; false if there are none. */
static bool
find_store_several(struct buf *out)
{
	enum { SHOWN = 5 };
	bool found = true;

	call_scope(own, 0);
	struct find_store_list all = find_store_all(&own, ".");

	for (size_t i = 0; found && i < all.n && i < SHOWN; i++) {
		found = find_store_insert(out, i == 0 ? "stores here: " : "\n             ",
					  slice_skip(all.at[i], strlen("./")));
	}
	if (found && all.n > SHOWN) {
		buf_fmt(out, "\n             and %zu more", all.n - SHOWN);
	}
	return found && all.n > 0;
}

/* Find a store with a name similar to that of @store, in the same directory. */
static bool
find_store_near(const char *store, struct buf *out)
{
	const char *slash = strrchr(store, '/');
	char *dir = slash == NULL ? NULL : strndup(store, (size_t)(slash + 1 - store));
	bool found =
		find_store_only(dir == NULL ? "." : dir, slash == NULL ? store : slash + 1, out);

	free(dir);
	return found;
}

/* The name or type at *@at in @s, without its quotes; *@at moves past it and the blanks after it. */
static struct slice
find_store_name(struct slice s, size_t *at)
{
	while (*at < s.len && (ascii_blank(s.at[*at]) || strchr("(\"`[", s.at[*at]) != NULL)) {
		++*at;
	}
	size_t begin = *at;

	while (*at < s.len && ascii_word(s.at[*at])) {
		++*at;
	}
	struct slice name = slice_of(s.at + begin, *at - begin);

	while (*at < s.len && (ascii_blank(s.at[*at]) || strchr("\"`]", s.at[*at]) != NULL)) {
		++*at;
	}
	return name;
}

/*
 * Append a line that converts a SQLite file. It names the first table and its first column, from the statement in the
 * first pages of the file, or else placeholders.
 */
static void
find_store_sqlite(struct buf *out, const char *file, struct slice pages)
{
	static const char create[] = "CREATE TABLE ";
	static const char *const numbers[] = {"int", "real", "num", "dec", "float", "double"};
	const char *found = memmem(pages.at, pages.len, create, sizeof(create) - 1);
	size_t at = found == NULL ? pages.len : (size_t)(found - pages.at) + sizeof(create) - 1;
	struct slice table = find_store_name(pages, &at);
	struct slice column = find_store_name(pages, &at);
	struct slice type = find_store_name(pages, &at);
	bool number = false;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		size_t n = strlen(numbers[i]);

		number |= type.len >= n && ascii_same(slice_of(type.at, n), slice_from(numbers[i]));
	}
	table = table.len > 0 ? table : SLICE("TABLE");
	column = column.len > 0 ? column : SLICE("KEY");
	buf_str(out, "it is an SQLite database; to import a table of it: sqlite3 -json ");
	shell_word(out, slice_from(file));
	buf_fmt(out, " 'SELECT * FROM %.*s' | itemctl -s ./db import %.*s - --key %.*s%s",
		SLICE_ARG(table), SLICE_ARG(table), SLICE_ARG(column), number ? ":N" : "");
}

/* Append a line that imports the file @name, which was given as the store. */
static void
find_store_file(struct buf *out, const char *name)
{
	enum { PAGES = 64 * 1024 };
	FILE *f = fopen(name, "re");
	cleanup(buf_release) struct buf pages = {0};

	pages.len = f == NULL ? 0 : fread(buf_room(&pages, PAGES), 1, PAGES, f);
	if (f != NULL) {
		(void)fclose(f);
	}
	if (slice_starts(buf_view(&pages), SLICE("SQLite format 3"))) {
		find_store_sqlite(out, name, buf_view(&pages));
	} else {
		fmt_shell(out,
			  "to import a file into a store: itemctl -s ./db import % % --key auto",
			  source_stem(name), slice_from(name));
	}
}

/* Append the URL for "localhost" or for a mistyped URL, http//HOST:PORT or htp://HOST:PORT; false if it is neither. */
static bool
find_store_server(struct buf *out, const char *store)
{
	const char *host = strstr(store, "//");

	if (host != NULL && host > store && host[2] != '\0') {
		buf_fmt(out, "http://%s", host + 2);
	} else if (strcmp(store, "localhost") == 0 || strcmp(store, "127.0.0.1") == 0) {
		buf_fmt(out, "http://%s:8000", store);
	}
	return out->len > 0;
}

bool
find_store_meant(struct buf *out, const char *store, bool makes)
{
	bool none = store == NULL || *store == '\0';
	cleanup(buf_release) struct buf path = {0};
	struct stat st;
	bool found = false;

	if (none && find_store_only(".", NULL, &path)) {
		found = find_store_insert(out, "did you mean: ", buf_view(&path));
	} else if (none && find_store_several(out)) {
		found = true;
	} else if (none && makes) {
		found = find_store_insert(out, "to create a new one: ", SLICE("./db"));
	} else if (!none && stat(store, &st) == 0 && S_ISREG(st.st_mode)) {
		find_store_file(out, store);
		found = true;
	} else if (!none &&
		   (find_store_server(&path, store) ||
		    (!makes && (stat(store, &st) != 0 ? find_store_near(store, &path)
						      : find_store_only(store, NULL, &path))))) {
		found = typed_line_said(out, "did you mean: ", slice_from(store), buf_view(&path));
	}
	return found;
}
