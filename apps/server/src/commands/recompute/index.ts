import { loadPlace } from '../../config/index.ts'
import { UsageError, defineCommand } from '../command.ts'
import { printRecompute } from './print-recompute.ts'
import { runRecompute } from './run-recompute.ts'

const DAYS_DEFAULT = 31
const DAY_MS = 86_400_000

export const command = defineCommand({
  help: `tollgate recompute [--days ${DAYS_DEFAULT}] [--json]

Computes every charge of the last days again, from its entry and the price version that the entry names. It
changes nothing and may run beside a gateway that serves calls. A charge that differs by one unit is a finding.

--days         how many days back, ${DAYS_DEFAULT} unless given
`,
  options: { days: { type: 'string', default: String(DAYS_DEFAULT) } },
  run: async ({ days: text }, progress) => {
    const days = Number(text)
    if (!Number.isInteger(days) || days < 1) throw new UsageError('--days is a whole number from 1.')
    const result = await runRecompute(loadPlace(), { sinceMs: Date.now() - days * DAY_MS, progress })
    return { code: result.wrong === 0 ? 0 : 1, lines: printRecompute(result), json: result }
  },
})
