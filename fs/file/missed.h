/*
 * missed - names that were looked up and are not there, and look like a mistake: a line in .itemfs/errors
 *
 * Programs look for many names that are not there, so only these are told of: a name in .itemfs, an index, a table whose
 * name is near another one, a clause as others call it, an item's name without its suffix, and a partition until mkdir
 * makes it.  They have a log of their own, in which the newest REFUSED_ANSWERS_MAX of a store stay.
 */
#ifndef FS_FILE_MISSED_H
#define FS_FILE_MISSED_H

#include "fs/file/request.h"

/** missed_note - there is no @name in the directory @dir, which stands for @place; @odd: no key has this name, and the call failed with the reason */
void missed_note(struct request *rq, struct node *dir, const struct place *place, struct slice name,
		 bool odd);

/** missed_quotes - likewise of a .filter in the directory @dir that compares with a word which may be a text without its quotes; it is done */
void missed_quotes(struct request *rq, struct node *dir, struct slice expression);

#endif
