/* gzip - zlib's streams, from one end to the other */
#include "store/wire/gzip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
gzip_pack(struct slice plain, enum gzip_coding coding, struct buf *out)
{
	z_stream z = {.next_in = (Bytef *)plain.at, .avail_in = (uInt)plain.len};

	int window = coding == GZIP_GZIP ? GZIP : ZLIB;

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, window, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
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

/* "gzip;q=0.5": its weight, 0 to 1000; 1000 when none is given, 0 when it is no number. */
static int
gzip_weight(struct slice parameters)
{
	struct slice q = ascii_trim(slice_skip(ascii_trim(parameters), parameters.len > 0));
	char digits[8];

	if (q.len == 0) {
		return 1000;
	}
	if (q.len - 2 >= sizeof(digits) || !slice_starts(q, SLICE("q="))) {
		return 0;
	}
	(void)snprintf(digits, sizeof(digits), "%.*s", SLICE_ARG(slice_skip(q, 2)));
	double weight = strtod(digits, NULL);

	return weight >= 0 && weight <= 1 ? (int)(weight * 1000) : 0;
}

/* One element of the header; "*" is gzip. */
static enum gzip_coding
gzip_element(struct slice element, int *weight)
{
	const char *end = memchr(element.at, ';', element.len);
	size_t n = end == NULL ? element.len : (size_t)(end - element.at);
	struct slice name = ascii_trim(slice_of(element.at, n));

	*weight = gzip_weight(slice_skip(element, n));
	if (ascii_same(name, SLICE("gzip")) || slice_is(name, "*")) {
		return GZIP_GZIP;
	}
	return ascii_same(name, SLICE("deflate")) ? GZIP_DEFLATE : GZIP_PLAIN;
}

enum gzip_coding
gzip_accepted(const char *accept)
{
	enum gzip_coding best = GZIP_PLAIN;
	int most = 0;

	while (*accept != '\0') {
		size_t n = strcspn(accept, ",");
		int weight = 0;
		enum gzip_coding coding = gzip_element(ascii_trim(slice_of(accept, n)), &weight);

		if (coding != GZIP_PLAIN && weight > most) {
			best = coding;
			most = weight;
		}
		accept += n + (accept[n] == ',');
	}
	return best;
}
