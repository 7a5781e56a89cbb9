import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chargeUnits } from '@tollgate/billing/charge'
import { priceFromJson } from '@tollgate/billing/recompute'
import { noUsage } from '@tollgate/dialects/usage'
import { readGauges } from '@tollgate/ledger/reads'
import { openStore } from '@tollgate/store/database/open-store'
import { openView } from '@tollgate/store/database/open-view'
import { entryPrice } from '@tollgate/store/trade/entry-price'
import { answeringServers } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faultFloor, isLong, openRandom, type Random, seedOfRun } from '../relay/random.ts'
import { MODEL, operate } from './operator.ts'
import { launchProgram, type Program, runCommand, startProgram } from './program.ts'

/**
 * A gateway that is killed at every station of its answers. Each answer that its caller got whole is charged
 * exactly once, to the unit, by the record of the upstream.
 */

const KILLS = faultFloor({ short: 3, long: 300 })
const CALLERS = 16
/** Answers that arrive before the kill. */
const WHOLE_MIN = 25

/** What the program is killed at: something that a caller sees, or some moment of the load. */
const STATIONS = [
  'finish reason',
  'whole answer',
  'some moment',
  'next start',
  'first text',
  'usage',
  'DONE',
] as const
type Station = (typeof STATIONS)[number]

let folder: string
let upstream: FakeUpstream
let program: Program | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-killed-'))
  upstream = await startFakeUpstream()
})
afterEach(async () => {
  program?.child.kill('SIGKILL')
  await program?.ended
  await upstream.close()
  rmSync(folder, { recursive: true })
})

interface OpenPlace {
  /** Of a database on a server. */
  readonly dsn?: string
  readonly sqlitePath?: string
  /** Settings that lead the program to it. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

interface Place {
  readonly name: string
  readonly open: () => Promise<OpenPlace>
}

interface Sent {
  readonly tag: string
  readonly tokens: number
  readonly isWithoutUsage: boolean
  requestId: string
  /** The caller has the finish reason of the stream, or the whole answer. */
  isWhole: boolean
}

/** The short form runs on one database server only. */
const servers = (await answeringServers()).slice(0, isLong ? undefined : 1)
const places: readonly Place[] = [
  {
    name: 'SQLite',
    open: async () => {
      const sqlitePath = join(folder, 'killed.db')
      return { sqlitePath, environment: { SQLITE_PATH: sqlitePath }, close: async () => undefined }
    },
  },
  ...servers.map((server) => ({
    name: server.label,
    open: async () => {
      const { dsn, drop } = await server.createMigrated()
      return { dsn, environment: { SQL_DSN: dsn }, close: drop }
    },
  })),
]

test.each(places)(
  `answers that arrived whole are charged once after ${KILLS} kills, on $name`,
  async ({ name, open }) => {
    const random = openRandom(seedOfRun())
    const database = await open()
    const { dsn, environment } = database
    program = await startProgram(folder, environment)
    const { newToken } = await operate(program.address, upstream)
    const key = await newToken('killed')
    const sent: Sent[] = []
    const kills: Partial<Record<Station, number>> = {}
    // In the short form each database has stations of its own.
    const first = places.findIndex((place) => place.name === name) * KILLS
    for (let kill = 0; kill < KILLS; kill++) {
      const station = STATIONS[(first + kill) % STATIONS.length] ?? 'some moment'
      kills[station] = (kills[station] ?? 0) + 1
      await loadUntilKilled({ program, key, station, random, sent })
      if (dsn !== undefined) await declareSilent(dsn)
      if (station === 'next start') {
        const starting = launchProgram(folder, environment)
        await sleep(random.below(800))
        starting.child.kill('SIGKILL')
        await starting.ended
        if (dsn !== undefined) await declareSilent(dsn)
      }
      program = await startProgram(folder, environment)
    }
    if (dsn !== undefined) await untilAdopted(dsn)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    const tally = await compare(database, sent)
    for (const verb of ['audit', 'recompute'])
      expect(await runCommand(folder, { verb, environment })).toMatchObject({ code: 0 })
    await database.close()
    console.log(
      `${name}: ${KILLS} kills (${JSON.stringify(kills)}): ${JSON.stringify(tally)}, each whole answer charged once`,
    )
    expect(tally.whole).toBeGreaterThan(KILLS * WHOLE_MIN * 0.8)
    expect(tally.broken).toBeGreaterThan(KILLS)
    if (dsn !== undefined) expect(tally.late, 'ends that another process folded').toBeGreaterThan(0)
  },
  3_600_000,
)

/** The heartbeat of a killed process stops; it counts as dead 30 seconds later, or at once with this. */
async function declareSilent(dsn: string): Promise<void> {
  const store = await openStore({ dsn })
  await store.db.updateTable('instance').set({ heartbeat_ms: 0 }).execute()
  await store.close()
}

/** Waits until the running program has folded the journals of the killed processes. */
async function untilAdopted(dsn: string): Promise<void> {
  const store = await openStore({ dsn })
  const left = async () => {
    const { openHolds } = await readGauges(store.db, 0)
    const allotments = await store.db
      .selectFrom('allotment')
      .innerJoin('instance', 'instance.id', 'allotment.instance_id')
      .select('instance.id')
      .where('instance.state', '<>', 'alive')
      .execute()
    return { openHolds, allotments }
  }
  await expect.poll(left, { timeout: 60_000 }).toEqual({ openHolds: 0, allotments: [] })
  await store.close()
}

