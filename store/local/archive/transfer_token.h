/* transfer_token - NextToken of ListExports: what SDKs demand of one, 16 hex digits at a time and 112 at least */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_TOKEN_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_TOKEN_H

#include "store/local/archive/transfer.h"

/** transfer_token_encode - that the page ended with @id */
struct slice transfer_token_encode(struct call *c, enum transfer_kind kind, struct slice id);

/** transfer_token_decode - the inverse; Errors: -ERR_VALIDATION */
int transfer_token_decode(struct call *c, enum transfer_kind kind, struct slice token,
			  struct slice *id) __attribute__((warn_unused_result));

#endif
