/* transfer_token - the kind's letter and the id in hex, zeros behind them */
#include "store/local/archive/transfer_token.h"

enum { DIGITS = 112 };

struct slice
transfer_token_encode(struct call *c, enum transfer_kind kind, struct slice id)
{
	struct buf out;

	buf_init(&out, &c->arena);
	buf_fmt(&out, "%02x", (unsigned)kind);
	for (size_t i = 0; i < id.len; i++) {
		buf_fmt(&out, "%02x", (unsigned char)id.at[i]);
	}
	while (out.len < DIGITS) {
		buf_char(&out, '0');
	}
	return buf_view(&out);
}

/* -1: none. */
static int
transfer_token_digit(char ch)
{
	return ch >= '0' && ch <= '9' ? ch - '0' : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

static bool
archive_transfer_token_decode(struct call *c, struct slice token, struct slice *out)
{
	struct buf bytes;

	buf_init(&bytes, &c->arena);
	for (size_t i = 0; i < DIGITS && token.len == DIGITS; i += 2) {
		int high = transfer_token_digit(token.at[i]);
		int low = transfer_token_digit(token.at[i + 1]);

		if (high < 0 || low < 0) {
			return false;
		}
		if (high == 0 && low == 0) {
			break;
		}
		buf_char(&bytes, (char)(high << 4 | low));
	}
	*out = buf_view(&bytes);
	return out->len > 1;
}

int
transfer_token_decode(struct call *c, enum transfer_kind kind, struct slice token, struct slice *id)
{
	struct slice bytes;

	if (!archive_transfer_token_decode(c, token, &bytes) || bytes.at[0] != (char)kind) {
		return call_fail(c, ERR_VALIDATION,
				 "Invalid Request: Provided nextToken is invalid: %.*s",
				 SLICE_ARG(token));
	}
	*id = slice_skip(bytes, 1);
	return 0;
}
