/* aws_names - the addresses of the services: configured ones, else what a region has */
#ifndef STORE_WIRE_CLIENT_AWS_NAMES_H
#define STORE_WIRE_CLIENT_AWS_NAMES_H

#include "store/wire/client/aws_profile.h"

enum aws_service { AWS_DYNAMODB, AWS_STREAMS, AWS_STS };

/**
 * aws_region_check - may it become a part of a host's name?
 *
 * Errors:  -ERR_VALIDATION
 */
int aws_region_check(struct call *c, const char *region) __attribute__((warn_unused_result));

/** aws_region - the region that is configured, or NULL */
const char *aws_region(const struct aws_profile *p);

/** aws_endpoint - the URL of a service: the variables', the profile's, the region's own */
const char *aws_endpoint(const struct aws_profile *p, enum aws_service service, const char *region);

/** aws_names_region - the region of which @host, in small letters, is DynamoDB's: its own, an account's, a VPC's; empty: it is none */
struct slice aws_names_region(struct slice host);

#endif
