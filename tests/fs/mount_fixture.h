/*
 * mount_fixture - a fixture: a mount without a kernel over an engine in memory
 *
 * It tests the code of fs below the FUSE requests.
 *
 * Tables: "tab" PK:S SK:S with the index gsi G:S H:S; "sim" PK:S.
 */
#ifndef TESTS_FS_MOUNT_FIXTURE_H
#define TESTS_FS_MOUNT_FIXTURE_H

#include "fs/file/handle.h"

#include "tests/support/fixture.h"

struct mount_fixture {
	struct hub *hub;
	struct mount *m;     /* all tables */
	struct mount *other; /* the same again */
	char dir[64];        /* the store's directory, for rejected texts */
};

extern struct mount_fixture mount_fixture;

void mount_fixture_open(void);
void mount_fixture_close(void);

/** mount_fixture_clean - return the fixture's call, with its error and memory cleared */
struct call *mount_fixture_clean(void);

/** mount_fixture_node - return the node at @path, looked up by components as the kernel does; it need not exist */
struct node *mount_fixture_node(struct mount *m, const char *path);

/** mount_fixture_names - return what readdir lists for @path, one name per line */
const char *mount_fixture_names(struct mount *m, const char *path);

/** mount_fixture_text - return what a READ of the file returns, "-" if the file does not exist */
const char *mount_fixture_text(struct mount *m, const char *path);

/** mount_fixture_rename - rename in mount_fixture.m, after looking both names up as the kernel does; Return: as ops_move() */
int mount_fixture_rename(const char *from_dir, const char *from, const char *to_dir, const char *to,
			 unsigned flags) must_check;

/** mount_fixture_unlink - unlink an item or a scratch file in mount_fixture.m; Return: as ops_unlink_item() */
int mount_fixture_unlink(const char *dir, const char *name) must_check;

#endif
