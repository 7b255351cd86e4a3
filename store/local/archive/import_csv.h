/*
 * import_csv - CSV lines as items, as ImportTable reads them
 *
 * A column that is a key of the table or of an index has the key's type, all others are strings.  An
 * empty cell is a missing attribute; "" is the empty string.
 */
#ifndef STORE_LOCAL_ARCHIVE_IMPORT_CSV_H
#define STORE_LOCAL_ARCHIVE_IMPORT_CSV_H

#include "store/base/core/call.h"
#include "store/model/schema.h"

struct csv_head {
	char delimiter;
	const struct slice *names; /* of the columns; NULL: not read yet */
	size_t n;
};

/**
 * import_csv_head - read the names of the columns from a line
 * @out: its delimiter is set; names are in the call's arena and may borrow @line
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  a name occurs twice or is empty, there are too many, or the line is not CSV
 */
int import_csv_head(struct call *c, struct slice line, struct csv_head *out)
	__attribute__((warn_unused_result));

/**
 * import_csv_item - decode a line as an item of @s
 *
 * Return:  0;  1: it is no item, and the call's error has the reason; the next line may be one
 * Errors:  -ERR_VALIDATION  the line cannot be divided into cells
 * Memory:  the call's; the item borrows @line and the names
 */
int import_csv_item(struct call *c, const struct schema *s, const struct csv_head *head,
		    struct slice line, struct item *out) __attribute__((warn_unused_result));

#endif
