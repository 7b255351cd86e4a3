/* aws_names - addresses of services: the configured ones, or else those of a region */
#ifndef STORE_WIRE_CLIENT_AWS_NAMES_H
#define STORE_WIRE_CLIENT_AWS_NAMES_H

#include "store/wire/client/aws_profile.h"

enum aws_service { AWS_DYNAMODB, AWS_STREAMS, AWS_STS };

/**
 * aws_region_check - check that a region can be a part of a host name
 *
 * Errors:  -ERR_VALIDATION
 */
int aws_region_check(struct call *c, const char *region) must_check;

/** aws_region - Return: the configured region, or NULL */
const char *aws_region(const struct aws_profile *p);

/** aws_endpoint - Return: the URL of a service, from a variable, from the profile, or that of the region */
const char *aws_endpoint(const struct aws_profile *p, enum aws_service service, const char *region);

/**
 * aws_names_region - Return: the region of an endpoint of DynamoDB, or an empty slice if @host is none
 * @host: in small letters; the endpoint of a region, an account or a VPC
 */
struct slice aws_names_region(struct slice host);

#endif
