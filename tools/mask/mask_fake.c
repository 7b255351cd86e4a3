/* mask_fake - see mask_int.h: made-up names, addresses and words, chosen by a digest of the text that they replace */
#include "tools/mask/mask_int.h"
#include "tools/text/text_lines.h"

/* clang-format off */
static const char *const mask_first_names[] = {
	"Ada", "Alan", "Alma", "Amir", "Ana", "Anton", "Aria", "Asha", "Ben", "Bela",
	"Carla", "Cem", "Chen", "Clara", "Dana", "David", "Dina", "Elif", "Elsa", "Emil",
	"Eva", "Felix", "Fatima", "Finn", "Greta", "Hana", "Hugo", "Ida", "Igor", "Ines",
	"Ivan", "Jana", "Jonas", "Julia", "Kai", "Karim", "Lara", "Leo", "Lena", "Lin",
	"Luca", "Maja", "Marco", "Mei", "Mila", "Nadia", "Nils", "Nora", "Olga", "Omar",
	"Oskar", "Paula", "Pedro", "Rana", "Ravi", "Rosa", "Sam", "Sara", "Sofia", "Tariq",
	"Tom", "Vera", "Yuki", "Zoe",
};
static const char *const mask_last_names[] = {
	"Abbot", "Adler", "Alvarez", "Bauer", "Becker", "Berg", "Blum", "Bosch", "Brandt",
	"Castro", "Chandra", "Cohen", "Costa", "Dahl", "Diaz", "Duarte", "Eriksen",
	"Fischer", "Flores", "Fontaine", "Garcia", "Gruber", "Haas", "Hansen", "Hoffman",
	"Ito", "Ivanova", "Jansen", "Keller", "Khan", "Klein", "Kowalski", "Kumar", "Lang",
	"Larsen", "Lehmann", "Lopez", "Maier", "Marin", "Meyer", "Moreau", "Murphy",
	"Nakamura", "Novak", "Olsen", "Ortega", "Patel", "Peeters", "Petrov", "Quinn",
	"Ramos", "Richter", "Rossi", "Sato", "Schmid", "Silva", "Singh", "Sommer",
	"Tanaka", "Torres", "Vogel", "Weber", "Wolf", "Zhang",
};
static const char *const mask_streets[] = {
	"Acacia", "Alder", "Ash", "Bakery", "Beech", "Birch", "Bridge", "Castle", "Cedar",
	"Chapel", "Cherry", "Church", "Elm", "Ferry", "Field", "Forest", "Garden", "Grove",
	"Hazel", "Hill", "Lake", "Linden", "Maple", "Meadow", "Mill", "Oak", "Orchard",
	"Park", "River", "School", "Station", "Willow",
};
static const char *const mask_cities[] = {
	"Ashford", "Birkhill", "Brookfield", "Clearwater", "Easton", "Fairview",
	"Glenwood", "Greenfield", "Harborough", "Kingsbridge", "Lakeside", "Larkhaven",
	"Marlow", "Millbrook", "Newbridge", "Northgate", "Oakdale", "Pinehurst",
	"Ridgeway", "Riverton", "Rosedale", "Sandford", "Silverton", "Southport",
	"Springfield", "Stonebridge", "Summerhill", "Thornton", "Westbrook", "Whitefield",
	"Winterbourne", "Woodstock",
};
static const char *const mask_words[] = {
	"amber", "basin", "candle", "delta", "ember", "fable", "garden", "harbor",
	"island", "jungle", "kettle", "lantern", "meadow", "nectar", "orchid", "pebble",
	"quartz", "ribbon", "silver", "timber", "umbra", "velvet", "willow", "xenon",
	"yonder", "zephyr", "anchor", "breeze", "copper", "dapple", "echo", "fern",
};
/* clang-format on */

#define MASK_PICK(list, n) ((list)[(n) % (sizeof(list) / sizeof((list)[0]))])

/* Append a text that is determined by @n, eight 16-bit numbers of a digest. */
typedef void mask_fake_fn(struct buf *out, const uint16_t *n);

struct mask_fake {
	const char *name;
	mask_fake_fn *make; /* NULL: one of @words */
	const struct slice *words;
	size_t n_words;
};

static void
mask_fake_first(struct buf *out, const uint16_t *n)
{
	buf_str(out, MASK_PICK(mask_first_names, n[0]));
}

static void
mask_fake_last(struct buf *out, const uint16_t *n)
{
	buf_str(out, MASK_PICK(mask_last_names, n[1]));
}

static void
mask_fake_name(struct buf *out, const uint16_t *n)
{
	mask_fake_first(out, n);
	buf_char(out, ' ');
	mask_fake_last(out, n);
}

