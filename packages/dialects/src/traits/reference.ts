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
    '| `from_table` | `false`: nothing is taken from the table |',
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
  const both = temperatureOrTopP === true ? ['`temperature` beside `top_p`'] : []
  return [...refuses.map(code), ...both].join(', ') || '–'
}

function effortsIn({ efforts }: ModelTraits): string {
  if (efforts === undefined) return '–'
  return efforts.length === 0 ? 'none is taken' : efforts.map(code).join(', ')
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

What models take differs from name to name, also within one dialect. The gateway knows these lines, and shapes each request to the
model that it is sent to. A name may have a vendor before it and a date or a version behind it: \`us.anthropic.claude-opus-4-7-v1:0\`
and \`openai/gpt-5.2\` are found too. Of the lines of one vendor the first that fits counts, and a new name of a vendor in the table is
taken for one of its newest models. Any other name has no traits, and what the caller said goes on as it is.

Members in the second column are left out, and named to the caller in \`x-tollgate-dropped\`. An effort that a model does not take
becomes the next lower one, or else its lowest; a budget becomes an effort where budgets are refused. *Always on*: a wish not to think
becomes the lowest effort, or is left out. Channels of OpenAI (1) and Azure (3) send the calls of the last column to \`/v1/responses\`,
whatever the dialect of the caller; a caller of chat completions who sets \`web_search_options\` stays there. What a caller writes in
the very dialect of the vendor is changed as far as OpenAI's chat completions go, and in no other dialect.
`

const TAIL = `## For one channel

A channel may know better: a reseller that takes what the vendor refuses, or a server with a name of its own. Its setting
\`model_traits\` holds traits by patterns of upstream names, in which \`*\` stands for any characters. What a pattern does not mention
stays as it is in the table, and of several that fit later ones win.

\`\`\`json
{ "model_traits": { "gpt-6*": { "responses_for": [], "refuses": ["top_p"] }, "my-reasoner": { "efforts": ["low", "high"] } } }
\`\`\`

| trait | values |
|---|---|
`
