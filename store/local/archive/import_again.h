/* import_again - restart of an import that an earlier process did not finish */
#ifndef STORE_LOCAL_ARCHIVE_IMPORT_AGAIN_H
#define STORE_LOCAL_ARCHIVE_IMPORT_AGAIN_H

#include "store/local/records/local_int.h"

/**
 * import_begin_again - start a job that fills the table @s from the beginning; drop the table if it has no import
 * @s: a table that is being created
 *
 * Return:  0
 * Errors:  those of transfer_of_table(), jobs_enter() and table_give_up()
 */
int import_begin_again(struct local *l, struct call *c, const struct schema *s)
	__attribute__((warn_unused_result));

#endif
