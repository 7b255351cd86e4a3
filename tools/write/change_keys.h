/* change_keys - the same update or deletion of one item or of many, whose keys come from a stream */
#ifndef TOOLS_WRITE_CHANGE_KEYS_H
#define TOOLS_WRITE_CHANGE_KEYS_H

#include "store/op/op.h"

#include "tools/write/item_options.h"
#include "tools/write/matching.h"

struct ctl;

/* A change that is made to each item */
struct change {
	struct ctl *ctl;
	struct item_options item_options;
	const char *typed;   /* the update as it was typed; NULL for a deletion */
	struct slice update; /* the rewritten update; empty: the item is deleted */
	bool looks;      /* request the old item, to see whether it existed; it is not printed */
	bool everything; /* the condition only requires that the item exists */
};

/**
 * change_keys_one - change the item with this key
 * @unsynced: the change need not be durable on return
 *
 * Return: 0; the errors of UpdateItem and DeleteItem.  Any thread, with a call of its own.
 */
int change_keys_one(const struct change *ch, struct call *c, struct slice table,
		    const struct item *key, bool unsynced, struct written *written) must_check;

/**
 * change_keys_all - change the items of many keys, in bulk if possible, and note how many there were
 * @m: keys that matching_find() has found; NULL: standard input has items in JSON Lines, of which only the keys count
 *
 * The keys before an invalid line are changed, too.  On return all changes are durable, also after a failure.
 * Return: 0, or the exit status of a failed condition if keys of standard input were refused
 * Errors: "line N: ..." for an invalid line; those of DescribeTable and of the changes, with the line or the key
 */
int change_keys_all(struct change *ch, struct call *c, struct slice table, const struct matching *m)
	must_check;

#endif
