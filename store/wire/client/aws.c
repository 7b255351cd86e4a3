/* aws - reads the profile, the region and the endpoint, and gets the first key */
#include "store/wire/client/aws.h"

#include "store/base/text/url.h"
#include "store/wire/client/aws_keys.h"
#include "store/wire/client/aws_names.h"
#include "store/wire/client/aws_profile.h"

#define DYNAMODB "dynamodb:"
#define REGION_ANYWHERE "us-east-1" /* for servers that ignore the region */

bool
aws_named(const char *name)
{
	return strncmp(name, DYNAMODB, strlen(DYNAMODB)) == 0 || strncmp(name, "http://", 7) == 0 ||
	       strncmp(name, "https://", 8) == 0;
}

/* Refuse a URL with a path or a query, which requests would not use. */
static int
aws_check_url(struct call *c, const char *name)
{
	const char *host = strstr(name, "://") + strlen("://");
	const char *rest = host + strcspn(host, "/?#");

	if (rest[0] == '\0' || strcmp(rest, "/") == 0) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "%s: an endpoint is http(s)://HOST:PORT, with nothing after it",
			 url_shown(&c->arena, name));
}

/* Find the region; @named: the one in the store's name, maybe empty; NULL: the name is a URL, which needs no region */
static int
aws_find_region(const struct aws_profile *p, const char *named, const char **out)
{
	const char *region = named != NULL && named[0] != '\0' ? named : aws_region(p);

	if (region == NULL && named == NULL) {
		region = REGION_ANYWHERE;
	}
	if (region == NULL) {
		return call_fail(p->c, ERR_VALIDATION,
				 "You must specify a region: --region REGION, dynamodb:REGION, or "
				 "AWS_REGION");
	}
	*out = region;
	return aws_region_check(p->c, region);
}

/* Get a key now, so that a missing key is reported before the first operation. */
static int
aws_find_key(struct call *c, bool needed, struct aws_keys *keys)
{
	struct aws_key key;
	int r = aws_keys_get(keys, c, &key);

	return r < 0 || !needed || key.credential.id.len > 0
		       ? r
		       : call_fail(c, ERR_NO_SIGNATURE, "Unable to locate credentials (%s)",
				   key.who);
}

int
aws_find(struct call *c, aws_env_fn *env, const char *name, struct client_options *out)
{
	bool dynamodb = strncmp(name, DYNAMODB, strlen(DYNAMODB)) == 0;
	bool tls = dynamodb || strncmp(name, "https:", 6) == 0;
	struct aws_profile p;
	int r = aws_profile_read(c, env, &p);

	*out = (struct client_options){.url = name};
	r = r < 0 || dynamodb ? r : aws_check_url(c, name);
	r = r < 0 ? r
		  : aws_find_region(&p, dynamodb ? name + strlen(DYNAMODB) : NULL, &out->region);
	r = r < 0 || !tls ? r : aws_trust_find(&p, &out->trust);
	if (r < 0) {
		return r;
	}
	if (dynamodb) {
		out->url = aws_endpoint(&p, AWS_DYNAMODB, out->region);
		out->streams_url = aws_endpoint(&p, AWS_STREAMS, out->region);
	}
	/* Do not use the machine's role for a server over plain HTTP: outside of EC2, asking for it only takes time. */
	out->keys = aws_keys_new(env, out->region, tls);
	r = aws_find_key(c, dynamodb, out->keys);
	if (r < 0) {
		aws_keys_free(out->keys);
		out->keys = NULL;
	}
	return r;
}

static struct slice
aws_server_region(struct slice server)
{
	const char *colon = slice_rchr(server, ':');

	return colon == NULL ? SLICE("")
			     : aws_names_region(slice_of(server.at, (size_t)(colon - server.at)));
}

struct aws_place
aws_place(struct call *c, aws_env_fn *env, const char *name)
{
	bool dynamodb = strncmp(name, DYNAMODB, strlen(DYNAMODB)) == 0;
	const char *region = dynamodb ? name + strlen(DYNAMODB) : NULL;
	struct aws_place place = {0};
	struct aws_profile p;
	struct call own;

	call_open(&own, c->now_ms, SIZE_MAX);
	/* If the profile cannot be read, opening fails later. */
	if (dynamodb && env != NULL && aws_profile_read(&own, env, &p) == 0) {
		const char *configured = region[0] != '\0' ? region : aws_region(&p);

		region = configured == NULL ? "" : configured;
		name = aws_endpoint(&p, AWS_DYNAMODB, region);
	}
	place.region = region == NULL ? SLICE("") : slice_copy(&c->arena, slice_from(region));
	place.server = url_server(&c->arena, name);
	place.server_region = aws_server_region(place.server);
	call_close(&own);
	return place;
}
