/* aws_trust - which certificates a server's may be signed with: a file or folder that is configured */
#ifndef STORE_WIRE_CLIENT_AWS_TRUST_H
#define STORE_WIRE_CLIENT_AWS_TRUST_H

#include "store/wire/client/aws_profile.h"

struct aws_trust {
	const char *file;   /* of certificates in PEM; NULL: the system's */
	const char *folder; /* of such, by their hashes; NULL: the system's */
};

/**
 * aws_trust_find - AWS_CA_BUNDLE, ca_bundle, CURL_CA_BUNDLE, SSL_CERT_FILE; SSL_CERT_DIR
 *
 * Errors:  -ERR_IO  what is named is not there
 */
int aws_trust_find(const struct aws_profile *p, struct aws_trust *out)
	__attribute__((warn_unused_result));

#endif
