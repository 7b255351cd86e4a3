/* credentials - reader of credential files: collects the keys of each profile and checks the file's owner and mode */
#include "store/wire/proto/credentials.h"

#include <sys/stat.h>

#include "store/base/text/ini.h"

/* Store the key of one line in its profile. */
static void
credentials_take_line(struct credential *one, const struct ini_line *l)
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

/* A service that does not run as root may get its keys in a file of root that its group can read. */
bool
credentials_shared(const struct stat *st)
{
	mode_t shared = st->st_uid == 0 && geteuid() != 0 ? 0037 : 0077;

	return S_ISREG(st->st_mode) && (st->st_mode & shared) != 0;
}

/* These keys give full access to the store, so the file must be private and from a trusted user. */
static int
credentials_judge(struct call *c, const char *path, const struct stat *st)
{
	if (!S_ISREG(st->st_mode)) {
		return 0; /* reading it fails with a better message */
	}
	if (st->st_uid != 0 && st->st_uid != geteuid()) {
		return call_fail(
			c, ERR_ACCESS,
			"the credentials file %s belongs to another user: make a copy that only you "
			"can read",
			path);
	}
	return !credentials_shared(st)
		       ? 0
		       : call_fail(c, ERR_ACCESS,
				   "other users can read the keys in %s (mode %04o): chmod 600 %s, "
				   "and use new keys if somebody may have seen these",
				   path, st->st_mode & 07777, path);
}

int
credentials_read(struct call *c, const char *path, struct credentials *out)
{
	struct ini file = {0};
	struct credential *all = NULL;
	size_t n = 0;
	size_t cap = 0;
	struct credential one = {.profile = SLICE("")};
	int r = ini_read(c, path, credentials_judge, &file);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i <= file.n; i++) {
		if (i < file.n && file.line[i].key.len > 0) {
			credentials_take_line(&one, &file.line[i]);
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
		     : call_fail(
			       c, ERR_VALIDATION,
			       "no profile of %s has aws_access_key_id and aws_secret_access_key: write three "
			       "lines, [default], aws_access_key_id = NAME and aws_secret_access_key = SECRET",
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

bool
credentials_same_secret(struct slice a, struct slice b)
{
	unsigned differs = a.len != b.len;

	for (size_t i = 0; i < a.len && i < b.len; i++) {
		differs |= (unsigned char)a.at[i] ^ (unsigned char)b.at[i];
	}
	return differs == 0;
}
