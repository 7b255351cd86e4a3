/* yaml_items - converts items in YAML to items in JSON */
#ifndef TOOLS_SYSTEM_YAML_ITEMS_H
#define TOOLS_SYSTEM_YAML_ITEMS_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

/** yaml_items_suffix - return true if the name has a suffix of YAML; false for NULL */
bool yaml_items_suffix(const char *file);

/**
 * yaml_items_look - return true if these first bytes look like YAML, not like JSON or CSV: "---", "- ", or a comment
 */
bool yaml_items_look(struct slice text);

/**
 * yaml_items - append JSON, each item on the line on which it begins in the YAML, or later
 *
 * Each document is an item, a list of items, or a response with "Items".
 * Errors:  as yaml_text_read()
 */
int yaml_items(struct call *c, struct slice text, struct buf *out)
	__attribute__((warn_unused_result));

#endif
