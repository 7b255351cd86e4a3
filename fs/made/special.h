/*
 * special - the files of .itemfs at the root of a mount, which describe it; read-only
 *
 *   README  version  config.json  stats.json  errors  rejected/NAME
 */
#ifndef FS_MADE_SPECIAL_H
#define FS_MADE_SPECIAL_H

#include "fs/core/mount_int.h"
#include "fs/place/place_stat.h"

/** special_stat - the attributes of @path below .itemfs ("" itself); 0 or PLACE_ABSENT */
int special_stat(struct mount *m, struct call *c, struct slice path, struct attributes *out)
	must_check;

/** special_open - check that the file may be read, and make its text, unless it is a rejected one; 0, PLACE_ABSENT */
int special_open(struct mount *m, struct call *c, struct slice path, struct buf *out) must_check;

/** special_read - bytes of a rejected text, of which special_open() gives no text; 0, PLACE_GONE, -ERR_IO */
int special_read(struct mount *m, struct call *c, struct slice path, size_t offset, size_t size,
		 struct slice *out) must_check;

/** special_list - the names in the directory @path that the call's user may see; Return: their number */
size_t special_list(struct mount *m, struct call *c, struct slice path, struct slice **names);

/** special_is_dir - Return: whether @name in the directory @path is a directory */
bool special_is_dir(struct slice path, struct slice name);

#endif
