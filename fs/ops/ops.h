/*
 * ops - the FUSE requests, one short function each: resolve, execute, reply
 *
 *   ops_name.c       lookup forget getattr statfs link symlink mknod
 *   ops_unlink.c     unlink
 *   ops_attr.c       setattr
 *   ops_dir.c        fsyncdir mkdir rmdir
 *   ops_readdir.c    opendir readdir readdirplus releasedir
 *   ops_file.c       open create read write
 *   ops_save.c       flush release fsync
 *   ops_made.c       poll; open and read of generated files
 *   ops_rename.c     rename
 *   ops_move_item.c  rename of items;  ops_move.c of partitions;  ops_scratch.c of scratch files
 *
 * These requests have no function: xattr, locks, ioctl, lseek, copy_file_range, fallocate, and access (because of
 * default_permissions).  libfuse answers the first of each with ENOSYS; from then on the kernel implements the
 * operation itself or fails it.  With a function for xattr the kernel would send a request for each write.
 */
#ifndef FS_OPS_OPS_H
#define FS_OPS_OPS_H

#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/place/place_stat.h"

void ops_lookup(fuse_req_t req, fuse_ino_t parent, const char *name);
void ops_forget(fuse_req_t req, fuse_ino_t ino, uint64_t nlookup);
void ops_forget_multi(fuse_req_t req, size_t count, struct fuse_forget_data *forgets);
void ops_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi);
void ops_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *attr, int to_set,
		 struct fuse_file_info *fi);
void ops_statfs(fuse_req_t req, fuse_ino_t ino);
void ops_unlink(fuse_req_t req, fuse_ino_t parent, const char *name);
void ops_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t parent, const char *name);
void ops_symlink(fuse_req_t req, const char *target, fuse_ino_t parent, const char *name);
void ops_mknod(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode, dev_t rdev);

void ops_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi);
void ops_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi);
void ops_readdirplus(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off,
		     struct fuse_file_info *fi);
void ops_releasedir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi);
void ops_fsyncdir(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi);
void ops_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode);
void ops_rmdir(fuse_req_t req, fuse_ino_t parent, const char *name);

void ops_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi);
void ops_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
		struct fuse_file_info *fi);
void ops_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi);
void ops_poll(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi,
	      struct fuse_pollhandle *ph);
void ops_write(fuse_req_t req, fuse_ino_t ino, const char *bytes, size_t size, off_t off,
	       struct fuse_file_info *fi);
void ops_flush(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi);
void ops_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi);
void ops_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi);

void ops_rename(fuse_req_t req, fuse_ino_t parent, const char *name, fuse_ino_t new_parent,
		const char *new_name, unsigned flags);

/* ------------------------------------------------------------ shared by the files of this room */

/**
 * ops_stat_child - attributes of a child that may or may not exist
 * @unstable: set to true if the kernel must not cache them, for instance because of an open writer
 *
 * Return: 0, PLACE_ABSENT, or the engine's error
 */
int ops_stat_child(struct request *rq, struct node *dir, const struct child *child,
		   struct attributes *out, bool *unstable) must_check;

/**
 * ops_entry - count one lookup of a child, and fill in the entry for the kernel
 *
 * Return: the child's node.  If the kernel does not get the entry, the caller calls inode_forget().
 */
struct node *ops_entry(struct request *rq, struct node *dir, const struct child *child,
		       const struct attributes *attributes, bool unstable,
		       struct fuse_entry_param *out);

/** ops_handle - the handle that OPEN or CREATE gave to the kernel */
struct handle *ops_handle(const struct fuse_file_info *fi);

/** ops_reply_open - answer OPEN with @h; closes @h if the answer cannot be delivered */
void ops_reply_open(struct request *rq, struct handle *h, struct fuse_file_info *fi);

/** ops_is_made - Return: whether it is a generated file */
bool ops_is_made(const struct node *n);

/** ops_open_made, ops_read_made - answer OPEN and READ of a generated file */
void ops_open_made(struct request *rq, struct node *n, const struct place *p,
		   struct fuse_file_info *fi);
void ops_read_made(fuse_req_t req, const struct handle *h, size_t size, size_t off,
		   const struct fuse_file_info *fi);

/** ops_unlink_item, ops_unlink_scratch - remove a child of this kind.  Return: 0, PLACE_ABSENT, or an error */
int ops_unlink_item(struct request *rq, struct node *dir, const struct child *child) must_check;
int ops_unlink_scratch(struct request *rq, struct node *dir, const struct child *child) must_check;

/* Both ends of a rename. */
struct move {
	struct node *from_dir, *to_dir;
	struct place from_place, to_place; /* of the directories */
	struct child from, to;
	struct node *from_node, *to_node; /* set during the move; NULL: the kernel knows none */
	const char *from_name, *to_name;
	unsigned flags; /* enum move_flags */
};

