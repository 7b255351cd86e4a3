/* yaml_items - items in YAML as items in JSON */
#ifndef TOOLS_SYSTEM_YAML_ITEMS_H
#define TOOLS_SYSTEM_YAML_ITEMS_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

/** yaml_items_suffix - is it a name of a file of YAML? NULL is none */
bool yaml_items_suffix(const char *file);

/** yaml_items_look - do these first bytes begin as YAML does, and as neither JSON nor CSV: "---", "- ", or a comment? */
bool yaml_items_look(struct slice text);

/**
 * yaml_items - append JSON, one item after the other, each on the line on which it begins in the YAML
 *
 * A document is an item, a list of items, or an answer with "Items"; there may be several.
 * Errors:  as yaml_text_read()
 */
int yaml_items(struct call *c, struct slice text, struct buf *out)
	__attribute__((warn_unused_result));

#endif
