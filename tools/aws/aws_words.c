/* aws_words - see aws_words.h */
#include "tools/aws/aws_words.h"

#include "store/base/text/json.h"
#include "store/model/value.h"
#include "store/op/op.h"

#include "tools/aws/aws_shorthand.h"
#include "tools/cli/aws_options.h"
#include "tools/cli/commands.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/session/ctl.h"
#include "tools/text/words.h"

struct slice
aws_words_option(const char *arg)
{
	if (arg[0] != '-' || arg[1] != '-' || arg[2] == '\0') {
		return slice_of(arg, 0);
	}
	return slice_of(arg + 2, strcspn(arg + 2, "="));
}

/* ------------------------------------------------------------ lines that only the command call can execute */

bool
aws_words_marks(struct slice name, enum op_type type, bool called)
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
aws_words_operation(const char *name, bool *called)
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
aws_words_is_ours(enum op_type type, struct slice name)
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
aws_words_value(int i, int argc, char **argv, const char **form)
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
aws_words_are_api(enum op_type type, int argc, char **argv)
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
		    (name.len > 0 && aws_words_is_ours(type, name))) {
			return false;
		}
		named = named || slice_is(name, "table-name") || slice_is(name, "table");
		picks = picks || slice_is(name, "query");
		i = aws_words_value(i, argc, argv, &form);
	}
	return named &&
	       (picks || form == NULL || words_in("json yaml yaml-stream", slice_from(form)));
}

/* ------------------------------------------------------------ keys and items */

/* Return true for a typed value: {"S":"a"}. */
static bool
aws_words_is_value(const struct json *json)
{
	return json->type == JSON_OBJECT && json->n == 1 &&
	       value_type_from_name(json->child->name) != VALUE_TYPES;
}

/* Return true if all values of a key or an item are typed, as the API requires.  @json: NULL: @text is not JSON */
static bool
aws_words_are_typed(struct slice text, const struct json *json, bool key)
{
	if (json == NULL) {
		return slice_chr(text, '{') != NULL;
	}
	json_each (child, json) {
		if (!aws_words_is_value(child) && !(key && child->type == JSON_OBJECT)) {
			return false; /* no key is a map */
		}
	}
	return true;
}

/* The value of a key with one attribute, without name and type; NULL: it has several attributes. */
static const char *
aws_words_only_value(struct call *c, const struct json *json)
{
	const struct json *value = json->type == JSON_OBJECT && json->n == 1 ? json->child : NULL;

	value = value != NULL && aws_words_is_value(value) ? value->child : value;
	return value != NULL && value->child == NULL ? slice_cstr(&c->arena, value->text) : NULL;
}

/* A key with several attributes as JSON without types; NULL: a value cannot be written without type. */
static const char *
aws_words_untyped(struct call *c, const struct json *json)
{
	struct buf b = {.arena = &c->arena};

	json_each (child, json) {
		const struct json *value = aws_words_is_value(child) ? child->child : child;

		if (value->child != NULL || value->type == JSON_ARRAY) {
			return NULL;
		}
		buf_str(&b, b.len == 0 ? "{" : ",");
		json_put_string(&b, child->name);
		buf_char(&b, ':');
		if (value->type == JSON_STRING && !slice_is(value->name, "N")) {
			json_put_string(&b, value->text);
		} else {
			buf_slice(&b, value->text);
		}
	}
	buf_char(&b, '}');
	return slice_cstr(&c->arena, buf_view(&b));
}

/* The word for --key or --item with the value @text; NULL: the value is typed, or query has no word for it. */
static const char *
aws_words_plain(struct call *c, bool query, bool key, const char *text)
{
	const struct json *json = NULL;
	struct slice given = slice_from(text);
	struct buf b = {.arena = &c->arena};

	if (memchr(text, '{', given.len) == NULL && memchr(text, '=', given.len) != NULL) {
		struct json_writer w;

		json_writer_init(&w, &b, 0);
		if (aws_shorthand(c, &w, given) == 0) {
			given = buf_view(&b);
		}
	}
	if (given.len > 0 && given.at[0] == '{' && json_parse(c, given, JSON_STRICT, &json) < 0) {
		json = NULL;
	}
	c->error = (struct error){0}; /* reported when the value is used */
	if (query) {
		return json == NULL                               ? text
		       : json->type == JSON_OBJECT && json->n > 1 ? aws_words_untyped(c, json)
								  : aws_words_only_value(c, json);
	}
	if (slice_starts(given, SLICE("file://"))) {
		return NULL; /* the file could not be read */
	}
	return aws_words_are_typed(given, json, key) ? NULL : slice_cstr(&c->arena, given);
}

/* The value of an option: after "=", or the next word; NULL: none. */
static const char *
aws_words_given(int argc, char **argv, int i, struct slice name)
{
	if (name.len > 0 && argv[i][2 + name.len] == '=') {
		return argv[i] + 2 + name.len + 1;
	}
	return i + 1 < argc ? argv[i + 1] : NULL;
}

/* Replace the name and the value of the option at @i. */
static void
aws_words_put(struct call *c, char **argv, int i, const char *name, const char *value)
{
	bool inlined = strchr(argv[i], '=') != NULL;

	argv[i] = (char *)arena_print(&c->arena, "--%s%s%s", name, inlined ? "=" : "",
				      inlined ? value : "");
	if (!inlined) {
		argv[i + 1] = (char *)value;
	}
}

/* Replace --key file://FILE by the text of the file.  A file that cannot be read is reported when the value is used. */
static void
aws_words_read_file(struct call *c, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct slice name = aws_words_option(argv[i]);
		const char *text = aws_words_given(argc, argv, i, name);
		struct slice given;

		if (!slice_is(name, "key") || text == NULL ||
		    !slice_starts(slice_from(text), SLICE("file://"))) {
			continue;
		}
		if (ctl_read_text(c, text + strlen("file://"), &given) == 0) {
			aws_words_put(c, argv, i, "key", slice_cstr(&c->arena, ascii_trim(given)));
		}
		c->error = (struct error){0};
	}
}

bool
aws_words_replace(struct call *c, const char *command, int argc, char **argv)
{
	bool query = strcmp(command, "query") == 0;
	bool plain = false;

	aws_words_read_file(c, argc, argv);
	for (int i = 1; i < argc; i++) {
		struct slice name = aws_words_option(argv[i]);
		const char *text = aws_words_given(argc, argv, i, name);
		bool key = slice_is(name, "key") || slice_is(name, "item");

		if (query && text != NULL && slice_is(name, "key-condition-expression")) {
			plain = plain || strchr(text, ':') == NULL;
		}
		if (!key || text == NULL || synonyms_option(name, command) == NULL) {
			continue;
		}
		const char *word = aws_words_plain(c, query, name.at[0] == 'k', text);

		if (word != NULL) {
			aws_words_put(c, argv, i,
				      query               ? "pk"
				      : name.at[0] == 'k' ? "key"
							  : "item",
				      word);
		}
		plain = plain || query || word != NULL;
	}
	return plain;
}
