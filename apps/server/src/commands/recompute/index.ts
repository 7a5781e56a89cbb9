import { parseArgs } from 'node:util'
import { loadPlace } from '../../config/index.ts'
import { CommandError, runCommand } from '../command.ts'
import { printRecompute } from './print-recompute.ts'
import { runRecompute } from './run-recompute.ts'

// `npm run recompute -- [--days 31]`: recomputes every charge of the last days from its entry and the price
// version that the entry names. It may run beside a live gateway. Exits 1 when a charge differs by as much as
// one unit.

const DAYS_DEFAULT = 31
const DAY_MS = 86_400_000

await runCommand(async () => {
  const { values } = parseArgs({ options: { days: { type: 'string', default: String(DAYS_DEFAULT) } } })
  const days = Number(values.days)
  if (!Number.isInteger(days) || days < 1) throw new CommandError('--days is a whole number from 1.')
  const result = await runRecompute(loadPlace(), { sinceMs: Date.now() - days * DAY_MS })
  for (const line of printRecompute(result)) console.log(line)
  return result.wrong === 0 ? 0 : 1
})
