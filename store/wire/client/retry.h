/* retry - decides whether a failed request is sent again */
#ifndef STORE_WIRE_CLIENT_RETRY_H
#define STORE_WIRE_CLIENT_RETRY_H

#include "store/op/op.h"
#include "store/wire/client/post.h"
#include "store/wire/codec/codec.h"

/** retry_token - Return: the member that makes a second request the same as the first, or NULL if there is none */
const struct slice *retry_token(const struct op_in *in);

/** retry_is_safe - Return: whether the outcome is the same if the request is carried out twice */
bool retry_is_safe(const struct op_in *in);

/**
 * retry_is_worthwhile - Return: whether to send a request again
 * @c:     has the error of the last try
 * @a:     the result of the last try, which failed
 * @tries: number of tries so far, at least 1
 */
bool retry_is_worthwhile(enum codec_peer peer, const struct call *c, const struct op_in *in,
			 const struct post_answer *a, int tries);

#endif
