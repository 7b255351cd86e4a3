/*
 * trivial - a minimal FUSE daemon: the peer of listings, opens and new files
 *
 *   trivial DIRS FILES MOUNTPOINT        runs in the foreground until it is unmounted
 *
 * It has DIRS directories PART#000, PART#001...; each has every DIRS-th of the files ITEM#00000000.json,
 * ITEM#00000001.json...  All files have the same content.  Nothing is stored: names are made from numbers.  New
 * directories and files get a number and are forgotten: no name leads to them.  The kernel may cache everything, and
 * it checks permissions, as with itemfs: after each new name it requests the attributes of the directory again.  One
 * thread answers, which is the fastest way.
 */
#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fuse_lowlevel.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char content[] =
	"{\"PK\":\"PART#000\",\"SK\":\"ITEM#00000000\",\"Status\":\"OPEN\",\"Total\":17,\"Note\":\"a line of text\"}\n";

enum { CACHE_S = 86400, NAME_BYTES = 32 };

static fuse_ino_t n_dirs;
static fuse_ino_t n_files;
static fuse_ino_t n_new; /* made since the start */

/* Inode numbers: 1 is the root, then the directories, then the files. */
static fuse_ino_t
dir_ino(fuse_ino_t dir)
{
	return 2 + dir;
}

static fuse_ino_t
file_ino(fuse_ino_t file)
{
	return 2 + n_dirs + file;
}

/* New directories have even numbers, new files odd ones. */
static fuse_ino_t
new_ino(bool is_dir)
{
	fuse_ino_t first = file_ino(n_files);

	return first + first % 2 + 2 * ++n_new + !is_dir;
}

static bool
is_dir(fuse_ino_t ino)
{
	return ino < file_ino(0) || (ino >= file_ino(n_files) && ino % 2 == 0);
}

static struct stat
stat_of(fuse_ino_t ino)
{
	struct stat st = {.st_ino = ino, .st_nlink = 1};

	if (is_dir(ino)) {
		st.st_mode = S_IFDIR | 0777;
	} else {
		st.st_mode = S_IFREG | 0666;
		st.st_size = ino < file_ino(n_files) ? sizeof(content) - 1 : 0;
	}
	return st;
}

static struct fuse_entry_param
entry_of(fuse_ino_t ino)
{
	return (struct fuse_entry_param){.ino = ino,
					 .attr = stat_of(ino),
					 .attr_timeout = CACHE_S,
					 .entry_timeout = CACHE_S};
}

static void
trivial_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param e = {.entry_timeout = CACHE_S};
	unsigned long i;

	if (parent == FUSE_ROOT_ID && sscanf(name, "PART#%lu", &i) == 1 && i < n_dirs) {
		e = entry_of(dir_ino(i));
	} else if (parent != FUSE_ROOT_ID && sscanf(name, "ITEM#%lu.json", &i) == 1 &&
		   i < n_files && dir_ino(i % n_dirs) == parent) {
		e = entry_of(file_ino(i));
	}
	(void)fuse_reply_entry(req, &e);
}

static void
trivial_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct stat st = stat_of(ino);

	(void)fi;
	(void)fuse_reply_attr(req, &st, CACHE_S);
}

/* Return the inode of the child at a position of a directory; 0: after the last one. */
static fuse_ino_t
child_at(fuse_ino_t dir, fuse_ino_t at, char *name)
{
	if (dir == FUSE_ROOT_ID) {
		(void)snprintf(name, NAME_BYTES, "PART#%03lu", (unsigned long)at);
		return at < n_dirs ? dir_ino(at) : 0;
	}
	fuse_ino_t file = at * n_dirs + (dir - dir_ino(0));

	if (dir >= file_ino(0)) {
		return 0;
	}
	(void)snprintf(name, NAME_BYTES, "ITEM#%08lu.json", (unsigned long)file);
	return file < n_files ? file_ino(file) : 0;
}

static void
list(fuse_req_t req, fuse_ino_t dir, size_t size, off_t off, bool plus)
{
	char *out = malloc(size);
	size_t used = 0;
	char name[NAME_BYTES];
	fuse_ino_t ino;

	while ((ino = child_at(dir, (fuse_ino_t)off, name)) != 0) {
		struct fuse_entry_param e = entry_of(ino);
		size_t n =
			plus ? fuse_add_direntry_plus(req, out + used, size - used, name, &e, ++off)
			     : fuse_add_direntry(req, out + used, size - used, name, &e.attr,
						 ++off);

		if (n > size - used) {
			break;
		}
		used += n;
	}
	(void)fuse_reply_buf(req, out, used);
	free(out);
}

static void
trivial_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	(void)fi;
	list(req, ino, size, off, false);
}

static void
trivial_readdirplus(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off,
		    struct fuse_file_info *fi)
{
	(void)fi;
	list(req, ino, size, off, true);
}

static void
trivial_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	(void)ino;
	fi->keep_cache = 1;
	fi->noflush = 1;
	(void)fuse_reply_open(req, fi);
}

static void
trivial_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	size_t len = sizeof(content) - 1;
	size_t from = (size_t)off < len ? (size_t)off : len;

	(void)ino;
	(void)fi;
	(void)fuse_reply_buf(req, content + from, size < len - from ? size : len - from);
}

/* ------------------------------------------------------------ what is new */

static void
trivial_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode)
{
	struct fuse_entry_param e = entry_of(new_ino(true));

	(void)parent;
	(void)name;
	(void)mode;
	(void)fuse_reply_entry(req, &e);
}

static void
trivial_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
	       struct fuse_file_info *fi)
{
	struct fuse_entry_param e = entry_of(new_ino(false));

	(void)parent;
	(void)name;
	(void)mode;
	(void)fuse_reply_create(req, &e, fi);
}

static void
trivial_write(fuse_req_t req, fuse_ino_t ino, const char *bytes, size_t size, off_t off,
	      struct fuse_file_info *fi)
{
	(void)ino;
	(void)bytes;
	(void)off;
	(void)fi;
	(void)fuse_reply_write(req, size);
}

static void
trivial_end(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	(void)ino;
	(void)fi;
	(void)fuse_reply_err(req, 0);
}

static void
trivial_remove(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	(void)parent;
	(void)name;
	(void)fuse_reply_err(req, 0);
}

static const struct fuse_lowlevel_ops ops = {
	.lookup = trivial_lookup,
	.getattr = trivial_getattr,
	.readdir = trivial_readdir,
	.readdirplus = trivial_readdirplus,
	.open = trivial_open,
	.read = trivial_read,
	.mkdir = trivial_mkdir,
	.create = trivial_create,
	.write = trivial_write,
	.flush = trivial_end,
	.release = trivial_end,
	.rmdir = trivial_remove,
};

int
main(int argc, char **argv)
{
	char permissions[] = "-odefault_permissions";
	char *words[] = {argv[0], permissions, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(2, words);

	n_dirs = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	n_files = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	if (n_dirs == 0 || n_files == 0) {
		(void)fprintf(stderr, "usage: trivial DIRS FILES MOUNTPOINT\n");
		return 2;
	}
	struct fuse_session *se = fuse_session_new(&args, &ops, sizeof(ops), NULL);

	if (se == NULL || fuse_session_mount(se, argv[3]) != 0) {
		return 1;
	}
	int status = fuse_session_loop(se);

	fuse_session_unmount(se);
	fuse_session_destroy(se);
	return status == 0 ? 0 : 1;
}
