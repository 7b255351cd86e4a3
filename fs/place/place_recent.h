/* place_recent - the cache of an endpoint's answers (fs/core/recent.h), by places */
#ifndef FS_PLACE_PLACE_RECENT_H
#define FS_PLACE_PLACE_RECENT_H

#include "fs/place/place.h"

/**
 * place_recent_item, place_recent_size, place_recent_partition - look up a cached answer
 * @ix:   the index whose view of the item is wanted; NULL: the whole item
 * @size: for stat
 *
 * Return: false when the endpoint must be asked
 */
bool place_recent_item(struct mount *m, struct call *c, const struct place *p,
		       const struct index *ix, struct item *out);
bool place_recent_size(struct mount *m, struct call *c, const struct place *p, uint64_t *size);
bool place_recent_partition(struct mount *m, struct call *c, const struct place *p);

/**
 * place_keep_item, place_keep_listed, place_keep_partition - cache an answer
 * @dir:         the directory that was listed
 * @plain_bytes: size of the file in a mount with neither pretty nor typed
 * @drops:       value of m->recent.drops before the request
 */
void place_keep_item(struct mount *m, struct call *c, const struct place *p, const struct index *ix,
		     const struct item *it, uint64_t drops);
void place_keep_listed(struct mount *m, struct call *c, const struct place *dir,
		       const struct item *it, uint64_t plain_bytes, uint64_t drops);
void place_keep_partition(struct mount *m, struct call *c, const struct place *p,
			  const struct values *pk, bool listed, uint64_t drops);

#endif
