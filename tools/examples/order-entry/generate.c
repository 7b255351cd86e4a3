/*
 * generate - N orders for the write-sharded design, as JSON Lines on standard output
 *
 *   cc -O2 -o generate generate.c
 *   ./generate N [SEED] | itemctl -s STORE import hroe
 *
 * The shape is that of the AWS page on relational modelling: an order of about
 * 100 bytes and three lines of about 50, one order in five OPEN, the others
 * PENDING or SHIPPED; orders and lines carry a random bucket 0..14 for GSI2.
 * The same N and SEED give the same bytes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	ORDERS_MAX = 3000000,
	LINES = 3,
	SHARDS = 15,
	CUSTOMERS = 50000,
	EMPLOYEES = 500,
	PRODUCTS = 2000,
	DAYS = 365,
};

/* xorshift64*: small, quick and the same everywhere. */
static uint64_t
random_below(uint64_t *state, uint64_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 2685821657736338717u >> 33) % limit;
}

static const char *
status_of(uint64_t *state)
{
	uint64_t dice = random_below(state, 10);

	return dice < 2 ? "OPEN" : dice < 4 ? "PENDING" : "SHIPPED";
}

/* "OPEN#2019-09-01": the status and a day of 2019. */
static void
print_data(char *out, size_t size, uint64_t *state)
{
	static const unsigned month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	const char *status = status_of(state);
	unsigned day = (unsigned)random_below(state, DAYS);
	unsigned month = 0;

	while (day >= month_days[month]) {
		day -= month_days[month];
		month++;
	}
	(void)snprintf(out, size, "%s#2019-%02u-%02u", status, month + 1, day + 1);
}

static unsigned
bucket(uint64_t *state)
{
	return (unsigned)random_below(state, SHARDS);
}

static void
print_order(unsigned long id, uint64_t *state)
{
	char data[32];
	unsigned product = (unsigned)random_below(state, PRODUCTS);

	print_data(data, sizeof(data), state);
	printf("{\"PK\":\"OE-ORDER%lu\",\"SK\":\"CUSTOMER%u\",\"GSI1_SK\":\"%s\",\"GSI2_PK\":%u,"
	       "\"SalesRepID\":\"EMPLOYEE%u\",\"OrderTotal\":%u}\n",
	       id, (unsigned)random_below(state, CUSTOMERS), data, bucket(state),
	       (unsigned)random_below(state, EMPLOYEES), 100 + (unsigned)random_below(state, 9900));
	for (unsigned line = 0; line < LINES; line++) {
		/* Steps of PRODUCTS / LINES keep the products of one order apart. */
		printf("{\"PK\":\"OE-ORDER%lu\",\"SK\":\"PRODUCT%u\",\"GSI1_SK\":\"%s\",\"GSI2_PK\":%u,"
		       "\"Qty\":%u}\n",
		       id, (product + line * (PRODUCTS / LINES)) % PRODUCTS, data, bucket(state),
		       1 + (unsigned)random_below(state, 99));
	}
}

static int
parse_count(const char *text, unsigned long max, unsigned long *out)
{
	char *end;

	errno = 0;
	*out = strtoul(text, &end, 10);
	return errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == '\0' && *out <= max ? 0
											     : -1;
}

int
main(int argc, char **argv)
{
	unsigned long orders;
	unsigned long seed = 1;

	if (argc < 2 || argc > 3 || parse_count(argv[1], ORDERS_MAX, &orders) != 0 ||
	    (argc == 3 && parse_count(argv[2], UINT32_MAX, &seed) != 0)) {
		(void)fprintf(
			stderr,
			"usage: generate ORDERS [SEED]      at most %d orders, four items each\n",
			ORDERS_MAX);
		return 2;
	}
	uint64_t state = 0x9e3779b97f4a7c15u ^ seed;

	for (unsigned long id = 1; id <= orders; id++) {
		print_order(id, &state);
	}
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		perror("generate");
		return 70;
	}
	return 0;
}
