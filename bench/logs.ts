/** `npm run bench -- logs [--rows 10000000] [--store SQLite,PostgreSQL]`: pages, filters and badges over a long usage log. */
import { availableParallelism, cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { rollUpUsage } from '@tollgate/store/usage-roll-up'
import { findStores } from './src/ledger/stores.ts'
import { LAST_SECOND, analyzeLog, fillLog } from './src/logs/fill-log.ts'
import { questionsOf } from './src/logs/questions.ts'
import { markdown } from './src/report.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'SQLite,PostgreSQL' },
    rounds: { type: 'string', default: '7' },
  },
})
const rows = Number(values.rows)
const rounds = Number(values.rounds)
const AIM_MS = 200

const wanted = new Set(values.store.split(','))
const { stores, leftOut } = await findStores()
say(
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}; ${rows} rows`,
)
for (const measured of stores.filter((store) => wanted.has(store.name))) {
  const { name } = measured
  const database = await measured.create()
  const store = await database.open()
  try {
    say(`\n${name}: filling …`)
    const filled = await timed(() => fillLog(store.db, rows))
    const summed = await timed(() => rollUpUsage(store.db, { nowSeconds: LAST_SECOND }))
    say(`${name}: filled in ${seconds(filled.ms)}, ${summed.answer} hours summed in ${seconds(summed.ms)}`)
    await analyzeLog(store.db)
    const lines: string[][] = []
    for (const { label, ask } of questionsOf(store.db)) {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) times.push((await timed(ask)).ms)
      times.sort((left, right) => left - right)
      const median = times[Math.floor(times.length / 2)] ?? 0
      const worst = times.at(-1) ?? 0
      say(`${label}: ${median.toFixed(1)} ms`)
      lines.push([label, median.toFixed(1), worst.toFixed(1), median <= AIM_MS ? 'yes' : 'NO'])
    }
    say(`\n${markdown([`${name}, ${rows} rows`, 'median ms', 'worst ms', `under ${AIM_MS} ms`], lines)}`)
  } finally {
    await store.close()
    await database.drop()
  }
}
for (const line of leftOut) if (wanted.has(line.split(':')[0] ?? '')) say(`\nLEFT OUT: ${line}`)

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ ms: number; answer: Answer }> {
  const start = performance.now()
  const answer = await work()
  return { ms: performance.now() - start, answer }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
