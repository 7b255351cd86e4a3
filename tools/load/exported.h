/* exported - the folder of an export in DynamoDB's format, to be read, and files beside it */
#ifndef TOOLS_LOAD_EXPORTED_H
#define TOOLS_LOAD_EXPORTED_H

#include "tools/session/ctl.h"

/**
 * exported_find - the files that import reads: those that are @named, and those of folders, which are exports
 * @table: of the import, for messages
 * @apply: exports are of changes
 * @form:  by its name, or NULL; becomes that of exports for folders and changes
 *
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION  "FILE: ...", also: it is no export; a file is not there, or a form does not go with it
 */
int exported_find(const struct ctl *ctl, struct call *c, const char *table,
		  const struct words *named, bool apply, const char **form, struct words *out)
	__attribute__((warn_unused_result));

#endif
