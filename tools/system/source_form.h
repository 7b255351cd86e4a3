/* source_form - format and compression of a file of items, by the suffixes of its name */
#ifndef TOOLS_SYSTEM_SOURCE_FORM_H
#define TOOLS_SYSTEM_SOURCE_FORM_H

#include "store/base/core/base.h"

enum source_form { SOURCE_AUTO, SOURCE_JSONL, SOURCE_JSON, SOURCE_CSV, SOURCE_EXPORT, SOURCE_YAML };

/** source_form_named - the form called @name; SOURCE_AUTO if there is none */
enum source_form source_form_named(const char *name);

/**
 * source_has_suffix - return true if @file ends with @suffix, in any case, also before .gz and the like; false for NULL
 */
bool source_has_suffix(const char *file, const char *suffix);

/** source_form_of - the form by the suffix of @file; JSON Lines for NULL or an unknown suffix */
enum source_form source_form_of(const char *file);

/**
 * source_is_gz - return true if @file ends with .gz. Reading does not need this: it detects gzip by the first bytes.
 */
bool source_is_gz(const char *file);

/** source_is_packed - return true if @file ends with the suffix of a supported compression */
bool source_is_packed(const char *file);

/** source_stem - "songs" for "dir/songs.jsonl.gz" */
struct slice source_stem(const char *path);

#endif
