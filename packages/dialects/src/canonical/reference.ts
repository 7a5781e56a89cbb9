import { featureNames, features, type Limits } from './feature.ts'

/** An upstream dialect with the words the page has for it. */
export interface Described {
  readonly title: string
  readonly limits: Limits
}

/** The page `docs/reference/dialects.md`, made from the codecs so that the two cannot drift apart. */
export function dialectReference(dialects: readonly Described[]): string {
  const head = `| what a caller may ask for | ${dialects.map(({ title }) => title).join(' | ')} |`
  const rows = featureNames.map(
    (name) => `| ${features[name].words} | ${dialects.map(({ limits }) => cell(limits[name])).join(' | ')} |`,
  )
  return [HEAD, head, `|---|${dialects.map(() => '---').join('|')}|`, ...rows, ''].join('\n')
}

function cell(limit: Limits[keyof Limits]): string {
  if (limit === undefined) return 'yes'
  return `${limit.does === 'refuse' ? '**refused**' : 'dropped'}: ${limit.because}`
}

const HEAD = `# Dialects

A caller keeps the dialect of their client, a channel that of its provider. Where both are the same, bytes pass through
untouched but for the model's name and what the operator configured. Where they differ, the call is converted.

Not every dialect can say everything. What the provider's dialect has no words for is **refused** with status 400 and the
code \`not_expressible\` when the answer would be another one, after channels that could take it have been tried; it is
dropped when the answer does not depend on it.

Media given by address reach providers that fetch them. For others the gateway fetches them: from public addresses alone, at
most 16 in a call, together up to \`MAX_FILE_DOWNLOAD_MB\`, through at most three redirects. What they are is told by their bytes and
not by their sender; anything else than what the caller said is refused, and costs nothing. The same holds where a call is
converted for an image sent as data, which goes on as the type its bytes show, and for the result of a tool that nobody called,
where the provider would refuse it. Files, caches and containers that lie with one vendor, servers it would call, and parts of a turn
that another dialect alone has are refused before any other provider. Reasoning comes as
\`reasoning_content\` to callers of chat completions; signatures and sealed reasoning come as \`reasoning_details\`; callers
of Gemini have both in the \`thoughtSignature\` of a thought, those of Messages and Responses where they have their own. They reach
the provider again when a caller sends them back with the conversation.

Gemini signs its calls of tools, and newer models refuse a conversation in which a signature is missing. Callers of chat completions
have it in \`extra_content.google.thought_signature\` of the call. For callers whose dialect has no place for it, and for clients
that drop what they do not know, the gateway keeps it for an hour, for each user alone, and puts it back when the call comes again
under its id; after that the vendor's own word for a lost signature goes in its place.

## By the dialect of the provider
`
