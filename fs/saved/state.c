/* state - directory of the mounts of an endpoint */
#include "fs/saved/state.h"

#include <sys/stat.h>

#include "store/base/system/trust.h"

enum { PINNED_BYTES = 32 };

/* An environment variable that has an absolute path, or NULL. */
static const char *
state_absolute(const char *name)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
	const char *value = getenv(name);

	return value != NULL && value[0] == '/' ? value : NULL;
}

static void
put_top(struct buf *path)
{
	const char *state = state_absolute("XDG_STATE_HOME");
	const char *home = state_absolute("HOME");

	if (state != NULL) {
		buf_str(path, state);
	} else if (home != NULL) {
		buf_fmt(path, "%s/.local/state", home);
	} else {
		buf_str(path, "/var/lib");
	}
	buf_str(path, "/itemfs/");
}

/* Append the endpoint as one component, without its scheme and trailing slashes. */
static void
state_put_name(struct buf *path, const char *name)
{
	const char *scheme = strstr(name, "://");
	struct slice rest = slice_from(scheme == NULL ? name : scheme + 3);

	while (rest.len > 0 && rest.at[rest.len - 1] == '/') {
		rest.len--;
	}
	for (size_t i = 0; i < rest.len; i++) {
		buf_char(path, rest.at[i] == '/' ? '_' : rest.at[i]);
	}
}

/* Make @path and its parents, unless they exist. */
static int
make_folders(char *path)
{
	for (char *at = path + 1; *at != '\0'; at++) {
		if (*at == '/') {
			*at = '\0';
			int r = mkdir(path, 0700);

			*at = '/';
			if (r != 0 && errno != EEXIST) {
				return r;
			}
		}
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

const char *
state_name(struct call *c, const char *name)
{
	struct buf path;

	buf_init(&path, &c->arena);
	put_top(&path);
	state_put_name(&path, name);
	return slice_cstr(&c->arena, buf_view(&path));
}

int
state_make(struct call *c, const char *path)
{
	char *folder = (char *)slice_cstr(&c->arena, slice_from(path));

	return make_folders(folder) == 0 ? trust_check(c, path)
					 : call_fail(c, ERR_IO, "%s: %m", path);
}

int
state_pin(struct call *c, const char *dir, int *at, char **out)
{
	char path[PINNED_BYTES];
	int r = trust_open(c, dir, at);

	if (r == 0) {
		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", *at);
		*out = mem_string(access(path, F_OK) == 0 ? path : dir);
	}
	return r;
}

char *
state_path(const char *dir, const char *name)
{
	struct buf path;

	buf_init(&path, NULL);
	buf_fmt(&path, "%s/%s", dir, name);
	buf_char(&path, '\0');
	return path.at;
}
