/* script_records - a statement of scripts that is not an operation: all records of the streams of a table */
#ifndef TESTS_ENGINE_SCRIPT_RECORDS_H
#define TESTS_ENGINE_SCRIPT_RECORDS_H

#include "store/engine/engine.h"

#define SCRIPT_RECORDS "Records"

/**
 * script_records - return the records of all streams of a table, oldest first, as one answer of GetRecords
 *
 * Read them with pages of any size, and again with one record per page; both must give the same records.
 * Return: 0 or -ERR_*
 */
int script_records(struct engine *e, struct call *c, struct slice table,
		   struct get_records_out *out);

#endif
