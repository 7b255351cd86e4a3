/*
 * special - .itemfs at the root of a mount: what it says of itself; read-only
 *
 *   README  version  config.json  stats.json  errors  rejected/NAME
 */
#ifndef FS_MADE_SPECIAL_H
#define FS_MADE_SPECIAL_H

#include "fs/core/mount_int.h"

struct facts;

/** special_stat - what is at @path below .itemfs ("" itself); 0 or PLACE_ABSENT */
int special_stat(struct mount *m, struct call *c, struct slice path, struct facts *out)
	__attribute__((warn_unused_result));

/** special_open - may the file at @path be read, and its text if that is made now; 0, PLACE_ABSENT */
int special_open(struct mount *m, struct call *c, struct slice path, struct buf *out)
	__attribute__((warn_unused_result));

/** special_read - bytes of one that special_open() has given no text of; 0, PLACE_GONE, -ERR_IO */
int special_read(struct mount *m, struct call *c, struct slice path, size_t offset, size_t size,
		 struct slice *out) __attribute__((warn_unused_result));

/** special_text - the contents of the file at @path, but of rejected texts; 0, PLACE_ABSENT */
int special_text(struct mount *m, struct call *c, struct slice path, struct buf *out)
	__attribute__((warn_unused_result));

/** special_list - the names in the directory at @path that the call's user sees */
size_t special_list(struct mount *m, struct call *c, struct slice path, struct slice **names);

/** special_is_dir - is @name in the directory @path one itself? */
bool special_is_dir(struct slice path, struct slice name);

#endif
