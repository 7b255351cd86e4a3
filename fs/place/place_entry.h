/* place_entry - listed entries as names and keys; inode numbers; times of directories */
#ifndef FS_PLACE_PLACE_ENTRY_H
#define FS_PLACE_PLACE_ENTRY_H

#include "fs/place/place.h"

/** place_add_key - append a key attribute; false: @it has another value of it already */
bool place_add_key(struct item *it, const struct key_attr *k, const struct value *v);

/** place_listed_values - the values that name a listed entry of the directory @p, unless place_merges_table() */
struct values place_listed_values(const struct place *p, const struct entry *e);

/** place_put_values - append the component of a partition or file of the table or of index @ix */
void place_put_values(struct buf *out, const struct index *ix, const struct values *v);

/**
 * place_name - the name of that component, ending in NUL
 * @suffix: of a file; empty for a directory, or for a file's name without it
 */
struct slice place_name(struct arena *a, const struct index *ix, const struct values *v,
			struct slice suffix);

/** place_put_entry - append the component of a listed entry of the directory @p */
void place_put_entry(struct buf *out, const struct place *p, const struct entry *e);

/** place_entry_key - the key attributes of a listed entry of the directory @p, for "after" and "at" */
struct item place_entry_key(struct arena *a, const struct place *p, const struct entry *e);

/**
 * place_entry_values - the values that name an item or entry and its partition
 * @ix:   the index whose entry it is; NULL: an item of the table
 * @it:   the item or entry
 * @pk:   values of the partition's name
 * @name: values of the file's name
 *
 * Return:  false when @it has no entry there
 * Memory:  arrays are in @a
 */
bool place_entry_values(struct arena *a, const struct schema *s, const struct index *ix,
			const struct item *it, struct values *pk, struct values *name);

/* ------------------------------------------------------------ identity */

/** place_id - an ITEM's table, partition and name as bytes, the same in each mount */
struct slice place_id(struct arena *a, const struct place *p);

/** place_view_ino, place_child_ino, place_scratch_ino - inode numbers: of the table or index of @p, of a name in @dir_ino */
uint64_t place_view_ino(const struct place *p);
uint64_t place_child_ino(uint64_t dir_ino, struct slice component);
uint64_t place_scratch_ino(uint64_t dir_ino, struct slice name);

/** place_dot_ino - likewise of .index, or of .itemfs at the root, whose number is 1 */
uint64_t place_dot_ino(uint64_t dir_ino, struct slice name);

/* ------------------------------------------------------------ times of directories */

/**
 * place_time - the newest change that may have affected any directory of this table or index; 0: not known
 *
 * stat shows it for a directory without an entry in mount.dir_times.
 */
uint64_t place_time(struct mount *m, const struct place *p);

/** place_content_time - the newest change that may have affected a file generated from the items at @p */
uint64_t place_content_time(struct mount *m, const struct place *p);

/**
 * place_changed - note that an entry of the directory @dir was created, removed or overwritten just now
 * @index_known: the invalidation thread notes the change of index views (request.index_known); else all of them count as changed
 */
void place_changed(struct mount *m, const struct place *dir, bool index_known);

/** place_all_changed - note that each directory below @ino, a table or its .index, may have changed just now */
void place_all_changed(struct mount *m, uint64_t ino);

#endif
