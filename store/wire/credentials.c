/* credentials - the keys among the lines of a file */
#include "store/wire/credentials.h"

#include "store/wire/profiles.h"

/* What one line says of the profile that it belongs to. */
static void
take_line(struct credential *one, const struct profile_line *l)
{
	if (l->group.len > 0) {
		return;
	}
	if (slice_is(l->key, "aws_access_key_id")) {
		one->id = l->value;
	} else if (slice_is(l->key, "aws_secret_access_key")) {
		one->secret = l->value;
	} else if (slice_is(l->key, "aws_session_token")) {
		one->token = l->value;
	}
}

int
credentials_read(struct call *c, const char *path, struct credentials *out)
{
	struct profiles file = {0};
	struct credential *all = NULL;
	size_t n = 0;
	size_t cap = 0;
	struct credential one = {.profile = SLICE("")};
	int r = profiles_read(c, path, &file);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i <= file.n; i++) {
		if (i < file.n && file.line[i].key.len > 0) {
			take_line(&one, &file.line[i]);
			continue;
		}
		if (one.id.len > 0 && one.secret.len > 0) {
			all = arena_room(&c->arena, all, n, &cap);
			all[n++] = one;
		}
		one = (struct credential){.profile = i < file.n ? file.line[i].section : SLICE("")};
	}
	*out = (struct credentials){all, n};
	return n > 0 ? 0
		     : call_fail(c, ERR_VALIDATION,
				 "no profile of %s has aws_access_key_id and aws_secret_access_key",
				 path);
}

const struct credential *
credentials_of_id(const struct credentials *known, struct slice id)
{
	for (size_t i = 0; i < known->n; i++) {
		if (slice_eq(known->all[i].id, id)) {
			return &known->all[i];
		}
	}
	return NULL;
}

const struct credential *
credentials_of_profile(const struct credentials *known, struct slice profile)
{
	for (size_t i = 0; i < known->n; i++) {
		if (slice_eq(known->all[i].profile, profile)) {
			return &known->all[i];
		}
	}
	return NULL;
}
