#include "store/wire/crc32.h"

#include "tests/support/unit.h"

static struct crc32 crc;

static void
setup(void)
{
	crc32_init(&crc);
}

/* The first two bodies are the service's own, with the sums that it sends. */
static void
gives_the_known_sums(void)
{
	CU_ASSERT_EQUAL(crc32_of(&crc, SLICE("<UnknownOperationException/>\n")), 3552371480);
	CU_ASSERT_EQUAL(crc32_of(&crc, SLICE("{\"__type\":\"com.amazon.coral.service#"
					     "SerializationException\"}")),
			3948637019);
	CU_ASSERT_EQUAL(crc32_of(&crc, SLICE("123456789")), 0xcbf43926);
	CU_ASSERT_EQUAL(crc32_of(&crc, SLICE("")), 0);
}

/* Every length takes another path through the steps of eight. */
static void
steps_of_eight_equal_single_bytes(void)
{
	char bytes[64];

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (char)(i * 37 + 11);
	}
	for (size_t n = 0; n <= sizeof(bytes); n++) {
		uint32_t sum = 0xffffffff;

		for (size_t i = 0; i < n; i++) {
			sum ^= (unsigned char)bytes[i];
			for (int bit = 0; bit < 8; bit++) {
				sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320 : 0);
			}
		}
		CU_ASSERT_EQUAL(crc32_of(&crc, slice_of(bytes, n)), ~sum);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_the_known_sums),
	UNIT_TEST(steps_of_eight_equal_single_bytes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(crc32, setup, NULL, tests);
