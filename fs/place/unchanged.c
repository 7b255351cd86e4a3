/* unchanged - see unchanged.h */
#include "fs/place/unchanged.h"

#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/op/seen.h"

void
unchanged_demand(const struct mount *m, struct arena *a, const struct seen *seen,
		 struct slice *condition, struct placeholders *ph)
{
	const struct item *it = seen->item;

	if (!mount_is_remote(m) || it == NULL) {
		return;
	}
	seen_condition(a, it, condition, ph);
}

int
unchanged_look(const struct mount *m, struct call *c, struct slice table, const struct item *key,
	       const struct item *seen)
{
	struct get_item_in in = {.table = table, .key = *key, .consistent = true};
	struct get_item_out now = {0};

	if (!mount_is_remote(m)) {
		return 0; /* the write itself compares the whole item */
	}
	int r = engine_get_item(m->engine, c, &in, &now);

	if (r < 0 || (now.found && item_eq(&now.item, seen))) {
		return r;
	}
	return call_fail(c, ERR_CONDITION, "another client has changed it");
}
