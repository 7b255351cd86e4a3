/*
 * special - .itemfs at the root of a mount: what it says of itself; read-only
 *
 *   README  version  config.json  stats.json  errors  rejected/NAME
 */
#ifndef FS_SPECIAL_H
#define FS_SPECIAL_H

#include "fs/mount_int.h"

#define SPECIAL_NAME ".itemfs"

struct facts;

/** special_stat - what is at @path below .itemfs ("" itself); 0 or PLACE_ABSENT */
int special_stat(struct mount *m, struct call *c, struct slice path, struct facts *out)
	__attribute__((warn_unused_result));

/** special_text - the contents of the file at @path; 0, PLACE_ABSENT, -ERR_IO */
int special_text(struct mount *m, struct call *c, struct slice path, struct buf *out)
	__attribute__((warn_unused_result));

/** special_list - the names in the directory at @path */
size_t special_list(struct mount *m, struct arena *a, struct slice path, struct slice **names);

/** special_is_dir - is @name in the directory @path one itself? */
bool special_is_dir(struct slice path, struct slice name);

#endif
