/* aws_key_text - checks of keys and tokens in foreign text, which messages never repeat */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/core/buf.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/text/json.h"
#include "store/wire/client/aws_key.h"
#include "store/wire/client/aws_profile.h"

/* ------------------------------------------------------------ times */

/* Remove @n digits from @text and return their value; -1: there are other characters. */
static int
aws_key_digits(struct slice *text, size_t n)
{
	int value = 0;

	if (text->len < n) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (!ascii_digit(text->at[i])) {
			return -1;
		}
		value = value * 10 + (text->at[i] - '0');
	}
	*text = slice_skip(*text, n);
	return value;
}

static bool
aws_key_char(struct slice *text, char ch)
{
	bool is = text->len > 0 && text->at[0] == ch;

	*text = is ? slice_skip(*text, 1) : *text;
	return is;
}

/* Read "Z", "+01:00" or "+0100" as seconds east; return false for other text. */
static bool
aws_key_zone(struct slice text, int *seconds)
{
	*seconds = 0;
	if (aws_key_char(&text, 'Z') || text.len == 0) {
		return text.len == 0;
	}
	bool west = text.at[0] == '-';

	if (!west && text.at[0] != '+') {
		return false;
	}
	text = slice_skip(text, 1);
	int hours = aws_key_digits(&text, 2);

	(void)aws_key_char(&text, ':');
	int minutes = aws_key_digits(&text, 2);

	*seconds = (hours * 60 + minutes) * (west ? -60 : 60);
	return hours >= 0 && minutes >= 0 && text.len == 0;
}

bool
aws_key_time(struct slice text, uint64_t *ms)
{
	static const char behind[] = "--T::"; /* the character after each number except the last */
	int part[6];
	int east;

	for (size_t i = 0; i < 6; i++) {
		part[i] = aws_key_digits(&text, i == 0 ? 4 : 2);
		if (part[i] < 0 || (i < 5 && !aws_key_char(&text, behind[i]))) {
			return false;
		}
	}
	if (aws_key_char(&text, '.')) {
		while (text.len > 0 && ascii_digit(text.at[0])) {
			text = slice_skip(text, 1);
		}
	}
	if (part[0] < 1970 || part[0] > 9999 || !aws_key_zone(text, &east)) {
		return false;
	}
	struct tm tm = {.tm_year = part[0] - 1900,
			.tm_mon = part[1] - 1,
			.tm_mday = part[2],
			.tm_hour = part[3],
			.tm_min = part[4],
			.tm_sec = part[5]};
	time_t seconds = timegm(&tm) - east;

	*ms = (uint64_t)seconds * 1000;
	return seconds > 0;
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
	*out = (struct aws_key){key, ends_ms, aws_text(c, "signed with the key ", key.id, from)};
	return 0;
}

static struct slice
aws_key_member(const struct json *root, const char *name)
{
	const struct json *value = json_get(root, name);

	return value != NULL && value->type == JSON_STRING ? value->text : SLICE("");
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
	struct credential key = {.id = aws_key_member(root, "AccessKeyId"),
				 .secret = aws_key_member(root, "SecretAccessKey"),
				 .token = aws_key_member(root, token_name)};
	struct slice ends = aws_key_member(root, "Expiration");

	if (key.id.len == 0 || key.secret.len == 0) {
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s has no %s", source,
				 key.id.len == 0 ? "AccessKeyId" : "SecretAccessKey");
	}
	if (ends.len > 0 && !aws_key_time(ends, &ends_ms)) {
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s has an invalid Expiration",
				 source);
	}
	return aws_key_take(c, key, ends_ms, aws_text(c, " of ", slice_from(source), ""), out);
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
