/* no_file - see no_file.h */
#include "tools/system/no_file.h"

#include "store/base/text/near.h"

#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

/* A name in @dir that is similar to @name, or, if @stems, differs only in its suffix; empty if there is none */
static struct slice
no_file_near(struct call *c, const char *dir, struct slice name, bool stems)
{
	const char *dot = slice_rchr(name, '.');
	struct slice same = {0}; /* up to the suffix */
	struct dirent **list = NULL;
	int n = scandir(dir, &list, NULL, alphasort);

	size_t stem = dot == NULL || dot == name.at ? name.len : (size_t)(dot + 1 - name.at);
	struct near near = near_start(name);

	for (int i = 0; i < n; i++) {
		struct slice other = slice_copy(&c->arena, slice_from(list[i]->d_name));

		if (other.at[0] != '.') {
			near_try(&near, other);
			same = stems && same.len == 0 && dot != NULL &&
					       slice_starts(other, slice_of(name.at, stem))
				       ? other
				       : same;
		}
		free(list[i]);
	}
	free(list);
	return near.best.len > 0 ? near.best : same;
}

const char *
no_file_meant(struct call *c, const char *name)
{
	const char *slash = strrchr(name, '/');

	if (slash != NULL && slash[1] != '\0' && access(slash + 1, F_OK) == 0) {
		return slash + 1;
	}
	struct buf path = {.arena = &c->arena};
	for (const char *at = name; *at != '\0';) {
		size_t n = strcspn(at, "/");
		size_t before = path.len;
		struct slice part = slice_of(at, n);
		const char *dir = before == 0 ? "." : slice_cstr(&c->arena, buf_view(&path));

		buf_slice(&path, part);
		if (n > 0 && access(slice_cstr(&c->arena, buf_view(&path)), F_OK) != 0) {
			path.len = before;
			part = no_file_near(c, dir, part, true);
			if (part.len == 0) {
				return NULL;
			}
			buf_slice(&path, part);
		}
		at += n;
		n = strspn(at, "/");
		buf_put(&path, at, n);
		at += n;
	}
	return slice_cstr(&c->arena, buf_view(&path));
}

/* Fail with the message of errno @e and, if not empty, a second line. */
static int
no_file_say(struct call *c, const char *name, int e, const struct buf *line)
{
	enum err code = error_of_path(e);

	return call_fail(c, code == ERR_VALIDATION ? ERR_USAGE : code, "%s: %s%s%.*s",
			 *name == '\0' ? "\"\"" : name, strerrordesc_np(e),
			 line->len == 0 ? "" : "\n", SLICE_ARG(buf_view(line)));
}

bool
no_file_line(struct call *c, const char *name, struct buf *out)
{
	const char *meant =
		*name == '\0' || access(name, F_OK) == 0 ? NULL : no_file_meant(c, name);
	struct near near = {.typed = slice_from(name),
			    .best = slice_from(meant == NULL ? "" : meant)};

	/* If the line already has it, the words are in the wrong order. */
	return meant != NULL && !typed_line_has(meant) && typed_line_meant(out, &near);
}

/* The folders of programs; without PATH those of posix_spawnp(3) */
static const char *
no_file_path(void)
{
	const char *path = getenv("PATH"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */

	return path == NULL ? "/bin:/usr/bin" : path;
}

/* Take the next directory of a value of PATH; NULL after the last one.  An empty entry is the working directory. */
static const char *
no_file_folder(struct call *c, const char **path)
{
	if (*path == NULL) {
		return NULL;
	}
	struct slice dir = slice_of(*path, strcspn(*path, ":"));

	*path = dir.at[dir.len] == ':' ? dir.at + dir.len + 1 : NULL;
	return dir.len == 0 ? "." : slice_cstr(&c->arena, dir);
}

bool
no_file_runs(struct call *c, const char *name)
{
	const char *path = no_file_path();
	bool runs = false;
	const char *dir;

	if (strchr(name, '/') != NULL) {
		return access(name, X_OK) == 0;
	}
	while (!runs && (dir = no_file_folder(c, &path)) != NULL) {
		runs = access(arena_print(&c->arena, "%s/%s", dir, name), X_OK) == 0;
	}
	return runs;
}

int
no_file_behind(struct call *c, const char *name)
{
	struct buf b = {.arena = &c->arena};

	if (!no_file_runs(c, name) || !typed_line_insert(&b, slice_from(name), SLICE("--"))) {
		return 0;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "put a program and its options after --: %.*s",
			 SLICE_ARG(buf_view(&b)));
}

bool
no_file_program(struct call *c, const char *name, struct buf *out)
{
	struct near near = near_start(slice_from(name));
	const char *path = no_file_path();
	const char *dir;

	while (strchr(name, '/') == NULL && (dir = no_file_folder(c, &path)) != NULL) {
		near_try(&near, no_file_near(c, dir, near.typed, false));
	}
	return near.best.len > 0 && typed_line_meant(out, &near);
}

int
no_file(struct call *c, const char *name)
{
	int e = errno;
	struct buf line = {.arena = &c->arena};

	if (e == ENOENT) {
		(void)no_file_line(c, name, &line);
	}
	return no_file_say(c, name, e, &line);
}

int
no_file_made(struct call *c, const char *name)
{
	int e = errno;
	const char *slash = strrchr(name, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - name);
	struct buf line = {.arena = &c->arena};
	struct buf typed = {.arena = &c->arena};

	if (e == ENOENT && n > 0 && access(slice_cstr(&c->arena, slice_of(name, n)), F_OK) != 0 &&
	    typed_line_with(&typed, slice_from(name), slice_from(name))) {
		fmt_shell(&line, "create the folder first: mkdir -p %", slice_of(name, n));
		buf_fmt(&line, " && %.*s", SLICE_ARG(buf_view(&typed)));
	}
	return no_file_say(c, name, e, &line);
}
