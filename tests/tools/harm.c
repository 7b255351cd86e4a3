/*
 * harm - damage a store that no process has open, directly in its database
 *
 *   harm STORE del HEX          delete every key that begins with these bytes
 *   harm STORE spoil HEX        set the value of these keys to "nonsense"
 *   harm STORE put HEX TEXT         set the value of a key
 *   harm STORE list             print all keys as hex
 */
#include <leveldb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static leveldb_t *db;
static leveldb_writeoptions_t *options;

static void
must(char *why)
{
	if (why != NULL) {
		(void)fprintf(stderr, "%s\n", why);
		abort();
	}
}

static size_t
read_hex(const char *hex, char *out, size_t room)
{
	size_t n = 0;

	for (; hex[2 * n] != '\0' && hex[2 * n + 1] != '\0' && n < room; n++) {
		char pair[] = {hex[2 * n], hex[2 * n + 1], '\0'};

		out[n] = (char)strtoul(pair, NULL, 16);
	}
	return n;
}

static void
change(const char *what, const char *key, size_t len)
{
	char *why = NULL;

	if (strcmp(what, "del") == 0) {
		leveldb_delete(db, options, key, len, &why);
	} else if (strcmp(what, "spoil") == 0) {
		leveldb_put(db, options, key, len, "nonsense", 8, &why);
	} else {
		for (size_t i = 0; i < len; i++) {
			(void)printf("%02x", (unsigned char)key[i]);
		}
		(void)printf("\n");
	}
	must(why);
}

static void
each(const char *what, const char *prefix, size_t n)
{
	leveldb_readoptions_t *read = leveldb_readoptions_create();
	leveldb_iterator_t *it = leveldb_create_iterator(db, read);

	for (leveldb_iter_seek(it, prefix, n); leveldb_iter_valid(it); leveldb_iter_next(it)) {
		size_t len;
		const char *key = leveldb_iter_key(it, &len);

		if (len < n || memcmp(key, prefix, n) != 0) {
			break;
		}
		change(what, key, len);
	}
	leveldb_iter_destroy(it);
	leveldb_readoptions_destroy(read);
}

int
main(int argc, char **argv)
{
	char path[4096];
	char key[1024];
	char *why = NULL;

	if (argc < 3) {
		return 2;
	}
	size_t n = argc > 3 ? read_hex(argv[3], key, sizeof(key)) : 0;
	leveldb_options_t *how = leveldb_options_create();

	(void)snprintf(path, sizeof(path), "%s/db", argv[1]);
	db = leveldb_open(how, path, &why);
	must(why);
	options = leveldb_writeoptions_create();
	if (strcmp(argv[2], "put") == 0 && argc > 4) {
		leveldb_put(db, options, key, n, argv[4], strlen(argv[4]), &why);
		must(why);
	} else {
		each(argv[2], key, n);
	}
	leveldb_writeoptions_destroy(options);
	leveldb_close(db);
	leveldb_options_destroy(how);
	return 0;
}
