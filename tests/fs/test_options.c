#include "fs/daemon/options.h"

#include "tests/support/unit.h"

static struct call c;
static struct options o;

static void
setup(void)
{
	call_open(&c, 0, 1024 * 1024);
}

static void
teardown(void)
{
	call_close(&c);
}

/* Parse a command line whose words are separated by blanks. */
static int
parse(const char *line)
{
	char *argv[32];
	int argc = 0;
	char *copy = (char *)(uintptr_t)slice_cstr(&c.arena, slice_from(line));
	char *save;

	for (char *w = strtok_r(copy, " ", &save); w != NULL && argc < 31;
	     w = strtok_r(NULL, " ", &save)) {
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	return options_parse(&c, argc, argv, &o);
}

static void
reads_every_option_of_the_manual(void)
{
	int r = parse(
		"itemfs store mnt -o table=T,index=I,suffix=,ro,pretty,typed,sync,conflict=fail "
		"-olisten=127.0.0.1:0,timeout=1.5,ttl_sweep=90 "
		"-f -o uid=7,gid=8,umask=027,allow_other,nodev");

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_STRING_EQUAL(o.store, "store");
	CU_ASSERT_STRING_EQUAL(o.mountpoint, "mnt");
	CU_ASSERT_STRING_EQUAL(o.table, "T");
	CU_ASSERT_STRING_EQUAL(o.index, "I");
	CU_ASSERT_STRING_EQUAL(o.suffix, "");
	CU_ASSERT_STRING_EQUAL(o.listen, "127.0.0.1:0");
	CU_ASSERT_TRUE(o.ro && o.pretty && o.typed && o.sync && o.conflict_fail && o.foreground);
	CU_ASSERT_TRUE(o.has_timeout && o.timeout_s > 1.4 && o.timeout_s < 1.6);
	CU_ASSERT_TRUE(o.has_ttl_sweep && o.ttl_sweep_s == 90);
	CU_ASSERT_TRUE(o.has_uid && o.uid == 7 && o.has_gid && o.gid == 8);
	CU_ASSERT_TRUE(o.has_umask && o.umask == 027);
	CU_ASSERT_STRING_EQUAL(o.kernel, "allow_other,nodev");
}

static void
options_that_are_not_given_stay_unset(void)
{
	CU_ASSERT_EQUAL(parse("itemfs store mnt"), 0);
	CU_ASSERT_PTR_NULL(o.table);
	CU_ASSERT_PTR_NULL(o.suffix);
	CU_ASSERT_PTR_NULL(o.listen);
	CU_ASSERT_FALSE(o.ro || o.sync || o.foreground || o.has_uid || o.has_umask ||
			o.has_ttl_sweep);
	CU_ASSERT_STRING_EQUAL(o.kernel, "");
}

static const struct {
	const char *line;
	enum err code;
	const char *sentence; /* a part of the message */
} refused[] = {
	{"itemfs", ERR_VALIDATION, "STORE and MOUNTPOINT are missing"},
	{"itemfs store", ERR_VALIDATION, "MOUNTPOINT is missing: itemfs store MOUNTPOINT"},
	{"itemfs store mnt more", ERR_VALIDATION, "more"},
	{"itemfs store mnt -x", ERR_VALIDATION, "-x"},
	{"itemfs store mnt --nonsense", ERR_VALIDATION, "--nonsense"},
	{"itemfs store mnt -o", ERR_VALIDATION, "-o needs"},
	{"itemfs store mnt -o nonsense", ERR_VALIDATION, "nonsense"},
	{"itemfs store mnt -o table", ERR_VALIDATION, "table=..."},
	{"itemfs store mnt -o ro=1", ERR_VALIDATION, "takes no value"},
	{"itemfs store mnt -o index=I", ERR_VALIDATION, "needs table="},
	{"itemfs store mnt -o credentials=F", ERR_VALIDATION, "credentials= needs listen="},
	{"itemfs store mnt -o patterns=f", ERR_VALIDATION, "patterns= needs listen="},
	{"itemfs store mnt -o cors=*", ERR_VALIDATION, "cors= needs listen="},
	{"itemfs store mnt -o host=db", ERR_VALIDATION, "host= needs listen="},
	{"itemfs store mnt -o web", ERR_VALIDATION, "web needs listen="},
	{"itemfs store mnt -o trust_network", ERR_VALIDATION, "trust_network needs listen="},
	{"itemfs store mnt -o listen=0,token=T", ERR_VALIDATION, "token= needs web"},
	{"itemfs store mnt -o uid=me", ERR_VALIDATION, "uid=me"},
	{"itemfs store mnt -o uid=-1", ERR_VALIDATION, "uid=-1"},
	{"itemfs store mnt -o gid=4294967295", ERR_VALIDATION, "gid="},
	{"itemfs store mnt -o umask=8", ERR_VALIDATION, "umask=8"},
	{"itemfs store mnt -o umask=1000", ERR_VALIDATION, "umask=1000"},
	{"itemfs store mnt -o timeout=soon", ERR_VALIDATION, "timeout=soon"},
	{"itemfs store mnt -o timeout=-1", ERR_VALIDATION, "timeout=-1"},
	{"itemfs store mnt -o timeout=nan", ERR_VALIDATION, "timeout=nan"},
	{"itemfs store mnt -o conflict", ERR_VALIDATION, "conflict=..."},
	{"itemfs store mnt -o conflict=", ERR_VALIDATION, "conflict= is not supported"},
	{"itemfs store mnt -o conflict=last", ERR_VALIDATION, "conflict=last is not supported"},
	{"itemfs store mnt -o hide_expired", ERR_NOT_SUPPORTED, "hide_expired"},
	{"itemfs store mnt -o ttl_sweep", ERR_VALIDATION, "ttl_sweep"},
	{"itemfs store mnt -o timeout_request=soon", ERR_VALIDATION, "timeout_request=soon"},
	{"itemfs store mnt -o ttl_sweep=soon", ERR_VALIDATION, "ttl_sweep=soon"},
	{"itemfs store mnt -o ttl_sweep=-1", ERR_VALIDATION, "ttl_sweep=-1"},
	{"itemfs store mnt -o auto_unmount", ERR_NOT_SUPPORTED, "auto_unmount is not supported"},
	{"itemfs store mnt -o remount,ro", ERR_NOT_SUPPORTED, "unmount it"},
	{"itemfs ftp://me:secret@localhost mnt", ERR_VALIDATION, "ftp://localhost: an endpoint is"},
	{"itemfs http://me:secret@localhost:8000 mnt --create", ERR_VALIDATION,
	 "--create is only for a store in a directory: http://localhost:8000"},
	{"itemfs dynamodb:eu-west-1 --no-mount", ERR_VALIDATION, "--no-mount is only for a store"},
	{"itemfs dynamodb: mnt -o listen=127.0.0.1:0", ERR_VALIDATION,
	 "listen= is only for a store"},
	{"itemfs dynamodb: mnt -o ttl_sweep=0", ERR_VALIDATION, "ttl_sweep= is only for a store"},
	{"itemfs store mnt --no-mount", ERR_VALIDATION, "--no-mount"},
	{"/sbin/mount.itemfs store mnt -d", ERR_VALIDATION, "-d"},
	{"/sbin/mount.itemfs store mnt -o nonsense", ERR_VALIDATION, "nonsense"},
};

static void
refusals_name_the_word(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		call_close(&c);
		call_open(&c, 0, 1024 * 1024);
		int r = parse(refused[i].line);
		bool same = r == -(int)refused[i].code &&
			    strstr(c.error.message, refused[i].sentence) != NULL;

		CU_ASSERT_TRUE(same);
		if (!same) {
			printf("\n  %s: %d %s\n", refused[i].line, r, r < 0 ? c.error.message : "");
		}
	}
}

