/* options_words - table of the words of -o */
#include "fs/daemon/options_words.h"

#include "fs/daemon/options.h"

#define FLAG(name, member) \
	{ \
		name, WORD_FLAG, false, offsetof(struct options, member), 0 \
	}
#define TEXT(name) \
	{ \
#name, WORD_TEXT, true, offsetof(struct options, name), 0 \
	}

#define NUMBER(kind, name, member, given) \
	{ \
		name, kind, true, offsetof(struct options, member), \
			offsetof(struct options, given) \
	}

static_assert(sizeof(uid_t) == 4 && sizeof(gid_t) == 4 && sizeof(mode_t) == 4, "WORD_NUMBER");

const struct option_word options_words[] = {
	TEXT(table),
	TEXT(index),
	TEXT(suffix),
	TEXT(listen),
	TEXT(credentials),
	TEXT(cors),
	TEXT(host),
	TEXT(patterns),
	TEXT(request_log),
	TEXT(note),
	TEXT(port_file),
	TEXT(token),
	TEXT(rate),
	TEXT(ro_why), /* from a process that joins, for the owner */
	FLAG("quiet", quiet),
	FLAG("web", web),
	FLAG("trust_network", trust_network),
	FLAG("ro", ro),
	FLAG("pretty", pretty),
	FLAG("typed", typed),
	FLAG("sync", sync),
	FLAG("dotdirs", dotdirs),
	FLAG("consistent", consistent),
	FLAG("debug", debug),
	FLAG("single_thread", single),
	NUMBER(WORD_NUMBER, "uid", uid, has_uid),
	NUMBER(WORD_NUMBER, "gid", gid, has_gid),
	NUMBER(WORD_UMASK, "umask", umask, has_umask),
	{"timeout", WORD_TIMEOUT, true, 0, 0},
	NUMBER(WORD_NUMBER, "timeout_request", timeout_request_s, has_timeout_request),
	NUMBER(WORD_NUMBER, "ttl_sweep", ttl_sweep_s, has_ttl_sweep),
	NUMBER(WORD_NUMBER, "max_delete", max_delete, has_max_delete),
	FLAG("allow_mass_delete", allow_mass_delete),
	{"conflict", WORD_CONFLICT, true, 0, 0},
	{"hide_expired", WORD_LATER, false, 0, 0},
	{"auto_unmount", WORD_NEVER, false, 0, 0},
	{"remount", WORD_NEVER, false, 0, 0},
	{"allow_other", WORD_KERNEL, false, 0, 0},
	NUMBER(WORD_NUMBER, "max_read", max_read, has_max_read),
	{"fsname", WORD_KERNEL, true, 0, 0},
	{"subtype", WORD_KERNEL, true, 0, 0},
	{"context", WORD_KERNEL, true, 0, 0},
	{"fscontext", WORD_KERNEL, true, 0, 0},
	{"defcontext", WORD_KERNEL, true, 0, 0},
	{"rootcontext", WORD_KERNEL, true, 0, 0},
	{"suid", WORD_KERNEL, false, 0, 0},
	{"nosuid", WORD_KERNEL, false, 0, 0},
	{"dev", WORD_KERNEL, false, 0, 0},
	{"nodev", WORD_KERNEL, false, 0, 0},
	{"exec", WORD_KERNEL, false, 0, 0},
	{"noexec", WORD_KERNEL, false, 0, 0},
	{"atime", WORD_KERNEL, false, 0, 0},
	{"noatime", WORD_KERNEL, false, 0, 0},
	{"dirsync", WORD_KERNEL, false, 0, 0},
	{"write", WORD_WRITE, false, 0, 0},
	{"rw", WORD_RW, false, 0, 0},
	{"async", WORD_NOTHING, false, 0, 0},
	{"nonempty", WORD_NOTHING, false, 0, 0},
	{"reconnect", WORD_NOTHING, false, 0, 0},
	{"big_writes", WORD_NOTHING, false, 0, 0},
	{"kernel_cache", WORD_NOTHING, false, 0, 0},
	{"auto_cache", WORD_NOTHING, false, 0, 0},
	{"background", WORD_NOTHING, false, 0, 0},
	{"daemon", WORD_NOTHING, false, 0, 0},
	{"default_permissions", WORD_NOTHING, false, 0, 0},
	{"defaults", WORD_FSTAB, false, 0, 0},
	{"auto", WORD_FSTAB, false, 0, 0},
	{"noauto", WORD_FSTAB, false, 0, 0},
	{"nofail", WORD_FSTAB, false, 0, 0},
	{"_netdev", WORD_FSTAB, false, 0, 0},
	{"user", WORD_FSTAB, false, 0, 0},
	{"nouser", WORD_FSTAB, false, 0, 0},
	{"users", WORD_FSTAB, false, 0, 0},
	{"owner", WORD_FSTAB, false, 0, 0},
	{"group", WORD_FSTAB, false, 0, 0},
	{"relatime", WORD_FSTAB, false, 0, 0},
	{"norelatime", WORD_FSTAB, false, 0, 0},
	{"strictatime", WORD_FSTAB, false, 0, 0},
	{"lazytime", WORD_FSTAB, false, 0, 0},
	{"nostrictatime", WORD_FSTAB, false, 0, 0},
	{"nolazytime", WORD_FSTAB, false, 0, 0},
	{"diratime", WORD_FSTAB, false, 0, 0},
	{"nodiratime", WORD_FSTAB, false, 0, 0},
	{"mand", WORD_FSTAB, false, 0, 0},
	{"nomand", WORD_FSTAB, false, 0, 0},
	{"iversion", WORD_FSTAB, false, 0, 0},
	{"noiversion", WORD_FSTAB, false, 0, 0},
	{"silent", WORD_FSTAB, false, 0, 0},
	{"loud", WORD_FSTAB, false, 0, 0},
	{"symfollow", WORD_FSTAB, false, 0, 0},
	{"nosymfollow", WORD_FSTAB, false, 0, 0},
	{"comment", WORD_FSTAB, false, 0, 0},
	{"helper", WORD_FSTAB, false, 0, 0},
	{"uhelper", WORD_FSTAB, false, 0, 0},
};

const size_t options_words_n = sizeof(options_words) / sizeof(options_words[0]);

const struct option_word *
options_words_find(const char *name)
{
	static const struct option_word fstab = {"x-", WORD_FSTAB, false, 0, 0};

	for (size_t i = 0; i < options_words_n; i++) {
		if (strcmp(options_words[i].name, name) == 0) {
			return &options_words[i];
		}
	}
	return strncmp(name, "x-", 2) == 0 || strncmp(name, "X-", 2) == 0 ? &fstab : NULL;
}

const char *
options_words_other(const char *name)
{
	static const struct {
		const char *other;
		const char *ours;
	} rows[] = {
		{"read-only", "ro"},   {"read_only", "ro"},     {"readonly", "ro"},
		{"port", "listen"},    {"bind", "listen"},      {"host", "listen"},
		{"address", "listen"}, {"tables", "table"},     {"indent", "pretty"},
		{"all", "dotdirs"},    {"hidden", "dotdirs"},   {"verbose", "debug"},
		{"ext", "suffix"},     {"extension", "suffix"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].other, name) == 0) {
			return rows[i].ours;
		}
	}
	return NULL;
}
