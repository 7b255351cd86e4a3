/* aws_key_files - keys in the environment and in the two files of a profile */
#include <stdatomic.h>
#include <sys/stat.h>

#include "store/base/system/say.h"
#include "store/base/text/ini.h"
#include "store/wire/client/aws_key.h"
#include "store/wire/client/aws_profile.h"
#include "store/wire/proto/credentials.h"

int
aws_key_environment(const struct aws_search *s, struct aws_key *out)
{
	const struct aws_profile *p = s->profile;
	struct credential key = {.profile = p->name,
				 .id = slice_from(aws_variable(p, "AWS_ACCESS_KEY_ID")),
				 .secret = slice_from(aws_variable(p, "AWS_SECRET_ACCESS_KEY")),
				 .token = slice_from(aws_first_variable(p, "AWS_SESSION_TOKEN",
									"AWS_SECURITY_TOKEN"))};

	if (key.id.len == 0) {
		return AWS_KEY_NONE;
	}
	if (key.secret.len == 0) {
		return call_fail(p->c, ERR_VALIDATION,
				 "Partial credentials found in env, missing: "
				 "AWS_SECRET_ACCESS_KEY");
	}
	return aws_key_take(p->c, key, 0, " of AWS_ACCESS_KEY_ID", out);
}

/* Warn once about a file that other users can read.  Its keys are used, since the aws command line uses them, too. */
static void
aws_key_warn(const char *path)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	struct stat st;

	if (stat(path, &st) == 0 && credentials_shared(&st) && !atomic_flag_test_and_set(&said)) {
		say("other users can read the keys in %s (mode %04o): chmod 600 %s", path,
		    st.st_mode & 07777, path);
	}
}

static int
aws_key_file(const struct aws_profile *p, enum aws_file file, struct aws_key *out)
{
	struct slice where = aws_profile_section(p, file);
	struct credential key = {
		.profile = p->name,
		.id = ini_value(&p->file[file], where, "", "aws_access_key_id"),
		.secret = ini_value(&p->file[file], where, "", "aws_secret_access_key"),
		.token = ini_value(&p->file[file], where, "", "aws_session_token")};

	if (key.id.len == 0) {
		return AWS_KEY_NONE;
	}
	if (key.secret.len == 0) {
		return call_fail(p->c, ERR_VALIDATION,
				 "Partial credentials found in %s, profile %.*s, missing: "
				 "aws_secret_access_key",
				 p->path[file], SLICE_ARG(p->name));
	}
	aws_key_warn(p->path[file]);
	return aws_key_take(p->c, key, 0,
			    arena_print(&p->c->arena, " of profile %.*s in %s", SLICE_ARG(p->name),
					p->path[file]),
			    out);
}

int
aws_key_credentials_file(const struct aws_search *s, struct aws_key *out)
{
	return aws_key_file(s->profile, AWS_CREDENTIALS, out);
}

int
aws_key_config_file(const struct aws_search *s, struct aws_key *out)
{
	return aws_key_file(s->profile, AWS_CONFIG, out);
}
