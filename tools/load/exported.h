/* exported - the files that import reads, with those of the folders of exports in DynamoDB's format */
#ifndef TOOLS_LOAD_EXPORTED_H
#define TOOLS_LOAD_EXPORTED_H

#include "tools/session/ctl.h"

/**
 * exported_find - append the files that import reads: each file, and the data files of each folder, of @named
 * @table: the table of the import, for messages
 * @apply: exports are incremental
 * @form:  the name of the format, or NULL; set to that of exports for folders and with @apply
 *
 * Runs before any item is put: checks the manifests, and the checksum and number of lines of each data file.
 *
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION  a folder is no export or is damaged, a file cannot be read, @form does not
 *          match; -ERR_IO
 */
int exported_find(const struct ctl *ctl, struct call *c, const char *table,
		  const struct words *named, bool apply, const char **form, struct words *out)
	must_check;

#endif
