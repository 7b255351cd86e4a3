/* no_file - a file that cannot be opened: what errno says of it, and the line that was meant */
#ifndef TOOLS_SYSTEM_NO_FILE_H
#define TOOLS_SYSTEM_NO_FILE_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

/**
 * no_file - what errno says of file @name, which was to be read
 *
 * If it is not there and was typed on the command line: below it, the line with the file of a near name, in a folder
 * of a near name, or of the same name in this folder.
 *
 * Errors:  as error_of_path(), with -ERR_USAGE in place of -ERR_VALIDATION
 */
int no_file(struct call *c, const char *name) __attribute__((warn_unused_result));

/** no_file_meant - the path of the file that was meant by @name, in the call's arena; NULL: none is known */
const char *no_file_meant(struct call *c, const char *name);

/** no_file_line - append the line that no_file() puts below its error; false: none is known, or @name is there */
bool no_file_line(struct call *c, const char *name, struct buf *out);

/** no_file_runs - is it a program, by its path or on the PATH? */
bool no_file_runs(struct call *c, const char *name);

/** no_file_behind - a program that was typed without "--": the line that has it; 0: it is none; Errors: -ERR_USAGE */
int no_file_behind(struct call *c, const char *name) __attribute__((warn_unused_result));

/** no_file_program - likewise of a program that is on no PATH: one of a near name that is */
bool no_file_program(struct call *c, const char *name, struct buf *out);

/** no_file_made - likewise of one that was to be written; below it, the line that makes its folder first */
int no_file_made(struct call *c, const char *name) __attribute__((warn_unused_result));

#endif
