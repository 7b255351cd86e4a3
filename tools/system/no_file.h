/* no_file - errors of files and programs that cannot be opened, with a corrected command line */
#ifndef TOOLS_SYSTEM_NO_FILE_H
#define TOOLS_SYSTEM_NO_FILE_H

#include "store/base/core/base.h"

/**
 * no_file - fail with errno's message for the file @name, which cannot be read
 *
 * If the file does not exist and was typed on the command line, a second line of the message is the command line with
 * the file of a similar name, in a directory with a similar name, or of the same name in the working directory.
 *
 * Errors:  as error_of_path(), but -ERR_USAGE instead of -ERR_VALIDATION
 */
int no_file(struct call *c, const char *name) must_check;

/** no_file_meant - the path of an existing file similar to @name, in the call's arena; NULL if there is none */
const char *no_file_meant(struct call *c, const char *name);

/**
 * no_file_line - append the second line of no_file(); false, and nothing is appended, if there is none or @name exists
 */
bool no_file_line(struct call *c, const char *name, struct buf *out);

/** no_file_runs - return true if @name is a program, by its path or in PATH */
bool no_file_runs(struct call *c, const char *name);

/**
 * no_file_behind - fail if @name is a program that was typed without "--" before it
 *
 * Return: 0 if it is not a program
 * Errors: -ERR_USAGE  replaces the call's error; the message has the line with "--"
 */
int no_file_behind(struct call *c, const char *name) must_check;

/** no_file_program - append the line with a program in PATH whose name is similar to @name; false if there is none */
bool no_file_program(struct call *c, const char *name, struct buf *out);

/** no_file_made - as no_file(), for a file that cannot be created; the second line creates its directory first */
int no_file_made(struct call *c, const char *name) must_check;

#endif
