import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accountId } from '../src/account.ts'
import { SimulatedDatabase } from './support/simulator/database.ts'
import { startNode } from './support/simulator/node.ts'
import { simulatedStatements } from './support/simulator/statements.ts'
import type { Wire } from './support/simulator/wire.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => vi.useRealTimers())

const account = accountId('user', 1)
const call = { holdId: 'call', userAccount: account, amount: 50n, ceiling: 50n, priceJson: '{}' }

async function turn(): Promise<void> {
  for (let count = 0; count < 3; count++) await nextTurn()
}

/** A gateway and a simulated database that only answers while `answered` runs. */
function openPlace() {
  const database = new SimulatedDatabase()
  const wires: Wire[] = []
  const place = { isReachable: true }
  const node = startNode({
    name: 'node',
    database,
    statements: simulatedStatements({ isPipelined: true }),
    isReachable: () => place.isReachable,
    onConnect: (wire) => wires.push(wire),
    onDecided: () => undefined,
    pause: async () => undefined,
  })
  const answered = async <T>(asked: Promise<T>): Promise<T> => {
    const state = { isDone: false }
    void asked.catch(() => undefined).finally(() => (state.isDone = true))
    for (; !state.isDone; await turn()) for (const wire of wires) if (wire.isWaiting) wire.step()
    return asked
  }
  const ending = async (): Promise<Wire> => {
    for (; ; await turn()) {
      const found = wires.find((wire) => wire.isEnding)
      if (found) return found
      for (const wire of wires) if (wire.isWaiting) wire.step()
    }
  }
  return { database, place, node, answered, ending }
}

it.each([
  ['was rolled back', 0],
  ['was committed', 100],
])(
  'a settlement that %s while the server went down is charged once, even when a heartbeat comes first',
  async (_what, reaching) => {
    const { database, place, node, answered, ending } = openPlace()
    const ledger = await answered(node.ledger)
    await answered(ledger.credit({ key: 'gift:new:1', account, amount: 100n }))
    await answered(ledger.reserve(call))
    const settled = ledger.settle({ holdId: 'call', amount: 20n, flags: [], usageJson: '' })
    const wire = await ending()
    place.isReachable = false
    wire.cut(reaching)
    while (wire.isWaiting) wire.step()
    await turn()
    place.isReachable = true
    await answered(ledger.rollUp())
    vi.advanceTimersByTime(300)
    expect(await answered(settled)).toEqual({ charged: 20n, waived: 0n, late: false })
    expect(database.tables.of('entry').get('consume:call')).toMatchObject({ amount: 20n })
    expect(database.tables.of('hold').size).toBe(0)
  },
)

it('an admission whose reply was lost is released, even when orphaned holds are recovered first', async () => {
  const { database, place, node, answered, ending } = openPlace()
  const ledger = await answered(node.ledger)
  await answered(ledger.credit({ key: 'gift:new:1', account, amount: 100n }))
  const reserved = ledger.reserve(call)
  const wire = await ending()
  place.isReachable = false
  wire.cut(100)
  while (wire.isWaiting) wire.step()
  expect(await reserved).toEqual({ type: 'unavailable' })
  const open = database.tables.of('hold').get('call')
  const orphan = { ...open, id: 'orphan', amount: 0n, ceiling: 0n, instance_id: 'gone' }
  database.tables.of('hold').set('orphan', orphan)
  await turn()
  place.isReachable = true
  await answered(ledger.rollUp())
  vi.advanceTimersByTime(300)
  await turn()
  await answered(ledger.rollUp())
  expect([...database.tables.of('hold').keys()]).toEqual([])
})
