/* place_remote - an endpoint, a server elsewhere: directories, read with Query and Scan; writes with a condition */
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

/* ------------------------------------------------------------ writes that demand a state of the item */

/* What a write demands; DEMAND() points to these members of a struct write_in or transact_action. */
struct demand {
	struct seen *seen;
	struct slice *condition;
	struct placeholders *ph;
};
#define DEMAND(write) ((struct demand){&(write)->seen, &(write)->condition, &(write)->ph})

/**
 * place_demand_absence - demand that there is no item at @p
 *
 * A store in a directory compares @seen, which costs less than a condition.
 */
void place_demand_absence(const struct mount *m, struct arena *a, const struct place *p,
			  struct demand d);

/*
 * "The item is still as it was read", see store/op/seen.h.  These functions do nothing for a store in a directory,
 * whose writes compare the item themselves.
 */

/**
 * unchanged_demand - make the condition from the item in @seen, if it has one
 *
 * The number of items of a partition is not checked. @condition must be empty when @seen has an item.
 */
void unchanged_demand(const struct mount *m, struct arena *a, struct demand d);

/**
 * unchanged_look - read the item again; fail with -ERR_CONDITION if it differs from @seen
 * @key: at least the key attributes
 *
 * Used before a write whose condition is based on an older read. The condition cannot notice attributes that others
 * add, or change beyond the 140 that it compares, in the moment between this read and the write.
 */
int unchanged_look(const struct mount *m, struct call *c, struct slice table,
		   const struct item *key, const struct item *seen);

#endif
