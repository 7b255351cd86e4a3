/* seen - see seen.h */
#include "store/op/seen.h"

/* DynamoDB accepts 300 operators and 4 KB of text: "#s0 = :s0 AND ...".  Further attributes are not compared. */
enum { ATTRIBUTES_MAX = 140 };

static struct slice
seen_alias(struct arena *a, char mark, size_t i)
{
	return slice_from(arena_print(a, "%cs%zu", mark, i));
}

void
seen_condition(struct arena *a, const struct item *it, struct slice *condition,
	       struct placeholders *ph)
{
	size_t n = it->n < ATTRIBUTES_MAX ? it->n : ATTRIBUTES_MAX;
	struct name_alias *names = arena_new(a, struct name_alias, n);
	struct attr *values = arena_new(a, struct attr, n);
	struct buf text;

	buf_init(&text, a);
	for (size_t i = 0; i < n; i++) {
		names[i] =
			(struct name_alias){.alias = seen_alias(a, '#', i), .name = it->at[i].name};
		values[i] = (struct attr){.name = seen_alias(a, ':', i), .value = it->at[i].value};
		buf_fmt(&text, "%s#s%zu = :s%zu", i == 0 ? "" : " AND ", i, i);
	}
	*condition = buf_view(&text);
	*ph = (struct placeholders){.names = names,
				    .n_names = n,
				    .values = {.at = values, .n = n},
				    .names_given = true,
				    .values_given = true};
}
