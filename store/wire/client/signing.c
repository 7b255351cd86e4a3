/* signing - gets keys for signatures, and corrects a wrong clock or key */
#include "store/wire/client/signing.h"

#include "store/base/system/say.h"
#include "store/wire/client/aws_keys.h"

int
signing_begin(struct aws_keys *keys, struct call *c, struct signing *s)
{
	*s = (struct signing){0};
	return keys == NULL ? 0 : aws_keys_get(keys, c, &s->key);
}

struct post_signer
signing_now(const struct aws_keys *keys, const struct signing *s)
{
	return (struct post_signer){.key = s->key.credential.id.len == 0 ? NULL
									 : &s->key.credential,
				    .ahead_ms = keys == NULL ? 0 : aws_keys_ahead_ms(keys)};
}

/* If the time of the signature was wrong, use the server's from now on.  Return whether it was. */
static bool
signing_correct(struct aws_keys *keys, const char *name, const struct call *c,
		const struct post_answer *a)
{
	if (c->error.code != ERR_BAD_SIGNATURE || a->date_ms == 0 ||
	    !aws_keys_correct(keys, a->date_ms)) {
		return false;
	}
	int64_t ahead = aws_keys_ahead_ms(keys);

	say("this machine's clock is %ld s %s that of %s: requests are signed with its time",
	    (long)((ahead < 0 ? -ahead : ahead) / 1000), ahead < 0 ? "ahead of" : "behind", name);
	return true;
}

bool
signing_mend(struct aws_keys *keys, const char *name, struct call *c, const struct post_answer *a,
	     struct signing *s)
{
	if (a->fate != POST_ANSWERED || keys == NULL || s->key.credential.id.len == 0) {
		return false;
	}
	if (!s->right_time && signing_correct(keys, name, c, a)) {
		s->right_time = true;
		return true;
	}
	switch ((int)c->error.code) {
	case ERR_EXPIRED_TOKEN:
	case ERR_UNKNOWN_CLIENT:
	case ERR_BAD_SIGNATURE:
		break;
	default:
		return false;
	}
	if (s->another_key) {
		return false;
	}
	s->another_key = true;
	struct aws_key refused = s->key;

	return aws_keys_after(keys, c, &refused, &s->key);
}

int
signing_say_who(const struct aws_keys *keys, struct call *c, const struct signing *s)
{
	struct error e = c->error;

	switch ((int)e.code) {
	case ERR_NO_SIGNATURE:
	case ERR_SIGNATURE_PARTS:
	case ERR_UNKNOWN_CLIENT:
	case ERR_EXPIRED_TOKEN:
	case ERR_BAD_SIGNATURE:
		if (keys != NULL) {
			c->error = (struct error){0};
			return call_fail(c, e.code, "%s (%s)", e.message, s->key.who);
		}
		break;
	default:
		break;
	}
	return -(int)e.code;
}
