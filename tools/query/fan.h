/*
 * fan - items to the files of a folder, one for each value of an attribute
 *
 * A file is called as the value reads, and by its type if one of another type came first that reads the same ("7%S");
 * items without the attribute are in "%none".
 */
#ifndef TOOLS_QUERY_FAN_H
#define TOOLS_QUERY_FAN_H

#include "store/base/system/folder.h"

#include "tools/out/out.h"

enum { FAN_FILES_MAX = 1000 }; /* all of them are open */

struct fan;

/** fan_new - @folder, @attribute: borrowed */
struct fan *fan_new(struct folder *folder, struct slice attribute, enum out_format format);

/** fan_lead - the columns that come first in each file; borrowed */
void fan_lead(struct fan *f, const struct slice *names, size_t n);

/** fan_choose - where an item goes, for struct answer; @arg: the fan; NULL: -ERR_LIMIT, -ERR_IO */
struct out *fan_choose(void *arg, struct call *c, const struct item *it);

/** fan_close - all files are complete, and last; Errors: -ERR_IO */
int fan_close(struct fan *f, struct call *c) __attribute__((warn_unused_result));

/** fan_files - how many there are */
size_t fan_files(const struct fan *f);

/** fan_free - close what is open; NULL is harmless */
void fan_free(struct fan *f);

#endif
