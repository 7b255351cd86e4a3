/*
 * validate_tags - checks tags and the ARNs of their tables
 *
 * Source: the service's answers; Developer Guide, "Tagging restrictions"
 */
#include "store/base/core/utf8.h"
#include "store/model/arn.h"
#include "store/op/validate.h"
#include "store/op/validate_int.h"

#define INVALID "One or more parameter values were invalid: "

/* ------------------------------------------------------------ ResourceArn */

static int
check_resource(struct call *c, struct slice arn)
{
	struct slice name = arn_table(arn);

	if (arn.len == 0) {
		return call_fail(c, ERR_VALIDATION, "Invalid TableArn");
	}
	if (!arn_is(arn)) {
		return call_fail(c, ERR_VALIDATION, INVALID "ARNs must start with 'arn:': %.*s",
				 SLICE_ARG(arn));
	}
	if (name.at == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "Provided Arn is not a DynamoDB resource arn: %.*s",
				 SLICE_ARG(arn));
	}
	if (validate_name(name)) {
		return 0;
	}
	return memmem(name.at, name.len, "/index/", strlen("/index/")) != NULL
		       ? call_fail(c, ERR_VALIDATION,
				   INVALID "Invalid resource arn provided, only table or stream is "
					   "accepted. Provided resource arn: %.*s",
				   SLICE_ARG(arn))
		       : call_fail(c, ERR_VALIDATION,
				   "Invalid TableArn: Invalid ResourceArn provided as input %.*s",
				   SLICE_ARG(arn));
}

/* ------------------------------------------------------------ tags */

/* Characters above ASCII count as letters. */
static bool
has_bad_character(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];

		if ((ch & 0x80) == 0 && !ascii_word(ch) &&
		    (ch == '\0' || strchr(" +-=.:/@", ch) == NULL)) {
			return true;
		}
	}
	return false;
}

/* Returns true if the text has 1 (@empty: 0) to @max characters, all of them allowed in tags. */
static bool
is_fit(struct slice text, bool empty, size_t max)
{
	return text.at != NULL && (empty || text.len > 0) && utf8_units(text) <= max &&
	       !has_bad_character(text);
}

static int
fail_text(struct call *c, const char *what, struct slice text)
{
	return call_fail(c, ERR_VALIDATION, "The Tag %s provided is invalid, %s: %s", what, what,
			 text.at == NULL ? "null" : slice_cstr(&c->arena, text));
}

static int
validate_tags_check_key(struct call *c, struct slice key)
{
	if (!is_fit(key, false, LIMIT_TAG_KEY)) {
		return fail_text(c, "Key", key);
	}
	return slice_starts(key, SLICE("aws:"))
		       ? call_fail(c, ERR_VALIDATION,
				   "Tag Key cannot be prefixed with aws:, Key: %.*s",
				   SLICE_ARG(key))
		       : 0;
}

/* The service has the same message for a request with too many tags and for a resource that would get too many. */
int
validate_fail_tags(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "Number of Tags exceed the current limit for the provided ResourceArn");
}

int
validate_tags(struct call *c, const struct tag *tags, size_t n)
{
	int r = n <= LIMIT_TAGS ? 0 : validate_fail_tags(c);

	for (size_t i = 0; i < n && r == 0; i++) {
		r = validate_tags_check_key(c, tags[i].key);
		if (r == 0 && !is_fit(tags[i].value, true, LIMIT_TAG_VALUE)) {
			r = fail_text(c, "Value", tags[i].value);
		}
		for (size_t k = 0; k < i && r == 0; k++) {
			if (slice_eq(tags[k].key, tags[i].key)) {
				r = call_fail(c, ERR_VALIDATION,
					      "Duplicate Tag Keys provided as input: Duplicate Tag "
					      "Key found %.*s",
					      SLICE_ARG(tags[i].key));
			}
		}
	}
	return r;
}

/* ------------------------------------------------------------ one operation each */

int
validate_tag_resource(struct call *c, const struct tag_resource_in *in)
{
	int r = check_resource(c, in->arn);

	if (r == 0 && in->n_tags == 0) {
		r = call_fail(c, ERR_VALIDATION, "Atleast one Tag needs to be provided as Input.");
	}
	return r < 0 ? r : validate_tags(c, in->tags, in->n_tags);
}

int
validate_untag_resource(struct call *c, const struct untag_resource_in *in)
{
	int r = check_resource(c, in->arn);

	if (r == 0 && in->n_keys == 0) {
		r = call_fail(c, ERR_VALIDATION,
			      "Atleast one Tag Key needs to be provided as Input.");
	}
	if (r == 0 && in->n_keys > LIMIT_TAGS) {
		r = validate_fail_tags(c);
	}
	for (size_t i = 0; i < in->n_keys && r == 0; i++) {
		r = validate_tags_check_key(c, in->keys[i]);
	}
	return r;
}

int
validate_list_tags_of_resource(struct call *c, const struct list_tags_of_resource_in *in)
{
	int r = check_resource(c, in->arn);

	/* All tags are in one page, so no token was ever returned. */
	return r == 0 && in->next.len > 0 ? call_fail(c, ERR_VALIDATION, "Invalid NextToken") : r;
}
