/*
 * aws_key - providers of keys; aws_keys.c calls them in the order of the SDKs
 *
 * A provider returns AWS_KEY_NONE if it is not configured.  If it is configured and fails, the search ends, since the
 * key of another provider could belong to another account.
 */
#ifndef STORE_WIRE_CLIENT_AWS_KEY_H
#define STORE_WIRE_CLIENT_AWS_KEY_H

#include "store/wire/client/aws_profile.h"
#include "store/wire/proto/credentials.h"

enum {
	AWS_KEY_NONE = 1,              /* this provider is not configured */
	AWS_KEY_FILE_MAX = 256 * 1024, /* bytes of a file with a token */
};

struct aws_key {
	struct credential credential; /* without an id: requests are not signed */
	uint64_t ends_ms;             /* Unix time when it expires; 0: never */
	const char *who;              /* source of the key, or why there is none, for messages */
};

/* The input of a provider. */
struct aws_search {
	const struct aws_profile *profile; /* its call has the memory and the errors */
	const char *region;                /* of the client: selects the endpoint of STS */
	bool instance;                     /* also use the machine's own role */
};

/* Return: 0, AWS_KEY_NONE, -ERR_VALIDATION, -ERR_NO_SIGNATURE, -ERR_EXPIRED_TOKEN, -ERR_UNREACHABLE, -ERR_IO */
typedef int aws_provider_fn(const struct aws_search *s, struct aws_key *out);

/* aws_key_files.c */
aws_provider_fn aws_key_environment, aws_key_credentials_file, aws_key_config_file;
/* aws_key_cli.c: programs that print keys */
aws_provider_fn aws_key_role, aws_key_sso, aws_key_process;
/* aws_key_web.c */
aws_provider_fn aws_key_web_identity;
/* aws_key_metadata.c */
aws_provider_fn aws_key_container, aws_key_instance;

/* ------------------------------------------------------------ shared by the providers: aws_key_text.c */

/**
 * aws_key_take - fill @out, if the parts of the key can be sent
 * @from: text after "signed with the key ID" in messages
 *
 * Errors:  -ERR_NO_SIGNATURE  a part has a byte that no key has
 */
int aws_key_take(struct call *c, struct credential key, uint64_t ends_ms, const char *from,
		 struct aws_key *out) must_check;

/**
 * aws_key_from_json - read a key from the members AccessKeyId, SecretAccessKey, @token_name and Expiration
 * @source: name of the source, for messages, which never repeat the text
 *
 * Errors:  -ERR_NO_SIGNATURE
 */
int aws_key_from_json(struct call *c, struct slice text, const char *token_name, const char *source,
		      struct aws_key *out) must_check;

/** aws_key_still_good - Return: 0, or -ERR_EXPIRED_TOKEN if the key has expired already */
int aws_key_still_good(struct call *c, const struct aws_key *key, const char *source) must_check;

/**
 * aws_key_time - read "2026-01-31T12:00:00Z", also with a fraction or "+01:00", as Unix time; Return: false if invalid
 */
bool aws_key_time(struct slice text, uint64_t *ms);

/**
 * aws_key_read_file - read a token from a regular file, and trim it
 * @named_by: the setting with the path, for messages
 *
 * Errors:  -ERR_IO            the file cannot be read
 *          -ERR_NO_SIGNATURE  it has no token: it is empty, too large or not plain text
 */
int aws_key_read_file(struct call *c, const char *path, const char *named_by, struct slice *out)
	must_check;

#endif
