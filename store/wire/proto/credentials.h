/*
 * credentials - the keys that sign requests, from a file in the format of ~/.aws/credentials
 *
 *   [PROFILE]
 *   aws_access_key_id = ...
 *   aws_secret_access_key = ...
 *   aws_session_token = ...            where a session has one
 */
#ifndef STORE_WIRE_PROTO_CREDENTIALS_H
#define STORE_WIRE_PROTO_CREDENTIALS_H

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

struct credential {
	struct slice profile;
	struct slice id;
	struct slice secret;
	struct slice token; /* empty: none */
};

struct credentials {
	const struct credential *all; /* those with an id and a secret */
	size_t n;
};

/**
 * credentials_read - all profiles of a file; in the call's arena
 *
 * Other keys and profiles without keys are passed over, as the SDKs do.
 * Errors:  -ERR_IO  it cannot be read;  -ERR_ACCESS  others can read it, too, or it is theirs;
 *          -ERR_VALIDATION  no profile has both keys
 */
int credentials_read(struct call *c, const char *path, struct credentials *out)
	__attribute__((warn_unused_result));

struct stat;

/** credentials_shared - can others than those who are meant read the file? */
bool credentials_shared(const struct stat *st);

/** credentials_of_id, credentials_of_profile - the first of that name, or NULL */
const struct credential *credentials_of_id(const struct credentials *known, struct slice id);
const struct credential *credentials_of_profile(const struct credentials *known,
						struct slice profile);

#endif
