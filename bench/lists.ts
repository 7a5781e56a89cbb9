/**
 * `npm run bench -- lists [--channels 1000] [--tokens 10000] [--codes 100000]`: measures the queries and bulk
 * changes of the operator's list pages.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { openAdminApi } from './src/admin-api.ts'
import { fillLists } from './src/lists/fill-lists.ts'
import { questionsOf } from './src/lists/questions.ts'
import { markdown } from './src/report.ts'
import { say } from './src/say.ts'
import { startGateway } from './src/targets/start-gateway.ts'

const AIM_MS = 100
const { values } = parseArgs({
  options: {
    channels: { type: 'string', default: '1000' },
    tokens: { type: 'string', default: '10000' },
    codes: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
  },
})
const sizes = {
  channels: Number(values.channels),
  tokens: Number(values.tokens),
  codes: Number(values.codes),
}
const directory = mkdtempSync(join(tmpdir(), 'tollgate-lists-'))
const { origin, started } = await startGateway({ directory })
try {
  say(`${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, SQLite`)
  const admin = await openAdminApi(origin)
  await fillLists(admin, sizes, origin)
  const lines: string[][] = []
  for (const { label, ask } of questionsOf(admin, sizes)) {
    const times: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) times.push(await msOf(() => ask(round)))
    times.sort((left, right) => left - right)
    const median = times[Math.floor(times.length / 2)] ?? 0
    lines.push([label, median.toFixed(1), (times.at(-1) ?? 0).toFixed(1), median <= AIM_MS ? 'yes' : 'NO'])
  }
  const { channels, tokens, codes } = sizes
  const title = `${channels} channels, ${tokens} tokens, ${codes} codes`
  say(markdown([title, 'median ms', 'worst ms', `under ${AIM_MS} ms`], lines))
} finally {
  await started.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
