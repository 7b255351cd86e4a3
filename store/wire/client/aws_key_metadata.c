/*
 * aws_key_metadata - keys that the host issues to its programs
 *
 *   a container  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, AWS_CONTAINER_CREDENTIALS_FULL_URI
 *   an instance  IMDSv2: a token, the role's name, the role's key
 */
#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/core/timing.h"
#include "store/base/text/url.h"
#include "store/wire/client/aws_fetch.h"
#include "store/wire/client/aws_key.h"
#include "store/wire/client/aws_profile.h"

#define CONTAINER "http://169.254.170.2"
#define INSTANCE "http://169.254.169.254"
#define INSTANCE_IPV6 "http://[fd00:ec2::254]"
#define ROLES "/latest/meta-data/iam/security-credentials/"

enum {
	CONTAINER_TRIES = 3,
	CONTAINER_PAUSE_MS = 200,
	INSTANCE_MS = 1000,
	INSTANCE_AGAIN_MS = 5 * 60 * 1000, /* until a new key is asked for after an expired one */
	SECONDS_MAX = 600,
};

/* ------------------------------------------------------------ containers */

/* Return whether a URL may get the token: over plain HTTP only a service of this machine. */
static bool
aws_key_container_may_ask(const char *url)
{
	static const char *const hosts[] = {"127.",          "localhost",      "[::1]",
					    "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"};
	const char *host = strstr(url, "://");

	if (strncmp(url, "https://", 8) == 0) {
		return true;
	}
	if (host == NULL || strncmp(url, "http://", 7) != 0) {
		return false;
	}
	host += strlen("://");
	size_t len = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?#");

	if (memchr(host, '@', strcspn(host, "/?#")) != NULL) {
		return false;
	}
	/* 127.0.0.0/8: only digits and dots; otherwise it could be the name of another host. */
	if (strncmp(host, hosts[0], 4) == 0) {
		return strspn(host, "0123456789.") == len;
	}
	for (size_t i = 1; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		if (strlen(hosts[i]) == len && strncmp(host, hosts[i], len) == 0) {
			return true;
		}
	}
	return false;
}

