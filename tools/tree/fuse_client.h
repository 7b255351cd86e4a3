/*
 * fuse_client - the other end of a mount's connection: sends requests of the FUSE protocol in place of the kernel
 *
 * One request at a time is under way.  Nothing is cached.  The functions return 0 or an errno, and ENOTCONN once the
 * connection has ended.
 */
#ifndef TOOLS_TREE_FUSE_CLIENT_H
#define TOOLS_TREE_FUSE_CLIENT_H

#include <linux/fuse.h>
#include <stdbool.h>

#include "store/base/core/slice.h"

enum { FUSE_CLIENT_PIECE = 128 * 1024 }; /* bytes per READ, as of the kernel */

struct fuse_client {
	int fd; /* a socket with messages */
	uint64_t unique;
	char *reply; /* the header of the last reply, and its data */
};

struct fuse_client_file {
	uint64_t node;
	uint64_t handle;
	uint64_t at;    /* position of the next READ */
	bool generated; /* a short READ is not the end */
	bool over;
};

/** fuse_client_open - begin with the connection @fd, which is taken over, also on failure */
int fuse_client_open(struct fuse_client *f, int fd);

/** fuse_client_close - end the session; returns when the mount has ended, and the store too, if it was the last one */
void fuse_client_close(struct fuse_client *f);

/** fuse_client_lookup - find a name; *out counts as one lookup for fuse_client_forget() */
int fuse_client_lookup(struct fuse_client *f, uint64_t directory, struct slice name,
		       struct fuse_entry_out *out);

/** fuse_client_forget - end @n lookups of a node; nothing for the root */
void fuse_client_forget(struct fuse_client *f, uint64_t node, uint64_t n);

/** fuse_client_attributes - the attributes of a node */
int fuse_client_attributes(struct fuse_client *f, uint64_t node, struct fuse_attr *out);

/** fuse_client_open_file, fuse_client_open_directory - OPEN or OPENDIR; closed by fuse_client_close_file() */
int fuse_client_open_file(struct fuse_client *f, uint64_t node, struct fuse_client_file *out);
int fuse_client_open_directory(struct fuse_client *f, uint64_t node, struct fuse_client_file *out);
void fuse_client_close_file(struct fuse_client *f, struct fuse_client_file *file, bool directory);

/** fuse_client_read - the next bytes of a file, valid until the next call; empty at the end */
int fuse_client_read(struct fuse_client *f, struct fuse_client_file *file, struct slice *out);

/**
 * fuse_client_entries - the next entries of a directory, for fuse_client_entry(); empty at the end
 * @plus: with attributes; each entry but "." and ".." then counts as one lookup
 */
int fuse_client_entries(struct fuse_client *f, struct fuse_client_file *directory, bool plus,
			struct slice *out);

struct fuse_client_entry {
	struct slice name;
	uint32_t type;               /* DT_* */
	struct fuse_entry_out found; /* with @plus; nodeid 0: no attributes */
};

/** fuse_client_entry - take an entry; @directory continues after it; Return: false at the end of @entries */
bool fuse_client_entry(struct fuse_client_file *directory, struct slice *entries, bool plus,
		       struct fuse_client_entry *out);

#endif
