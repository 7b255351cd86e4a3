/* other_store - see other_store.h */
#include "tools/system/other_store.h"

#include <sys/stat.h>

#include "store/open.h"

#include "tools/system/find_store.h"
#include "tools/text/fmt.h"

bool
other_store_is(struct call *c, struct slice name)
{
	struct stat st;
	struct slice path = fmt_slice(&c->arena, "%.*s/FORMAT", SLICE_ARG(name));

	return stat(path.at, &st) == 0;
}

/* Length of STORE in STORE[/TABLE]; the whole length if there is no table */
static size_t
other_store_length(struct call *c, const char *name)
{
	struct slice whole = slice_from(name);
	const char *slash = strrchr(name, '/');
	const char *scheme = strstr(name, "://");
	struct stat st;

	if (slash == NULL || slash[1] == '\0' || slash == name) {
		return whole.len;
	}
	if (scheme != NULL) {
		return slash < scheme + 3 ? whole.len : (size_t)(slash - name);
	}
	if (store_is_remote(name)) {
		return (size_t)(slash - name);
	}
	struct slice dir = slice_of(name, (size_t)(slash - name));

	return stat(name, &st) != 0 && !slice_ends(whole, SLICE(".db")) &&
			       (other_store_is(c, dir) ||
				stat(slice_cstr(&c->arena, dir), &st) != 0)
		       ? dir.len
		       : whole.len;
}

/* Split NAME/TABLE if NAME is a section of the settings file; otherwise @out does not change. */
static int
other_store_setting(struct call *c, const char *name, struct other_store *out)
{
	const char *slash = strchr(name, '/');
	struct stat st;

	if (slash == NULL || slash[1] == '\0' || strchr(slash + 1, '/') != NULL ||
	    stat(name, &st) == 0) {
		return 0;
	}
	const char *before = slice_cstr(&c->arena, slice_of(name, (size_t)(slash - name)));
	const char *found;
	int r = find_store(c, before, &found);

	if (r == 0 && strcmp(found, before) != 0) {
		*out = (struct other_store){.store = found, .table = slice_from(slash + 1)};
	}
	return r;
}

int
other_store_split(struct call *c, const char *name, struct other_store *out)
{
	*out = (struct other_store){0};
	int r = store_is_remote(name) ? 0 : other_store_setting(c, name, out);
	size_t n = other_store_length(c, name);

	if (r < 0 || out->table.len > 0) {
		return r;
	}
	out->store = slice_cstr(&c->arena, slice_of(name, n));
	if (name[n] != '\0') {
		out->table = slice_from(name + n + 1);
		return 0;
	}
	return find_store(c, out->store, &out->store);
}

int
other_store_target(struct call *c, const char *own, const char *name, struct other_store *out)
{
	int r = other_store_split(c, name, out);
	bool path = strpbrk(name, "/:") != NULL || strcmp(name, ".") == 0 ||
		    strcmp(name, "..") == 0 || slice_ends(slice_from(name), SLICE(".db"));

	if (r == 0 && !path && strcmp(out->store, name) == 0 &&
	    !other_store_is(c, slice_from(name))) {
		*out = (struct other_store){.store = own, .table = slice_from(name)};
	}
	return r;
}

/* Length of the shortest prefix of a path that is a store; the whole length if there is none */
static size_t
other_store_prefix(struct call *c, const char *path)
{
	size_t n = strcspn(path, "/");

	while (path[n] != '\0' && !other_store_is(c, slice_of(path, n))) {
		n += 1 + strcspn(path + n + 1, "/");
	}
	return n;
}

const char *
other_store_table(struct call *c, const char *word, const char *given, struct slice *table)
{
	struct other_store found;
	struct stat st;
	bool remote = store_is_remote(word) || strstr(word, "://") != NULL;

	*table = (struct slice){0};
	if (!remote && (strchr(word, '/') == NULL || stat(word, &st) == 0)) {
		return NULL;
	}
	size_t n = remote ? other_store_length(c, word) : other_store_prefix(c, word);

	found.store = slice_cstr(&c->arena, slice_of(word, n));
	if ((n == strlen(word) && !remote) ||
	    (!remote && !other_store_is(c, slice_from(found.store))) ||
	    (given != NULL && !other_store_same(given, found.store))) {
		return NULL;
	}
	*table = slice_skip(slice_from(word), n + (word[n] == '/'));
	return found.store;
}

size_t
other_store_endpoint(const char *word)
{
	const char *scheme = strncmp(word, "http", 4) == 0 ? strstr(word, "://") : NULL;
	size_t host = scheme == NULL ? 0 : (size_t)(scheme + 3 - word);

	return host + strcspn(word + host, "/");
}

const char *
other_store_path(struct call *c, const char *word, struct slice *path)
{
	struct stat st;
	size_t n = 0;

	*path = (struct slice){0};
	if (store_is_remote(word)) {
		n = other_store_endpoint(word);
	} else if (strchr(word, '/') != NULL && stat(word, &st) != 0) {
		n = other_store_prefix(c, word);
		n = word[n] == '\0' ? 0 : n;
	}
	if (n == 0) {
		return NULL;
	}
	*path = slice_skip(slice_from(word), n + (word[n] == '/'));
	return slice_cstr(&c->arena, slice_of(word, n));
}

bool
other_store_same(const char *a, const char *b)
{
	struct stat x;
	struct stat y;

	if (store_is_remote(a) || store_is_remote(b)) {
		return strcmp(a, b) == 0;
	}
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
