/*
 * split_writer - split writer: writes items to the files of a folder, one for each value of an attribute
 *
 * The name of a file is the text of the value.  If a value of another type with the same text came first, the type is
 * appended ("7%S").  Items without the attribute go to "%none".
 */
#ifndef TOOLS_QUERY_SPLIT_WRITER_H
#define TOOLS_QUERY_SPLIT_WRITER_H

#include "store/base/system/folder.h"

#include "tools/out/out.h"

enum { SPLIT_WRITER_FILES_MAX = 1000 }; /* all files are open at the same time */

struct split_writer;

/** split_writer_new - create a writer without files; all is borrowed; @form: has the format and lead of all files */
struct split_writer *split_writer_new(struct folder *folder, struct slice attribute,
				      const struct out *form);

/**
 * split_writer_choose - choose() of struct result_printer: return the output for an item; @arg: the split writer
 *
 * Return: NULL after an error: -ERR_LIMIT, -ERR_IO
 */
struct out *split_writer_choose(void *arg, struct call *c, const struct item *it);

/** split_writer_close - complete and sync all files; then only split_writer_free() is allowed; Errors: -ERR_IO */
int split_writer_close(struct split_writer *f, struct call *c) must_check;

/** split_writer_files - return the number of files */
size_t split_writer_files(const struct split_writer *f);

/** split_writer_free - close open files, which stay incomplete, and free @f; NULL is allowed */
void split_writer_free(struct split_writer *f);

#endif
