/*
 * import_csv - lines of cells as items, as ImportTable reads them
 *
 * A column that is a key of the table or of an index has the key's type, all others are strings.  An
 * empty cell is no attribute; "" is the empty string.
 */
#ifndef STORE_LOCAL_ARCHIVE_IMPORT_CSV_H
#define STORE_LOCAL_ARCHIVE_IMPORT_CSV_H

#include "store/base/core/call.h"
#include "store/model/schema.h"

struct csv_head {
	char delimiter;
	const struct slice *names; /* of the columns */
	size_t n;
};

/** import_csv_head - the names that a line gives; Errors: -ERR_VALIDATION  one twice, or none */
int import_csv_head(struct call *c, struct slice line, struct csv_head *out)
	__attribute__((warn_unused_result));

/**
 * import_csv_item - a line as an item of @s
 *
 * Return:  0; 1: it cannot be an item, and the call's error says why
 * Errors:  -ERR_VALIDATION  it cannot be divided into cells
 * Memory:  the call's; the item borrows @line and the names
 */
int import_csv_item(struct call *c, const struct schema *s, const struct csv_head *head,
		    struct slice line, struct item *out) __attribute__((warn_unused_result));

#endif
