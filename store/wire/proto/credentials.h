/*
 * credentials - access keys from a file in the format of ~/.aws/credentials
 *
 *   [PROFILE]
 *   aws_access_key_id = ...
 *   aws_secret_access_key = ...
 *   aws_session_token = ...            optional
 */
#ifndef STORE_WIRE_PROTO_CREDENTIALS_H
#define STORE_WIRE_PROTO_CREDENTIALS_H

#include "store/base/core/base.h"

struct credential {
	struct slice profile;
	struct slice id;
	struct slice secret;
	struct slice token; /* empty: none */
};

struct credentials {
	const struct credential *all; /* each has an id and a secret */
	size_t n;
};

/**
 * credentials_read - read all profiles of a file into the call's arena
 *
 * Ignores other settings and profiles without keys, as the SDKs do.
 * Errors:  -ERR_IO          the file cannot be read
 *          -ERR_ACCESS      other users can read the file, or it belongs to a user other than root and this one
 *          -ERR_VALIDATION  no profile has both an id and a secret
 */
int credentials_read(struct call *c, const char *path, struct credentials *out) must_check;

struct stat;

/**
 * credentials_shared - Return: whether the mode of a regular file gives users other than its owner access to it
 *
 * The group may read a file of root if this process does not run as root.
 */
bool credentials_shared(const struct stat *st);

/** credentials_same_secret - compare in constant time: the duration does not reveal how many bytes are equal */
bool credentials_same_secret(struct slice a, struct slice b);

/** credentials_of_id, credentials_of_profile - Return: the first credential with this id or profile, or NULL */
const struct credential *credentials_of_id(const struct credentials *known, struct slice id);
const struct credential *credentials_of_profile(const struct credentials *known,
						struct slice profile);

#endif
