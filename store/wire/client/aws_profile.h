/*
 * aws_profile - settings in the environment and the two files of the AWS tools
 *
 * Files are read again each time, so changes by other tools take effect.
 */
#ifndef STORE_WIRE_CLIENT_AWS_PROFILE_H
#define STORE_WIRE_CLIENT_AWS_PROFILE_H

#include "store/base/text/ini.h"

/* The value of a variable of the environment, or NULL. */
typedef const char *aws_env_fn(const char *name);

enum aws_file { AWS_CREDENTIALS, AWS_CONFIG, AWS_FILES };

/* All memory is in the call's arena. */
struct aws_profile {
	struct call *c;
	aws_env_fn *env;
	struct slice name;
	struct slice section;        /* of the profile, in AWS_CONFIG */
	const char *path[AWS_FILES]; /* NULL: no home directory */
	struct ini file[AWS_FILES];  /* empty if the file does not exist */
};

/**
 * aws_profile_read - read the profile that AWS_PROFILE names, or else "default"
 *
 * Errors:  -ERR_VALIDATION  there is no profile of that name
 *          -ERR_IO          a file cannot be read
 */
int aws_profile_read(struct call *c, aws_env_fn *env, struct aws_profile *out) must_check;

/** aws_profile_section - Return: the name of the profile's section in one of the files */
struct slice aws_profile_section(const struct aws_profile *p, enum aws_file file);

/** aws_variable, aws_first_variable - Return: the value of the (first) variable that is set and not empty, or NULL */
const char *aws_variable(const struct aws_profile *p, const char *name);
const char *aws_first_variable(const struct aws_profile *p, const char *name, const char *second);

/** aws_setting - Return: a setting of the profile, from AWS_CONFIG or else AWS_CREDENTIALS, or NULL */
const char *aws_setting(const struct aws_profile *p, const char *key);

/** aws_either - Return: the variable, or else the setting, or NULL */
const char *aws_either(const struct aws_profile *p, const char *variable, const char *key);

/** aws_either_is_true - Return: whether aws_either() is "true", in any case */
bool aws_either_is_true(const struct aws_profile *p, const char *variable, const char *key);

/* The configured certificate authorities for TLS. */
struct aws_trust {
	const char *file;   /* certificates in PEM; NULL: the system's */
	const char *folder; /* certificates named by their hashes; NULL: the system's */
};

/**
 * aws_trust_find - use the first of AWS_CA_BUNDLE, ca_bundle, CURL_CA_BUNDLE and SSL_CERT_FILE; and SSL_CERT_DIR
 *
 * Errors:  -ERR_IO  the file does not exist
 */
int aws_trust_find(const struct aws_profile *p, struct aws_trust *out) must_check;

#endif
