/*
 * stage - a fixture: a mount without a kernel over an engine in memory
 *
 * It tests the code of fs below the FUSE requests.
 *
 * Tables: "tab" PK:S SK:S with the index gsi G:S H:S; "sim" PK:S.
 */
#ifndef TESTS_FS_STAGE_H
#define TESTS_FS_STAGE_H

#include "fs/file/handle.h"

#include "tests/support/fixture.h"

struct stage {
	struct hub *hub;
	struct mount *m;     /* all tables */
	struct mount *other; /* the same again */
	char dir[64];        /* the store's directory, for rejected texts */
};

extern struct stage stage;

void stage_open(void);
void stage_close(void);

/** stage_clean - return the fixture's call, with its error and memory cleared */
struct call *stage_clean(void);

/** stage_node - return the node at @path, looked up by components as the kernel does; it need not exist */
struct node *stage_node(struct mount *m, const char *path);

/** stage_names - return what readdir lists for @path, one name per line */
const char *stage_names(struct mount *m, const char *path);

/** stage_text - return what a READ of the file returns, "-" if the file does not exist */
const char *stage_text(struct mount *m, const char *path);

/** stage_rename - rename in stage.m, after looking both names up as the kernel does; Return: as ops_move() */
int stage_rename(const char *from_dir, const char *from, const char *to_dir, const char *to,
		 unsigned flags) __attribute__((warn_unused_result));

/** stage_unlink - unlink an item or a scratch file in stage.m; Return: as ops_unlink_item() */
int stage_unlink(const char *dir, const char *name) __attribute__((warn_unused_result));

#endif
