import { answerHeaders, type HeaderOperation, type HeaderRow, requestHeaders } from './headers.ts'
import { featureNames, features, type FeatureLimits } from './feature.ts'

/** An upstream dialect with its title in the reference page. */
export interface Described {
  readonly title: string
  readonly limits: FeatureLimits
}

/** Renders the page `docs/reference/dialects.md` from the codecs, so that the two cannot drift apart. */
export function dialectReference(dialects: readonly Described[]): string {
  const head = `| feature | ${dialects.map(({ title }) => title).join(' | ')} |`
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

const done = { refuse: '**rejected**', drop: 'dropped', convert: 'converted' } as const

const HEAD = `# Dialects

A caller uses the dialect of its client, a channel that of its provider. If both are the same, bytes pass through
unchanged except for the model name and the operator's configuration. If they differ, the call is converted.

Not every dialect can express everything. A feature that the provider's dialect does not have is **rejected** with status 400 and the
code \`not_expressible\` if the answer would differ, after channels that support it have been tried. It is
dropped if it only tunes the answer.

Nothing is dropped silently. The response header \`x-tollgate-dropped\` lists the members that were not sent to the provider, such as
\`temperature, seed\`. The log row of the call has the same list as \`dropped\` in \`other\`, and the console shows it in the call details.
Members have their name in chat completions, whatever the caller's dialect calls them: \`cache_control\` for cache markers,
\`reasoning_effort\` for reasoning settings. Content, functions and formats are never on the list: they are
converted or rejected. The only tools on it are searches: where a provider cannot search together with functions (\`web_search_options\`), or
where the vendor would search among tools that are all sent anyway (\`tool_search\`).

Tools of Responses callers keep their form in the answer, whatever the provider gets. A tool in a namespace is sent as a
function named \`namespace__tool\`, a free-text tool as a function with one text parameter \`input\` and its grammar in the description, and a
tool search that the client runs as a function \`tool_search\`; calls come back with their namespace, as \`custom_tool_call\` and as
\`tool_search_call\`. Names that a provider rejects, because they are longer than 64 characters or contain characters other than letters,
digits, \`_\` and \`-\`, are shortened with a hash and restored in answers. Tools in input items
(\`additional_tools\`, \`tool_search_output\`) count as tools of the call. A tool search that the vendor runs is dropped, because
other vendors get all tools. Input items that no other dialect can express are rejected; items of earlier answers, such as
\`web_search_call\`, may be missing.

A converted conversation is repaired so that a strict vendor takes it. A call without a result gets one that says it was interrupted, results move behind their calls, and an
id that is used again becomes another. Ids of users, caches and calls that are longer than the vendor takes, or have characters that it refuses, are shortened with a hash that is
the same in every call. Half of an emoji becomes U+FFFD; \`arguments.half_characters\` in \`x-tollgate-dropped\` says that it stood in the arguments of a call. For Claude from 4.6 on, a
conversation that ends with the model gets an instruction to continue; a beginning that only forces a form, such as \`{\`, is rejected. Schemas of tools with \`oneOf\`, \`anyOf\` or
\`allOf\` at the top become one object, with the rule in its description. Names of arguments that Anthropic refuses are shortened, and the calls
of the answer have the tool's own names again. Other Bedrock models get calls as texts where the caller offers no tools.
Stop sequences beyond the number that a vendor takes are left out and named \`stop\`. The log row lists all these changes in \`repairs\`.

Callers of every dialect receive a web search that the vendor runs, with its queries, its pages and its number: as \`server_tool_use\` and
\`web_search_tool_result\` with \`usage.server_tool_use.web_search_requests\` in Messages, as \`web_search_call\` in Responses, as \`groundingMetadata\` for callers of Gemini, and as
annotations with the same member of \`usage\` in chat completions. Places in texts are converted; Gemini counts bytes. OpenAI is asked for the pages it read
(\`web_search_call.action.sources\`); where a vendor names only the pages that its texts cite, those are the pages. In the next request a vendor gets its own searches as they were, and
those of other vendors as a text with query and pages, because each accepts only what it signed.

[models.md](models.md) lists what each model accepts. A web search reaches chat completions of providers that support it there, and
OpenAI's search models; for others it is dropped if the caller has functions, and rejected otherwise.

Media given as URLs are sent to providers that fetch them. For others the gateway fetches them: from public addresses only, at
most 16 per call, together up to \`MAX_FILE_DOWNLOAD_MB\`, with at most three redirects. Their type is detected from their bytes,
not from the sender's header; media of another type than the caller declared are rejected, and cost nothing. In a converted call an image sent as data gets the type
that its bytes show, and the result of a tool that nobody called is rejected if the provider would reject it. Files, caches and containers of one vendor,
servers that it would call, and parts of a turn that only one dialect has are rejected for every other provider. Reasoning is returned as
\`reasoning_content\` to callers of chat completions; signatures and encrypted reasoning as \`reasoning_details\`. Callers
of Gemini get both in the \`thoughtSignature\` of a thought, as base64 that every library of Google decodes; callers of Messages and Responses
get them in their own members. They reach the provider again when a caller sends them back with the conversation. Gemini and Vertex AI
never get a signature of another vendor: it is taken out and listed as \`thoughtSignature\`.

In bodies of Gemini callers, \`null\` means "not set", and members and schemas may be in camel case or snake case, but not both at once. Names
that belong to the caller (properties, arguments, results, \`default\`, \`enum\`, JSON schemas) are never changed. Pictures, sounds and files
may be in either base64 alphabet, with or without padding.

In a call that is converted to chat completions, a message with only texts becomes one string, joined by a blank line. There
is one system message, at the beginning, unless the provider is OpenAI: later ones become a user's \`<system-reminder>\` in the same
place, so that prompt caches keep their prefix. The channel setting \`model_traits\` changes both, and then also for callers of chat
completions: \`{"model_traits": {"*": {"system_messages": "hoisted", "joined_texts": true}}}\`. \`system_messages\` is \`anywhere\`,
\`reminders\`, or \`hoisted\` into the first one.

If a provider rejects a request and says why, the gateway tries once more in the accepted form, before the first byte of an answer,
and keeps what it learned about the model for a day ([ADR 36](../adr/0036-learning-traits-from-rejections.md)):

| the provider says | the gateway then |
|---|---|
| \`unsupported_parameter\` or \`unsupported_value\` for a sampling or log probability member; "\`temperature\` is deprecated for this model" | drops it, and lists it in \`x-tollgate-dropped\` |
| \`unsupported_parameter\` for \`max_tokens\` or \`max_completion_tokens\` | sends the same limit under the other name |
| the role \`developer\` is unknown | sends \`system\` |
| "System message must be at the beginning" | sends one first, and later ones as reminders |
| "invalid type: sequence, expected a string" | sends strings instead of lists of texts |
| "\`X\`: Extra inputs are not permitted" for \`context_management\`, an effort, a member of a tool or of a cache marker (Messages) | leaves it out and names it |
| "Invalid 'tools[0].function.description': string too long", maximum 1024 | cuts descriptions and moves the rest into the instructions |
| half of a surrogate pair: "no low surrogate in string", "surrogates not allowed" | replaces halves by U+FFFD in bodies of the caller's own format too |
| "invalid beta flag", "Unexpected value(s) … for the \`anthropic-beta\` header" | sends only the betas that every cloud takes, and names the others; betas that are in no table teach nothing |
| 404 or 405 for \`/v1/responses\` | uses chat completions, for all models of the channel |

A lesson is kept only if the second try succeeded. It applies to one model at one URL of a channel, is in \`lessons\` of the log
row, and is on the channel's page with a button that resets it. Content, tools, formats and the output limit are never dropped,
and a call whose body passes unchanged (\`pass_through_body_enabled\`) learns only the missing endpoint.

Gemini signs its tool calls, and newer models reject a conversation without the signature. Callers of chat completions
get it in \`extra_content.google.thought_signature\` of the call. For callers whose dialect has no place for it, and for clients
that drop unknown members, the gateway keeps it for an hour, separately for each user, and adds it when the call comes again
under its id; after that it sends Google's placeholder for a lost signature.

**Reasoning that a vendor demands back** (DeepSeek V4, Kimi, for turns with calls) is kept for two hours for clients that do not send it, encrypted, by user and
token, in memory or Redis only. Where it is not found, the vendor gets what it takes instead, and \`x-tollgate-dropped\` names \`reasoning_content\`. The channel setting
\`keep_reasoning\` switches this off.

**Signatures and encrypted reasoning** can be read only by the account that wrote them. The gateway knows for a day who wrote which, and prefers that
channel and key. Elsewhere it leaves them out and names \`sealed_reasoning\` in \`x-tollgate-dropped\`. Items from before the gateway are sent once as they
are; if the vendor refuses them, the call is repeated without them, and so are later calls of the conversation. Channels and keys that
belong to one account at the vendor get the same \`account\` in their settings. A compacted history is content and is never left out.

## Errors that clients act on

A coding agent compacts its conversation when a prompt is too long, and waits while a vendor is overloaded. Whatever the vendor's error, a
caller gets it in its own dialect. An error that is already in that form is unchanged.

| | OpenAI chat, Responses | Messages | Gemini |
|---|---|---|---|
| the prompt is too long | 400 \`context_length_exceeded\` | 400 \`invalid_request_error\`, "prompt is too long: N tokens > M maximum" | 400 \`INVALID_ARGUMENT\`, "The input token count (N) exceeds …" |
| the vendor answers 503 or 529 | 503 | 529 \`overloaded_error\` | 503 \`UNAVAILABLE\` |
| the caller's balance is empty | 403 \`insufficient_user_quota\`; Codex: 429 \`insufficient_quota\` | 402 \`billing_error\` | 403 \`PERMISSION_DENIED\` |

Beside the words, a caller of the same dialect gets what its libraries read: \`details.error_code\` and \`details.unsupported\` of Messages, \`BadRequest\` of
Gemini and \`innererror\` of Azure, at most 8 KiB and without keys, addresses and account numbers. Of a 429 only the wait is told: in \`retry-after\`, and
for Gemini callers also in \`RetryInfo\`; it is the shortest of the channels that were tried. None of it is told where upstream errors are hidden.

A stream that fails after its first event ends with an error in the caller's dialect, and 250 ms later its connection breaks without the last chunk,
because some clients skip error events; over HTTP/1.0 it is reset. There is no \`[DONE]\` and no stop event, and a Responses stream ends with
\`response.failed\`. A stream that ends because the balance is empty ends regularly.

N and M are the vendor's figures; if it gives none, they are omitted. A status mapping of the channel still applies. Codex retries
after 402 and 403, and stops at the error that OpenAI itself sends; it is recognised by its \`user-agent\`.

## What a call cost

[cost.md](cost.md) says where callers of each dialect find what a call cost them.

## Realtime

\`GET /v1/realtime?model=\` is a WebSocket session with OpenAI's events. All answers and transcripts of a session are charged together at
its end, each by the usage that the provider reports, or by our own count. Several can be under way, up to 64. Quota is set aside
for each before it is requested; where it is not enough, the event gets an \`error\` event with \`session_exhausted\` and the session
goes on. What is under way when the caller leaves is followed for up to a minute.

A session is closed with code 1008 and a reason when its token, user, models, group or quota no longer allow it, or its channel was
switched off or deleted; with \`session_over\` after an hour, or ten minutes of silence.

## Responses over WebSocket

\`GET /v1/responses\` accepts WebSocket handshakes with the same key as HTTP. Every \`response.create\` frame is a call of its own, with
its own hold, charge and log row, to any channel: the provider gets an HTTP request in its dialect, or a frame on a WebSocket
where the channel says so (below). The caller gets the data of the events as text frames, and errors as \`{"type": "error", "status": 400, "error": {…}}\`.

| member of a frame | meaning |
|---|---|
| \`previous_response_id\` | continues a response of this connection: the gateway puts its items before the new input. It remembers up to 64 responses and 8 MiB for a connection, and 32 MiB for a user. A response that is not remembered is continued at its vendor if the channel allows stored context and the same user got it from that channel over a WebSocket within a day; otherwise the call is rejected with \`previous_response_not_found\`, and clients send the whole conversation |
| \`stream_id\` | names a lane; its events repeat it. A connection has up to 32 named lanes, 16 of them with a running response. A second call in a lane is rejected with \`websocket_response_running\` until the last event of the first one has been sent; OpenAI itself would queue it |
| \`generate: false\` | checks the call and remembers its input; no vendor is called and it costs nothing |
| \`stream\`, \`background: false\` | ignored |

Reasoning of a response with \`store: false\` is remembered if it is encrypted; callers request that with
\`include: ["reasoning.encrypted_content"]\`. A connection counts as a session if the caller names none, so its calls stay on a channel and key.

A connection ends after 60 minutes with \`websocket_connection_limit_reached\`, after the idle time of the settings, and after 16
invalid frames in a row. A gateway that stops ends running responses and closes its connections with code 1001; nothing of a
connection is known to other nodes. The settings limit the connections of a user and of a token; with 0 for a token the handshake gets
426, and clients use HTTP. A connection whose token or user is no longer allowed is closed with code 1008 and a reason, after the
responses that run.

**WebSocket to the provider.** With the channel setting \`responses_websocket\` (OpenAI, Azure, xAI, Codex) the calls of a connection share
one WebSocket to the provider for each channel and key, and one more for each lane that runs at the same time; it goes through the
channel's proxy, and is closed with the caller's connection. Frames pass unchanged except for what a channel changes over HTTP too, such as the name of the
model. A call that continues the last response of that WebSocket sends \`previous_response_id\` and what is new; every other call sends the whole
conversation. Only events of responses and errors are passed on, not figures of the operator's account.

| the provider | the gateway then |
|---|---|
| answers the handshake with 400, 404, 405, 426 or 501 | uses HTTP for that address of the channel for an hour |
| refuses the handshake otherwise, or sends an error or a broken frame before the first event | tries another channel, as over HTTP |
| closed the WebSocket since the last call, or sends \`websocket_connection_limit_reached\` or \`previous_response_not_found\` | sends the whole conversation once more, on a new one |
| breaks in the middle of a response | ends it with an error, as over HTTP |
`

const HEADERS = `## Headers

Consumed: the gateway reads it. Forwarded: it reaches the other side if caller and provider use the named dialect; a converted call
forwards none. Every header that is not listed is dropped; a channel's header rules can forward more.
`

const FEATURES = `## By dialect of the provider
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
  realtime: 'Realtime',
  generate: 'Gemini',
}
