/*
 * place_known - the places of the directories that requests named last
 *
 * Requests name files of a few directories again and again. A directory's place stays valid until a name or a table's
 * definition changes: until mount.inodes.moves or mount.schemas.drops differs from before it was made. An endpoint's
 * definitions change unnoticed, so nothing is kept there.
 *
 * Threads: any. No other lock is taken under known_places.lock.
 */
#ifndef FS_PLACE_PLACE_KNOWN_H
#define FS_PLACE_PLACE_KNOWN_H

#include "fs/place/place.h"

/** place_known_find - the place of @dir, if it is kept and valid. Memory: held until @c is closed */
bool place_known_find(struct mount *m, struct call *c, const struct node *dir, struct place *out);

typedef int place_maker(struct mount *m, struct call *c, struct node *n, struct place *out);

/**
 * place_known_make - make the place of @n and keep it
 *
 * Return: false if such a place is not kept, or cannot be made. Memory: as of place_known_find()
 */
bool place_known_make(struct mount *m, struct call *c, struct node *n, place_maker *make,
		      struct place *out);

/** place_known_release - at the end of the mount, before the nodes are freed: keep nothing more */
void place_known_release(struct mount *m);

#endif