/* RENAME_NOREPLACE and RENAME_EXCHANGE, which not every C library declares. */
enum move_flags { MOVE_NOREPLACE = 1, MOVE_EXCHANGE = 2 };

/** ops_move_ends - resolve both names.  Return: 0, an outcome, or the engine's error */
int ops_move_ends(struct request *rq, struct move *mv) must_check;

/**
 * ops_move - carry out a rename
 *
 * Starts again, with the newest state, when another front end has changed what was read (10 attempts).
 * Return: 0, an outcome, or the engine's error; -ERR_CONFLICT: all attempts failed
 */
int ops_move(struct request *rq, struct move *mv) must_check;

/*
 * The renames of each kind.  mv->from_node is the moved node; only for an item it may be NULL.
 * Return: 0, an outcome, or the engine's error; PLACE_CHANGED: the caller tries again
 */

/** ops_move_item - rename an item, or exchange two items, in one transaction */
int ops_move_item(struct request *rq, struct move *mv) must_check;

/** ops_move_partition - rename a partition, or exchange two: all of their items in one transaction */
int ops_move_partition(struct request *rq, struct move *mv) must_check;

/** ops_move_scratch - give a scratch file another scratch name, or make it an item */
int ops_move_scratch(struct request *rq, struct move *mv) must_check;

/** ops_hide - make an item a scratch file, and hide it */
int ops_hide(struct request *rq, struct move *mv) must_check;

/** ops_scratch_moved - have copies of the scratch files in @dir written again, because the path of @dir has changed */
void ops_scratch_moved(struct request *rq, const struct node *dir);

/**
 * ops_refuse_name - refuse to make or remove @name in @dir: read-only, for the reason @why, or a reserved name
 * @why: NULL: there is no other reason
 *
 * Return: true if it was refused and answered
 */
bool ops_refuse_name(struct request *rq, struct node *dir, const struct place *p, const char *name,
		     const char *why) must_check;

enum table_change { TABLE_MAKE, TABLE_FILL, TABLE_ITEMS, TABLE_DROP, TABLE_RENAME };

/**
 * ops_table_command - a sentence with the command that makes, fills, drops or renames a table
 * @to: the new name of TABLE_RENAME, the table of TABLE_ITEMS; else unused
 *
 * The mount itself cannot change tables.  Memory: the call's
 */
const char *ops_table_command(struct request *rq, enum table_change change, const char *name,
			      const char *to);

/**
 * ops_text_of_replaced - append the text of the item at @p, which is about to be replaced, if its node @n is open
 * @n: may be NULL
 *
 * The caller holds names_lock for writing.
 * Return: 0, or the engine's error
 */
int ops_text_of_replaced(struct request *rq, const struct node *n, const struct place *p,
			 struct buf *text) must_check;

/**
 * ops_let_go - give @text to the open handles of @n, whose item was replaced; @n may be NULL
 *
 * The caller holds names_lock for writing.
 */
void ops_let_go(struct request *rq, struct node *n, struct slice text);

/** ops_is_new_file - Return: whether it is created and not yet committed; @n may be NULL */
bool ops_is_new_file(struct request *rq, struct node *n);

/**
 * ops_transact - write the transaction of a rename
 * @n:      number of actions, at least 1
 * @target: index of the action whose false condition means that the target exists; @n: no action's
 *
 * Return: 0, PLACE_EXISTS (condition of the target), PLACE_CHANGED (condition of another action), PLACE_ONE_BY_ONE, or
 * the engine's error
 */
int ops_transact(struct request *rq, const struct transact_action *actions, size_t n, size_t target)
	must_check;

/**
 * ops_committed - notify the kernel and the other mounts that a text of @n became an item
 * @seq: of the commit; 0: there was none
 */
void ops_committed(struct request *rq, struct node *n, uint64_t seq);

/** ops_dir_of_changed - update the time of the directory of @n; @seq: of the commit; 0: there was none */
void ops_dir_of_changed(struct request *rq, struct node *n, uint64_t seq);

/** ops_make_durable - make all acknowledged writes durable.  Return: 0, or the engine's error */
int ops_make_durable(struct request *rq);

/** ops_moved - have the kernel ask again for the node's attributes and pages, because a rename changed its text */
void ops_moved(struct request *rq, struct node *n);

/** ops_take_access_times - move the access times of files along with a rename; to be called before ops_moved() */
void ops_take_access_times(struct request *rq, const struct move *mv);

/** ops_settle_file - commit an open text before its item moves; @n may be NULL.  Return: 0, an outcome, or an error */
int ops_settle_file(struct request *rq, struct node *n) must_check;

#endif