static void
accepts_the_arguments_of_mount_8(void)
{
	CU_ASSERT_EQUAL(parse("/sbin/mount.itemfs store mnt -n -v -s -t fuse.itemfs -o "
			      "rw,noauto,nofail,_netdev,user,x-systemd.automount,x-a=b,ro,"
			      "nolazytime,mand,silent,comment=systemd.device,uhelper=x"),
			0);
	CU_ASSERT_TRUE(o.ro);
	CU_ASSERT_FALSE(o.single || o.fake || o.foreground);
	CU_ASSERT_STRING_EQUAL(o.kernel, "");
	CU_ASSERT_EQUAL(parse("mount.itemfs store mnt -f"), 0);
	CU_ASSERT_TRUE(o.fake);
	CU_ASSERT_FALSE(o.foreground);
}

static const struct {
	const char *line;
	bool ro;
	bool by_itself;
} guarded[] = {
	{"itemfs dynamodb:eu-west-1 mnt", true, true},
	{"itemfs dynamodb: mnt -o pretty", true, true},
	{"itemfs http://10.0.0.1:8000 mnt", true, true},
	{"itemfs https://db.example.com mnt -o ro", true, false},
	{"itemfs https://db.example.com mnt -o rw", false, false},
	{"itemfs https://db.example.com mnt -o write", false, false},
	{"itemfs https://db.example.com mnt -o rw,ro", true, false},
	{"itemfs https://db.example.com mnt -o ro -o write,rw", true, false},
	{"itemfs http://127.0.0.1:8000 mnt", false, false},
	{"itemfs http://127.8.0.1:8000 mnt -o ro", true, false},
	{"itemfs http://localhost:8000 mnt", false, false},
	{"itemfs store mnt", false, false},
	{"mount.itemfs dynamodb:eu-west-1 mnt -o rw,noauto", true, true},
	{"mount.itemfs dynamodb:eu-west-1 mnt -o rw,write", false, false},
	{"mount.itemfs dynamodb:eu-west-1 mnt -o ro,write", true, false},
	{"mount.itemfs store mnt -o rw", false, false},
};

