/* dry_changes - the changes that a dry run has not made: tables created and dropped, and counters for dry_print() */
#ifndef TOOLS_SESSION_DRY_CHANGES_H
#define TOOLS_SESSION_DRY_CHANGES_H

#include "store/engine/engine.h"

struct dry;
struct dry_table;

/** dry_new - changes of a dry run, empty; free with dry_free(); Thread: any may call all functions of this header */
struct dry *dry_new(void);
void dry_free(struct dry *d);

/** dry_print - append a line for each kind of change: "would put 3 items into orders\n" */
void dry_print(struct dry *d, struct buf *out);

/**
 * dry_changes_count - add @n to the counter of a kind of change
 * @does: verb or name of an operation: "put"; not copied
 * @to:   preposition before the table: "into"; "" if no items are counted; not copied
 */
void dry_changes_count(struct dry *d, const char *does, const char *to, struct slice table,
		       uint64_t n);

/** dry_changes_untried - note why conditions and updates were not tested; keeps the first reason; not copied */
void dry_changes_untried(struct dry *d, const char *why);

/** dry_changes_table - the table @name of the store @below if it would have been created or dropped, else NULL */
const struct dry_table *dry_changes_table(struct dry *d, const struct engine *below,
					  struct slice name);

/** dry_changes_add_table - note that table @name of the store @below would be created; @schema NULL: dropped */
void dry_changes_add_table(struct dry *d, const struct engine *below, struct slice name,
			   const struct schema *schema);

/** dry_changes_describe - DescribeTable with these changes; Errors: -ERR_NO_TABLE; those of the engine */
int dry_changes_describe(struct dry *d, struct engine *below, struct call *c, struct slice name,
			 struct table_info *out) must_check;

#endif
