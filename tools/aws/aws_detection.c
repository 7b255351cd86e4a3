/* aws_detection - see aws_detection.h */
#include "tools/aws/aws_detection.h"

#include "store/op/op.h"

#include "tools/aws/aws_words.h"
#include "tools/cli/aws_options.h"
#include "tools/cli/commands.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/text/words.h"

bool
aws_detection_marks(struct slice name, enum op_type type, bool called)
{
	if (slice_is(name, "key")) {
		return type != OP_CREATE_TABLE && type != OP_UPDATE_TABLE && type != OP_QUERY;
	}
	if (slice_is(name, "billing-mode")) {
		return type == OP_UPDATE_TABLE;
	}
	return words_in("item key-condition-expression update-expression attribute-definitions "
			"key-schema cli-input-json global-secondary-index-updates "
			"stream-specification provisioned-throughput deletion-protection-enabled "
			"no-deletion-protection-enabled statement",
			name) ||
	       (called && name.len > 0 && aws_options_kind(name) != AWS_GLOBAL &&
		aws_options_kind(name) != AWS_GLOBAL_FLAG);
}

enum op_type
aws_detection_operation(const char *name, bool *called)
{
	enum op_type type = synonyms_operation(name);

	*called = type != OP_COUNT && synonyms_of_operation(type) == NULL;
	for (int i = 0; type == OP_COUNT && i < OP_COUNT; i++) {
		const char *command = synonyms_of_operation((enum op_type)i);

		if (command != NULL && strcmp(command, name) == 0) {
			return (enum op_type)i;
		}
	}
	return type;
}

/* Return true for options that the command of itemctl has and the operation has not. */
static bool
aws_detection_is_ours(enum op_type type, struct slice name)
{
	const char *command = synonyms_of_operation(type);
	const struct command *ours = command == NULL ? NULL : commands_find(command);

	if (aws_options_kind(name) != AWS_MEMBER || aws_options_is_member(type, name)) {
		return slice_is(name, "format");
	}
	for (const struct opt *o = ours == NULL ? NULL : ours->opts; o != NULL && o->name != NULL;
	     o++) {
		if (slice_is(name, o->name)) {
			return true;
		}
	}
	return synonyms_option(name, command) != NULL;
}

/* The index of the last word of the option at @i; *form: the value of --output */
static int
aws_detection_value(int i, int argc, char **argv, const char **form)
{
	struct slice name = aws_words_option(argv[i]);
	bool output = slice_is(name, "output");

	if (name.len == 0) {
		return i + synonyms_store_word(argv[i]);
	}
	if (argv[i][2 + name.len] == '=') {
		*form = output ? argv[i] + strlen("--output=") : *form;
		return i;
	}
	if (i + 1 == argc || argv[i + 1][0] == '-') {
		return i;
	}
	*form = output ? argv[i + 1] : *form;
	do {
		i++;
	} while (aws_options_is_list(name) && i + 1 < argc && argv[i + 1][0] != '-');
	return i;
}

bool
aws_detection_plain(enum op_type type, int argc, char **argv)
{
	bool named = type == OP_LIST_TABLES;
	bool picks = false;
	const char *form = NULL;

	if (synonyms_operation(argv[0]) != type) {
		return false;
	}
	for (int i = 1; i < argc; i++) {
		struct slice name = aws_words_option(argv[i]);

		if (type == OP_DESCRIBE_TABLE && name.len == 0 && argv[i][0] != '-' && !named) {
			named = true; /* "describe-table TABLE" */
			continue;
		}
		if ((name.len == 0 && argv[i][0] != '-') ||
		    (name.len > 0 && aws_detection_is_ours(type, name))) {
			return false;
		}
		named = named || slice_is(name, "table-name") || slice_is(name, "table");
		picks = picks || slice_is(name, "query");
		i = aws_detection_value(i, argc, argv, &form);
	}
	return named &&
	       (picks || form == NULL || words_in("json yaml yaml-stream", slice_from(form)));
}
