import type { FeeRequest, FeeRow } from './fee-row.ts'
import { feeRows } from './fee-rows.ts'

/** The page with every fee that vendors take beside tokens. */
export function writeFeesPage(): string {
  const head = [
    '| fee | vendor | requested by | counted by | unit | list price, US dollars for 1,000 | as printed | most | expected | source |',
    '|---|---|---|---|---|---|---|---|---|---|',
  ]
  return [HEAD, ...head, ...feeRows.map(writeLine), ''].join('\n')
}

function writeLine(row: FeeRow): string {
  const { name, vendors, unit, most, expected, source } = row
  const cells = [
    code(name),
    vendors.join(' '),
    row.requests.map(describeRequest).join(' '),
    describeCount(row),
    unit,
    listPrices(row),
    row.price === 'unknown' ? '-' : row.price.printed.replaceAll('|', '/'),
    String(most),
    String(expected),
    `[${new URL(source.url).host}](${source.url}), ${source.date}`,
  ]
  return `| ${cells.join(' | ')} |`
}

const REQUESTS: Readonly<Record<FeeRequest['type'], (name: string) => string>> = {
  tool: (name) => `tools[].type=${name}`,
  'hosted-tool': (name) => `tools[].type=${name}+container`,
  'tool-member': (name) => `tools[].${name}`,
  function: (name) => `tools[].function.name=${name}`,
  member: (name) => name,
  plugin: (name) => `plugins[].id=${name}`,
  suffix: (name) => `model=*${name}`,
  every: () => '*',
}

function describeRequest({ type, name }: FeeRequest): string {
  return code(REQUESTS[type](name))
}

function describeCount({ reportedAt, evidence }: FeeRow): string {
  const places = [...reportedAt.map((path) => code(`usage.${path}`)), ...(evidence ? ['answer'] : [])]
  return places.length === 0 ? 'request' : places.join(', ')
}

function listPrices({ price }: FeeRow): string {
  if (price === 'unknown') return 'unknown'
  const others = Object.entries(price.byModel ?? {}).map(([prefix, each]) => `${code(`${prefix}*`)} ${each}`)
  return [price.perThousand, ...others].join(', ')
}

function code(text: string): string {
  return `\`${text}\``
}

const HEAD = `# Fees of vendors

What vendors take beside tokens: searches, sources, maps, containers, requests. A fee is charged by the row of the vendor that answered.

- **The vendor's own count holds.** Where it reports none, the gateway counts what the answer shows. A count that is reported in two places is
  taken once, the larger. What failed at the vendor is not charged, and neither is a call that failed.
- **The price** is the operator's for the name of the fee (*Tool prices*), by model if that is set. Without one it is the operator's price of
  \`web_search\` for searches that are charged by the call, and else the list price of this page. It is multiplied by the group ratio and added to
  a price per token or per call. The price 0 switches a fee off.
- **A fee without a known price** is not charged, and the call is marked \`fee_unknown\`. Accounts that have never paid cannot request it.
- **The hold** covers what is certain. The ceiling covers the most units of one call, unless the request has a lower limit.
- **Sites from before this table** only count fees that are new in it, until their operator switches *Charge fees at list prices* on.

Code containers are counted in units of the smallest one: 4 GB are 4, 16 GB are 16, 64 GB are 64. Compaction and advisers have no fee; they are
charged by tokens at the price of their model.
`
