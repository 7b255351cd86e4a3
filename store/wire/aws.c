/*
 * aws - the environment first, then the profile's section in both files
 *
 *   credentials   AWS_ACCESS_KEY_ID ...           ~/.aws/credentials, ~/.aws/config
 *   region        AWS_REGION, AWS_DEFAULT_REGION  region
 *   endpoint      AWS_ENDPOINT_URL_DYNAMODB       the section [services ...] of the profile
 *                 AWS_ENDPOINT_URL                endpoint_url
 */
#include "store/wire/aws.h"

#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/buf.h"
#include "store/base/ini.h"
#include "store/base/url.h"

#define DYNAMODB "dynamodb:"
#define REGION_ANYWHERE "us-east-1" /* where the server does not care */

struct aws {
	struct call *c;
	aws_env_fn *env;
	struct slice profile;
	struct slice section;   /* of the profile, in the second file */
	const char *path[2];    /* of credentials, of config */
	struct ini file[2];     /* empty where there is none */
	struct credential *key; /* or NULL */
	const char *who;        /* as in client_options */
};

/* ------------------------------------------------------------ looking */

/* A variable that is there and not empty, or NULL. */
static const char *
variable(const struct aws *a, const char *name)
{
	const char *value = a->env(name);

	return value == NULL || value[0] == '\0' ? NULL : value;
}

static const char *
first_variable(const struct aws *a, const char *name, const char *second)
{
	const char *value = variable(a, name);

	return value != NULL ? value : variable(a, second);
}

static struct slice
section(const struct aws *a, int file)
{
	return file == 0 ? a->profile : a->section;
}

/* What the profile says, the configuration first; NULL: nothing. */
static const char *
setting(const struct aws *a, const char *key)
{
	for (int file = 1; file >= 0; file--) {
		struct slice value = ini_value(&a->file[file], section(a, file), "", key);

		if (value.len > 0) {
			return slice_cstr(&a->c->arena, value);
		}
	}
	return NULL;
}

static const char *
text(const struct aws *a, const char *before, struct slice middle, const char *after)
{
	struct buf b;

	buf_init(&b, &a->c->arena);
	buf_str(&b, before);
	buf_slice(&b, middle);
	buf_str(&b, after);
	return slice_cstr(&a->c->arena, buf_view(&b));
}

/* ------------------------------------------------------------ files */

static int
read_file(struct aws *a, int file, const char *named_by, const char *usual)
{
	const char *home = variable(a, "HOME");

	a->path[file] = variable(a, named_by);
	if (a->path[file] == NULL && home != NULL) {
		a->path[file] = text(a, home, slice_from(usual), "");
	}
	if (a->path[file] == NULL || access(a->path[file], R_OK) < 0) {
		return 0;
	}
	return ini_read(a->c, a->path[file], NULL, &a->file[file]);
}

static int
read_profile(struct aws *a)
{
	const char *named = first_variable(a, "AWS_PROFILE", "AWS_DEFAULT_PROFILE");
	int r = read_file(a, 0, "AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials");

	r = r < 0 ? r : read_file(a, 1, "AWS_CONFIG_FILE", "/.aws/config");
	if (r < 0) {
		return r;
	}
	a->profile = named == NULL ? SLICE("default") : slice_from(named);
	a->section = slice_from(text(a, "profile ", a->profile, ""));
	if (!ini_has(&a->file[1], a->section) && slice_is(a->profile, "default")) {
		a->section = a->profile;
	}
	if (named != NULL && !ini_has(&a->file[0], a->profile) &&
	    !ini_has(&a->file[1], a->section)) {
		return call_fail(a->c, ERR_VALIDATION, "The config profile (%s) could not be found",
				 named);
	}
	return 0;
}

/* ------------------------------------------------------------ the key */

static void
take_key(struct aws *a, struct slice id, struct slice secret, struct slice token, const char *from)
{
	a->key = arena_new(&a->c->arena, struct credential, 1);
	*a->key = (struct credential){a->profile, id, secret, token};
	a->who = text(a, "signed with the key ", id, from);
}

static int
key_of_environment(struct aws *a)
{
	struct slice id = slice_from(variable(a, "AWS_ACCESS_KEY_ID"));
	struct slice secret = slice_from(variable(a, "AWS_SECRET_ACCESS_KEY"));

	if (id.len > 0 && secret.len == 0) {
		return call_fail(
			a->c, ERR_VALIDATION,
			"Partial credentials found in env, missing: AWS_SECRET_ACCESS_KEY");
	}
	if (id.len > 0) {
		take_key(a, id, secret,
			 slice_from(first_variable(a, "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN")),
			 " of AWS_ACCESS_KEY_ID");
	}
	return 0;
}

static int
key_of_file(struct aws *a, int file)
{
	const struct ini *p = &a->file[file];
	struct slice where = section(a, file);
	struct slice id = ini_value(p, where, "", "aws_access_key_id");
	struct slice secret = ini_value(p, where, "", "aws_secret_access_key");

	if (id.len > 0 && secret.len == 0) {
		return call_fail(a->c, ERR_VALIDATION,
				 "Partial credentials found in %s, profile %.*s, missing: "
				 "aws_secret_access_key",
				 a->path[file], SLICE_ARG(a->profile));
	}
	if (id.len > 0) {
		take_key(a, id, secret, ini_value(p, where, "", "aws_session_token"),
			 text(a, text(a, " of profile ", a->profile, " in "),
			      slice_from(a->path[file]), ""));
	}
	return 0;
}

