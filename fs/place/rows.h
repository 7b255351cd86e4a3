/*
 * rows - the entries of a query, one by one: of one collection, or of several merged by sort key
 * (store/engine/merged.h)
 */
#ifndef FS_PLACE_ROWS_H
#define FS_PLACE_ROWS_H

#include "store/engine/merged.h"

#include "fs/place/path_query.h"

struct rows;

enum { ROWS_END = 1 };

/**
 * rows_open - start reading
 * @p:     a QUERY whose chain is complete; borrowed until rows_close()
 * @after: start after this entry of the single collection; NULL: at the beginning
 * @left:  maximum number of entries; 0: all
 *
 * Return: 0 with @out, or what query_make() returns
 */
int rows_open(struct mount *m, struct call *c, const struct place *p, struct view *view,
	      const struct item *after, uint64_t left, struct rows **out) must_check;

/**
 * rows_next - the key attributes of the next entry, valid until the next call
 *
 * Return: 0; ROWS_END; the engine's error with @c failed; PLACE_INTERRUPTED when @c was given up before an entry was
 * found: the next call continues
 */
int rows_next(struct rows *rows, struct call *c, const struct item **out) must_check;

void rows_close(struct rows *rows); /* NULL is harmless */

/** rows_bytes - the memory in use, in bytes; 0 for NULL */
size_t rows_bytes(const struct rows *rows);

/** rows_entry - a row of rows_next() as a listed entry of the directory @p; copied to @a */
struct entry rows_entry(struct arena *a, const struct place *p, const struct item *row);

#endif
