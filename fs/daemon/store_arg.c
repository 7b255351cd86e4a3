/* store_arg - the argument STORE: finds the directory, or says what was probably meant */
#include "fs/daemon/store_arg.h"

#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"

#include "fs/daemon/options.h"
#include "fs/daemon/start.h"

bool
store_arg_is_store(struct call *c, const char *directory)
{
	return access(arena_print(&c->arena, "%s/FORMAT", directory), F_OK) == 0;
}

/* The command line as typed, with another store and mount point. */
static const char *
store_arg_line(struct start *s, const char *store, const char *mountpoint)
{
	struct buf line;

	buf_init(&line, &s->call.arena);
	buf_str(&line, "itemfs");
	for (int i = 1; i < s->argc; i++) {
		const char *arg = s->argv[i];

		if (i == 1 && arg != s->options.store && strcmp(arg, "mount") == 0) {
			continue;
		}
		buf_char(&line, ' ');
		shell_word(&line, slice_from(arg == s->options.store        ? store
					     : arg == s->options.mountpoint ? mountpoint
									    : arg));
	}
	return slice_cstr(&s->call.arena, buf_view(&line));
}

/* Refuse HOST:PORT, STORE/TABLE and STORE:TABLE, with the right command line.  Return: 0: the store is none of them */
static int
store_arg_hint(struct start *s)
{
	struct call *c = &s->call;
	const char *store = s->options.store;
	const char *colon = strrchr(store, ':');
	const char *slash = strrchr(store, '/');
	const char *cut = colon != NULL && (slash == NULL || colon > slash) ? colon : slash;

	if (colon != NULL && colon[1] != '\0' &&
	    strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
		const char *url = arena_print(&c->arena, "http://%s%s",
					      colon == store ? "localhost" : "", store);

		return call_fail(c, ERR_VALIDATION, "give the URL of a server: %s",
				 store_arg_line(s, url, s->options.mountpoint));
	}
	/* HOST: as for sshfs */
	if (colon != NULL && colon > store && colon[1 + (colon[1] == '/')] == '\0') {
		cut = colon;
	} else if (cut == NULL || cut == store || cut[1] == '\0') {
		return 0;
	}
	const char *directory = slice_cstr(&c->arena, slice_of(store, (size_t)(cut - store)));

	if (cut == colon && (colon[1] == '\0' || colon[1] == '/')) {
		return call_fail(
			c, ERR_VALIDATION, "a store is a directory, without a colon: %s%s",
			store_arg_line(s, directory, s->options.mountpoint),
			store_arg_is_store(c, directory) || s->options.create ? "" : " --create");
	}
	if (!store_arg_is_store(c, directory)) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "%s is a store; to mount one of its tables: %s -o table=%s", directory,
			 store_arg_line(s, directory, s->options.mountpoint), cut + 1);
}

/* Suggest a store in the same directory with a similar name.  Return: 0: there is none */
static int
store_arg_near(struct start *s)
{
	struct call *c = &s->call;
	const char *slash = strrchr(s->options.store, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - s->options.store) + 1;
	struct slice dir = slice_of(s->options.store, n);
	struct near near = near_start(slice_from(s->options.store + n));
	cleanup(cleanup_dir) DIR *d = opendir(n == 0 ? "." : slice_cstr(&c->arena, dir));
	const char *entry;

	while ((entry = folder_next(d)) != NULL) {
		const char *path = arena_print(&c->arena, "%.*s%s", SLICE_ARG(dir), entry);

		if (store_arg_is_store(c, path)) {
			near_try(&near, slice_from(path + n));
		}
	}
	/* The name is the end of the path, so the path begins @n bytes before it. */
	return near.best.len == 0
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "there is no store at %s: did you mean: %s",
				   s->options.store,
				   store_arg_line(s, near.best.at - n, s->options.mountpoint));
}

static int
store_arg_missing(struct start *s)
{
	int r = options_verb(&s->call, s->options.store, s->options.mountpoint, NULL);

	r = r < 0 ? r : store_arg_hint(s);
	r = r < 0 ? r : store_arg_near(s);
	return r < 0 ? r
		     : call_fail(
			       &s->call, ERR_VALIDATION,
			       "there is no store at %s; to create one with a table: itemctl create-table; to "
			       "create an empty one: %s --create",
			       s->options.store,
			       store_arg_line(s, s->options.store, s->options.mountpoint));
}

/* The first argument is no store.  If the second one is a store, or does not exist, the two were swapped: fail. */
static int
store_arg_swapped(struct start *s)
{
	bool absent = access(s->options.mountpoint, F_OK) != 0;

	return absent || store_arg_is_store(&s->call, s->options.mountpoint)
		       ? call_fail(&s->call, ERR_VALIDATION, "the store comes first: %s%s",
				   store_arg_line(s, s->options.mountpoint, s->options.store),
				   absent ? " --create" : "")
		       : 0;
}

/* Report that the directory of a new store could not be made. */
static int
store_arg_no_parent(struct start *s, int error)
{
	const char *store = s->options.store;
	const char *slash = strrchr(store, '/');
	struct buf b;

	buf_init(&b, &s->call.arena);
	if (error == ENOENT && slash != NULL) {
		buf_str(&b, ": mkdir -p ");
		shell_word(&b, slice_of(store, (size_t)(slash - store)));
		buf_fmt(&b, " && %s", store_arg_line(s, store, s->options.mountpoint));
	}
	errno = error;
	return call_fail(&s->call, error_of_path(error), "store %s: %m%.*s", store,
			 SLICE_ARG(buf_view(&b)));
}

int
store_arg_find(struct start *s)
{
	struct call *c = &s->call;
	struct stat st;

	int r = s->options.create && access(s->options.store, F_OK) != 0 ? store_arg_hint(s) : 0;

	if (r < 0) {
		return r;
	}
	s->made = s->options.create && mkdir(s->options.store, 0700) == 0;
	if (s->options.create && !s->made && errno != EEXIST) {
		return store_arg_no_parent(s, errno);
	}
	s->fresh = !store_arg_is_store(c, s->options.store);
	char *real = realpath(s->options.store, NULL);

	if (real == NULL && (errno == ENOENT || errno == ENOTDIR)) {
		return store_arg_missing(s);
	}
	if (real == NULL) {
		return call_fail(c, error_of_path(errno), "store %s: %m", s->options.store);
	}
	s->store = slice_cstr(&c->arena, slice_from(real));
	free(real);
	if (stat(s->store, &st) != 0 || !S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_VALIDATION, "store %s is not a directory", s->store);
	}
	/* Look at the mount point only if there is no store: a dead owner's mount there could block. */
	return s->fresh && !s->options.create && s->options.mountpoint != NULL
		       ? store_arg_swapped(s)
		       : 0;
}
