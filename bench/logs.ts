/**
 * `npm run bench -- logs [--rows 10000000] [--store SQLite,PostgreSQL]`: measures pages, filters and badges
 * over a long usage log.
 */
import { availableParallelism, cpus } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import type { Store } from '@tollgate/store/database/open-store'
import { measureBeside } from './src/logs/beside.ts'
import { LAST_SECOND, analyzeLog, fillLog } from './src/logs/fill-log.ts'
import { type LogDatabase, logDatabases } from './src/logs/log-database.ts'
import { questionsOf } from './src/logs/questions.ts'
import { markdown } from './src/report.ts'
import { say } from './src/say.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'SQLite,PostgreSQL' },
    rounds: { type: 'string', default: '7' },
    /** A folder; the database is filled once and kept there for the next run. */
    keep: { type: 'string' },
    /** Runs only the queries whose names contain this text. */
    only: { type: 'string', default: '' },
    /** Calls per second, measured alone and while others read the log. */
    calls: { type: 'string', default: '0' },
    /**
     * Only fills the databases in the folder of `keep` (or with `drop` removes them) and measures nothing.
     */
    fill: { type: 'boolean', default: false },
    drop: { type: 'boolean', default: false },
  },
})
const rows = Number(values.rows)
const rounds = Number(values.rounds)
const AIM_MS = 200

const databases = await logDatabases(values.keep === undefined ? undefined : { directory: values.keep, rows })
say(
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}; ${rows} rows`,
)
for (const name of values.store.split(',')) {
  const find = databases.get(name)
  if (!find) {
    say(`\nLEFT OUT: ${name}: no server answers`)
    continue
  }
  const database = await find()
  if (values.drop) await database.drop()
  else await measure(name, database)
}

async function measure(name: string, database: LogDatabase): Promise<void> {
  const store = await database.open()
  try {
    if (!database.isFilled) await fill(name, store)
    database.markFilled()
    const perSecond = Number(values.calls)
    if (perSecond > 0) await callBeside(name, store, perSecond)
    else if (!values.fill) await ask(name, store)
  } finally {
    await store.close()
    await database.leave()
  }
}

async function fill(name: string, store: Store): Promise<void> {
  say(`\n${name}: filling …`)
  const filled = await timed(() => fillLog(store.db, rows))
  const summed = await timed(() => rollUpUsage(store.db, { nowSeconds: LAST_SECOND }))
  say(`${name}: filled in ${seconds(filled.ms)}, ${summed.answer} hours summed in ${seconds(summed.ms)}`)
  await analyzeLog(store.db)
}

async function ask(name: string, store: Store): Promise<void> {
  const lines: string[][] = []
  for (const { label, ask } of questionsOf(store.db).filter((question) =>
    question.label.includes(values.only),
  )) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push((await timed(ask)).ms)
    times.sort((left, right) => left - right)
    const median = times[Math.floor(times.length / 2)] ?? 0
    const worst = times.at(-1) ?? 0
    say(`${label}: ${median.toFixed(1)} ms`)
    lines.push([label, median.toFixed(1), worst.toFixed(1), median <= AIM_MS ? 'yes' : 'NO'])
  }
  say(`\n${markdown([`${name}, ${rows} rows`, 'median ms', 'worst ms', `under ${AIM_MS} ms`], lines)}`)
}

/** Measures how long calls wait while people read the log. */
async function callBeside(name: string, store: Store, perSecond: number): Promise<void> {
  const { alone, beside, answers } = await measureBeside(store, questionsOf(store.db), perSecond)
  const line = ({ medianMs, p99Ms }: typeof alone) => [medianMs.toFixed(2), p99Ms.toFixed(2)]
  const ratio = `${(beside.medianMs / alone.medianMs).toFixed(2)}, ${(beside.p99Ms / alone.p99Ms).toFixed(2)}`
  const head = [`${name}, ${perSecond} calls/s`, 'median ms', 'p99 ms']
  const lines = [
    ['alone', ...line(alone)],
    [`beside ${answers} answers about the log`, ...line(beside)],
  ]
  say(`\n${markdown(head, lines)}\nbeside / alone: ${ratio}`)
}

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ ms: number; answer: Answer }> {
  const start = performance.now()
  const answer = await work()
  return { ms: performance.now() - start, answer }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
