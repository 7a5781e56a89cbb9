import { once } from 'node:events'
import { invariant } from '@tollgate/kit/invariant'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openRandom, type Random } from '../relay/random.ts'
import {
  type BilledSession,
  type BilledWork,
  openRealtimeVendor,
  readText,
} from '../relay/realtime-vendor.ts'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { waitFor } from '../relay/send.ts'
import { reportAttacks, stride } from './index.ts'

/**
 * Sessions in which several answers and transcripts run beside each other, left at every moment of their
 * lives. The charge of each session equals the bill of the vendor, who answers whether anybody listens or not.
 */

const MODEL = 'gpt-4o-realtime-preview'
const SESSIONS = 200
const SEED = 40

let harness: RelayHarness
let vendor: Awaited<ReturnType<typeof openRealtimeVendor>>
let count = 0
let billed = 0
const sockets: WebSocket[] = []

beforeAll(async () => {
  harness = await openRelayHarness()
  vendor = await openRealtimeVendor()
  await harness.addChannel(vendor.url, { models: MODEL })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(async () => {
  console.log(
    `${count} sessions with answers in parallel, ${billed} answers and transcripts billed, seed ${SEED}`,
  )
  reportAttacks({ kind: 'parallel answers', count })
  vendor.close()
  await harness.close()
})

async function enter(bearer: string) {
  const before = vendor.sessions.length
  const socket = new WebSocket(`ws://127.0.0.1:${harness.port}/v1/realtime?model=${MODEL}`, {
    headers: { authorization: `Bearer ${bearer}` },
  })
  sockets.push(socket)
  socket.on('error', () => undefined)
  const types: string[] = []
  socket.on('message', (data) => types.push(String(JSON.parse(readText(data)).type)))
  await once(socket, 'open')
  await waitFor(() => vendor.sessions.length > before && types.length > 0)
  const session = vendor.sessions.at(-1)
  invariant(session, 'the vendor has the session')
  const say = (event: object) => socket.send(JSON.stringify(event))
  return { socket, types, session, say }
}

type Entered = Awaited<ReturnType<typeof enter>>

/** The caller requests answers and transcripts in any order. */
async function request({ session, say }: Entered, random: Random): Promise<readonly BilledWork[]> {
  session.nextBill = () => ({ input: 2 * (1 + random.below(5_000)), output: 1 + random.below(1_000) })
  const total = 2 + random.below(5)
  for (let each = 0; each < total; each++) {
    if (each > 0 && random.below(4) === 0) {
      say({ type: 'input_audio_buffer.append', audio: Buffer.alloc(480).toString('base64') })
      say({ type: 'input_audio_buffer.commit' })
    } else {
      const metadata = random.below(2) === 0 ? undefined : { tag: String(each) }
      const more = random.below(2) === 0 ? {} : { event_id: `own_${each}` }
      say({ type: 'response.create', ...more, response: { conversation: 'none', metadata } })
    }
  }
  await waitFor(() => session.works.length === total)
  return shuffled(session.works, random)
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: random.next() }))
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item)
}

/** What the vendor has done when the caller leaves; it does the rest afterwards. */
interface Moment {
  readonly name: string
  readonly begun: (total: number) => number
  readonly hasParts: boolean
  readonly finished: (total: number) => number
}

const all = (total: number) => total
const moments: readonly Moment[] = [
  { name: 'before any answer has begun', begun: () => 0, hasParts: false, finished: () => 0 },
  { name: 'when one answer has begun', begun: () => 1, hasParts: true, finished: () => 0 },
  { name: 'when all have begun', begun: all, hasParts: false, finished: () => 0 },
  { name: 'in the middle of all', begun: all, hasParts: true, finished: () => 0 },
  { name: 'when the first has ended', begun: all, hasParts: true, finished: () => 1 },
  { name: 'when all but one have ended', begun: all, hasParts: true, finished: (total) => total - 1 },
]

class Script {
  readonly #session: BilledSession
  readonly #works: readonly BilledWork[]
  #begun = 0
  #finished = 0

  constructor(session: BilledSession, works: readonly BilledWork[]) {
    this.#session = session
    this.#works = works
  }

  run({ begun, hasParts, finished }: Moment): void {
    const total = this.#works.length
    for (const work of this.#works.slice(this.#begun, begun(total))) {
      this.#session.begin(work)
      if (hasParts) this.#session.part(work)
    }
    for (const work of this.#works.slice(this.#finished, finished(total))) this.#session.finish(work)
    this.#begun = begun(total)
    this.#finished = finished(total)
    this.#session.say('rate_limits.updated')
  }
}

const END: Moment = { name: 'the end', begun: all, hasParts: true, finished: all }

/** Ratio 2.5, and output costs four times as much as input. */
function price(bill: BilledSession['billed']): bigint {
  return bill.reduce((sum, { input, output }) => sum + BigInt(input * 2.5 + output * 10), 0n)
}

const cases = moments.flatMap((moment) =>
  (['trusted', 'untrusted'] as const).map((account) => ({ moment, account })),
)

test.each(cases.map(({ moment, account }) => [moment.name, account, moment] as const))(
  'a caller who leaves %s pays for all of them (%s account)',
  async (_name, account, moment) => {
    const random = openRandom(SEED + moments.indexOf(moment))
    const quota = 1_000_000_000n
    const { bearer, userId } = await harness.addCaller({ quota, isGift: account === 'untrusted' })
    let bill = 0n
    for (let each = 0; each < SESSIONS / 2 / stride(20); each++) {
      const entered = await enter(bearer)
      const script = new Script(entered.session, await request(entered, random))
      script.run(moment)
      await waitFor(() => entered.types.includes('rate_limits.updated'))
      const closed = harness.socketsClosed()
      entered.socket.terminate()
      await waitFor(() => harness.socketsClosed() > closed)
      script.run(END)
      bill += price(entered.session.billed)
      billed += entered.session.billed.length
      await harness.quiet()
      expect((await harness.balance(userId))?.used).toBe(bill)
      count++
    }
    expect(await harness.balance(userId)).toMatchObject({ remaining: quota - bill, reserved: 0n, debt: 0n })
  },
)

test('a caller who reads everything and leaves then pays the same', async () => {
  const random = openRandom(SEED)
  const { bearer, userId } = await harness.addCaller({ quota: 1_000_000_000n })
  const entered = await enter(bearer)
  const script = new Script(entered.session, await request(entered, random))
  script.run(END)
  await waitFor(() => entered.types.includes('rate_limits.updated'))
  entered.socket.close()
  await harness.quiet()
  expect((await harness.balance(userId))?.used).toBe(price(entered.session.billed))
  count++
})
