/* aws_key_text - checks of keys and tokens in foreign text, which messages never repeat */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "store/base/core/clock.h"
#include "store/base/text/json.h"
#include "store/wire/client/aws_key.h"

/* ------------------------------------------------------------ times */

bool
aws_key_time(struct slice text, uint64_t *ms)
{
	char copy[64];
	struct tm tm = {0};
	const char *rest = copy + strlen("2026-01-31T12:00:00");

	(void)snprintf(copy, sizeof(copy), "%.*s", SLICE_ARG(text));
	if (text.len >= sizeof(copy) || strptime(copy, "%Y-%m-%dT%H:%M:%S", &tm) != rest) {
		return false;
	}
	if (*rest == '.') {
		rest += 1 + strspn(rest + 1, "0123456789");
	}
	if (*rest != '\0') {
		rest = strptime(rest, "%z", &tm);
	}
	long east = tm.tm_gmtoff;
	time_t seconds = timegm(&tm) - east;

	*ms = (uint64_t)seconds * 1000;
	return rest != NULL && *rest == '\0' && seconds > 0;
}

/* ------------------------------------------------------------ keys */

/* Return whether a text has only characters from @first to '~' and so can be sent in a header. */
static bool
aws_key_is_plain(struct slice text, char first)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] < first || text.at[i] > '~') {
			return false;
		}
	}
	return true;
}

int
aws_key_take(struct call *c, struct credential key, uint64_t ends_ms, const char *from,
	     struct aws_key *out)
{
	if (!aws_key_is_plain(key.id, '!') || !aws_key_is_plain(key.secret, '!') ||
	    !aws_key_is_plain(key.token, '!')) {
		return call_fail(
			c, ERR_NO_SIGNATURE,
			"the key%s has a blank or another byte that is not allowed in a key", from);
	}
	*out = (struct aws_key){
		key, ends_ms,
		arena_print(&c->arena, "signed with the key %.*s%s", SLICE_ARG(key.id), from)};
	return 0;
}

int
aws_key_from_json(struct call *c, struct slice text, const char *token_name, const char *source,
		  struct aws_key *out)
{
	const struct json *root = NULL;
	uint64_t ends_ms = 0;

	if (json_parse(c, text, JSON_LAST_WINS, &root) < 0) {
		/* The parser's message may repeat the text. */
		c->error = (struct error){0};
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s is not JSON", source);
	}
	struct credential key = {.id = json_text(root, "AccessKeyId"),
				 .secret = json_text(root, "SecretAccessKey"),
				 .token = json_text(root, token_name)};
	struct slice ends = json_text(root, "Expiration");

	if (key.id.len == 0 || key.secret.len == 0) {
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s has no %s", source,
				 key.id.len == 0 ? "AccessKeyId" : "SecretAccessKey");
	}
	if (ends.len > 0 && !aws_key_time(ends, &ends_ms)) {
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s has an invalid Expiration",
				 source);
	}
	return aws_key_take(c, key, ends_ms, arena_print(&c->arena, " of %s", source), out);
}

int
aws_key_still_good(struct call *c, const struct aws_key *key, const char *source)
{
	if (key->ends_ms == 0 || key->ends_ms > clock_now_ms()) {
		return 0;
	}
	return call_fail(c, ERR_EXPIRED_TOKEN,
			 "%s returned a key that has already expired: sign in again, or correct "
			 "this machine's clock if it is wrong",
			 source);
}

/* ------------------------------------------------------------ files */

int
aws_key_read_file(struct call *c, const char *path, const char *named_by, struct slice *out)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	struct buf b;

	if (fd < 0 || fstat(fd, &st) < 0) {
		return call_fail(c, ERR_IO, "%s: %s: %m", named_by, path);
	}
	if (!S_ISREG(st.st_mode)) {
		return call_fail(c, ERR_IO, "%s: %s is not a regular file", named_by, path);
	}
	buf_init(&b, &c->arena);
	for (;;) {
		ssize_t n = read(fd, buf_room(&b, 4096), 4096);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			return call_fail(c, ERR_IO, "%s: %s: %m", named_by, path);
		}
		b.len += (size_t)n;
		if (n == 0 || b.len > AWS_KEY_FILE_MAX) {
			break;
		}
	}
	*out = ascii_trim(buf_view(&b));
	if (b.len > AWS_KEY_FILE_MAX || out->len == 0 || !aws_key_is_plain(*out, ' ')) {
		return call_fail(c, ERR_NO_SIGNATURE, "%s: %s has no token", named_by, path);
	}
	return 0;
}
