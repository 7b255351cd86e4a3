/* gzip - packs and unpacks whole bodies with zlib, and reads the headers that name a coding */
#include "store/wire/proto/gzip.h"

#include <strings.h>
#include <zlib.h>

enum {
	ZLIB = 15,        /* window bits */
	GZIP = ZLIB + 16, /* likewise, plus zlib's flag for the gzip format */
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
	z_stream z = {.next_in = (Bytef *)packed.at,
		      .avail_in = (uInt)packed.len,
		      .zalloc = mem_for_zlib,
		      .zfree = mem_free_for_zlib};
	char *piece = mem_resized(NULL, PIECE, 1);
	int r = Z_OK;
	bool more = true;

	assert(coding == GZIP_GZIP || coding == GZIP_DEFLATE);
	if (inflateInit2(&z, coding == GZIP_GZIP ? GZIP : ZLIB) != Z_OK) {
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
	z_stream z = {.next_in = (Bytef *)plain.at,
		      .avail_in = (uInt)plain.len,
		      .zalloc = mem_for_zlib,
		      .zfree = mem_free_for_zlib};

	int window = coding == GZIP_GZIP ? GZIP : ZLIB;

	assert(coding == GZIP_GZIP || coding == GZIP_DEFLATE);
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

enum { WEIGHT = 1000000 }; /* of "q=1" */

/* Convert the text "0.5" to a weight.  Text that is not a number counts as 1, and so does a number above 1. */
static int
gzip_number(struct slice text)
{
	char digits[10];

	(void)snprintf(digits, sizeof(digits), "%.*s", SLICE_ARG(text));
	if (digits[0] == '\0' || digits[strspn(digits, "-.0123456789")] != '\0') {
		return WEIGHT;
	}
	double weight = strtod(digits, NULL);

	return weight >= 1 ? WEIGHT : weight <= 0 ? 0 : (int)(weight * (double)WEIGHT);
}

/* Read the weight from the parameters of a coding: "q=0.5" of "gzip;q=0.5".  The first "q=" counts; without one the weight is 1. */
static int
gzip_weight(struct slice parameters)
{
	while (parameters.len > 0) {
		struct slice p = ascii_trim(slice_take(&parameters, ';'));
		struct slice value = ascii_trim(slice_skip(p, p.len > 0));

		if (slice_starts(p, SLICE("q")) && slice_starts(value, SLICE("="))) {
			return gzip_number(ascii_trim(slice_skip(value, 1)));
		}
	}
	return WEIGHT;
}

/* The codings of an Accept-Encoding header; "*" means those that it does not name. */
struct gzip_wishes {
	int weight[GZIP_DEFLATE + 1]; /* by coding; -1: not named */
	int order[GZIP_DEFLATE + 1];  /* position in the header, of named codings */
	int others;                   /* the weight of "*"; -1: absent */
};

static void
gzip_wish(struct gzip_wishes *w, struct slice element, int place)
{
	struct slice name = ascii_trim(slice_take(&element, ';'));
	int weight = gzip_weight(element);
	enum gzip_coding coding = ascii_same(name, SLICE("gzip"))      ? GZIP_GZIP
				  : ascii_same(name, SLICE("deflate")) ? GZIP_DEFLATE
								       : GZIP_PLAIN;

	if (slice_is(name, "*")) {
		w->others = weight;
	} else if (coding != GZIP_PLAIN && weight > w->weight[coding]) {
		w->weight[coding] = weight;
		w->order[coding] = place;
	}
}

enum gzip_coding
gzip_accepted(const char *accept)
{
	static const enum gzip_coding ours[] = {GZIP_GZIP, GZIP_DEFLATE};
	struct gzip_wishes w = {.weight = {-1, -1, -1}, .others = -1};
	enum gzip_coding best = GZIP_PLAIN;
	struct slice rest = slice_from(accept);
	int place = 0;

	while (rest.len > 0) {
		gzip_wish(&w, ascii_trim(slice_take(&rest, ',')), place++);
	}
	w.weight[GZIP_PLAIN] = 0;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		enum gzip_coding coding = ours[i];

		if (w.weight[coding] < 0) { /* "*" ranks after the named codings */
			w.weight[coding] = w.others;
			w.order[coding] = place;
		}
		if (w.weight[coding] > w.weight[best] ||
		    (best != GZIP_PLAIN && w.weight[coding] == w.weight[best] &&
		     w.order[coding] < w.order[best])) {
			best = coding;
		}
	}
	return best;
}
