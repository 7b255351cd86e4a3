/* source_form - what a file of items is, and whether it is compressed, by its name */
#ifndef TOOLS_SYSTEM_SOURCE_FORM_H
#define TOOLS_SYSTEM_SOURCE_FORM_H

#include <stdbool.h>

#include "store/base/core/slice.h"

enum source_form { SOURCE_AUTO, SOURCE_JSONL, SOURCE_JSON, SOURCE_CSV, SOURCE_EXPORT, SOURCE_YAML };

/** source_form_named - SOURCE_AUTO when there is none of that name */
enum source_form source_form_named(const char *name);

/** source_has_suffix - does the name end so, with or without .gz and the like, in capitals or not?  NULL does not */
bool source_has_suffix(const char *file, const char *suffix);

/** source_form_of - by the name of a file, with or without .gz and the like; NULL, or of no known suffix: JSON Lines */
enum source_form source_form_of(const char *file);

/** source_is_gz - does the name say that it is compressed with gzip? (Reading looks at its bytes.) */
bool source_is_gz(const char *file);

/** source_is_packed - does the name say that it is compressed, with gzip or anything else that is read? */
bool source_is_packed(const char *file);

/** source_stem - "songs" of "dir/songs.jsonl.gz" */
struct slice source_stem(const char *path);

#endif
