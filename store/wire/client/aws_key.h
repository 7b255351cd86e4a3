/*
 * aws_key - where keys come from: a table of providers in the order of the SDKs (aws_keys.c)
 *
 * A provider looks whether it is configured, and says AWS_KEY_NONE if it is not.  One that is
 * configured and fails ends the search: another key could be another account's.
 */
#ifndef STORE_WIRE_CLIENT_AWS_KEY_H
#define STORE_WIRE_CLIENT_AWS_KEY_H

#include "store/wire/client/aws_profile.h"
#include "store/wire/proto/credentials.h"

enum {
	AWS_KEY_NONE = 1,              /* this provider has nothing to say */
	AWS_KEY_FILE_MAX = 256 * 1024, /* bytes of a file that holds a token */
};

struct aws_key {
	struct credential credential; /* without an id: nobody signs */
	uint64_t ends_ms;             /* Unix time; 0: it does not */
	const char *who;              /* whose it is, or why there is none: for messages */
};

/* What a provider looks at. */
struct aws_search {
	const struct aws_profile *profile; /* its call has the memory and the errors */
	const char *region;                /* of the client: its STS is asked */
	bool instance;                     /* is the machine's own role meant, too? */
};

/* Errors: -ERR_VALIDATION, -ERR_NO_SIGNATURE, -ERR_UNREACHABLE, -ERR_IO */
typedef int aws_provider_fn(const struct aws_search *s, struct aws_key *out);

/* aws_key_files.c */
aws_provider_fn aws_key_environment, aws_key_credentials_file, aws_key_config_file;
/* aws_key_cli.c: programs that print keys */
aws_provider_fn aws_key_role, aws_key_sso, aws_key_process;
/* aws_key_web.c */
aws_provider_fn aws_key_web_identity;
/* aws_key_metadata.c */
aws_provider_fn aws_key_container, aws_key_instance;

/* ------------------------------------------------------------ what they have in common: aws_key_text.c */

/** aws_key_take - a key, if its parts can be sent; @from: behind "signed with the key ID", for messages */
int aws_key_take(struct call *c, struct credential key, uint64_t ends_ms, const char *from,
		 struct aws_key *out) __attribute__((warn_unused_result));

/**
 * aws_key_from_json - AccessKeyId, SecretAccessKey, @token_name, Expiration
 * @source: who answered, for messages; the answer is never in one
 */
int aws_key_from_json(struct call *c, struct slice text, const char *token_name, const char *source,
		      struct aws_key *out) __attribute__((warn_unused_result));

/** aws_key_still_good - -ERR_NO_SIGNATURE where it has ended already */
int aws_key_still_good(struct call *c, const struct aws_key *key, const char *source)
	__attribute__((warn_unused_result));

/** aws_key_time - "2026-01-31T12:00:00Z", also with a fraction or "+01:00", as Unix time; false: it is none */
bool aws_key_time(struct slice text, uint64_t *ms);

/** aws_key_read_file - a small text without the blanks around it */
int aws_key_read_file(struct call *c, const char *path, const char *named_by, struct slice *out)
	__attribute__((warn_unused_result));

#endif
