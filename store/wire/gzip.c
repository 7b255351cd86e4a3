/* gzip - zlib's streams, from one end to the other */
#include "store/wire/gzip.h"

#include <stdlib.h>
#include <strings.h>
#include <zlib.h>

#include "store/base/ascii.h"

enum {
	ZLIB = 15,        /* window bits */
	GZIP = ZLIB + 16, /* likewise, and zlib's sign for gzip's headers */
	LEVEL = 1,
	MEMORY = 8,
	PIECE = 32 * 1024,
};

enum gzip_coding
gzip_coding(const char *header)
{
	if (header[0] == '\0' || strcasecmp(header, "identity") == 0) {
		return GZIP_PLAIN;
	}
	if (strcasecmp(header, "gzip") == 0) {
		return GZIP_GZIP;
	}
	return strcasecmp(header, "deflate") == 0 ? GZIP_DEFLATE : GZIP_UNKNOWN;
}

bool
gzip_unpack(struct slice packed, enum gzip_coding coding, gzip_take_fn *take, void *arg)
{
	z_stream z = {.next_in = (Bytef *)packed.at, .avail_in = (uInt)packed.len};
	char *piece = malloc(PIECE);
	int r = Z_OK;
	bool more = true;

	if (piece == NULL || inflateInit2(&z, coding == GZIP_GZIP ? GZIP : ZLIB) != Z_OK) {
		abort();
	}
	while (r == Z_OK && more) {
		z.next_out = (Bytef *)piece;
		z.avail_out = PIECE;
		r = inflate(&z, Z_NO_FLUSH);
		more = take(arg, slice_of(piece, PIECE - z.avail_out));
		if (r == Z_STREAM_END && z.avail_in > 0) {
			r = coding == GZIP_GZIP ? inflateReset(&z) : Z_DATA_ERROR;
		}
	}
	(void)inflateEnd(&z);
	free(piece);
	return !more || r == Z_STREAM_END;
}

void
gzip_pack(struct slice plain, struct buf *out)
{
	z_stream z = {.next_in = (Bytef *)plain.at, .avail_in = (uInt)plain.len};

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		abort();
	}
	size_t most = deflateBound(&z, (uLong)plain.len);

	z.next_out = (Bytef *)buf_room(out, most);
	z.avail_out = (uInt)most;
	(void)deflate(&z, Z_FINISH);
	out->len += most - z.avail_out;
	(void)deflateEnd(&z);
}

uint32_t
gzip_sum(struct slice bytes)
{
	return (uint32_t)crc32_z(0, (const Bytef *)bytes.at, bytes.len);
}

bool
gzip_accepted(const char *accept)
{
	while (*accept != '\0') {
		size_t n = strcspn(accept, ",");
		struct slice coding = ascii_trim(slice_of(accept, n));

		if (slice_starts(coding, SLICE("gzip"))) {
			struct slice rest = ascii_trim(slice_skip(coding, strlen("gzip")));

			return rest.len == 0 ||
			       (rest.at[0] == ';' && !slice_ends(rest, SLICE("=0")));
		}
		accept += n + (accept[n] == ',');
	}
	return false;
}
