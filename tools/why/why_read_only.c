/* why_read_only - see why_read_only.h; the reason is in .itemfs/config.json of the mount */
#include "tools/why/why_read_only.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/text/json.h"

enum { WHY_SETTINGS_MAX = 64 * 1024 };

/* Change @path to its parent directory; return false if there is none. */
static bool
why_read_only_above(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL || path[1] == '\0') {
		return false;
	}
	slash[slash == path] = '\0';
	return true;
}

/* Append the member ro_why of the settings in @text. */
static void
why_read_only_reason(struct slice text, struct buf *out)
{
	const struct json *settings = NULL;
	cleanup(call_close) struct call c;

	call_open(&c, clock_now_ms(), SIZE_MAX);
	if (json_parse(&c, text, JSON_LAST_WINS, &settings) == 0) {
		const struct json *why = json_get(settings, "ro_why");

		if (why != NULL && why->type == JSON_STRING) {
			buf_slice(out, why->text);
		}
	}
}

bool
why_read_only(const char *path, struct buf *out)
{
	static const char own[] = "/.itemfs/config.json";
	char here[PATH_MAX];
	char name[PATH_MAX + sizeof(own)];
	char text[WHY_SETTINGS_MAX];
	struct statvfs st;

	(void)snprintf(here, sizeof(here), "%s", path);
	while (statvfs(here, &st) != 0) {
		if (!why_read_only_above(here)) {
			return false;
		}
	}
	if ((st.f_flag & ST_RDONLY) == 0) {
		return false;
	}
	do {
		(void)snprintf(name, sizeof(name), "%s%s", here, own);
		cleanup(cleanup_fd) int fd = open(name, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

		if (n > 0) {
			why_read_only_reason(slice_of(text, (size_t)n), out);
			return true;
		}
	} while (why_read_only_above(here));
	return false;
}
