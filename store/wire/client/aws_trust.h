/* aws_trust - the configured certificate authorities for TLS: a file or a folder */
#ifndef STORE_WIRE_CLIENT_AWS_TRUST_H
#define STORE_WIRE_CLIENT_AWS_TRUST_H

#include "store/wire/client/aws_profile.h"

struct aws_trust {
	const char *file;   /* certificates in PEM; NULL: the system's */
	const char *folder; /* certificates named by their hashes; NULL: the system's */
};

/**
 * aws_trust_find - use the first of AWS_CA_BUNDLE, ca_bundle, CURL_CA_BUNDLE and SSL_CERT_FILE; and SSL_CERT_DIR
 *
 * Errors:  -ERR_IO  the file does not exist
 */
int aws_trust_find(const struct aws_profile *p, struct aws_trust *out)
	__attribute__((warn_unused_result));

#endif
