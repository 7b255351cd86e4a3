/* find_store - see find_store.h; it reads /proc/self/mountinfo and the settings file */
#include "tools/system/find_store.h"

#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "store/base/system/mountinfo.h"
#include "store/base/system/trust.h"
#include "store/base/text/ini.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/open.h"

#include "tools/system/call_scope.h"
#include "tools/system/other_store.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* ------------------------------------------------------------ mounts */

/* Return true if the mount point is directly in the directory @top. */
static bool
find_store_in(const char *point, const char *top)
{
	const char *slash = strrchr(point, '/');
	size_t n = strcmp(top, "/") == 0 ? 0 : strlen(top);

	return slash != NULL && (size_t)(slash - point) == n && strncmp(point, top, n) == 0;
}

/*
 * The store of the mount with the device @device, or, unless @top is NULL, of the mounts directly in @top.
 * @out: NULL if there is none, or if the mounts have several stores
 */
static int
find_store_of(struct call *c, dev_t device, const char *top, const char **out)
{
	cleanup(mountinfo_close) struct mountinfo_list list = {0};
	struct mountinfo m;
	bool several = false;
	int r = 0;

	*out = NULL;
	if (major(device) == 0 || top != NULL) {
		mountinfo_open(&list);
	}
	while (r == 0 && !several && (top != NULL || *out == NULL) && mountinfo_next(&list, &m)) {
		if (m.itemfs &&
		    (top != NULL ? find_store_in(m.point, top) : m.connection == minor(device))) {
			several = *out != NULL && strcmp(*out, m.source) != 0;
			*out = slice_cstr(&c->arena, slice_from(m.source));
			r = trust_mount(c, &m);
		}
	}
	*out = several ? NULL : *out;
	return r;
}

int
find_store_beside(struct call *c, const char **out)
{
	char here[PATH_MAX];

	*out = NULL;
	return getcwd(here, sizeof(here)) != NULL ? find_store_of(c, 0, here, out) : 0;
}

int
find_store_here(struct call *c, const char **out)
{
	struct stat st;

	*out = NULL;
	return stat(".", &st) == 0 ? find_store_of(c, st.st_dev, NULL, out) : 0;
}

int
find_store_at(struct call *c, const char *path, const char **out)
{
	struct slice rest = slice_from(path);
	struct stat st;

	while (stat(rest.len == 0 ? "." : slice_cstr(&c->arena, rest), &st) != 0) {
		const char *slash = slice_rchr(rest, '/');

		if (rest.len <= 1) {
			*out = NULL;
			return 0;
		}
		rest.len = slash == NULL ? 0 : slash == rest.at ? 1 : (size_t)(slash - rest.at);
	}
	return find_store_of(c, st.st_dev, NULL, out);
}

/* ------------------------------------------------------------ names */

/* Put a setting into the environment, unless it is empty. */
static void
find_store_tell(struct call *c, const char *variable, struct slice value)
{
	if (value.len > 0) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
		(void)setenv(variable, slice_cstr(&c->arena, value), 1);
	}
}

static int
find_store_named(struct call *c, const struct ini *file, struct slice name, const char **out)
{
	struct slice store = ini_value(file, name, "", "store");
	struct slice region = ini_value(file, name, "", "region");

	if (store.len == 0) {
		store = ini_value(file, name, "", "endpoint");
	}
	find_store_tell(c, "AWS_REGION", region);
	find_store_tell(c, "AWS_PROFILE", ini_value(file, name, "", "profile"));
	if (store.len > 0) {
		*out = trust_path(c, store);
		return 0;
	}
	if (region.len > 0) {
		*out = arena_print(&c->arena, "dynamodb:%.*s", SLICE_ARG(region));
		return 0;
	}
	return call_fail(c, ERR_USAGE, "[%.*s] of the settings has no store, endpoint or region",
			 SLICE_ARG(name));
}

/* Return true for HOST:PORT and :PORT. */
static bool
find_store_is_port(struct slice text)
{
	const char *colon = slice_rchr(text, ':');
	struct slice port = colon == NULL
				    ? (struct slice){0}
				    : slice_of(colon + 1, text.len - (size_t)(colon + 1 - text.at));

	return port.len > 0 && ascii_digits_end(port, 0) == port.len;
}

/*
 * Return true for a port number. An existing directory of that name takes precedence; a new one must be written as
 * ./8000.
 */
static bool
find_store_is_number(struct slice text)
{
	return text.len >= 4 && text.len <= 5 && text.at[0] != '0' &&
	       ascii_digits_end(text, 0) == text.len && strtoul(text.at, NULL, 10) <= UINT16_MAX;
}

