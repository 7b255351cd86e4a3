/* options_other - advice on options and commands of other programs */
#include "store/base/text/shell_word.h"

#include "fs/daemon/options.h"

#define OPTIONS_OTHER_CACHE \
	"leave it out; -o timeout=SEC sets how long the kernel caches names and attributes"
#define OPTIONS_OTHER_ENDPOINT "give a server's URL as STORE: itemfs http://HOST:PORT MOUNTPOINT"
#define OPTIONS_OTHER_ROOT "-o allow_other gives all other users access, root included"

#define OPTIONS_OTHER_MAKE "to create a store, mount it: itemfs NEXT MOUNTPOINT --create"
#define OPTIONS_OTHER_LIST "to list the mounts: findmnt -t fuse.itemfs"

struct options_row {
	const char *name;
	const char *advice;
};

static const struct options_row options_other_rows[] = {
	{"cache", OPTIONS_OTHER_CACHE},
	{"noauto_cache", OPTIONS_OTHER_CACHE},
	{"direct_io", OPTIONS_OTHER_CACHE},
	{"attr_timeout", OPTIONS_OTHER_CACHE},
	{"entry_timeout", OPTIONS_OTHER_CACHE},
	{"vfs-cache-mode", OPTIONS_OTHER_CACHE},
	{"dir-cache-time", OPTIONS_OTHER_CACHE},
	{"follow_symlinks", "leave it out; a mount has no symbolic links"},
	{"transform_symlinks", "leave it out; a mount has no symbolic links"},
	{"idmap", "-o uid=N,gid=N,umask=M set the owner and mode shown"},
	{"gsi", "-o table=TABLE,index=NAME"},
	{"lsi", "-o table=TABLE,index=NAME"},
	{"endpoint", OPTIONS_OTHER_ENDPOINT},
	{"endpoint-url", OPTIONS_OTHER_ENDPOINT},
	{"url", OPTIONS_OTHER_ENDPOINT},
	{"store", "the store is the first argument: itemfs STORE MOUNTPOINT"},
	{"region", "itemfs dynamodb:REGION MOUNTPOINT"},
	{"profile", "AWS_PROFILE=NAME itemfs dynamodb:REGION MOUNTPOINT"},
	{"unmount", "fusermount3 -u MOUNTPOINT"},
	{"umount", "fusermount3 -u MOUNTPOINT"},
	{"allow-other", "-o allow_other"},
	{"allow-root", OPTIONS_OTHER_ROOT},
	{"allow_root", OPTIONS_OTHER_ROOT},
	{"default-permissions", "-o default_permissions"},
	{"create", "--create"},
};

/* NEXT is replaced by the next argument. */
static const struct options_row options_verbs[] = {
	{"umount", "to unmount NEXT: fusermount3 -u NEXT"},
	{"unmount", "to unmount NEXT: fusermount3 -u NEXT"},
	{"stop", "to unmount NEXT: fusermount3 -u NEXT"},
	{"create", OPTIONS_OTHER_MAKE},
	{"init", OPTIONS_OTHER_MAKE},
	{"mkfs", OPTIONS_OTHER_MAKE},
	{"new", OPTIONS_OTHER_MAKE},
	{"ls", OPTIONS_OTHER_LIST},
	{"list", OPTIONS_OTHER_LIST},
	{"status", OPTIONS_OTHER_LIST},
};

static const char *
options_row_find(const struct options_row *rows, size_t n, const char *name)
{
	while (n > 0 && strcmp(rows->name, name) != 0) {
		rows++;
		n--;
	}
	return n == 0 ? NULL : rows->advice;
}

const char *
options_other(const char *name)
{
	return options_row_find(options_other_rows,
				sizeof(options_other_rows) / sizeof(options_other_rows[0]), name);
}

/* Append @text, with @hole replaced by @word; NULL: it is not replaced. */
static void
options_fill(struct buf *b, const char *text, const char *hole, const char *word)
{
	for (const char *at; word != NULL && (at = strstr(text, hole)) != NULL;
	     text = at + strlen(hole)) {
		buf_put(b, text, (size_t)(at - text));
		shell_word(b, slice_from(word));
	}
	buf_str(b, text);
}

int
options_verb(struct call *c, const char *word, const char *next, const char *last)
{
	const char *text =
		access(word, F_OK) == 0
			? NULL
			: options_row_find(options_verbs,
					   sizeof(options_verbs) / sizeof(options_verbs[0]), word);
	struct buf half, b;

	if (text == NULL) {
		return 0;
	}
	buf_init(&half, &c->arena);
	buf_init(&b, &c->arena);
	options_fill(&half, text, "MOUNTPOINT", last);
	options_fill(&b, slice_cstr(&c->arena, buf_view(&half)), "NEXT",
		     next == NULL ? "STORE" : next);
	return call_fail(c, ERR_VALIDATION, "%s", slice_cstr(&c->arena, buf_view(&b)));
}

int
options_program(struct call *c, int argc, char *const *argv)
{
	static const char *const words[] = {
		"check",  "copy", "create-table", "delete", "describe", "drop",
		"export", "get",  "import",       "put",    "query",    "scan",
		"serve",  "sql",  "tables",       "tail",   "update",   "why",
	};
	size_t n = sizeof(words) / sizeof(words[0]);
	struct buf b;

	while (n > 0 && (argc < 2 || strcmp(argv[1], words[n - 1]) != 0)) {
		n--;
	}
	if (n == 0 || access(argv[1], F_OK) == 0) {
		return 0;
	}
	buf_init(&b, &c->arena);
	for (int i = 1; i < argc; i++) {
		buf_char(&b, ' ');
		shell_word(&b, slice_from(argv[i]));
	}
	return call_fail(c, ERR_VALIDATION,
			 "itemfs only mounts stores; this is a command of itemctl: itemctl%s",
			 slice_cstr(&c->arena, buf_view(&b)));
}
