/* random_items SEED N - print N random items of all types as lines of DynamoDB JSON: PK "p", SK 1, 2, ... */
#include "store/model/item_json.h"

#include "tests/support/items.h"

enum { ATTRS_MAX = 6, DEPTH = 4, LONG_EVERY = 40, LONG_BYTES = 60000 };

/* Longer than a page, a READ, and what an OPEN hands over. */
static struct value
long_text(struct arena *a, unsigned *seed)
{
	struct buf b;

	buf_init(&b, a);
	while (b.len < LONG_BYTES) {
		struct value v = random_value(a, seed, 1);

		value_put_json(&b, &v, ITEM_PLAIN);
	}
	return value_string(buf_view(&b));
}

static void
put_line(unsigned *seed, unsigned sk)
{
	struct call c;
	struct buf out;
	char number[16];

	call_open(&c, 0, SIZE_MAX);
	struct item random = random_item(&c.arena, seed, ATTRS_MAX, DEPTH);
	struct item it = {arena_new(&c.arena, struct attr, random.n + 3), 0};

	(void)snprintf(number, sizeof(number), "%u", sk);
	it.at[it.n++] = (struct attr){SLICE("PK"), value_string(SLICE("p"))};
	it.at[it.n++] = (struct attr){SLICE("SK"), value_of(&c, number)};
	for (size_t i = 0; i < random.n; i++) {
		it.at[it.n++] = random.at[i];
	}
	if (sk % LONG_EVERY == 0) {
		it.at[it.n++] = (struct attr){SLICE("long"), long_text(&c.arena, seed)};
	}
	buf_init(&out, &c.arena);
	item_put_json(&out, &it, ITEM_TYPED);
	(void)printf("%.*s\n", SLICE_ARG(buf_view(&out)));
	call_close(&c);
}

int
main(int argc, char **argv)
{
	if (argc != 3) {
		return 2;
	}
	unsigned seed = (unsigned)strtoul(argv[1], NULL, 10);
	unsigned n = (unsigned)strtoul(argv[2], NULL, 10);

	for (unsigned sk = 1; sk <= n; sk++) {
		put_line(&seed, sk);
	}
	return 0;
}
