// A node in a separate process: `fork('node-child.ts', [dsn, name])`. It performs the commands that its
// parent sends concurrently and returns the results.
import { systemClock } from '@tollgate/kit/clock'
import { openStore } from '@tollgate/store/database/open-store'
import { openLedger } from '../../src/open-ledger.ts'
import type { Answered, Asked } from './nodes.ts'
import { perform } from './perform.ts'

const [, , dsn = '', name = ''] = process.argv
const store = await openStore({ dsn })
const ledger = await openLedger({ store, clock: systemClock, instanceId: name })

process.on('message', ({ number, commands }: Asked) => {
  const answers = commands.map((command) => perform(ledger, command).catch((error: unknown) => String(error)))
  void Promise.all(answers).then((all) => process.send?.({ number, answers: all } satisfies Answered))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ number: 0, answers: [] } satisfies Answered)
