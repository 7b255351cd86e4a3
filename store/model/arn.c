/* arn - see arn.h */
#include "store/model/arn.h"

#define TABLE "table/"

struct slice
arn_resource(struct slice arn)
{
	struct slice word = slice_take(&arn, ':');
	struct slice partition = slice_take(&arn, ':');
	struct slice service = slice_take(&arn, ':');

	(void)slice_take(&arn, ':'); /* region */
	(void)slice_take(&arn, ':'); /* account */
	return slice_is(word, "arn") && partition.len > 0 && slice_is(service, "dynamodb")
		       ? arn
		       : slice_of(NULL, 0);
}

void
arn_put_table(struct buf *out, struct slice region, struct slice table)
{
	region = arn_region(region);
	buf_fmt(out, "arn:aws:dynamodb:%.*s:000000000000:" TABLE "%.*s", SLICE_ARG(region),
		SLICE_ARG(table));
}

struct slice
arn_table(struct slice name)
{
	if (!arn_is(name)) {
		return name;
	}
	name = arn_resource(name);
	return slice_starts(name, SLICE(TABLE)) ? slice_skip(name, sizeof(TABLE) - 1)
						: slice_of(NULL, 0);
}

bool
arn_read(struct slice arn, const char *kind, struct slice *table, struct slice *id)
{
	struct slice rest = arn_resource(arn);

	if (!slice_starts(rest, SLICE(TABLE))) {
		return false;
	}
	rest = slice_skip(rest, sizeof(TABLE) - 1);
	const char *at = memmem(rest.at, rest.len, kind, strlen(kind));

	if (at == NULL) {
		return false;
	}
	*table = slice_of(rest.at, (size_t)(at - rest.at));
	*id = slice_skip(rest, table->len + strlen(kind));
	return true;
}
