/*
 * ops - the FUSE requests, one short function each: resolve, execute, reply
 *
 *   ops_name.c    lookup forget getattr statfs unlink link symlink mknod
 *   ops_attr.c    setattr
 *   ops_dir.c     opendir readdir readdirplus releasedir fsyncdir mkdir rmdir
 *   ops_file.c    open create read write
 *   ops_save.c    flush release fsync
 *   ops_made.c    poll; open and read of files that are no items
 *   ops_rename.c  rename of items;  ops_move.c of partitions;  ops_scratch.c of scratch files
 *
 * Not there, so that the kernel is told ENOSYS once and does it alone or leaves
 * it: xattr (a request for each write otherwise), locks, ioctl, lseek,
 * copy_file_range, fallocate, access (default_permissions).
 */
#ifndef FS_OPS_OPS_H
#define FS_OPS_OPS_H

#include "fs/file/handle.h"
#include "fs/file/request.h"

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

/* ------------------------------------------------------------ shared by them */

/** ops_stat_child - facts of a child that may or may not exist; 0, PLACE_ABSENT, error
 *
 * @unstable: has it an open writer?
 */
int ops_stat_child(struct request *rq, struct node *dir, const struct child *child,
		   struct facts *out, bool *unstable) __attribute__((warn_unused_result));

/** ops_entry - count one lookup of a child and fill in what the kernel is told of it */
struct node *ops_entry(struct request *rq, struct node *dir, const struct child *child,
		       const struct facts *facts, bool unstable, struct fuse_entry_param *out);

/** ops_handle - what open gave the kernel */
struct handle *ops_handle(const struct fuse_file_info *fi);

/** ops_reply_open - answer OPEN with @h; closes it when nobody is there any more */
void ops_reply_open(struct request *rq, struct handle *h, struct fuse_file_info *fi);

/** ops_is_made - is it a file that is no item, and made when it is opened? */
bool ops_is_made(const struct node *n);

/** ops_open_made, ops_read_made - OPEN and READ of such a file */
void ops_open_made(struct request *rq, struct node *n, const struct place *p,
		   struct fuse_file_info *fi);
void ops_read_made(fuse_req_t req, const struct handle *h, size_t size, size_t off,
		   const struct fuse_file_info *fi);

/** ops_partition_emptied - show the partition on, if its last item was removed through this mount
 */
void ops_partition_emptied(struct request *rq, struct node *dir, const struct place *p);

/** ops_unlink_item, ops_unlink_scratch - the child of this kind is removed; PLACE_ABSENT */
int ops_unlink_item(struct request *rq, struct node *dir, const struct child *child)
	__attribute__((warn_unused_result));
int ops_unlink_scratch(struct request *rq, struct node *dir, const struct child *child)
	__attribute__((warn_unused_result));

/* Both ends of a rename. */
struct move {
	struct node *from_dir, *to_dir;
	struct place from_place, to_place; /* of the directories */
	struct child from, to;
	struct node *from_node, *to_node; /* while it is moved; NULL: the kernel knows none */
	const char *from_name, *to_name;
	unsigned flags; /* enum move_flags */
};

/* Not in the headers of every C library. */
enum move_flags { MOVE_NOREPLACE = 1, MOVE_EXCHANGE = 2 };

/** ops_move_ends - find out what both names stand for; 0, an outcome, or the engine's error */
int ops_move_ends(struct request *rq, struct move *mv) __attribute__((warn_unused_result));

/** ops_move - rename what the ends are: the newest of it, whatever other doors do meanwhile */
int ops_move(struct request *rq, struct move *mv) __attribute__((warn_unused_result));

/** ops_move_partition - every item in one transaction; PLACE_CHANGED too */
int ops_move_partition(struct request *rq, struct move *mv) __attribute__((warn_unused_result));

/** ops_move_scratch - a scratch file gets another name, or becomes an item */
int ops_move_scratch(struct request *rq, struct move *mv) __attribute__((warn_unused_result));

/** ops_scratch_moved - the directory has another name: what was saved of scratch files in it has the old one */
void ops_scratch_moved(struct request *rq, const struct node *dir);

enum table_change { TABLE_MAKE, TABLE_FILL, TABLE_ITEMS, TABLE_DROP, TABLE_RENAME };

/** ops_table_command - what makes, fills, drops or renames (@to) a table, which no directory does: a sentence of the call's */
const char *ops_table_command(struct request *rq, enum table_change change, const char *name,
			      const char *to);

/** ops_hide - an item becomes a scratch file */
int ops_hide(struct request *rq, struct move *mv) __attribute__((warn_unused_result));

/** ops_text_of_replaced - the text of an item that is about to be replaced, if somebody has it open; @n may be NULL */
int ops_text_of_replaced(struct request *rq, const struct node *n, const struct place *p,
			 struct buf *text) __attribute__((warn_unused_result));

/** ops_let_go - it was replaced: its open handles go on with @text */
void ops_let_go(struct request *rq, struct node *n, struct slice text);

/** ops_is_new_file - is it created and not yet committed? @n may be NULL */
bool ops_is_new_file(struct request *rq, struct node *n);

/**
 * ops_transact - the transaction of a rename
 * @target: the action that finds its item in the way, if its condition is false; @n: none does
 *
 * Return: 0, PLACE_EXISTS (the target), PLACE_CHANGED (another action), or the engine's error
 */
int ops_transact(struct request *rq, const struct transact_action *actions, size_t n, size_t target)
	__attribute__((warn_unused_result));

/** ops_committed - a text of @n became an item: its directory and the other mounts have to know */
void ops_committed(struct request *rq, struct node *n, uint64_t seq);

/** ops_dir_of_changed - the same of the one that @n is in; @seq: of the commit; 0: there was none */
void ops_dir_of_changed(struct request *rq, struct node *n, uint64_t seq);

/** ops_make_durable - everything that was acknowledged so far; 0 or error */
int ops_make_durable(struct request *rq);

/** ops_moved - the node's item has other bytes than the kernel knows: its attributes are asked anew
 */
void ops_moved(struct request *rq, struct node *n);

/** ops_take_access_times - files that were moved keep theirs; before the kernel is told to ask for attributes anew */
void ops_take_access_times(struct request *rq, const struct move *mv);

/** ops_settle_file - commit an open text before its item is moved; 0 or error */
int ops_settle_file(struct request *rq, struct node *n) __attribute__((warn_unused_result));

#endif