static void
mask_fake_email(struct buf *out, const uint16_t *n)
{
	size_t begin = out->len;

	mask_fake_first(out, n);
	buf_char(out, '.');
	mask_fake_last(out, n);
	for (size_t i = begin; i < out->len; i++) {
		out->at[i] = ascii_lower(out->at[i]);
	}
	buf_fmt(out, ".%04x%04x@example.com", n[2], n[3]);
}

static void
mask_fake_phone(struct buf *out, const uint16_t *n)
{
	buf_fmt(out, "+1-%03d-555-%04d", 200 + n[0] % 800, n[1] % 10000);
}

static void
mask_fake_street(struct buf *out, const uint16_t *n)
{
	buf_fmt(out, "%d %s Street", 1 + n[1] % 199, MASK_PICK(mask_streets, n[0]));
}

static void
mask_fake_city(struct buf *out, const uint16_t *n)
{
	buf_str(out, MASK_PICK(mask_cities, n[0]));
}

static void
mask_fake_zip(struct buf *out, const uint16_t *n)
{
	buf_fmt(out, "%05d", (int)((n[0] << 1 | n[1] % 2) % 100000));
}

static void
mask_fake_address(struct buf *out, const uint16_t *n)
{
	mask_fake_street(out, n);
	buf_str(out, ", ");
	mask_fake_zip(out, n + 2);
	buf_char(out, ' ');
	mask_fake_city(out, n + 4);
}

static void
mask_fake_company(struct buf *out, const uint16_t *n)
{
	mask_fake_last(out, n);
	buf_fmt(out, " & %s Ltd", MASK_PICK(mask_last_names, n[2]));
}

static void
mask_fake_words(struct buf *out, const uint16_t *n)
{
	for (size_t i = 0; i < 4U + n[7] % 4; i++) {
		buf_fmt(out, "%s%s", i == 0 ? "" : " ", MASK_PICK(mask_words, n[i]));
	}
}

static const struct mask_fake mask_fakes[] = {
	{"name", mask_fake_name, NULL, 0},       {"first-name", mask_fake_first, NULL, 0},
	{"last-name", mask_fake_last, NULL, 0},  {"company", mask_fake_company, NULL, 0},
	{"email", mask_fake_email, NULL, 0},     {"phone", mask_fake_phone, NULL, 0},
	{"address", mask_fake_address, NULL, 0}, {"street", mask_fake_street, NULL, 0},
	{"zip", mask_fake_zip, NULL, 0},         {"city", mask_fake_city, NULL, 0},
	{"text", mask_fake_words, NULL, 0},
};

enum { MASK_FAKES = sizeof(mask_fakes) / sizeof(mask_fakes[0]) };

const struct mask_fake *
mask_fake_find(struct slice name)
{
	for (size_t i = 0; i < MASK_FAKES; i++) {
		if (slice_is(name, mask_fakes[i].name)) {
			return &mask_fakes[i];
		}
	}
	return NULL;
}

void
mask_fake_kinds(struct buf *out)
{
	for (size_t i = 0; i < MASK_FAKES; i++) {
		buf_fmt(out, "%s%s", i == 0 ? "" : ", ", mask_fakes[i].name);
	}
}

const struct mask_fake *
mask_fake_of(struct arena *a, struct slice text)
{
	struct text_lines lines = {.rest = text};
	struct slice *words = NULL;
	size_t room = 0;
	size_t n = 0;

	while (lines.rest.len > 0) {
		struct slice word = ascii_trim(text_lines_next(&lines));

		if (word.len > 0) {
			words = arena_room(a, words, n, &room);
			words[n++] = slice_copy(a, word);
		}
	}
	struct mask_fake *f = arena_new(a, struct mask_fake, 1);

	*f = (struct mask_fake){.name = "from", .words = words, .n_words = n};
	return n == 0 ? NULL : f;
}

struct slice
mask_fake_text(struct masking *mk, const struct mask_fake *f, struct slice text)
{
	uint8_t mac[SHA256_BYTES];
	uint16_t n[8];

	assert(f->make != NULL || f->n_words > 0);
	mask_mac(mk, text, mac);
	/* Use the half of the digest that hash does not show. */
	for (size_t i = 0; i < 8; i++) {
		n[i] = (uint16_t)slice_be(slice_of((const char *)mac + 16 + 2 * i, 2));
	}
	if (f->make == NULL) {
		return f->words[((size_t)n[0] << 16 | n[1]) % f->n_words];
	}
	struct buf out = {.arena = &mk->c->arena};
	f->make(&out, n);
	return buf_view(&out);
}
