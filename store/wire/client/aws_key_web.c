/* aws_key_web - exchanges the token of an identity provider for a key of a role at STS */
#include "store/base/core/clock.h"
#include "store/base/core/escape.h"
#include "store/base/core/timing.h"
#include "store/wire/client/aws_fetch.h"
#include "store/wire/client/aws_key.h"
#include "store/wire/client/aws_names.h"
#include "store/wire/client/aws_profile.h"

enum {
	WEB_CONNECT_MS = 5000,
	WEB_TOLD = 300, /* characters of an error message that are repeated */
};

/* Append "&NAME=VALUE" to a form. */
static void
aws_key_web_put(struct buf *b, const char *name, struct slice value)
{
	buf_fmt(b, "&%s=", name);
	escape_percent(b, value, escape_unreserved);
}

/* Return the text of the first element of that name, or an empty slice. */
static struct slice
aws_key_web_element(struct slice xml, const char *name)
{
	char tag[64];
	int n = snprintf(tag, sizeof(tag), "<%s>", name);
	const char *from = xml.len == 0 ? NULL : memmem(xml.at, xml.len, tag, (size_t)n);

	if (from == NULL) {
		return SLICE("");
	}
	struct slice rest = slice_skip(xml, (size_t)(from - xml.at) + (size_t)n);
	const char *end = slice_chr(rest, '<');

	return end == NULL ? SLICE("") : slice_of(rest.at, (size_t)(end - rest.at));
}

static int
aws_key_web_refused(struct call *c, const char *source, const struct aws_fetched *answer)
{
	struct slice code = aws_key_web_element(answer->body, "Code");
	struct slice message = aws_key_web_element(answer->body, "Message");
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s: HTTP status %ld", source, answer->status);
	for (int i = 0; i < 2; i++) {
		struct slice part = i == 0 ? code : message;

		buf_str(&b, part.len == 0 ? "" : i == 0 ? ", " : ": ");
		(void)escape_put(&b, part, WEB_TOLD);
	}
	return call_fail(c, answer->status >= 500 ? ERR_UNREACHABLE : ERR_NO_SIGNATURE, "%.*s",
			 SLICE_ARG(buf_view(&b)));
}

static int
aws_key_web_read(struct call *c, const char *source, const struct aws_fetched *answer,
		 struct aws_key *out)
{
	struct credential key = {.id = aws_key_web_element(answer->body, "AccessKeyId"),
				 .secret = aws_key_web_element(answer->body, "SecretAccessKey"),
				 .token = aws_key_web_element(answer->body, "SessionToken")};
	uint64_t ends_ms = 0;

	if (answer->status != 200) {
		return aws_key_web_refused(c, source, answer);
	}
	if (key.id.len == 0 || key.secret.len == 0 || key.token.len == 0 ||
	    !aws_key_time(aws_key_web_element(answer->body, "Expiration"), &ends_ms)) {
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s has no key", source);
	}
	int r = aws_key_take(c, key, ends_ms, arena_print(&c->arena, " of %s", source), out);

	return r < 0 ? r : aws_key_still_good(c, out, source);
}

static const char *
aws_key_web_form(const struct aws_search *s, const char *role, struct slice token)
{
	const struct aws_profile *p = s->profile;
	const char *session = aws_either(p, "AWS_ROLE_SESSION_NAME", "role_session_name");
	struct buf b;

	if (session == NULL) {
		session = arena_print(&p->c->arena, "itemfs-%lu", (unsigned long)clock_now_ms());
	}
	buf_init(&b, &p->c->arena);
	buf_str(&b, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15");
	aws_key_web_put(&b, "RoleArn", slice_from(role));
	aws_key_web_put(&b, "RoleSessionName", slice_from(session));
	aws_key_web_put(&b, "WebIdentityToken", token);
	return slice_cstr(&p->c->arena, buf_view(&b));
}

int
aws_key_web_identity(const struct aws_search *s, struct aws_key *out)
{
	const struct aws_profile *p = s->profile;
	const char *file = aws_either(p, "AWS_WEB_IDENTITY_TOKEN_FILE", "web_identity_token_file");
	const char *role = aws_either(p, "AWS_ROLE_ARN", "role_arn");
	struct aws_fetched answer;
	struct aws_trust trust;
	struct slice token;

	if (file == NULL) {
		return AWS_KEY_NONE;
	}
	if (role == NULL) {
		return call_fail(p->c, ERR_VALIDATION,
				 "AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not");
	}
	int r = aws_key_read_file(p->c, file, "AWS_WEB_IDENTITY_TOKEN_FILE", &token);

	r = r < 0 ? r : aws_trust_find(p, &trust);
	if (r < 0) {
		return r;
	}
	struct aws_fetch f = {.method = "POST",
			      .url = aws_endpoint(p, AWS_STS, s->region),
			      .body = aws_key_web_form(s, role, token),
			      .trust = &trust,
			      .connect_ms = WEB_CONNECT_MS,
			      .ms = timing_ms(TIMING_STS)};

	r = aws_fetch(p->c, &f, &answer);
	return r < 0 ? r
		     : aws_key_web_read(p->c, arena_print(&p->c->arena, "STS for %s", role),
					&answer, out);
}
