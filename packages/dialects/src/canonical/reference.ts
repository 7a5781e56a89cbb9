import { answerHeaders, type HeaderOperation, type HeaderRow, requestHeaders } from './headers.ts'
import { featureNames, features, type FeatureLimits } from './feature.ts'

/** An upstream dialect with its title in the reference page. */
export interface Described {
  readonly title: string
  readonly limits: FeatureLimits
}

/** Renders the page `docs/reference/dialects.md` from the codecs, so that the two cannot drift apart. */
export function dialectReference(dialects: readonly Described[]): string {
  const head = `| what a caller may ask for | ${dialects.map(({ title }) => title).join(' | ')} |`
  const rows = featureNames.map(
    (name) => `| ${features[name].words} | ${dialects.map(({ limits }) => cell(limits[name])).join(' | ')} |`,
  )
  const headers = [
    HEADERS,
    ...headerTable('from a caller', requestHeaders),
    '',
    ...headerTable('from a vendor', answerHeaders),
    '',
  ]
  return [HEAD, ...headers, FEATURES, head, `|---|${dialects.map(() => '---').join('|')}|`, ...rows, ''].join(
    '\n',
  )
}

function cell(limit: FeatureLimits[keyof FeatureLimits]): string {
  if (limit === undefined) return 'yes'
  return `${done[limit.does]}: ${limit.because}`
}

const done = { refuse: '**refused**', drop: 'dropped', convert: 'converted' } as const

