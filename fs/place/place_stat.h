/* place_stat - what the store has at a place: attributes, items, pages of a directory */
#ifndef FS_PLACE_PLACE_STAT_H
#define FS_PLACE_PLACE_STAT_H

#include "fs/place/place.h"

/* The attributes of a file or directory, for stat. */
struct attributes {
	bool is_dir;
	uint64_t size;
	uint64_t mtime_ns; /* 0: not known; of a directory: as place_time() */
	bool gone;         /* no name leads to it any more */
	bool streamed;     /* generated while it is read: size 0, read in large pieces */
	bool owned;        /* a scratch file, which has the following: */
	mode_t mode;
	uid_t uid;
	gid_t gid;
};

/** place_stat - attributes, of the store or of the last put; Return: 0, PLACE_ABSENT, or the engine's error */
int place_stat(struct mount *m, struct call *c, const struct place *p, struct view *view,
	       struct attributes *out) must_check;

/** place_stored - note a successful put of the item @p, so that stat of its directory need not ask the store */
void place_stored(struct mount *m, const struct place *p, const struct written *written);

/** place_read - the committed item or index entry of an ITEM; 0, PLACE_ABSENT, error */
int place_read(struct mount *m, struct call *c, const struct place *p, struct item *out,
	       uint64_t *mtime_ns) must_check;

/** place_has_items - Return: 1 if the PARTITION has items, 0 if not, or the engine's error */
int place_has_items(struct mount *m, struct call *c, const struct place *p) must_check;

/**
 * place_emptied - after an item of @p was removed: show the partition although it is empty now, for the user @uid
 * @dir: its node
 *
 * Does nothing unless @p is an empty PARTITION.
 */
void place_emptied(struct mount *m, struct call *c, struct node *dir, const struct place *p,
		   uint32_t uid);

/**
 * place_list_partitions, place_list_entries - a page of the directory @p
 * @in:   table, index and partition key are filled in
 * @next: for an endpoint, whose partitions have no order: where to continue; n = 0 at first
 *
 * Errors: -ERR_IO  the store returned keys with a wrong number of values
 */
int place_list_partitions(struct mount *m, struct call *c, const struct place *p,
			  struct list_partitions_in *in, struct list_partitions_out *out,
			  struct item *next) must_check;
int place_list_entries(struct mount *m, struct call *c, const struct place *p,
		       struct list_entries_in *in, struct list_entries_out *out) must_check;

#endif