static void
remote_endpoints_are_read_only(void)
{
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		bool same = parse(guarded[i].line) == 0 && o.ro == guarded[i].ro &&
			    o.ro_by_itself == guarded[i].by_itself;

		CU_ASSERT_TRUE(same);
		if (!same) {
			printf("\n  %s: ro %d, by itself %d\n", guarded[i].line, o.ro,
			       o.ro_by_itself);
		}
	}
	CU_ASSERT_EQUAL(parse("itemfs dynamodb: mnt -o write=1"), -ERR_VALIDATION);
}

static void
deletes_are_limited_on_remote_endpoints(void)
{
	static const struct {
		const char *line;
		bool limited;
		uint32_t max;
	} rows[] = {
		{"itemfs dynamodb:eu-west-1 mnt -o rw", true, 100},
		{"itemfs https://db.example.com mnt -o rw,max_delete=7", true, 7},
		{"itemfs https://db.example.com mnt -o rw,max_delete=0", true, 0},
		{"itemfs https://db.example.com mnt -o rw,allow_mass_delete", false, 0},
		{"itemfs http://127.0.0.1:8000 mnt", false, 0},
		{"itemfs http://127.0.0.1:8000 mnt --max_delete 5", true, 5},
		{"itemfs store mnt", false, 0},
		{"itemfs store mnt -o max_delete=1000000", true, 1000000},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(parse(rows[i].line), 0);
		CU_ASSERT_EQUAL(o.has_max_delete, rows[i].limited);
		CU_ASSERT_EQUAL(o.max_delete, rows[i].max);
	}
	CU_ASSERT_EQUAL(parse("itemfs store mnt -o max_delete=1,allow_mass_delete"),
			-ERR_VALIDATION);
	CU_ASSERT_EQUAL(parse("itemfs store mnt -o max_delete=-1"), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(parse("itemfs store mnt -o max_delete=99999999999"), -ERR_VALIDATION);
}

static void
takes_escaped_commas_and_backslashes(void)
{
	CU_ASSERT_EQUAL(parse("itemfs store mnt -o table=a\\,b\\\\c,fsname=x\\,y"), 0);
	CU_ASSERT_STRING_EQUAL(o.table, "a,b\\c");
	CU_ASSERT_STRING_EQUAL(o.kernel, "fsname=x\\,y");
}

static void
help_and_version_need_no_arguments(void)
{
	CU_ASSERT_EQUAL(parse("itemfs --help"), 0);
	CU_ASSERT_TRUE(o.help);
	CU_ASSERT_EQUAL(parse("itemfs -V"), 0);
	CU_ASSERT_TRUE(o.version);
	CU_ASSERT_EQUAL(parse("itemfs store --no-mount -f -o listen=127.0.0.1:0"), 0);
	CU_ASSERT_TRUE(o.no_mount && o.foreground && !o.create);
	CU_ASSERT_EQUAL(parse("itemfs --create store mnt"), 0);
	CU_ASSERT_TRUE(o.create);
}

static void
stays_in_the_foreground_to_debug(void)
{
	CU_ASSERT_EQUAL(parse("itemfs store mnt -sd"), 0);
	CU_ASSERT_TRUE(o.foreground && o.debug && o.single);
}

static void
options_can_be_passed_as_text_to_another_process(void)
{
	struct options back = {0};

	CU_ASSERT_EQUAL(
		parse("itemfs store mnt -s -o table=a\\,b\\\\,index=I,suffix=.x,ro,typed,"
		      "sync,conflict=fail,uid=1,gid=2,umask=77,timeout=0.25,timeout_request=7,ttl_sweep=0,allow_other"),
		0);
	int r = options_read(&c, options_format(&c, &o), &back);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_STRING_EQUAL(back.table, "a,b\\");
	CU_ASSERT_STRING_EQUAL(back.index, "I");
	CU_ASSERT_STRING_EQUAL(back.suffix, ".x");
	CU_ASSERT_TRUE(back.ro && back.typed && back.sync && back.conflict_fail && back.single &&
		       !back.pretty);
	CU_ASSERT_TRUE(back.uid == 1 && back.gid == 2 && back.umask == 077);
	CU_ASSERT_TRUE(back.has_timeout && back.timeout_s == 0.25);
	CU_ASSERT_TRUE(back.has_ttl_sweep && back.ttl_sweep_s == 0);
	CU_ASSERT_TRUE(back.has_timeout_request && back.timeout_request_s == 7);
	CU_ASSERT_STRING_EQUAL(options_format(&c, &o), options_format(&c, &back));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_every_option_of_the_manual),
	UNIT_TEST(options_that_are_not_given_stay_unset),
	UNIT_TEST(refusals_name_the_word),
	UNIT_TEST(accepts_the_arguments_of_mount_8),
	UNIT_TEST(remote_endpoints_are_read_only),
	UNIT_TEST(deletes_are_limited_on_remote_endpoints),
	UNIT_TEST(takes_escaped_commas_and_backslashes),
	UNIT_TEST(help_and_version_need_no_arguments),
	UNIT_TEST(stays_in_the_foreground_to_debug),
	UNIT_TEST(options_can_be_passed_as_text_to_another_process),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(options, setup, teardown, tests);
