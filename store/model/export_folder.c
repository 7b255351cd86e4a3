/* export_folder - see export_folder.h; each manifest is written after its checksum, and the summary is the last file */
#include "store/model/export_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/private.h"
#include "store/base/system/write_all.h"
#include "store/base/text/md5.h"
#include "store/model/manifest.h"

enum { EXPORT_FOLDER_FILE = 0666 }; /* mask for a folder's mode: gives that of the files in it */

static int
export_folder_failed(struct call *c, const struct export_folder *f, const char *name, int e)
{
	enum err code = f->code_of == NULL ? error_of_path(e) : f->code_of(e);

	return call_fail(c, code, "%s: %s", name, strerrordesc_np(e));
}

/* Return: a descriptor; -1 with errno */
static int
export_folder_create(int dir, const char *name, mode_t mode)
{
	int fd =
		openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode & EXPORT_FOLDER_FILE);

	if (fd >= 0) {
		private_share(fd, mode & EXPORT_FOLDER_FILE);
	}
	return fd;
}

int
export_folder_put(struct call *c, const struct export_folder *f, const char *name,
		  struct slice bytes)
{
	cleanup(cleanup_fd) int fd = export_folder_create(f->dir, name, f->mode);
	int e = fd < 0 ? errno : write_all(fd, bytes);

	if (e == 0 && fsync(fd) < 0) {
		e = errno;
	}
	return e == 0 ? 0 : export_folder_failed(c, f, name, e);
}

int
export_folder_data(struct call *c, struct export_folder *f, struct slice id)
{
	int made = mkdirat(f->dir, MANIFEST_DATA, f->mode);
	cleanup(cleanup_fd) int dir =
		made < 0 ? -1
			 : openat(f->dir, MANIFEST_DATA,
				  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0) {
		return export_folder_failed(c, f, MANIFEST_DATA, errno);
	}
	private_share(dir, f->mode);
	struct buf name = {.arena = &c->arena};

	buf_fmt(&name, "%.*s.json.gz", SLICE_ARG(id));
	f->name = slice_cstr(&c->arena, buf_view(&name));
	int fd = export_folder_create(dir, f->name, f->mode);
	int e = fd < 0 || fsync(dir) < 0 ? errno : 0;

	if (e != 0) {
		cleanup_fd(&fd);
		return export_folder_failed(c, f, f->name, e);
	}
	return fd;
}

/* Return: the key of a file in the bucket */
static struct slice
export_folder_key(struct call *c, const struct export_folder *f, const char *folder,
		  const char *name)
{
	return slice_from(arena_print(&c->arena, "%.*s%s%s%s", SLICE_ARG(f->path),
				      f->path.len > 0 ? "/" : "", folder, name));
}

static int
export_folder_manifest(struct call *c, const struct export_folder *f, const char *name,
		       const char *sum_name, struct slice bytes)
{
	struct buf sum = {.arena = &c->arena};

	manifest_put_md5(&sum, bytes);
	int r = export_folder_put(c, f, sum_name, buf_view(&sum));

	return r < 0 ? r : export_folder_put(c, f, name, bytes);
}

int
export_folder_done(struct call *c, const struct export_folder *f, int fd, struct manifest *m)
{
	struct buf text = {.arena = &c->arena};
	struct manifest_file data = {.key = export_folder_key(c, f, MANIFEST_DATA "/", f->name),
				     .items = m->items};
	int e = lseek(fd, 0, SEEK_SET) < 0 ? errno : md5_of_file(fd, data.md5);

	if (e != 0 || fsync(fd) < 0) {
		return export_folder_failed(c, f, f->name, e != 0 ? e : errno);
	}
	manifest_put_file(&text, &data);
	int r = export_folder_manifest(c, f, MANIFEST_FILES ".json", MANIFEST_FILES ".md5",
				       buf_view(&text));

	m->files = export_folder_key(c, f, "", MANIFEST_FILES ".json");
	buf_clear(&text);
	manifest_put_summary(&text, m);
	r = r < 0 ? r
		  : export_folder_manifest(c, f, MANIFEST_SUMMARY ".json", MANIFEST_SUMMARY ".md5",
					   buf_view(&text));
	return r < 0 || fsync(f->dir) == 0 ? r : export_folder_failed(c, f, f->name, errno);
}
