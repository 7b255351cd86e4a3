/* signing - the signature of one request: its key, the server's time, and what to change if the server refuses it */
#ifndef STORE_WIRE_CLIENT_SIGNING_H
#define STORE_WIRE_CLIENT_SIGNING_H

#include "store/wire/client/aws_keys.h"
#include "store/wire/client/post.h"

/* The state for all tries of one request.  Each way to correct a refused signature is used once. */
struct signing {
	struct aws_key key;
	bool another_key; /* another key has been asked for */
	bool right_time;  /* the server's time has been taken from an answer */
};

/**
 * signing_begin - get a key; no key if @keys is NULL
 * @s: valid until the call closes
 *
 * Errors:  as aws_keys_get()
 */
int signing_begin(struct aws_keys *keys, struct call *c, struct signing *s)
	__attribute__((warn_unused_result));

/** signing_now - Return: the signer of the next try, which borrows the key from @s */
struct post_signer signing_now(const struct aws_keys *keys, const struct signing *s);

/**
 * signing_mend - after an error answer, change the clock or the key if that may help
 * @name: the server's, for messages
 * @c:    has the error of the answer
 *
 * Return: whether to send the request again.  Nothing of it was carried out in that case.
 */
bool signing_mend(struct aws_keys *keys, const char *name, struct call *c,
		  const struct post_answer *a, struct signing *s);

/**
 * signing_say_who - if the error in @c is about the signature, add whose key it was
 *
 * Return: the error's -ERR_*
 */
int signing_say_who(const struct aws_keys *keys, struct call *c, const struct signing *s);

#endif
