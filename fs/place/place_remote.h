/* place_remote - directories of an endpoint, a server elsewhere, read with Query and Scan */
#ifndef FS_PLACE_PLACE_REMOTE_H
#define FS_PLACE_PLACE_REMOTE_H

#include "fs/place/place.h"

/** place_is_consistent - Return: whether reads of @p are strongly consistent reads from an endpoint */
bool place_is_consistent(const struct mount *m, const struct place *p);

/** place_wrote - note a write by the mount, successful or not: for some seconds its reads are consistent and see it */
void place_wrote(struct mount *m);

/**
 * place_remote_partitions, place_remote_entries - as place_list_partitions() and place_list_entries()
 *
 * Of partitions only the key is known.
 * Return: 0, PLACE_INTERRUPTED, or the engine's error
 */
int place_remote_partitions(struct mount *m, struct call *c, const struct place *p,
			    const struct list_partitions_in *in, struct list_partitions_out *out,
			    struct item *next) must_check;
int place_remote_entries(struct mount *m, struct call *c, const struct place *p,
			 const struct list_entries_in *in, struct list_entries_out *out) must_check;

/** place_remote_partition - look up the PARTITION @p; 0, PLACE_ABSENT, or the engine's error */
int place_remote_partition(struct mount *m, struct call *c, const struct place *p,
			   struct partition *out) must_check;

/** place_remote_find - place_find_full() for names without an order: reads all of them */
int place_remote_find(struct mount *m, struct call *c, const struct place *dir, struct slice stem,
		      struct slice suffix, struct slice *full) must_check;

#endif