/* Return in @out the header "Authorization: ...", or NULL. */
static int
aws_key_container_header(const struct aws_profile *p, const char **out)
{
	const char *file = aws_variable(p, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
	struct slice token = slice_from(aws_variable(p, "AWS_CONTAINER_AUTHORIZATION_TOKEN"));

	*out = NULL;
	if (file != NULL) {
		int r = aws_key_read_file(p->c, file, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
					  &token);

		if (r < 0) {
			return r;
		}
	}
	if (token.len == 0) {
		return 0;
	}
	if (slice_chr(token, '\n') != NULL || slice_chr(token, '\r') != NULL) {
		return call_fail(p->c, ERR_VALIDATION,
				 "AWS_CONTAINER_AUTHORIZATION_TOKEN has more than one line");
	}
	*out = arena_print(&p->c->arena, "Authorization: %.*s", SLICE_ARG(token));
	return 0;
}

/* Ask a few times, since the agent of a task that has just begun may not answer yet. */
static int
aws_key_container_ask(struct call *c, const struct aws_fetch *f, struct aws_fetched *answer)
{
	for (int tries = 1;; tries++) {
		int r = aws_fetch(c, f, answer);

		if ((r == 0 && answer->status < 500) || tries == CONTAINER_TRIES ||
		    !pause_ms(c, CONTAINER_PAUSE_MS)) {
			return r;
		}
		c->error = (struct error){0};
	}
}

int
aws_key_container(const struct aws_search *s, struct aws_key *out)
{
	const struct aws_profile *p = s->profile;
	const char *relative = aws_variable(p, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	const char *full = aws_variable(p, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
	unsigned ms = timing_ms(TIMING_CONTAINER);
	struct aws_fetch f = {.method = "GET", .connect_ms = ms, .ms = ms};
	struct aws_fetched answer;

	if (relative == NULL && full == NULL) {
		return AWS_KEY_NONE;
	}
	f.url = relative != NULL ? arena_print(&p->c->arena, CONTAINER "%s", relative) : full;
	const char *source = arena_print(&p->c->arena, "the container's address %s",
					 url_shown(&p->c->arena, f.url));

	if (relative != NULL ? relative[0] != '/' : !aws_key_container_may_ask(full)) {
		return call_fail(
			p->c, ERR_VALIDATION,
			"%s is not allowed as a source of keys: it must be https://, or a host of this "
			"machine or of its container service",
			source);
	}
	int r = aws_key_container_header(p, &f.header);

	r = r < 0 ? r : aws_key_container_ask(p->c, &f, &answer);
	if (r < 0) {
		return r;
	}
	if (answer.status != 200) {
		return call_fail(p->c, ERR_NO_SIGNATURE, "%s: HTTP status %ld", source,
				 answer.status);
	}
	r = aws_key_from_json(p->c, answer.body, "Token", source, out);
	return r < 0 ? r : aws_key_still_good(p->c, out, source);
}

/* ------------------------------------------------------------ instances */

static const char *
aws_key_instance_at(const struct aws_profile *p)
{
	const char *named =
		aws_either(p, "AWS_EC2_METADATA_SERVICE_ENDPOINT", "ec2_metadata_service_endpoint");
	const char *mode = aws_either(p, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE",
				      "ec2_metadata_service_endpoint_mode");

	if (named == NULL) {
		return mode != NULL && strcasecmp(mode, "ipv6") == 0 ? INSTANCE_IPV6 : INSTANCE;
	}
	struct slice url = slice_from(named);

	while (slice_ends(url, SLICE("/"))) {
		url.len--;
	}
	return slice_cstr(&p->c->arena, url);
}

/* AWS_METADATA_SERVICE_TIMEOUT, in seconds. */
static unsigned
aws_key_instance_ms(const struct aws_profile *p)
{
	const char *text =
		aws_either(p, "AWS_METADATA_SERVICE_TIMEOUT", "metadata_service_timeout");
	unsigned long seconds = text == NULL ? 0 : strtoul(text, NULL, 10);

	return seconds == 0 || seconds > SECONDS_MAX ? INSTANCE_MS : (unsigned)seconds * 1000;
}

static bool
aws_key_instance_role_is_good(struct slice role)
{
	for (size_t i = 0; i < role.len; i++) {
		if (!ascii_word(role.at[i]) && strchr("+=,.@-", role.at[i]) == NULL) {
			return false;
		}
	}
	return role.len > 0 && role.len <= 128;
}

static int
aws_key_instance_get(struct call *c, struct aws_fetch *f, const char *at, const char *path,
		     struct aws_fetched *answer)
{
	f->url = arena_print(&c->arena, "%s%s", at, path);
	int r = aws_fetch(c, f, answer);

	if (r < 0 || answer->status == 200) {
		return r;
	}
	return call_fail(c, answer->status >= 500 ? ERR_UNREACHABLE : ERR_NO_SIGNATURE,
			 "%s: HTTP status %ld", url_shown(&c->arena, f->url), answer->status);
}

/* Read the key.  An expired key may still be accepted if the service has an outage, so it is used until a newer one. */
static int
aws_key_instance_read(struct call *c, const char *at, const struct aws_fetched *answer,
		      struct aws_key *out)
{
	const char *source =
		arena_print(&c->arena, "the instance metadata at %s", url_shown(&c->arena, at));
	int r = aws_key_from_json(c, answer->body, "Token", source, out);

	if (r == 0 && out->ends_ms != 0 && out->ends_ms <= clock_now_ms()) {
		out->ends_ms = clock_now_ms() + INSTANCE_AGAIN_MS;
	}
	return r;
}

int
aws_key_instance(const struct aws_search *s, struct aws_key *out)
{
	const struct aws_profile *p = s->profile;
	struct call *c = p->c;
	const char *at = aws_key_instance_at(p);
	unsigned ms = aws_key_instance_ms(p);
	struct aws_fetch f = {
		.method = "PUT",
		.url = arena_print(&c->arena, "%s/latest/api/token", at),
		.header = "X-aws-ec2-metadata-token-ttl-seconds: 21600",
		.connect_ms = ms,
		.ms = ms,
	};
	struct aws_fetched answer;

	if (!s->instance || aws_either_is_true(p, "AWS_EC2_METADATA_DISABLED", "")) {
		return AWS_KEY_NONE;
	}
	if (aws_fetch(c, &f, &answer) < 0 || answer.status != 200) {
		/* This is most likely no instance of EC2. */
		c->error = (struct error){0};
		return AWS_KEY_NONE;
	}
	struct slice token = ascii_trim(answer.body);

	if (token.len == 0 || slice_chr(token, '\n') != NULL) {
		return call_fail(c, ERR_NO_SIGNATURE, "%s returned no token",
				 url_shown(&c->arena, f.url));
	}
	f.method = "GET";
	f.header = arena_print(&c->arena, "X-aws-ec2-metadata-token: %.*s", SLICE_ARG(token));
	int r = aws_key_instance_get(c, &f, at, ROLES, &answer);

	if (r < 0) {
		return r;
	}
	struct slice role = ascii_trim(answer.body);

	if (!aws_key_instance_role_is_good(role)) {
		return call_fail(c, ERR_NO_SIGNATURE, "%s returned no role",
				 url_shown(&c->arena, f.url));
	}
	r = aws_key_instance_get(c, &f, at, arena_print(&c->arena, ROLES "%.*s", SLICE_ARG(role)),
				 &answer);
	return r < 0 ? r : aws_key_instance_read(c, at, &answer, out);
}
