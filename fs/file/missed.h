/*
 * missed - logs lookups of absent names that look like a mistake, in .itemfs/errors
 *
 * Programs look up many absent names, so only these are logged: a name in .itemfs, an index, a table whose name
 * resembles another one, a misspelled clause, an item's name without its suffix, and a partition until mkdir creates
 * it. They have a log of their own, which keeps the newest REFUSED_ANSWERS_MAX of a store.
 */
#ifndef FS_FILE_MISSED_H
#define FS_FILE_MISSED_H

#include "fs/file/request.h"

/**
 * missed_note - log that there is no @name in the directory @dir
 * @place: of the directory
 * @odd:   no key has this name, and the call failed with the reason
 */
void missed_note(struct request *rq, struct node *dir, const struct place *place, struct slice name,
		 bool odd);

/** missed_quotes - log a .filter in @dir that compares with a word that may be a text without quotes; it was accepted */
void missed_quotes(struct request *rq, struct node *dir, struct slice expression);

#endif
