/* aws_options - see aws_options.h */
#include "tools/cli/aws_options.h"

#include "store/base/text/near.h"
#include "store/op/op.h"
#include "store/wire/codec/codec.h"

#include "tools/cli/synonyms.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

static const struct {
	const char *names;
	enum aws_option kind;
} aws_options[] = {
	{"store format output endpoint-url rate region profile max-units max-rcu", AWS_GLOBAL},
	{"quiet stats capacity no-pager no-cli-pager yes dry-run help version explain run no-scan "
	 "fail-on-scan",
	 AWS_GLOBAL_FLAG},
	{"table-name table query cli-input-json", AWS_OWN},
	{"max-items page-size starting-token", AWS_PAGING},
	{"no-paginate", AWS_NO_PAGES},
	{"jobs color cli-read-timeout cli-connect-timeout cli-binary-format no-cli-auto-prompt",
	 AWS_SKIPPED},
};

enum aws_option
aws_options_kind(struct slice name)
{
	for (size_t i = 0; i < sizeof(aws_options) / sizeof(aws_options[0]); i++) {
		if (words_in(aws_options[i].names, name)) {
			return aws_options[i].kind;
		}
	}
	return synonyms_is_store(name) ? AWS_GLOBAL : AWS_MEMBER;
}

bool
aws_options_is_list(struct slice name)
{
	return words_in("attribute-definitions key-schema attributes-to-get tags tag-keys "
			"transact-items statements parameters global-secondary-indexes "
			"local-secondary-indexes global-secondary-index-updates "
			"transact-statements replication-group replica-updates "
			"global-secondary-index-override local-secondary-index-override",
			name);
}

struct slice
aws_options_member(struct call *c, struct slice name)
{
	bool sse = slice_starts(name, SLICE("sse-"));
	bool upper = true;
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < name.len; i++) {
		char at = name.at[i];

		if (at != '-' && at != '_') {
			bool letter = at >= 'a' && at <= 'z';

			buf_char(&b,
				 letter && (upper || (sse && i < 3)) ? (char)(at - 'a' + 'A') : at);
		}
		upper = at == '-' || at == '_';
	}
	return buf_view(&b);
}

struct slice
aws_options_of(struct call *c, struct slice member)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < member.len; i++) {
		char at = member.at[i];
		bool upper = ascii_lower(at) != at;

		if (upper && i > 0 &&
		    (ascii_lower(member.at[i - 1]) == member.at[i - 1] ||
		     (i + 1 < member.len && ascii_lower(member.at[i + 1]) == member.at[i + 1]))) {
			buf_char(&b, '-');
		}
		buf_char(&b, ascii_lower(at));
	}
	return buf_view(&b);
}

bool
aws_options_is_member(enum op_type type, struct slice name)
{
	struct slice member;
	cleanup(call_close) struct call c;
	bool is = words_in("warm-throughput on-demand-throughput", name);

	call_open(&c, 0, 4096);
	struct slice typed = aws_options_member(&c, name);

	for (size_t i = 0; !is && (member = codec_member(type, i)).len > 0; i++) {
		is = slice_eq(member, typed);
	}
	return is;
}

int
aws_options_unknown(struct call *c, enum op_type type, struct slice name)
{
	struct near near = near_start(name);
	struct slice member;

	for (size_t i = 0; (member = codec_member(type, i)).len > 0; i++) {
		near_try(&near, aws_options_of(c, member));
	}
	for (size_t i = 0; i < sizeof(aws_options) / sizeof(aws_options[0]); i++) {
		for (const char *names = aws_options[i].names; *names != '\0';) {
			near_try(&near, words_in_next(&names));
		}
	}
	struct buf b = {.arena = &c->arena};
	typed_line_near(&b, &near, "--");
	return call_fail(c, ERR_USAGE, "%s has no option --%.*s%.*s", op_name(type),
			 SLICE_ARG(name), SLICE_ARG(buf_view(&b)));
}