const HEAD = `# Dialects

A caller keeps the dialect of their client, a channel that of its provider. Where both are the same, bytes pass through
untouched but for the model's name and what the operator configured. Where they differ, the call is converted.

Not every dialect can say everything. What the provider's dialect has no words for is **refused** with status 400 and the
code \`not_expressible\` when the answer would be another one, after channels that could take it have been tried; it is
dropped when it only tunes the answer.

Nothing is dropped silently. The response header \`x-tollgate-dropped\` lists the members that the provider was not sent, such as
\`temperature, seed\`, and the log row of the call has the same list as \`dropped\` in \`other\`; the console shows it in the details of
the call. Members go by their name in chat completions, whatever the caller's dialect calls them: \`cache_control\` for cache markers,
\`reasoning_effort\` for a wish about thinking. Content, functions and formats are never on the list: they are
converted or refused. Of tools only a search is, where a provider cannot search beside functions (\`web_search_options\`) or
the vendor would search among tools that are all sent anyway (\`tool_search\`).

Tools of callers of Responses keep their form in the answer, whatever the provider is given. A tool in a namespace goes out as a
function named \`namespace__tool\`, a tool with free text as a function with one text \`input\` and its grammar in the description, and a
search for tools that the client makes as a function \`tool_search\`; calls come back with their namespace, as \`custom_tool_call\` and as
\`tool_search_call\`. Names that a provider refuses, because they are longer than 64 characters or hold other characters than letters,
digits, \`_\` and \`-\`, are shortened with a hash in its place and restored in answers. Tools that come in input items
(\`additional_tools\`, \`tool_search_output\`) are tools of the call. A search among tools that the vendor would make is dropped, because
other vendors are given all of them. Input items that no other dialect has words for are refused; items of earlier answers, such as
\`web_search_call\`, may be missing.

What a model takes besides is in [models.md](models.md). A web search reaches chat completions of providers that take it there, and of
OpenAI's search models; for others it is dropped beside functions of the caller, and refused alone.

Media given by address reach providers that fetch them. For others the gateway fetches them: from public addresses alone, at
most 16 in a call, together up to \`MAX_FILE_DOWNLOAD_MB\`, through at most three redirects. What they are is told by their bytes and
not by their sender; anything else than what the caller said is refused, and costs nothing. The same holds where a call is
converted for an image sent as data, which goes on as the type its bytes show, and for the result of a tool that nobody called,
where the provider would refuse it. Files, caches and containers that lie with one vendor, servers it would call, and parts of a turn
that another dialect alone has are refused before any other provider. Reasoning comes as
\`reasoning_content\` to callers of chat completions; signatures and sealed reasoning come as \`reasoning_details\`; callers
of Gemini have both in the \`thoughtSignature\` of a thought, those of Messages and Responses where they have their own. They reach
the provider again when a caller sends them back with the conversation.

A call that is converted to chat completions has a string where a message is a list of nothing but texts, joined by a blank line. It
has one system message, at the beginning, unless the provider is OpenAI: later ones become a user's \`<system-reminder>\` in their
place, so that prompt caches keep what was said before. The channel setting \`model_traits\` changes both, and then for callers of chat
completions too: \`{"model_traits": {"*": {"system_messages": "hoisted", "joined_texts": true}}}\`. \`system_messages\` is \`anywhere\`,
\`reminders\`, or \`hoisted\` into the first one.

Where a provider refuses a request and says why, the gateway asks once more in the form that it takes, before a byte of an answer,
and keeps what it learned of the model for a day ([why](../adr/0036-learning-traits-from-rejections.md)):

| the provider says | the gateway then |
|---|---|
| \`unsupported_parameter\` or \`unsupported_value\` of a member for sampling or log probabilities; "\`temperature\` is deprecated for this model" | leaves it out, and names it in \`x-tollgate-dropped\` |
| \`unsupported_parameter\` of \`max_tokens\` or \`max_completion_tokens\` | sends the same bound under the other name |
| the role \`developer\` is unknown | sends \`system\` |
| "System message must be at the beginning" | sends one first, and later ones as reminders |
| "invalid type: sequence, expected a string" | sends strings instead of lists of texts |
| 404 or 405 for \`/v1/responses\` | asks in chat completions, whichever model of the channel it is |

A lesson is kept only when the second try was answered. It holds for one model at one address of a channel, is in \`lessons\` of the log
row, and is on the channel's page with a button that resets them. Content, tools, formats and the bound on output are never dropped,
and a call whose body passes untouched (\`pass_through_body_enabled\`) learns nothing but the missing endpoint.

Gemini signs its calls of tools, and newer models refuse a conversation in which a signature is missing. Callers of chat completions
have it in \`extra_content.google.thought_signature\` of the call. For callers whose dialect has no place for it, and for clients
that drop what they do not know, the gateway keeps it for an hour, for each user alone, and puts it back when the call comes again
under its id; after that the vendor's own word for a lost signature goes in its place.

## Errors that clients act on

A coding agent compacts its conversation when a prompt is too long, and waits while a vendor is overloaded. Whatever the vendor's words, a
caller gets those of their own dialect. An error that has them already keeps every word.

| | OpenAI chat, Responses | Messages | Gemini |
|---|---|---|---|
| the prompt is too long | 400 \`context_length_exceeded\` | 400 \`invalid_request_error\`, "prompt is too long: N tokens > M maximum" | 400 \`INVALID_ARGUMENT\`, "The input token count (N) exceeds …" |
| the vendor answers 503 or 529 | 503 | 529 \`overloaded_error\` | 503 \`UNAVAILABLE\` |
| the caller's balance is empty | 403 \`insufficient_user_quota\`; Codex: 429 \`insufficient_quota\` | 402 \`billing_error\` | 403 \`PERMISSION_DENIED\` |

N and M are the vendor's; where it names none, none are named. A status that the channel maps stays as it is mapped. Codex tries again
after 402 and 403, and stops at what OpenAI itself answers; it is known by its \`user-agent\`.
`

const HEADERS = `## Headers

Consumed: the gateway reads it. Forwarded: it reaches the other side where caller and provider speak the named dialect; a call that is
converted takes none along. Every header that is not listed is dropped, and a channel's header rules may pass more.
`

const FEATURES = `## By the dialect of the provider
`

function headerTable(title: string, rows: readonly HeaderRow[]): readonly string[] {
  const cells = rows.map(({ name, does, between, status, note }) => {
    const where = between === undefined ? '' : ` (${between.map((each) => DIALECTS[each]).join(', ')})`
    const when = status === undefined ? '' : `, with ${status}`
    return `| \`${name}\` | ${does}${where}${when} | ${note} |`
  })
  return [`| ${title} | | |`, '|---|---|---|', ...cells]
}

const DIALECTS: Readonly<Record<HeaderOperation, string>> = {
  chat: 'chat',
  messages: 'Messages',
  responses: 'Responses',
  compact: 'compaction',
  generate: 'Gemini',
}