/* Where none was found, and what to do about what is there instead. */
static const char *
say_none(const struct aws *a)
{
	static const char *const ways[] = {"role_arn", "sso_session", "sso_start_url",
					   "credential_process", "web_identity_token_file"};
	struct buf b;

	buf_init(&b, &a->c->arena);
	buf_fmt(&b,
		"not signed: AWS_ACCESS_KEY_ID is not set, and profile %.*s has no "
		"aws_access_key_id in %s or %s",
		SLICE_ARG(a->profile), a->path[0] == NULL ? "~/.aws/credentials" : a->path[0],
		a->path[1] == NULL ? "~/.aws/config" : a->path[1]);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (setting(a, ways[i]) != NULL) {
			buf_fmt(&b,
				"; its %s is not followed here: eval \"$(aws configure "
				"export-credentials --format env)\"",
				ways[i]);
			break;
		}
	}
	return slice_cstr(&a->c->arena, buf_view(&b));
}

static int
find_key(struct aws *a)
{
	int r = key_of_environment(a);

	for (int file = 0; file < 2 && r == 0 && a->key == NULL; file++) {
		r = key_of_file(a, file);
	}
	if (r == 0 && a->key == NULL) {
		a->who = say_none(a);
	}
	return r;
}

/* ------------------------------------------------------------ region and endpoint */

static int
find_region(const struct aws *a, const char *named, const char **out)
{
	const char *region = named;

	if (region[0] == '\0') {
		region = first_variable(a, "AWS_REGION", "AWS_DEFAULT_REGION");
		region = region != NULL ? region : setting(a, "region");
	}
	if (region == NULL) {
		return call_fail(a->c, ERR_VALIDATION,
				 "You must specify a region: dynamodb:REGION, or AWS_REGION");
	}
	/* It becomes a part of a host's name. */
	for (const char *ch = region; *ch != '\0'; ch++) {
		if (!ascii_word(*ch) && *ch != '-') {
			return call_fail(a->c, ERR_VALIDATION,
					 "Provided region_name '%s' doesn't match a supported "
					 "format.",
					 region);
		}
	}
	*out = region;
	return 0;
}

static bool
ignores_endpoints(const struct aws *a)
{
	const char *variable_says = variable(a, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
	const char *says = variable_says != NULL ? variable_says
						 : setting(a, "ignore_configured_endpoint_urls");

	return says != NULL && strcasecmp(says, "true") == 0;
}

/* What the section says that the profile names for its services; NULL: nothing. */
static const char *
services_say(const struct aws *a, const char *group)
{
	const char *services = setting(a, "services");

	if (services == NULL) {
		return NULL;
	}
	struct slice name = slice_from(text(a, "services ", slice_from(services), ""));
	struct slice url = ini_value(&a->file[1], name, group, "endpoint_url");

	return url.len == 0 ? NULL : slice_cstr(&a->c->arena, url);
}

/* One of the two services', in the order of the AWS documentation. */
static const char *
find_endpoint(const struct aws *a, const char *own_variable, const char *group, const char *host,
	      const char *region)
{
	const char *url = NULL;

	if (!ignores_endpoints(a)) {
		url = first_variable(a, own_variable, "AWS_ENDPOINT_URL");
		url = url != NULL ? url : services_say(a, group);
		url = url != NULL ? url : setting(a, "endpoint_url");
	}
	return url != NULL ? url
			   : text(a, host, slice_from(region),
				  strncmp(region, "cn-", 3) == 0 ? ".amazonaws.com.cn"
								 : ".amazonaws.com");
}

/* ------------------------------------------------------------ names of stores */

bool
aws_named(const char *name)
{
	return strncmp(name, DYNAMODB, strlen(DYNAMODB)) == 0 || strncmp(name, "http://", 7) == 0 ||
	       strncmp(name, "https://", 8) == 0;
}

static int
find_dynamodb(const struct aws *a, const char *name, struct client_options *out)
{
	int r = find_region(a, name + strlen(DYNAMODB), &out->region);

	if (r < 0) {
		return r;
	}
	if (a->key == NULL) {
		return call_fail(a->c, ERR_NO_SIGNATURE, "Unable to locate credentials (%s)",
				 a->who);
	}
	out->url = find_endpoint(a, "AWS_ENDPOINT_URL_DYNAMODB", "dynamodb", "https://dynamodb.",
				 out->region);
	out->streams_url = find_endpoint(a, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "dynamodb_streams",
					 "https://streams.dynamodb.", out->region);
	return 0;
}

/* What stands behind the port would be lost on a server. */
static int
check_url(struct call *c, const char *name)
{
	const char *host = strstr(name, "://") + strlen("://");
	const char *rest = host + strcspn(host, "/?#");

	if (rest[0] == '\0' || strcmp(rest, "/") == 0) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "%s: an endpoint is http(s)://HOST:PORT, with nothing behind it",
			 url_shown(&c->arena, name));
}

int
aws_find(struct call *c, aws_env_fn *env, const char *name, struct client_options *out)
{
	struct aws a = {.c = c, .env = env};
	int r = read_profile(&a);

	r = r < 0 ? r : find_key(&a);
	if (r < 0) {
		return r;
	}
	*out = (struct client_options){.url = name, .credential = a.key, .who = a.who};
	if (strncmp(name, DYNAMODB, strlen(DYNAMODB)) == 0) {
		return find_dynamodb(&a, name, out);
	}
	r = check_url(c, name);
	if (r < 0) {
		return r;
	}
	bool configured = first_variable(&a, "AWS_REGION", "AWS_DEFAULT_REGION") != NULL ||
			  setting(&a, "region") != NULL;

	return find_region(&a, configured ? "" : REGION_ANYWHERE, &out->region);
}
