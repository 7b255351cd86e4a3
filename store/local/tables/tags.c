/* tags - TagResource, UntagResource, ListTagsOfResource */
#include "store/local/records/catalog_int.h"
#include "store/local/tables/alter.h"
#include "store/model/limits.h"
#include "store/op/validate.h"

static int
fail_no_resource(struct call *c, struct slice arn)
{
	return call_fail(c, ERR_NO_TABLE,
			 "Requested resource not found: ResourceArn: %.*s not found",
			 SLICE_ARG(arn));
}

/* Change the tags of the table that @arn names. */
static int
alter_tags(struct local *l, struct call *c, struct slice arn,
	   int (*change)(struct txn *t, struct call *c, struct schema *s, void *arg), void *arg)
{
	if (catalog_get(l->catalog, c, arn) == NULL) {
		return fail_no_resource(c, arn);
	}
	return alter_table(l, c, arn, &(struct alteration){.change = change, .arg = arg}, NULL);
}

/* The place of the tag @key, or behind the last one. */
static size_t
find_tag(const struct schema *s, struct slice key)
{
	size_t i = 0;

	while (i < s->n_tags && !slice_eq(s->tags[i].key, key)) {
		i++;
	}
	return i;
}

static int
tags_add(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct tag_resource_in *in = arg;
	struct tag *tags = arena_new(&c->arena, struct tag, s->n_tags + in->n_tags);

	(void)t;
	for (size_t i = 0; i < s->n_tags; i++) {
		tags[i] = s->tags[i];
	}
	s->tags = tags;
	for (size_t i = 0; i < in->n_tags; i++) {
		size_t place = find_tag(s, in->tags[i].key);

		s->tags[place] = in->tags[i];
		s->n_tags += place == s->n_tags;
	}
	return s->n_tags <= LIMIT_TAGS ? 0 : validate_fail_tags(c);
}

int
local_exec_tag_resource(struct local *l, struct call *c, const struct tag_resource_in *in,
			struct tag_resource_out *out)
{
	struct tag_resource_in copy = *in;

	*out = (struct tag_resource_out){0};
	return alter_tags(l, c, in->arn, tags_add, &copy);
}

static int
tags_take_away(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct untag_resource_in *in = arg;

	(void)t;
	(void)c;
	for (size_t i = 0; i < in->n_keys; i++) {
		size_t place = find_tag(s, in->keys[i]);

		if (place < s->n_tags) {
			s->n_tags--;
			memmove(&s->tags[place], &s->tags[place + 1],
				(s->n_tags - place) * sizeof(*s->tags));
		}
	}
	return 0;
}

int
local_exec_untag_resource(struct local *l, struct call *c, const struct untag_resource_in *in,
			  struct untag_resource_out *out)
{
	struct untag_resource_in copy = *in;

	*out = (struct untag_resource_out){0};
	return alter_tags(l, c, in->arn, tags_take_away, &copy);
}

int
local_exec_list_tags_of_resource(struct local *l, struct call *c,
				 const struct list_tags_of_resource_in *in,
				 struct list_tags_of_resource_out *out)
{
	const struct schema *s = catalog_get(l->catalog, c, in->arn);

	if (s == NULL) {
		return fail_no_resource(c, in->arn);
	}
	*out = (struct list_tags_of_resource_out){.tags = s->tags, .n_tags = s->n_tags};
	return 0;
}