interface Load {
  readonly program: Program
  readonly key: string
  readonly station: Station
  readonly random: Random
  readonly sent: Sent[]
}

/** Callers one after the other, until the station is reached after a while. */
async function loadUntilKilled({ program: running, key, station, random, sent }: Load): Promise<void> {
  const { child, address } = running
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  void running.ended.then(() => over.abort())
  let left = WHOLE_MIN + random.below(100)
  const kill = (): void => {
    if (!over.signal.aborted) child.kill('SIGKILL')
    over.abort()
  }
  const reached = (seen: Station): void => {
    if (seen === 'whole answer' && --left === 0 && ofMoment(station)) setTimeout(kill, random.below(200))
    if (seen === station && left <= 0) kill()
  }
  const caller = async (): Promise<void> => {
    while (!over.signal.aborted) await call({ address, key, agent, random, sent, reached })
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  agent.destroy()
  await running.ended
}

function ofMoment(station: Station): boolean {
  return station === 'some moment' || station === 'next start'
}

interface Call {
  readonly address: string
  readonly key: string
  readonly agent: Agent
  readonly random: Random
  readonly sent: Sent[]
  readonly reached: (station: Station) => void
}

/** Resolves when the answer has arrived, or the connection is gone. */
function call({ address, key, agent, random, sent, reached }: Call): Promise<void> {
  const tag = `tag-${sent.length}`
  const isStream = random.below(2) === 0
  const isWithoutUsage = random.below(8) === 0
  const tokens = 1 + random.below(30)
  const record: Sent = { tag, tokens, isWithoutUsage, requestId: '', isWhole: false }
  sent.push(record)
  const body = {
    model: MODEL,
    user: tag,
    messages: [{ role: 'user', content: 'a question '.repeat(1 + random.below(8)) }],
    metadata: {
      tokens: String(tokens),
      delay_ms: String(random.below(3)),
      ...(isWithoutUsage && { fault: 'usage-missing' }),
    },
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  }
  return new Promise((resolve) => {
    const asked = request(`${address}/v1/chat/completions`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    asked.on('error', () => resolve())
    asked.on('close', () => resolve())
    asked.on('response', (response) => {
      record.requestId = String(response.headers['x-request-id'] ?? '')
      let text = ''
      response.on('data', (piece: Buffer) => {
        text += piece.toString()
        if (!isStream || response.statusCode !== 200) return
        if (text.includes('"finish_reason":"stop"')) record.isWhole = true
        reached('first text')
        if (record.isWhole) reached('finish reason')
        if (text.includes('"usage":{')) reached('usage')
        if (text.includes('[DONE]')) reached('DONE')
      })
      response.on('end', () => {
        if (!response.complete || response.statusCode !== 200) return
        record.isWhole = true
        reached('whole answer')
      })
      response.on('error', () => resolve())
    })
    asked.end(JSON.stringify(body))
  })
}

/** Every whole answer has one entry with the price of what the upstream reports; nothing is charged twice. */
async function compare(database: OpenPlace, sent: readonly Sent[]) {
  const view = await openView(database)
  const rows = await view.db
    .selectFrom('entry')
    .select(['request_id', 'amount', 'flags', entryPrice.as('price')])
    .where('kind', '=', 'consume')
    .execute()
  const corrected = await view.db.selectFrom('entry').select('id').where('kind', '=', 'correction').execute()
  await view.close()
  const { dsn } = database
  const entries = Map.groupBy(rows, ({ request_id: id }) => id)
  const book = new Map(upstream.book.map((entry) => [entry.tag, entry]))
  const tally = { whole: 0, late: 0, withoutUsage: 0, broken: 0, recovered: 0 }
  for (const { tag, tokens, requestId, isWhole, isWithoutUsage } of sent) {
    const own = entries.get(requestId) ?? []
    expect(own.length, `entries of ${requestId}`).toBeLessThanOrEqual(1)
    const [entry] = own
    if (!isWhole) {
      tally.broken++
      if (entry?.flags.includes('recovered')) tally.recovered++
      continue
    }
    tally.whole++
    // On a server another process folds the journal of a killed one, and marks what it finds.
    const marks = entry?.flags.split(',') ?? []
    if (dsn !== undefined && marks.includes('late')) tally.late++
    const flags = marks.filter((mark) => dsn === undefined || mark !== 'late').join()
    const shown = `${tag} ${requestId}: ${entry?.amount} ${entry?.flags}`
    if (isWithoutUsage) {
      tally.withoutUsage++
      expect(flags, shown).toBe('estimated')
      continue
    }
    const usage = { ...noUsage, inputText: book.get(tag)?.promptTokens ?? 0, outputText: tokens }
    expect(flags, shown).toBe('')
    expect(entry?.amount, shown).toBe(chargeUnits(priceFromJson(entry?.price ?? ''), usage))
  }
  expect(corrected).toEqual([])
  return tally
}
