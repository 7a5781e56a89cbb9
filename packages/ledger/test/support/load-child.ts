// A process under load: `node load-child.ts <file or DSN> <round> [folder of the journal]`. It prints a line for every acknowledged
// operation until its parent kills it.
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/kit/clock'
import { openStore } from '@tollgate/store/database/open-store'
import type { Ledger } from '../../src/ledger.ts'
import { accountId } from '../../src/account.ts'
import { openLedger } from '../../src/open-ledger.ts'
import { Dice, shortOrLong } from './faults.ts'
import { sampleLog } from '@tollgate/testkit/sample-call'

const [, , database = '', round = '0', folder] = process.argv
const CALLERS = 24
const USERS = 6
/**
 * Time between two calls of a caller. Over a server several of these processes run at once, and without a pause
 * they use all processors for twenty times as many calls as a short test needs.
 */
const PAUSE_MS = database.includes('://') ? shortOrLong(50, 0) : 0
const PARENT = process.ppid
const LOOK_MS = 1_000

/**
 * Writes synchronously to the pipe: once this returns, the parent will receive the line even if this process
 * is killed.
 */
function acknowledge(...words: readonly (string | bigint)[]): void {
  const line = Buffer.from(`${words.join(' ')}\n`)
  for (let sent = 0; sent < line.length;) sent += writeSome(line, sent)
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** When the pipe is full (EAGAIN), waits until the parent has read some of it. */
function writeSome(line: Buffer, offset: number): number {
  try {
    return writeSync(1, line, offset)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    Atomics.wait(pause, 0, 0, 1)
    return 0
  }
}

async function caller(ledger: Ledger, number: number): Promise<void> {
  const dice = new Dice(Number(round) * 1_000 + number)
  const user = accountId('user', 1 + (number % USERS))
  const token = accountId('token', 1 + (number % USERS))
  for (let count = 0; ; count++) {
    if (PAUSE_MS > 0) await sleep(PAUSE_MS)
    const name = `${round}-${number}-${count}`
    if (count % 5 === 0) await credit(ledger, { name, user, token })
    const holdId = `call-${name}`
    const hold = {
      holdId,
      userAccount: user,
      tokenAccount: token,
      amount: 200n,
      ceiling: 900n,
      priceJson: '{}',
    }
    if ((await ledger.reserve(hold)).type !== 'reserved') continue
    acknowledge('reserved', holdId)
    if (dice.chance(0.3)) {
      await ledger.checkpoint({ holdId, amount: 150n })
      acknowledge('checkpointed', holdId, 150n)
    }
    const amount = BigInt(dice.below(400))
    const { charged } = await ledger.settle({
      holdId,
      amount,
      flags: [],
      usageJson: '',
      log: sampleLog(holdId),
    })
    acknowledge('settled', holdId, charged)
  }
}

async function credit(
  ledger: Ledger,
  { name, user, token }: { name: string; user: number; token: number },
): Promise<void> {
  await ledger.credit({ key: `topup:${name}`, account: user, amount: 2_000n })
  acknowledge('credited', `topup:${name}`, 2_000n)
  await ledger.adjust({ key: name, account: token, delta: 2_000n })
  acknowledge('credited', `adjust:${name}`, 2_000n)
}

const place = database.includes('://') ? { dsn: database } : { sqlitePath: database }
const store = await openStore({ ...place, onFatal: () => process.exit(3) })
const journal = folder === undefined ? undefined : { folder }
const ledger = await openLedger({ store, clock: systemClock, instanceId: `load-${round}`, journal })
// Exits when the test process itself was killed, because then no parent is left to kill this one.
setInterval(() => process.ppid !== PARENT && process.exit(1), LOOK_MS)
await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(ledger, number)))
