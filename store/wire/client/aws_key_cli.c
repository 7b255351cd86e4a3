/*
 * aws_key_cli - keys that a program prints as JSON: the profile's credential_process, and the aws command line
 *
 * Assumed roles and single sign-on are left to the aws command line, which has their caches and prompts.
 */
#include "store/base/core/escape.h"
#include "store/base/system/program.h"
#include "store/base/text/json.h"
#include "store/wire/client/aws_key.h"
#include "store/wire/client/aws_profile.h"

enum {
	CLI_MS = 60 * 1000,   /* time limit; a program may ask the user for a second factor */
	CLI_MOST = 64 * 1024, /* bytes that it may print */
	CLI_TOLD = 300,       /* characters of its last error message that are repeated */
};

/* Return the last line that is not blank. */
static struct slice
aws_key_cli_last_line(struct slice text)
{
	text = ascii_trim(text);
	const char *end = slice_rchr(text, '\n');

	return end == NULL ? text : slice_skip(text, (size_t)(end - text.at) + 1);
}

static int
aws_key_cli_failed(struct call *c, const char *source, const struct program_result *r)
{
	struct slice said = aws_key_cli_last_line(r->err);
	struct buf b;

	switch (r->end) {
	case PROGRAM_HUNG:
		return call_fail(c, ERR_NO_SIGNATURE, "%s did not end within %d s", source,
				 CLI_MS / 1000);
	case PROGRAM_TOO_LONG:
		return call_fail(c, ERR_NO_SIGNATURE, "%s printed more than %d bytes", source,
				 CLI_MOST);
	case PROGRAM_DONE:
	case PROGRAM_FAILED:
	case PROGRAM_MISSING:
		break;
	}
	buf_init(&b, &c->arena);
	(void)escape_put(&b, said, CLI_TOLD);
	return call_fail(c, ERR_NO_SIGNATURE, "%s failed with status %d%s%.*s", source, r->status,
			 said.len == 0 ? "" : ": ", SLICE_ARG(buf_view(&b)));
}

/* Read the output of a program: {"Version": 1, "AccessKeyId": ...} */
static int
aws_key_cli_read(struct call *c, const char *source, struct slice text, struct aws_key *out)
{
	const struct json *root = NULL;
	int r = aws_key_from_json(c, text, "SessionToken", source, out);

	if (r < 0 || json_parse(c, text, JSON_LAST_WINS, &root) < 0) {
		return r;
	}
	const struct json *version = json_get(root, "Version");

	if (version == NULL || !slice_is(version->text, "1")) {
		return call_fail(c, ERR_NO_SIGNATURE, "the answer of %s does not have Version 1",
				 source);
	}
	return aws_key_still_good(c, out, source);
}

/* Run a program and read its key; @missing: the message if it does not exist, or NULL */
static int
aws_key_cli_run(struct call *c, const char *const argv[], const char *source, const char *missing,
		struct aws_key *out)
{
	struct program_result r;

	program_run(c, argv, CLI_MOST, CLI_MS, &r);
	if (r.end == PROGRAM_MISSING && missing != NULL) {
		return call_fail(c, ERR_NO_SIGNATURE, "%s", missing);
	}
	return r.end == PROGRAM_DONE ? aws_key_cli_read(c, source, r.out, out)
				     : aws_key_cli_failed(c, source, &r);
}

int
aws_key_process(const struct aws_search *s, struct aws_key *out)
{
	struct call *c = s->profile->c;
	const char *command = aws_setting(s->profile, "credential_process");
	const char *const argv[] = {"/bin/sh", "-c", command, NULL};
	const char *source = arena_print(&c->arena, "credential_process of profile %.*s",
					 SLICE_ARG(s->profile->name));

	return command == NULL ? AWS_KEY_NONE : aws_key_cli_run(c, argv, source, NULL, out);
}

/* Get the key from the aws command line; @way: the setting that requires this */
static int
aws_key_exported(const struct aws_search *s, const char *way, struct aws_key *out)
{
	struct call *c = s->profile->c;
	const char *name = slice_cstr(&c->arena, s->profile->name);
	const char *const argv[] = {"aws",      "configure", "export-credentials",
				    "--format", "process",   "--profile",
				    name,       NULL};
	const char *source =
		arena_print(&c->arena, "aws configure export-credentials --profile %s", name);
	const char *missing =
		arena_print(&c->arena,
			    "profile %s has %s, which needs the AWS command line (aws configure "
			    "export-credentials): it is not in PATH",
			    name, way);

	return aws_key_cli_run(c, argv, source, missing, out);
}

int
aws_key_role(const struct aws_search *s, struct aws_key *out)
{
	bool web = aws_setting(s->profile, "web_identity_token_file") != NULL;

	return web || aws_setting(s->profile, "role_arn") == NULL
		       ? AWS_KEY_NONE
		       : aws_key_exported(s, "role_arn", out);
}

int
aws_key_sso(const struct aws_search *s, struct aws_key *out)
{
	static const char *const ways[] = {"sso_session", "sso_start_url", "login_session"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (aws_setting(s->profile, ways[i]) != NULL) {
			return aws_key_exported(s, ways[i], out);
		}
	}
	return AWS_KEY_NONE;
}
