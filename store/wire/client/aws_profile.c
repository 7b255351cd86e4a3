/* aws_profile - reads the files of the AWS tools and looks up settings */
#include "store/wire/client/aws_profile.h"

#include <strings.h>
#include <sys/stat.h>

#include "store/base/text/ini.h"

const char *
aws_variable(const struct aws_profile *p, const char *name)
{
	const char *value = p->env(name);

	return value == NULL || value[0] == '\0' ? NULL : value;
}

const char *
aws_first_variable(const struct aws_profile *p, const char *name, const char *second)
{
	const char *value = aws_variable(p, name);

	return value != NULL ? value : aws_variable(p, second);
}

struct slice
aws_profile_section(const struct aws_profile *p, enum aws_file file)
{
	return file == AWS_CREDENTIALS ? p->name : p->section;
}

const char *
aws_setting(const struct aws_profile *p, const char *key)
{
	static const enum aws_file order[] = {AWS_CONFIG, AWS_CREDENTIALS};

	for (size_t i = 0; i < AWS_FILES; i++) {
		struct slice value =
			ini_value(&p->file[order[i]], aws_profile_section(p, order[i]), "", key);

		if (value.len > 0) {
			return slice_cstr(&p->c->arena, value);
		}
	}
	return NULL;
}

const char *
aws_either(const struct aws_profile *p, const char *variable, const char *key)
{
	const char *value = aws_variable(p, variable);

	return value != NULL ? value : aws_setting(p, key);
}

bool
aws_either_is_true(const struct aws_profile *p, const char *variable, const char *key)
{
	const char *value = aws_either(p, variable, key);

	return value != NULL && strcasecmp(value, "true") == 0;
}

static int
aws_profile_read_file(struct aws_profile *p, enum aws_file file, const char *named_by,
		      const char *usual)
{
	const char *home = aws_variable(p, "HOME");
	const char *named = aws_variable(p, named_by);

	if (named != NULL && strncmp(named, "~/", 2) == 0 && home != NULL) {
		named = arena_print(&p->c->arena, "%s%s", home, named + 1);
	}
	if (named == NULL && home != NULL) {
		named = arena_print(&p->c->arena, "%s%s", home, usual);
	}
	p->path[file] = named;
	if (named == NULL || access(named, R_OK) < 0) {
		return 0;
	}
	return ini_read(p->c, named, NULL, &p->file[file]);
}

int
aws_profile_read(struct call *c, aws_env_fn *env, struct aws_profile *out)
{
	*out = (struct aws_profile){.c = c, .env = env};
	const char *named = aws_first_variable(out, "AWS_PROFILE", "AWS_DEFAULT_PROFILE");
	int r = aws_profile_read_file(out, AWS_CREDENTIALS, "AWS_SHARED_CREDENTIALS_FILE",
				      "/.aws/credentials");

	r = r < 0 ? r : aws_profile_read_file(out, AWS_CONFIG, "AWS_CONFIG_FILE", "/.aws/config");
	if (r < 0) {
		return r;
	}
	out->name = named == NULL ? SLICE("default") : slice_from(named);
	out->section = slice_from(arena_print(&c->arena, "profile %.*s", SLICE_ARG(out->name)));
	if (!ini_has(&out->file[AWS_CONFIG], out->section) && slice_is(out->name, "default")) {
		out->section = out->name;
	}
	if (named != NULL && !ini_has(&out->file[AWS_CREDENTIALS], out->name) &&
	    !ini_has(&out->file[AWS_CONFIG], out->section)) {
		return call_fail(c, ERR_VALIDATION, "The config profile (%s) could not be found",
				 named);
	}
	return 0;
}

int
aws_trust_find(const struct aws_profile *p, struct aws_trust *out)
{
	static const char *const variables[] = {"AWS_CA_BUNDLE", NULL, "CURL_CA_BUNDLE",
						"SSL_CERT_FILE"};
	const char *named = NULL;
	const char *by = NULL;
	struct stat st;

	*out = (struct aws_trust){.folder = aws_variable(p, "SSL_CERT_DIR")};
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]) && named == NULL; i++) {
		by = variables[i] == NULL ? "ca_bundle" : variables[i];
		named = variables[i] == NULL ? aws_setting(p, by) : aws_variable(p, by);
	}
	if (named == NULL) {
		return 0;
	}
	if (stat(named, &st) < 0) {
		return call_fail(p->c, ERR_IO, "%s: %s: %m", by, named);
	}
	if (S_ISDIR(st.st_mode)) {
		out->folder = named;
	} else {
		out->file = named;
	}
	return 0;
}
