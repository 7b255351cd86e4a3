/*
 * stage - a mount without a kernel over an engine in memory: what the files of fs do below the
 * FUSE requests
 *
 * Tables: "tab" PK:S SK:S with the index gsi G:S H:S; "sim" PK:S.
 */
#ifndef TESTS_FS_STAGE_H
#define TESTS_FS_STAGE_H

#include "fs/file/handle.h"

#include "tests/support/scene.h"

struct stage {
	struct hub *hub;
	struct mount *m;     /* all tables */
	struct mount *other; /* the same again */
	char dir[64];        /* the store's, for rejected texts */
};

extern struct stage stage;

void stage_open(void);
void stage_close(void);

/** stage_clean - a call without an error and without memory */
struct call *stage_clean(void);

/** stage_node - the node at @path, walked down as the kernel does; it need not exist */
struct node *stage_node(struct mount *m, const char *path);

/** stage_names - what readdir shows of @path, one name a line */
const char *stage_names(struct mount *m, const char *path);

/** stage_text - what a READ of the file gives, "-" when there is none */
const char *stage_text(struct mount *m, const char *path);

/** stage_rename - a rename in stage.m, after the kernel has looked both names up; Return: as ops_move() */
int stage_rename(const char *from_dir, const char *from, const char *to_dir, const char *to,
		 unsigned flags) __attribute__((warn_unused_result));

/** stage_unlink - an unlink in stage.m of an item or a scratch file; Return: as ops_unlink_item() */
int stage_unlink(const char *dir, const char *name) __attribute__((warn_unused_result));

#endif
