/* placeholders - see placeholders.h */
#include "store/model/placeholders.h"

#include "store/model/limits.h"

/* Whether it is @first, '#' or ':', and then at least one letter, digit or '_'. */
static bool
well_formed(struct slice key, char first)
{
	if (key.len < 2 || key.at[0] != first) {
		return false;
	}
	for (size_t i = 1; i < key.len; i++) {
		if (!ascii_word(key.at[i])) {
			return false;
		}
	}
	return true;
}

static int
placeholders_check_key(struct call *c, const char *map, struct slice key, char first)
{
	if (key.len == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "%s contains invalid key: The expression attribute map contains "
				 "an empty key;",
				 map);
	}
	if (key.len > LIMIT_PLACEHOLDER_BYTES) {
		return call_fail(c, ERR_VALIDATION,
				 "%s contains invalid key: The expression attribute map contains a "
				 "key that is too long; size of key: %zu",
				 map, key.len);
	}
	if (!well_formed(key, first)) {
		return call_fail(c, ERR_VALIDATION,
				 "%s contains invalid key: Syntax error; key: \"%.*s\"", map,
				 SLICE_ARG(key));
	}
	return 0;
}

static int
placeholders_check_name(struct call *c, const struct name_alias *a)
{
	int r = placeholders_check_key(c, "ExpressionAttributeNames", a->alias, '#');

	if (r < 0) {
		return r;
	}
	if (a->name.len == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "ExpressionAttributeNames contains invalid value: Empty attribute "
				 "name for key %.*s",
				 SLICE_ARG(a->alias));
	}
	if (a->name.len > LIMIT_NAME_BYTES) {
		return call_fail(c, ERR_VALIDATION,
				 "ExpressionAttributeNames contains invalid value: Attribute name "
				 "is too large, must be less than 65536 bytes for key %.*s",
				 SLICE_ARG(a->alias));
	}
	return 0;
}

int
placeholders_check_names(struct call *c, const struct placeholders *ph)
{
	size_t bytes = 0;

	if (ph->names_given && ph->n_names == 0) {
		return call_fail(c, ERR_VALIDATION, "ExpressionAttributeNames must not be empty");
	}
	for (size_t i = 0; i < ph->n_names; i++) {
		int r = placeholders_check_name(c, &ph->names[i]);

		if (r < 0) {
			return r;
		}
		bytes += ph->names[i].alias.len + ph->names[i].name.len;
	}
	return bytes <= LIMIT_SUBSTITUTION_BYTES
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "ExpressionAttributeNames exceeds max size");
}

int
placeholders_check_keys(struct call *c, const struct placeholders *ph)
{
	const struct item *values = &ph->values;
	int r = 0;

	if (ph->values_given && values->n == 0) {
		return call_fail(c, ERR_VALIDATION, "ExpressionAttributeValues must not be empty");
	}
	for (size_t i = 0; i < values->n && r == 0; i++) {
		r = placeholders_check_key(c, "ExpressionAttributeValues", values->at[i].name, ':');
	}
	return r;
}
