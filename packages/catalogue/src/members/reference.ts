import type { MemberEffect, MemberRow } from './member-row.ts'
import { requestObjects } from './request-objects.ts'

/** Effects in the order of the page, each with what the gateway does. */
const effects: Readonly<Record<MemberEffect, string>> = {
  names:
    'names a further model: kept if token, group and channel allow it, it has a price and the vendor reports which model served; else taken out',
  routes: 'chooses a model, an address, a key, a deployment or an agent: taken out',
  priced: 'has a fee, or a factor on the price',
  limit: 'bounds the output or another quantity, and with it the most a call may cost',
  reaches: 'makes the vendor read or run more than the request contains: as the channel’s switches say',
  narrows: 'can only narrow where the call is served: passes',
  identifies: 'an id of the caller’s',
  content: 'passes; read by the gateway, so it has one spelling',
  plain: 'passes',
}

/** The page with every table of members, and what the tables mean for each provider. */
export function writeMembersPage(): string {
  const lines = [...rowsByObjects()].flatMap(([names, rows]) => objectLines(names, rows))
  const head = ['| objects | effect | members | source |', '|---|---|---|---|']
  return [HEAD, effectTable(), NAMES, namesTable(), TABLES, ...head, ...lines, ''].join('\n')
}

/** Every row once, by the objects that have it. */
function rowsByObjects(): ReadonlyMap<string, readonly MemberRow[]> {
  const objects = new Map<string, { readonly row: MemberRow; readonly names: string[] }>()
  for (const [name, rows] of Object.entries(requestObjects))
    for (const row of rows) {
      const key = JSON.stringify(row)
      const seen = objects.get(key) ?? { row, names: [] }
      seen.names.push(name)
      objects.set(key, seen)
    }
  const groups = Map.groupBy(objects.values(), ({ names }) => names.join(', '))
  return new Map([...groups].map(([names, seen]) => [names, seen.map(({ row }) => row)]))
}

function effectTable(): string {
  const lines = Object.entries(effects).map(([effect, meaning]) => `| ${code(effect)} | ${meaning} |`)
  return ['| effect | what happens |', '|---|---|', ...lines, ''].join('\n')
}

/** What the rows that name models mean for one provider. */
export function listKeptNames(provider: string): readonly string[] {
  return Object.entries(requestObjects).flatMap(([object, rows]) =>
    rows
      .filter(
        ({ effect, reportedBy = [] }) => effect === 'names' && reportedBy.some((each) => each === provider),
      )
      .map(({ name }) => `${object}.${name}`),
  )
}

function namesTable(): string {
  const reporting = Object.values(requestObjects).flatMap((rows) =>
    rows.flatMap(({ effect, reportedBy = [] }) => (effect === 'names' ? reportedBy : [])),
  )
  const lines = [...new Set(reporting)]
    .toSorted()
    .map((provider) => `| ${code(provider)} | ${listKeptNames(provider).map(code).join(', ')} |`)
  return [
    '| provider | members that may name a model |',
    '|---|---|',
    ...lines,
    '| every other | none |',
    '',
  ].join('\n')
}

function objectLines(names: string, rows: readonly MemberRow[]): readonly string[] {
  const order = Object.keys(effects)
  const groups = Map.groupBy(rows, ({ effect, source }) => `${effect} ${source.url}`)
  return [...groups.values()]
    .toSorted(([left], [right]) => order.indexOf(left?.effect ?? '') - order.indexOf(right?.effect ?? ''))
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const shown = group.map(member).join(', ')
      return [`| ${names} | ${first.effect} | ${shown} | ${printSource(first)} |`]
    })
}

function member({ name, inside }: MemberRow): string {
  const shown = name.split('|').map(code).join(' or ')
  return inside === undefined ? shown : `${shown} (${inside})`
}

function printSource({ source: { url, date } }: MemberRow): string {
  if (!url.startsWith('https:')) return `this page, ${date}`
  return `[${new URL(url).host}](${url}), ${date}`
}

function code(text: string): string {
  return `\`${text}\``
}

const HEAD = `# Members of requests

What a member of a request may do is a row of these tables. A request is judged as its caller wrote it: bodies, forms, frames of
realtime sessions, and what is inside \`extra_body\` and its kin. Nothing is judged inside schemas, arguments, metadata and texts. What a
channel's own override sets is the operator's and is not judged. Of queries and headers only those of the lists in
[dialects](dialects.md) reach a vendor.

A member that no row knows passes for accounts that have paid and in self-use mode, and is counted. For other accounts it is taken out. The
setting *Unknown request members* has another rule for a group: take out, refuse or pass. Members that were taken out are named in the header
\`x-tollgate-dropped\` and in the log. A name that chooses, such as \`backup_model\`, \`engine\` or \`api_base\`, never passes unknown, whoever
sends it, also deep inside members that nobody knows.

Names are compared folded: in any case, in snake and camel case, with look-alike letters. A member that decides something has one accepted
spelling and may occur once; the others may be written in several ways.
`

const NAMES = `## Members that name a model

Each name goes through the channel's mapping. A name that may not stay is taken out of its list. An adviser's model or a transcription that may
not stay refuses the call. A realtime session keeps the model with which it was opened. The channel's switch *Other models in a request*
takes out all of them.
`

const TABLES = `## All rows

A line is for the objects in its first column; bodies are named like their operation. The name in brackets is the object inside a member.
`
