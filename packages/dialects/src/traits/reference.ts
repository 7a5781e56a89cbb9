import { traitFields, type TraitField } from './fields.ts'
import { allLines } from './lookup.ts'
import { refusableMembers, type ModelTraits, type ResponsesReason, type TraitLine } from './model-traits.ts'

/**
 * Renders the page `docs/reference/models.md` from the table of traits, so that the two cannot drift apart.
 */
export function modelReference(): string {
  return [
    HEAD,
    '| models | refused | efforts | thinking | endpoint | source |',
    '|---|---|---|---|---|---|',
    ...allLines.map(row),
    '',
    TAIL + Object.entries(traitFields).map(field).join('\n'),
    '| `from_table` | `false`: ignores the table |',
    '',
  ].join('\n')
}

function row({ label, traits, source }: TraitLine): string {
  const cells = [
    label,
    refused(traits),
    effortsIn(traits),
    thinking(traits),
    endpoint(traits),
    `[source](${source})`,
  ]
  return `| ${cells.join(' | ')} |`
}

function refused({ refuses = [], temperatureOrTopP }: ModelTraits): string {
  if (refuses.length === refusableMembers.length) return 'sampling, penalties, log probabilities'
  const both = temperatureOrTopP === true ? ['`temperature` together with `top_p`'] : []
  return [...refuses.map(code), ...both].join(', ') || '–'
}

function effortsIn({ efforts }: ModelTraits): string {
  if (efforts === undefined) return '–'
  return efforts.length === 0 ? 'none' : efforts.map(code).join(', ')
}

function thinking({ thinkingBudget, adaptiveThinking, thinkingOff, reasons }: ModelTraits): string {
  if (reasons === undefined) return '–'
  if (!reasons) return 'no'
  const forms = [
    ...(adaptiveThinking === true ? ['adaptive'] : []),
    ...(typeof thinkingBudget === 'object' ? [`${thinkingBudget.min} to ${thinkingBudget.max} tokens`] : []),
    ...(thinkingOff === false ? ['always on'] : []),
  ]
  return forms.join(', ') || 'yes'
}

const words: Readonly<Record<ResponsesReason, string>> = {
  everything: 'Responses',
  tools: 'Responses with tools',
  'tools-with-effort': 'Responses with tools and an effort',
  'max-effort': 'Responses with effort `max`',
  search: 'Responses with a search',
}

function endpoint({ responsesFor = [] }: ModelTraits): string {
  return responsesFor.map((reason) => words[reason]).join('; ') || '–'
}

function field([name, { values, meaning }]: [string, TraitField]): string {
  return `| ${code(name)} | ${code(values)}: ${meaning} |`
}

function code(text: string): string {
  return `\`${text}\``
}

const HEAD = `# Models

Models differ in what they accept, also within one dialect. The gateway has the following lines, and adapts each request to the
model that it is sent to. A name can have a vendor prefix and a date or version suffix: \`us.anthropic.claude-opus-4-7-v1:0\`
and \`openai/gpt-5.2\` match too. The first matching line of a vendor applies, and a new name of a vendor in the table is
treated like its newest models. Any other name has no traits, and its requests are sent unchanged.

Members in the second column are dropped, and listed for the caller in \`x-tollgate-dropped\`. An effort that a model does not support
becomes the next lower one, or else its lowest; a thinking budget becomes an effort if budgets are rejected. *Always on*: a request not to think
becomes the lowest effort, or is dropped. Channels of OpenAI (1) and Azure (3) send the calls of the last column to \`/v1/responses\`,
whatever the caller's dialect; callers of chat completions with \`web_search_options\` stay there. A request in the
vendor's own dialect is changed only for OpenAI's chat completions.
`

const TAIL = `## Overrides for one channel

A channel can differ: a reseller that accepts what the vendor rejects, or a server with model names of its own. Its setting
\`model_traits\` has traits by patterns of upstream names, in which \`*\` matches any characters. Traits that a pattern does not mention
keep their value from the table; of several matching patterns later ones take precedence.

\`\`\`json
{ "model_traits": { "gpt-6*": { "responses_for": [], "refuses": ["top_p"] }, "my-reasoner": { "efforts": ["low", "high"] } } }
\`\`\`

| trait | values |
|---|---|
`
