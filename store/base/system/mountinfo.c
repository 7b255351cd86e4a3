/*
 * mountinfo - see mountinfo.h.  A line of mountinfo:
 *
 *   63 27 0:39 / /mnt/a rw,relatime shared:1 - fuse.itemfs /srv/shop rw,user_id=0,group_id=0
 *
 * Fields are separated by single blanks.  A blank, tab, newline, '#' or '\' in a field is written in octal, like
 * "\040".  There may be any number of fields between the options and "-".
 */
#include "store/base/system/mountinfo.h"

#include <sys/sysmacros.h>

enum { OCTAL = 8, DECIMAL = 10, ESCAPED = 3 };

/* Returns the next field and moves *at past it; NULL if there is none. */
static char *
mountinfo_field(char **at)
{
	char *field = strsep(at, " ");

	return field == NULL || field[0] == '\0' ? NULL : field;
}

static bool
mountinfo_is_octal(const char *s)
{
	for (int i = 0; i < ESCAPED; i++) {
		if (s[i] < '0' || s[i] >= '0' + OCTAL) {
			return false;
		}
	}
	return true;
}

/* Decodes octal escapes in place. */
static void
mountinfo_unescape(char *s)
{
	char *out = s;

	while (*s != '\0') {
		if (*s == '\\' && mountinfo_is_octal(s + 1)) {
			const char digits[] = {s[1], s[2], s[3], '\0'};

			*out++ = (char)strtoul(digits, NULL, OCTAL);
			s += 1 + ESCAPED;
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
}

/* Parses a text that is only a number. */
static bool
mountinfo_number(const char *s, unsigned *out)
{
	char *end;
	unsigned long n = strtoul(s, &end, DECIMAL);

	*out = (unsigned)n;
	return ascii_digit(s[0]) && *end == '\0' && n == *out;
}

/* File systems without a block device have the major number 0. FUSE names a connection by the minor number. */
static bool
mountinfo_connection(char *device, struct mountinfo *out)
{
	unsigned major;
	const char *text = strsep(&device, ":");

	return device != NULL && mountinfo_number(text, &major) && major == 0 &&
	       mountinfo_number(device, &out->connection);
}

static bool
mountinfo_uid(char *options, struct mountinfo *out)
{
	static const char name[] = "user_id=";
	const char *option;

	while ((option = strsep(&options, ",")) != NULL) {
		if (strncmp(option, name, strlen(name)) == 0) {
			return mountinfo_number(option + strlen(name), &out->uid);
		}
	}
	return false;
}

static bool
mountinfo_is_fuse(const char *type)
{
	return strcmp(type, "fuse") == 0 || strncmp(type, "fuse.", 5) == 0;
}

bool
mountinfo_parse(char *line, struct mountinfo *out)
{
	enum { DEVICE = 2, POINT = 4, FIXED = 6 };
	char *at = line;
	char *fixed[FIXED];
	char *field;

	for (int i = 0; i < FIXED; i++) {
		fixed[i] = mountinfo_field(&at);
		if (fixed[i] == NULL) {
			return false;
		}
	}
	while ((field = mountinfo_field(&at)) != NULL && strcmp(field, "-") != 0) {
	}
	const char *type = field == NULL ? NULL : mountinfo_field(&at);
	char *source = type == NULL ? NULL : mountinfo_field(&at);
	char *options = source == NULL ? NULL : mountinfo_field(&at);

	if (options == NULL || !mountinfo_is_fuse(type) ||
	    !mountinfo_connection(fixed[DEVICE], out) || !mountinfo_uid(options, out)) {
		return false;
	}
	mountinfo_unescape(fixed[POINT]);
	mountinfo_unescape(source);
	out->itemfs = strcmp(type, "fuse.itemfs") == 0;
	out->point = fixed[POINT];
	out->source = source;
	return true;
}

void
mountinfo_open(struct mountinfo_list *out)
{
	*out = (struct mountinfo_list){.file = fopen("/proc/self/mountinfo", "re")};
}

bool
mountinfo_next(struct mountinfo_list *l, struct mountinfo *out)
{
	ssize_t n;

	while (l->file != NULL && (n = getline(&l->line, &l->room, l->file)) > 0) {
		l->line[n - (l->line[n - 1] == '\n')] = '\0';
		if (mountinfo_parse(l->line, out)) {
			return true;
		}
	}
	return false;
}

void
mountinfo_close(const struct mountinfo_list *l)
{
	free(l->line);
	if (l->file != NULL) {
		(void)fclose(l->file);
	}
}

bool
mountinfo_user(dev_t device, uid_t *out)
{
	cleanup(mountinfo_close) struct mountinfo_list list = {0};
	struct mountinfo m;

	if (major(device) == 0) {
		mountinfo_open(&list);
	}
	while (mountinfo_next(&list, &m)) {
		if (m.connection == minor(device)) {
			*out = m.uid;
			return true;
		}
	}
	return false;
}