static const char *
find_store_url(struct call *c, struct slice text)
{
	return arena_print(&c->arena, "http://%s%.*s",
			   text.at[0] == ':'            ? "127.0.0.1"
			   : find_store_is_number(text) ? "127.0.0.1:"
							: "",
			   SLICE_ARG(text));
}

/* dynamodb:REGION for "aws:eu-west-1". Without a colon the name may be that of a new directory. */
static const char *
find_store_cloud(struct call *c, struct slice text)
{
	struct slice rest = text;
	struct slice word = slice_take(&rest, ':');

	return word.len < text.len && words_in("aws ddb amazon", word)
		       ? arena_print(&c->arena, "dynamodb:%.*s", SLICE_ARG(rest))
		       : NULL;
}

int
find_store(struct call *c, const char *name, const char **out)
{
	struct slice text = slice_from(name);
	struct ini file;
	struct stat st;

	*out = name;
	if (text.len == 0 || store_is_remote(name)) {
		return 0;
	}
	if (stat(name, &st) == 0) {
		int r = find_store_of(c, st.st_dev, NULL, out);

		*out = *out == NULL ? name : *out;
		return r;
	}
	if (strchr(name, '/') != NULL) {
		return 0;
	}
	if (find_store_is_port(text)) {
		*out = find_store_url(c, text);
		return 0;
	}
	int r = trust_settings(c, &file);

	if (r < 0 || ini_has(&file, text)) {
		return r < 0 ? r : find_store_named(c, &file, text, out);
	}
	if (find_store_is_number(text)) {
		*out = find_store_url(c, text);
		return 0;
	}
	const char *cloud = find_store_cloud(c, text);

	*out = cloud == NULL ? name : cloud;
	return 0;
}

/* ------------------------------------------------------------ directories */

/* The stores in the directory @dir, in order, without hidden ones; @dir is not empty; in the call's arena */
static struct words
find_store_all(struct call *own, const char *dir)
{
	assert(dir[0] != '\0');
	struct words all = {0};
	bool slash = dir[strlen(dir) - 1] == '/';
	struct dirent **list = NULL;
	int n = scandir(dir, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		struct slice path =
			fmt_slice(&own->arena, "%s%s%s", dir, slash ? "" : "/", list[i]->d_name);

		if (list[i]->d_name[0] != '.' && other_store_is(own, path)) {
			words_add(own, &all, path.at);
		}
		free(list[i]);
	}
	free(list);
	return all;
}

/*
 * Find one store in @dir, which is not empty.  Return: false if there is none
 * @typed: a name that is similar to that of the store; NULL: the store must be the only one
 * @out: replaced by the path, unless there is none
 */
static bool
find_store_only(const char *dir, const char *typed, struct buf *out)
{
	struct near near = near_start(slice_from(typed == NULL ? "" : typed));
	bool found = false;

	call_scope(own, 0);
	struct words all = find_store_all(&own, dir);

	for (size_t i = 0; i < all.n; i++) {
		struct slice name = slice_from(strrchr(all.at[i], '/') + 1);

		near_try(&near, name);
		if (typed == NULL ? all.n == 1 : slice_eq(near.best, name)) {
			found = true;
			buf_set(out, slice_from(all.at[i]));
		}
	}
	return found;
}

const char *
find_store_lone(void)
{
	static char lone[PATH_MAX]; /* outlives the caller's call */

	call_scope(own, 0);
	struct buf path = {.arena = &own.arena};
	if (other_store_is(&own, SLICE("."))) {
		buf_char(&path, '.');
	}
	bool found = (path.len > 0 || find_store_only(".", NULL, &path)) &&
		     path.len < sizeof(lone) &&
		     trust_check(&own, slice_cstr(&own.arena, buf_view(&path))) == 0;

	if (found) {
		(void)snprintf(lone, sizeof(lone), "%.*s", SLICE_ARG(buf_view(&path)));
	}
	return found ? lone : NULL;
}

bool
find_store_looks(const char *word)
{
	return strchr(word, '/') != NULL || slice_ends(slice_from(word), SLICE(".db")) ||
	       slice_ends(slice_from(word), SLICE(".store")) ||
	       slice_ends(slice_from(word), SLICE(".itemfs"));
}

bool
find_store_has(const char *dir, const char *name)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/%s", dir, name);

	return n > 0 && (size_t)n < sizeof(path) && access(path, F_OK) == 0;
}

/* ------------------------------------------------------------ suggestions */

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
	struct words all = find_store_all(&own, ".");

	for (size_t i = 0; found && i < all.n && i < SHOWN; i++) {
		found = find_store_insert(out, i == 0 ? "stores here: " : "\n             ",
					  slice_from(all.at[i] + strlen("./")));
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
