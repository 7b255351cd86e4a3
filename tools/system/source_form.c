/* source_form - see source_form.h */
#include "tools/system/source_form.h"

#define GZ ".gz"

static const char *const packed[] = {GZ, ".zst", ".bz2", ".xz", ".zip"};

static const char *const forms[] = {
	[SOURCE_AUTO] = "",
	[SOURCE_JSONL] = "jsonl",
	[SOURCE_JSON] = "json",
	[SOURCE_CSV] = "csv",
	[SOURCE_EXPORT] = "dynamodb-export",
	[SOURCE_YAML] = "yaml",
};

enum source_form
source_form_named(const char *name)
{
	for (enum source_form f = SOURCE_JSONL; f <= SOURCE_YAML; f++) {
		if (strcmp(name, forms[f]) == 0) {
			return f;
		}
	}
	return SOURCE_AUTO;
}

/* Return true if @name ends with @suffix, in any case. Some systems ignore the case of file names. */
static bool
source_form_ends(struct slice name, struct slice suffix)
{
	return name.len >= suffix.len &&
	       ascii_same(slice_skip(name, name.len - suffix.len), suffix);
}

/* The suffix of a compression, or "" */
static const char *
packed_suffix(struct slice name)
{
	for (size_t i = 0; i < sizeof(packed) / sizeof(*packed); i++) {
		if (source_form_ends(name, slice_from(packed[i]))) {
			return packed[i];
		}
	}
	return "";
}

bool
source_has_suffix(const char *file, const char *suffix)
{
	struct slice name = slice_from(file);

	name.len -= strlen(packed_suffix(name));
	return source_form_ends(name, slice_from(suffix));
}

bool
source_is_packed(const char *file)
{
	return packed_suffix(slice_from(file))[0] != '\0';
}

enum source_form
source_form_of(const char *file)
{
	if (source_has_suffix(file, ".csv") || source_has_suffix(file, ".tsv")) {
		return SOURCE_CSV;
	}
	if (source_has_suffix(file, ".yaml") || source_has_suffix(file, ".yml")) {
		return SOURCE_YAML;
	}
	return source_has_suffix(file, ".json") ? SOURCE_JSON : SOURCE_JSONL;
}

bool
source_is_gz(const char *file)
{
	return source_form_ends(slice_from(file), SLICE(GZ));
}

struct slice
source_stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct slice name = slice_from(slash == NULL ? path : slash + 1);

	for (int i = source_is_packed(path) ? 2 : 1; i > 0; i--) {
		const char *dot = name.len == 0 ? NULL : memrchr(name.at + 1, '.', name.len - 1);

		name.len = dot == NULL ? name.len : (size_t)(dot - name.at);
	}
	return name;
}
