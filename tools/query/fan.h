/*
 * fan - split writer: writes items to the files of a folder, one for each value of an attribute
 *
 * The name of a file is the text of the value.  If a value of another type with the same text came first, the type is
 * appended ("7%S").  Items without the attribute go to "%none".
 */
#ifndef TOOLS_QUERY_FAN_H
#define TOOLS_QUERY_FAN_H

#include "store/base/system/folder.h"

#include "tools/out/out.h"

enum { FAN_FILES_MAX = 1000 }; /* all files are open at the same time */

struct fan;

/** fan_new - create a writer without files; @folder, @attribute: borrowed; @format: of all files */
struct fan *fan_new(struct folder *folder, struct slice attribute, enum out_format format);

/** fan_lead - set the first columns of each file; @names: borrowed */
void fan_lead(struct fan *f, const struct slice *names, size_t n);

/** fan_choose - choose() of struct answer: return the output for an item; @arg: the fan; NULL: -ERR_LIMIT, -ERR_IO */
struct out *fan_choose(void *arg, struct call *c, const struct item *it);

/** fan_close - complete and sync all files; then only fan_free() is allowed; Errors: -ERR_IO */
int fan_close(struct fan *f, struct call *c) __attribute__((warn_unused_result));

/** fan_files - return the number of files */
size_t fan_files(const struct fan *f);

/** fan_free - close open files, which stay incomplete, and free @f; NULL is allowed */
void fan_free(struct fan *f);

#endif
