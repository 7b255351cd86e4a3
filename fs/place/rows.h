/*
 * rows - the entries of a query, one after the other: of one collection, or of several merged by their
 * sort key (store/engine/merged.h)
 */
#ifndef FS_PLACE_ROWS_H
#define FS_PLACE_ROWS_H

#include "store/engine/merged.h"

#include "fs/place/path_query.h"

struct rows;

enum { ROWS_END = 1 };

/**
 * rows_open - from the beginning, or behind an entry of the one collection
 * @p:     a QUERY whose chain is complete; borrowed
 * @after: NULL: from the beginning
 * @left:  entries at most; 0: all
 */
int rows_open(struct mount *m, struct call *c, const struct place *p, struct view *view,
	      const struct item *after, uint64_t left, struct rows **out)
	__attribute__((warn_unused_result));

/**
 * rows_next - the key attributes of the next entry, valid until the next call
 *
 * Return: 0, ROWS_END, or the engine's error with @c failed; PLACE_INTERRUPTED when @c is given up
 * while nothing is found: the next call goes on
 */
int rows_next(struct rows *rows, struct call *c, const struct item **out)
	__attribute__((warn_unused_result));

void rows_close(struct rows *rows); /* NULL is harmless */

/** rows_bytes - the memory that they take now; NULL: none */
size_t rows_bytes(const struct rows *rows);

/** rows_entry - what rows_next() gave, as a listed entry of the directory @p; copied to @a */
struct entry rows_entry(struct arena *a, const struct place *p, const struct item *row);

#endif
