/* utf16 - see utf16.h */
#include "tools/text/utf16.h"

const char *
utf16_name(struct slice beginning)
{
	const char *at = beginning.at;

	if (beginning.len < 2) {
		return NULL;
	}
	if (slice_starts(beginning, SLICE("\xff\xfe")) || (at[0] != '\0' && at[1] == '\0')) {
		return "UTF-16LE";
	}
	return slice_starts(beginning, SLICE("\xfe\xff")) || (at[0] == '\0' && at[1] != '\0')
		       ? "UTF-16BE"
		       : NULL;
}

bool
utf16_begin(struct utf16 *u, const char *name)
{
	*u = (struct utf16){.cd = iconv_open("UTF-8", name)};
	u->begun =
		u->cd != (iconv_t)-1; /* NOLINT(performance-no-int-to-ptr): iconv's error value */
	return u->begun;
}

bool
utf16_put(struct utf16 *u, struct slice piece, struct buf *out)
{
	assert(u->begun);
	buf_slice(&u->rest, piece);

	char *in = u->rest.at;
	size_t left = u->rest.len;
	size_t room = 2 * left + 4; /* two bytes become at most three, four become four */
	char *to = buf_room(out, room);
	size_t before = room;
	size_t r = left == 0 ? 0 : iconv(u->cd, &in, &left, &to, &room);

	out->len += before - room;
	if (left > 0) {
		memmove(u->rest.at, in, left);
	}
	u->rest.len = left;
	return r != (size_t)-1 || errno == EINVAL;
}

bool
utf16_end(struct utf16 *u)
{
	bool whole = u->rest.len == 0;

	if (u->begun) {
		(void)iconv_close(u->cd);
		u->begun = false;
	}
	buf_release(&u->rest);
	return whole;
}
