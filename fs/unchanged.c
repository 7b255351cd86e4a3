/* unchanged - an item as a condition */
#include "fs/unchanged.h"

#include "store/base/buf.h"

/* DynamoDB takes 300 operators and 4 KB of text: "#s0 = :s0 AND ...".  What is beyond is not compared. */
enum { ATTRIBUTES_MAX = 140 };

static struct slice
alias(struct arena *a, char mark, size_t i)
{
	struct buf b;

	buf_init(&b, a);
	buf_fmt(&b, "%cs%zu", mark, i);
	return buf_view(&b);
}

void
unchanged_demand(const struct mount *m, struct arena *a, const struct seen *seen,
		 struct slice *condition, struct placeholders *ph)
{
	const struct item *it = seen->item;

	if (!mount_is_remote(m) || it == NULL) {
		return;
	}
	size_t n = it->n < ATTRIBUTES_MAX ? it->n : ATTRIBUTES_MAX;
	struct name_alias *names = arena_new(a, struct name_alias, n);
	struct attr *values = arena_new(a, struct attr, n);
	struct buf text;

	buf_init(&text, a);
	for (size_t i = 0; i < n; i++) {
		names[i] = (struct name_alias){.alias = alias(a, '#', i), .name = it->at[i].name};
		values[i] = (struct attr){.name = alias(a, ':', i), .value = it->at[i].value};
		buf_fmt(&text, "%s#s%zu = :s%zu", i == 0 ? "" : " AND ", i, i);
	}
	*condition = buf_view(&text);
	*ph = (struct placeholders){.names = names,
				    .n_names = n,
				    .values = {.at = values, .n = n},
				    .names_given = true,
				    .values_given = true};
}

int
unchanged_look(const struct mount *m, struct call *c, struct slice table, const struct item *key,
	       const struct item *seen)
{
	struct get_item_in in = {.table = table, .key = *key, .consistent = true};
	struct get_item_out now = {0};

	if (!mount_is_remote(m)) {
		return 0; /* the write itself compares all */
	}
	int r = engine_get_item(m->engine, c, &in, &now);

	if (r < 0 || (now.found && item_eq(&now.item, seen))) {
		return r;
	}
	return call_fail(c, ERR_CONDITION, "others have changed it");
}
