#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "store/base/system/socket_path.h"
#include "store/wire/proto/endpoint.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

static struct call c;
static const char *folder;

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
	folder = wire_folder();
}

static void
teardown(void)
{
	wire_folder_remove(folder);
	call_close(&c);
}

static void
only_names_of_this_machine_are_hosts(void)
{
	static const struct {
		const char *host;
		bool here;
	} rows[] = {
		{"127.0.0.1", true},
		{"127.0.0.1:8000", true},
		{"192.168.1.7:1", true},
		{"[::1]:8000", true},
		{"[::1]", true},
		{"localhost", true},
		{"LOCALHOST:80", true},
		{"my-box", true},
		{"My-Box:8000", true},
		{"", false},
		{":80", false},
		{"evil.example", false},
		{"localhost.evil.example:8000", false},
		{"127.0.0.1.evil.example", false},
		{"127.0.0.1evil", false},
		{"[evil.example]", false},
		{"[::1", true},
		{"[", false},
		{"my-box.evil.example", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool here = endpoint_host_is_here(rows[i].host, "my-box", NULL);

		if (here != rows[i].here) {
			printf("%s\n", rows[i].host);
		}
		CU_ASSERT_EQUAL(here, rows[i].here);
	}
}

static void
additional_names_are_hosts(void)
{
	static const char names[] = "db:api.test";

	CU_ASSERT_TRUE(endpoint_host_is_here("db:8000", "my-box", names));
	CU_ASSERT_TRUE(endpoint_host_is_here("DB", "my-box", names));
	CU_ASSERT_TRUE(endpoint_host_is_here("api.test:443", "my-box", names));
	CU_ASSERT_TRUE(endpoint_host_is_here("my-box", "my-box", names));
	CU_ASSERT_FALSE(endpoint_host_is_here("d", "my-box", names));
	CU_ASSERT_FALSE(endpoint_host_is_here("db2", "my-box", names));
	CU_ASSERT_FALSE(endpoint_host_is_here("api", "my-box", names));
	CU_ASSERT_FALSE(endpoint_host_is_here("", "my-box", names));
}

static void
a_very_long_host_is_refused(void)
{
	char host[10000];

	memset(host, '1', sizeof(host) - 1);
	host[sizeof(host) - 1] = '\0';
	CU_ASSERT_FALSE(endpoint_host_is_here(host, "my-box", NULL));
}

static void
listens_on_loopback_only(void)
{
	static const struct {
		const char *address;
		int r;
	} rows[] = {
		{"127.0.0.1:0", 0},
		{"127.9.9.9:0", 0},
		{"localhost:0", 0},
		{"0.0.0.0:0", -ERR_VALIDATION},
		{"192.0.2.1:8000", -ERR_VALIDATION},
		{"[::]:0", -ERR_VALIDATION},
		{"[2001:db8::1]:80", -ERR_VALIDATION},
		{"127.0.0.1:", -ERR_VALIDATION},
		{"127.0.0.1:x", -ERR_VALIDATION},
		{"127.0.0.1:-1", -ERR_VALIDATION},
		{"127.0.0.1:65536", -ERR_VALIDATION},
		{"127.0.0.1:8000-", -ERR_VALIDATION},
		{"127.0.0.1:8001-8000", -ERR_VALIDATION},
		{"127.0.0.1:65000-65536", -ERR_VALIDATION},
		{"127.0.0.1:8000-8001-8002", -ERR_VALIDATION},
		{"example.org:80", -ERR_VALIDATION},
		{"99999", -ERR_VALIDATION},
		{"example.org", -ERR_VALIDATION},
		{"", -ERR_VALIDATION},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int fd = -1;
		int port = 0;

		c.error = (struct error){0};
		int r = endpoint_listen_tcp(&c, rows[i].address, false, &fd, &port);

		if (r != rows[i].r) {
			printf("%s: %d\n", rows[i].address, r);
		}
		CU_ASSERT_EQUAL(r, rows[i].r);
		CU_ASSERT_EQUAL(port != 0, r == 0);
		if (r == 0) {
			(void)close(fd);
		}
	}
}

static void
addresses_may_lack_a_part(void)
{
	static const char *const rows[][2] = {
		{"8000", "127.0.0.1:8000"},      {"8000-8099", "127.0.0.1:8000-8099"},
		{":80", "127.0.0.1:80"},         {"0", "127.0.0.1:0"},
		{"localhost", "localhost:8000"}, {"127.0.0.1", "127.0.0.1:8000"},
		{"::1", "[::1]:8000"},           {"[::1]", "[::1]:8000"},
		{"[::1]:80", "[::1]:80"},        {"127.0.0.1:80", "127.0.0.1:80"},
		{"127.0.0.1:x", "127.0.0.1:x"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_STRING_EQUAL(endpoint_address(&c, rows[i][0]), rows[i][1]);
	}
}

static void
listens_on_any_address_if_allowed(void)
{
	int fd = -1;
	int port = 0;
	int r = endpoint_listen_tcp(&c, "0.0.0.0:0", true, &fd, &port);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_NOT_EQUAL(port, 0);
	(void)close(fd);
}

static void
a_port_in_use_is_reported(void)
{
	char again[32];
	int fd = -1;
	int other = -1;
	int port = 0;
	int r = endpoint_listen_tcp(&c, "127.0.0.1:0", false, &fd, &port);

	CU_ASSERT_EQUAL(r, 0);
	(void)snprintf(again, sizeof(again), "127.0.0.1:%d", port);
	r = endpoint_listen_tcp(&c, again, false, &other, &port);
	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_EQUAL(other, -1);
	(void)close(fd);
}

/* The taken port is the first of a range of 201. */
static void
the_next_free_port_is_taken(void)
{
	char range[64];
	int fd = -1;
	int other = -1;
	int first = 0;
	int port = 0;
	int r = endpoint_listen_tcp(&c, "127.0.0.1:0", false, &fd, &first);

	CU_ASSERT_EQUAL(r, 0);
	(void)snprintf(range, sizeof(range), "127.0.0.1:%d-%d", first, first + 200);
	r = endpoint_listen_tcp(&c, range, false, &other, &port);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(port > first && port <= first + 200);
	CU_ASSERT_EQUAL(endpoint_first_port(range), first);
	CU_ASSERT_EQUAL(endpoint_first_port("[::1]:80"), 80);
	CU_ASSERT_EQUAL(endpoint_first_port("127.0.0.1:0"), 0);
	CU_ASSERT_EQUAL(endpoint_first_port("x"), 0);
	(void)close(fd);
	(void)close(other);
}

static const char *
path_of(const char *name)
{
	struct buf b;

	buf_init(&b, &c.arena);
	buf_fmt(&b, "%s/%s", folder, name);
	return b.at;
}

static void
other_users_cannot_open_the_socket(void)
{
	mode_t before = umask(0);
	struct stat st;
	int fd = -1;
	int r = endpoint_listen_unix(&c, path_of("socket"), "socket", &fd);

	(void)umask(before);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(stat(path_of("socket"), &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
	CU_ASSERT_EQUAL(endpoint_connect(path_of("socket")), 0);
	(void)close(fd);
}

static void
a_stale_socket_makes_room(void)
{
	int fd = -1;
	int r = endpoint_listen_unix(&c, path_of("socket"), "socket", &fd);

	CU_ASSERT_EQUAL(r, 0);
	(void)close(fd);
	CU_ASSERT_EQUAL(endpoint_connect(path_of("socket")), ECONNREFUSED);
	r = endpoint_listen_unix(&c, path_of("socket"), "socket", &fd);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(endpoint_connect(path_of("socket")), 0);
	(void)close(fd);
}

static void
only_sockets_are_removed(void)
{
	int file = open(path_of("socket"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	int fd = -1;
	int r = endpoint_listen_unix(&c, path_of("socket"), "socket", &fd);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_EQUAL(access(path_of("socket"), F_OK), 0);
	(void)close(file);
}

static void
long_paths_are_reached(void)
{
	char deep[400];
	char name[SOCKET_PATH_MAX];
	int dir = -1;
	int fd = -1;

	(void)snprintf(deep, sizeof(deep), "%s/%0150d", folder, 0);
	CU_ASSERT_EQUAL(mkdir(deep, 0700), 0);
	(void)strcat(deep, "/socket");
	int r = endpoint_listen_unix(&c, deep, deep, &fd);

	CU_ASSERT_EQUAL(r, 0);
	r = socket_path(&c, deep, name, &dir);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(dir >= 0);
	CU_ASSERT_EQUAL(endpoint_connect(name), 0);
	(void)close(fd);
	(void)close(dir);
}

static void
a_folder_that_is_missing_is_an_error(void)
{
	int fd = -1;
	int r = endpoint_listen_unix(&c, path_of("no/socket"), "no/socket", &fd);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_EQUAL(fd, -1);
}

/* Do two addresses share one limit? */
static bool
same_remote(const char *a, const char *b)
{
	struct sockaddr_in6 from = {.sin6_family = AF_INET6};
	struct in6_addr x;
	struct in6_addr y;

	(void)inet_pton(AF_INET6, a, &from.sin6_addr);
	CU_ASSERT_TRUE(endpoint_remote((const struct sockaddr *)&from, &x));
	(void)inet_pton(AF_INET6, b, &from.sin6_addr);
	CU_ASSERT_TRUE(endpoint_remote((const struct sockaddr *)&from, &y));
	return memcmp(&x, &y, sizeof(x)) == 0;
}

static void
a_network_of_64_bits_is_one_client(void)
{
	CU_ASSERT_TRUE(same_remote("2001:db8::1", "2001:db8::2"));
	CU_ASSERT_FALSE(same_remote("2001:db8::1", "2001:db8:0:1::1"));
	CU_ASSERT_FALSE(same_remote("::ffff:192.0.2.1", "::ffff:192.0.2.2"));
}

static void
loopback_is_not_remote(void)
{
	static const char *const loopback[] = {"::1", "::ffff:127.0.0.1"};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	const struct sockaddr_un path = {.sun_family = AF_UNIX};
	struct in6_addr out;
	struct in6_addr mapped;

	for (size_t i = 0; i < sizeof(loopback) / sizeof(loopback[0]); i++) {
		(void)inet_pton(AF_INET6, loopback[i], &v6.sin6_addr);
		CU_ASSERT_FALSE(endpoint_remote((const struct sockaddr *)&v6, &out));
	}
	CU_ASSERT_FALSE(endpoint_remote((const struct sockaddr *)&path, &out));
	(void)inet_pton(AF_INET, "127.1.2.3", &v4.sin_addr);
	CU_ASSERT_FALSE(endpoint_remote((const struct sockaddr *)&v4, &out));
	(void)inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr);
	CU_ASSERT_TRUE(endpoint_remote((const struct sockaddr *)&v4, &out));
	(void)inet_pton(AF_INET6, "::ffff:192.0.2.1", &v6.sin6_addr);
	CU_ASSERT_TRUE(endpoint_remote((const struct sockaddr *)&v6, &mapped));
	CU_ASSERT_EQUAL(memcmp(&out, &mapped, sizeof(out)), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(only_names_of_this_machine_are_hosts),
	UNIT_TEST(additional_names_are_hosts),
	UNIT_TEST(a_very_long_host_is_refused),
	UNIT_TEST(listens_on_loopback_only),
	UNIT_TEST(addresses_may_lack_a_part),
	UNIT_TEST(listens_on_any_address_if_allowed),
	UNIT_TEST(a_port_in_use_is_reported),
	UNIT_TEST(the_next_free_port_is_taken),
	UNIT_TEST(other_users_cannot_open_the_socket),
	UNIT_TEST(a_stale_socket_makes_room),
	UNIT_TEST(only_sockets_are_removed),
	UNIT_TEST(long_paths_are_reached),
	UNIT_TEST(a_folder_that_is_missing_is_an_error),
	UNIT_TEST(a_network_of_64_bits_is_one_client),
	UNIT_TEST(loopback_is_not_remote),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(endpoint, setup, teardown, tests);
