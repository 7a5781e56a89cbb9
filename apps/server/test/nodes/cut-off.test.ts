import { setTimeout as sleep } from 'node:timers/promises'
import { answeringServers } from '@tollgate/testkit/databases'
import { answeringRedis } from '@tollgate/testkit/redis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CallResult, relayCall } from './operator.ts'
import { type Town, expectBalanced, openTown } from './town.ts'

const isLong = process.env['TOLLGATE_FAULTS'] === 'long'
/** The lease of a node ends after 20 seconds, and after 30 the others declare it dead. */
const CUTS = isLong ? [3, 10, 25, 40] : [3]
const STOPS = isLong ? [2, 25, 60] : [2]
const CALLERS_PER_NODE = 2
/** In the short form six callers would otherwise use all processors. */
const DELAY_MS = isLong ? 10 : 60
const REFUSED_MS = 50
const BACK_MS = 60_000
const IDS_AT_ONCE = 500
const BROKEN: CallResult = { status: 0, text: '', requestId: '' }
const PATIENT = { timeout: 20_000, interval: 50 }

const redis = await answeringRedis()
const servers = redis ? (await answeringServers()).slice(0, isLong ? undefined : 1) : []

/** Three gateways under load. The second one has its journal on a disk of its own. */
describe.each(servers)('a gateway over $label', { timeout: 600_000 }, (server) => {
  let town: Town
  let key = ''
  let price = 0n

  beforeAll(async () => {
    if (!redis) throw new Error('a table without rows has no tests')
    town = await openTown(server, redis, { isSecondApart: true })
    key = await town.operator.newToken('under load')
    for (const node of town.nodes)
      await vi.waitUntil(async () => (await callAt(node)).status === 200, PATIENT)
    const { requestId } = await callAt(town.nodes[0])
    await vi.waitUntil(async () => (await chargesOf([requestId])).size === 1, PATIENT)
    price = (await chargesOf([requestId])).get(requestId)?.amount ?? 0n
  })
  afterAll(() => town.close())

  /** Status 0: the connection broke, as it may when a process stands still for a minute. */
  const callAt = ({ address }: { readonly address: string }): Promise<CallResult> =>
    relayCall({ address, key, body: { metadata: { delay_ms: DELAY_MS } } }).catch(() => BROKEN)

  /** What each call was charged, and by how many consume entries. */
  async function chargesOf(requestIds: readonly string[]) {
    const charges = new Map<string, { amount: bigint; consumed: number }>()
    for (let from = 0; from < requestIds.length; from += IDS_AT_ONCE) {
      const ids = requestIds.slice(from, from + IDS_AT_ONCE)
      const entries = await town.judge.db
        .selectFrom('entry')
        .select(['request_id', 'kind', 'amount'])
        .where('request_id', 'in', ids)
        .execute()
      for (const { request_id: id, kind, amount } of entries) {
        const known = charges.get(id ?? '') ?? { amount: 0n, consumed: 0 }
        const consumed = known.consumed + (kind === 'consume' ? 1 : 0)
        charges.set(id ?? '', { amount: known.amount + amount, consumed })
      }
    }
    return charges
  }

  /** Calls at every node before, during and after the disturbance. Returns the responses by node. */
  async function underLoad(disturb: () => Promise<void>): Promise<readonly CallResult[][]> {
    const answers: CallResult[][] = town.nodes.map(() => [])
    const isOver = new AbortController()
    const callers = town.nodes.flatMap((node, index) =>
      Array.from({ length: CALLERS_PER_NODE }, async () => {
        while (!isOver.signal.aborted) {
          const answer = await callAt(node)
          answers[index]?.push(answer)
          if (answer.status !== 200) await sleep(REFUSED_MS)
        }
      }),
    )
    const someMore = async (): Promise<void> => {
      const enough = answers.map((ofNode) => succeeded(ofNode).length + 20)
      await expect
        .poll(() => answers.every((ofNode, index) => succeeded(ofNode).length >= (enough[index] ?? 0)), {
          timeout: BACK_MS,
        })
        .toBe(true)
    }
    try {
      await someMore()
      await disturb()
      await someMore()
    } finally {
      isOver.abort()
      await Promise.all(callers)
    }
    return answers
  }

  async function expectChargedOnce(answers: readonly CallResult[][]): Promise<void> {
    await expectBalanced(town)
    const [ofFirst = [], ofSecond = [], ofSlave = []] = answers
    expect([...ofFirst, ...ofSlave].filter(({ status }) => status !== 200)).toEqual([])
    expect(ofSecond.filter(({ status }) => ![0, 200, 503].includes(status))).toEqual([])
    const ids = succeeded(answers.flat()).map(({ requestId }) => requestId)
    // The last calls may have begun and ended since the last fold.
    await vi.waitUntil(async () => (await chargesOf(ids)).size === ids.length, PATIENT)
    const charges = await chargesOf(ids)
    expect(ids.filter((id) => charges.get(id)?.amount !== price)).toEqual([])
    expect(ids.filter((id) => charges.get(id)?.consumed !== 1)).toEqual([])
    const { debt } = await town.judge.db
      .selectFrom('account')
      .select(({ fn }) => fn.max('debt').as('debt'))
      .executeTakeFirstOrThrow()
    expect(debt).toBe(0n)
  }

  it.each(CUTS)('charges each call once when it is cut off from the database for %i s', async (seconds) => {
    const [, second] = town.nodes
    let lastInside = 200
    const answers = await underLoad(async () => {
      town.databaseLine.freeze()
      await sleep(seconds * 1_000)
      lastInside = (await callAt(second)).status
      town.databaseLine.thaw()
    })
    if (seconds >= 25) expect(lastInside).toBe(503)
    await expectChargedOnce(answers)
    const refused = answers[1]?.filter(({ status }) => status === 503).length
    console.log(
      `${server.label}: ${seconds} s cut off, ${succeeded(answers.flat()).length} charged, ${refused} refused`,
    )
  })

  it.each(STOPS)('charges each call once when its process stands still for %i s', async (seconds) => {
    const [, second] = town.nodes
    const answers = await underLoad(async () => {
      second.child.kill('SIGSTOP')
      await sleep(seconds * 1_000)
      second.child.kill('SIGCONT')
    })
    await expectChargedOnce(answers)
    console.log(`${server.label}: ${seconds} s stopped, ${succeeded(answers.flat()).length} charged`)
  })
})

function succeeded(answers: readonly CallResult[]): readonly CallResult[] {
  return answers.filter(({ status }) => status === 200)
}
