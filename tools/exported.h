/* exported - the folder of an export in DynamoDB's format, to be read */
#ifndef TOOLS_EXPORTED_H
#define TOOLS_EXPORTED_H

#include "tools/opts.h"

/**
 * exported_files - append the files of data of the export in @dir
 *
 * Manifests and files are looked through: each has the checksum and the number of lines that the export says, and the counts of the
 * files make that of the summary.
 * @incremental: an export of changes; else of a whole table
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION  "FILE: ...", also: it is no export;  -ERR_IO
 */
int exported_files(struct call *c, const char *dir, bool incremental, struct words *out)
	__attribute__((warn_unused_result));

#endif
