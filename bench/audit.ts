/**
 * `npm run bench -- audit [--entries 1000000] [--accounts 100000] [--store SQLite,PostgreSQL]`: measures the
 * audit of a large ledger.
 */
import { availableParallelism, cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type AuditFigures, measureAudit } from './src/audit/measure-audit.ts'
import { findStores } from './src/ledger/stores.ts'
import { markdown } from './src/report.ts'
import { say } from './src/say.ts'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '100000' },
    store: { type: 'string', default: 'SQLite,PostgreSQL' },
  },
})
const size = { entries: Number(values.entries), accounts: Number(values.accounts) }
if (size.accounts % 2 > 0 || (size.entries - size.accounts / 2) % (size.accounts / 2) > 0)
  throw new RangeError(
    'every user has the same number of calls: entries must be a multiple of half the accounts',
  )
const AIM_MS = 30_000
const AIM_P99 = 1.1

const wanted = new Set(values.store.split(','))
const { stores, leftOut } = await findStores()
say(`${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`)
say(`${size.accounts} accounts, ${size.entries} entries`)
const lines: string[][] = []
for (const store of stores.filter(({ name }) => wanted.has(name))) {
  say(`measuring ${store.name} …`)
  lines.push(lineOf(store.name, await measureAudit(store, size)))
}
const head = ['store', 'filled', 'audit', '<= 30 s', 'findings', 'p99 before, during', 'within 10 %']
say(`\n${markdown(head, lines)}`)
for (const line of leftOut) if (wanted.has(line.split(':')[0] ?? '')) say(`\nLEFT OUT: ${line}`)

function lineOf(name: string, { fillMs, auditMs, findings, before, during }: AuditFigures): string[] {
  const p99s = `${before.p99Ms.toFixed(2)}, ${during.p99Ms.toFixed(2)} ms`
  return [
    name,
    seconds(fillMs),
    seconds(auditMs),
    auditMs <= AIM_MS ? 'met' : 'MISSED',
    String(findings),
    p99s,
    during.p99Ms <= before.p99Ms * AIM_P99 ? 'met' : 'MISSED',
  ]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
