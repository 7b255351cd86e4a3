/* options_other - see options_other.h */
#include "fs/options_other.h"

#include <stddef.h>
#include <string.h>

#define OPTIONS_OTHER_CACHE \
	"leave it out; -o timeout=SEC is the kernel's cache time of names and attributes"
#define OPTIONS_OTHER_ENDPOINT "a server is the STORE: itemfs http://HOST:PORT MOUNTPOINT"
#define OPTIONS_OTHER_ROOT "-o allow_other lets all other users in, root too"
#define OPTIONS_OTHER_BACKGROUND \
	"leave it out; itemfs always goes to the background, except with -f"

static const struct {
	const char *name;
	const char *advice;
} options_other_rows[] = {
	{"reconnect", "leave it out; the mount of a server always reconnects"},
	{"nonempty", "leave it out; the mount point may have files, which the mount hides"},
	{"big_writes", "leave it out; writes are always big"},
	{"kernel_cache", OPTIONS_OTHER_CACHE},
	{"auto_cache", OPTIONS_OTHER_CACHE},
	{"cache", OPTIONS_OTHER_CACHE},
	{"noauto_cache", OPTIONS_OTHER_CACHE},
	{"direct_io", OPTIONS_OTHER_CACHE},
	{"attr_timeout", OPTIONS_OTHER_CACHE},
	{"entry_timeout", OPTIONS_OTHER_CACHE},
	{"vfs-cache-mode", OPTIONS_OTHER_CACHE},
	{"dir-cache-time", OPTIONS_OTHER_CACHE},
	{"follow_symlinks", "leave it out; a mount has no symbolic links"},
	{"transform_symlinks", "leave it out; a mount has no symbolic links"},
	{"idmap", "-o uid=N,gid=N,umask=M are the owner and mode shown"},
	{"gsi", "-o table=TABLE,index=NAME"},
	{"lsi", "-o table=TABLE,index=NAME"},
	{"endpoint", OPTIONS_OTHER_ENDPOINT},
	{"endpoint-url", OPTIONS_OTHER_ENDPOINT},
	{"url", OPTIONS_OTHER_ENDPOINT},
	{"store", "the store is the first word: itemfs STORE MOUNTPOINT"},
	{"region", "itemfs dynamodb:REGION MOUNTPOINT"},
	{"profile", "AWS_PROFILE=NAME itemfs dynamodb:REGION MOUNTPOINT"},
	{"daemon", OPTIONS_OTHER_BACKGROUND},
	{"background", OPTIONS_OTHER_BACKGROUND},
	{"foreground", "-f"},
	{"unmount", "fusermount3 -u MOUNTPOINT"},
	{"umount", "fusermount3 -u MOUNTPOINT"},
	{"allow-other", "-o allow_other"},
	{"allow-root", OPTIONS_OTHER_ROOT},
	{"allow_root", OPTIONS_OTHER_ROOT},
	{"default-permissions", "-o default_permissions"},
};

const char *
options_other(const char *name)
{
	for (size_t i = 0; i < sizeof(options_other_rows) / sizeof(options_other_rows[0]); i++) {
		if (strcmp(options_other_rows[i].name, name) == 0) {
			return options_other_rows[i].advice;
		}
	}
	return NULL;
}
