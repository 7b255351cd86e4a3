/* aws_trust - looks up the variables and settings that name certificates */
#include "store/wire/client/aws_trust.h"

#include <sys/stat.h>

#include "store/wire/client/aws_profile.h"

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
