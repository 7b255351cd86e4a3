/* script_records - a statement of scripts that no operation is: all that the streams of a table tell */
#ifndef TESTS_ENGINE_SCRIPT_RECORDS_H
#define TESTS_ENGINE_SCRIPT_RECORDS_H

#include "store/engine/engine.h"

#define SCRIPT_RECORDS "Records"

/**
 * script_records - the records of each of a table's streams, oldest first, as one answer of GetRecords
 *
 * Page by page, and with one record a page: the same must come.
 * Return: 0 or -ERR_*
 */
int script_records(struct engine *e, struct call *c, struct slice table,
		   struct get_records_out *out);

#endif
