/* why_look - see why_look.h */
#include "tools/why/why_look.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "store/base/core/cleanup.h"
#include "store/base/system/folder.h"

static const struct why_look *why_look_own;

void
why_look_by(const struct why_look *look)
{
	why_look_own = look;
}

bool
why_look_is_own(void)
{
	return why_look_own != NULL;
}

mode_t
why_look_mode(const char *path)
{
	struct stat st;

	if (why_look_own != NULL) {
		return why_look_own->mode(why_look_own->arg, path);
	}
	return lstat(path, &st) == 0 ? st.st_mode : 0;
}

bool
why_look_list(const char *path, why_look_each each, void *to)
{
	if (why_look_own != NULL) {
		return why_look_own->list(why_look_own->arg, path, each, to);
	}
	cleanup(cleanup_dir) DIR *dir = opendir(path);
	const char *name;

	while ((name = folder_next(dir)) != NULL && each(to, slice_from(name))) {
	}
	return dir != NULL;
}

void
why_look_read(const char *path, size_t most, struct buf *out)
{
	if (why_look_own != NULL) {
		why_look_own->read(why_look_own->arg, path, most, out);
		return;
	}
	FILE *f = fopen(path, "re");
	char piece[4096];
	size_t n = f != NULL;

	while (n > 0 && out->len < most) {
		n = fread(piece, 1, sizeof(piece), f);
		buf_slice(out, slice_of(piece, n));
	}
	if (f != NULL) {
		(void)fclose(f);
	}
}
