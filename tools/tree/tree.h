/*
 * tree - the paths of a mount without a mount: starts itemfs, which serves the mount's requests on a socket
 *
 * itemfs opens the store or endpoint, or joins the process that has the store open, as for a mount.
 */
#ifndef TOOLS_TREE_TREE_H
#define TOOLS_TREE_TREE_H

#include <sys/types.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

#include "tools/tree/fuse_client.h"

struct ctl;

struct tree {
	struct fuse_client client;
	pid_t pid; /* of the itemfs that was started */
};

/* What is at a path, and the nodes on the way to it */
struct tree_at {
	struct fuse_attr attr;
	uint64_t node;
	uint64_t *way;
	size_t n;
};

/**
 * tree_open - begin to read the store of this run
 *
 * Return: 0; > 0: the exit status of itemfs, which has printed the reason
 * Errors: -ERR_USAGE  no store is named; -ERR_IO; those of store_open() if there is no store
 */
int tree_open(struct ctl *ctl, struct call *c, struct tree *t) must_check;

/** tree_close - end; the store is closed when this returns, unless other mounts use it */
void tree_close(struct tree *t);

/**
 * tree_find - look up a path, whose first '/' means nothing
 *
 * Return: 0, and *out is valid until tree_leave(); an errno
 */
int tree_find(struct tree *t, struct call *c, struct slice path, struct tree_at *out);

/** tree_leave - end what tree_find() has found */
void tree_leave(struct tree *t, const struct tree_at *at);

/** tree_is_directory - Return: whether tree_find() has found a directory */
bool tree_is_directory(const struct tree_at *at);

/** tree_read - append the beginning of a file, about @most bytes; nothing if it cannot be read */
void tree_read(struct tree *t, const struct tree_at *at, size_t most, struct buf *out);

/* A directory that is being read.  Its entries are copied, since requests in between overwrite them. */
struct tree_reader {
	struct fuse_client_file directory;
	bool plus;
	struct buf page;
	struct slice rest;
	struct fuse_client_entry entry;
};

/**
 * tree_reader_open - begin to read a directory
 * @plus: with the attributes of the entries, which the caller forgets (fuse_client_forget())
 *
 * Return: 0, then tree_reader_close() is due; an errno
 */
int tree_reader_open(struct tree *t, uint64_t node, bool plus, struct tree_reader *r);
void tree_reader_close(struct tree *t, struct tree_reader *r);

/** tree_reader_next - read the next entry to @r->entry, "." and ".." among them; Return: 0; an errno; -1 at the end */
int tree_reader_next(struct tree *t, struct tree_reader *r);

/**
 * tree_why - append why a path is refused: the line of the mount's log, or what why_path() says of a missing name
 * @e: the errno
 */
void tree_why(struct tree *t, struct call *c, struct slice path, int e, struct buf *out);

#endif
