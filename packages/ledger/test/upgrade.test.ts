import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { migrations } from '@tollgate/store/migrations/index'
import { readFirstPrice } from '@tollgate/store/trade/charges'
import { answeringServers } from '@tollgate/testkit/databases'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { lineOf } from '../src/journal-line.ts'
import { openLedger } from '../src/open-ledger.ts'

const USER = accountId('user', 1)
const BEFORE = 25
const SCHEMA = 'schema_migration'
/** No process has this number. */
const DEAD_PID = 4_194_399

const servers = await answeringServers()
const engines = [
  { name: 'SQLite', server: undefined },
  ...servers.map((server) => ({ name: server.label, server })),
]

describe.each(engines)('an upgrade on $name', ({ server }) => {
  let directory: string
  let open: () => Promise<Store>
  let drop: () => Promise<void>
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
    const database = await server?.createDatabase()
    open = () => openStore(database ? { dsn: database.dsn } : { sqlitePath: join(directory, 'ledger.db') })
    drop = async () => database?.drop()
  })
  afterEach(async () => {
    await drop()
    rmSync(directory, { recursive: true })
  })

  it('ends the open holds of the version before as that version would have', async () => {
    const before = await open()
    await takeBack(before)
    await fill(before)
    await count(before)
    await before.close()
    const folder = join(directory, 'journal')
    keepEnds(folder)

    const store = await open()
    const options = server
      ? { journalFolder: folder, journal: { folder } }
      : { journal: { folder: join(directory, 'new-journal') } }
    const ledger = await openLedger({ store, clock: systemClock, ...options })
    // Over a server the journal of the version before has the ends of two of the calls.
    const expected = server
      ? { interrupted: 30n, settled: sampleCharge, released: 0n }
      : { interrupted: 30n, settled: 25n, released: 20n }
    for (const [id, amount] of Object.entries(expected))
      await expect.poll(() => chargedFor(store, id)).toEqual({ request_id: id, amount })
    expect(await readFirstPrice(store.db, 'interrupted')).toBe(samplePriceJson)
    const used = 77n + Object.values(expected).reduce((sum, amount) => sum + amount, 0n)
    expect(await ledger.balance(USER)).toMatchObject({ used, reserved: 0n, remaining: 100_000n - used })
    await ledger.reserve({
      holdId: 'new',
      userAccount: USER,
      amount: 10n,
      ceiling: 10n,
      priceJson: samplePriceJson,
    })
    await ledger.settle({ holdId: 'new', amount: 7n, flags: [], usageJson: '' })
    await ledger.rollUp()
    expect((await ledger.audit()).findings).toEqual([])
    await ledger.close()
    await store.close()
  })
})

/** Tables with references to others. */
function isReferring(name: string): boolean {
  return ['entry', 'hold', 'allotment'].includes(name)
}

/** Makes the tables again as the version before had them. */
async function takeBack({ db, traits }: Store): Promise<void> {
  const names = (await db.introspection.getTables()).map(({ name }) => name)
  const inOrder = names.toSorted((one, other) => Number(isReferring(other)) - Number(isReferring(one)))
  for (const name of inOrder) if (name !== SCHEMA) await db.schema.dropTable(name).execute()
  for (const migration of migrations)
    if (migration.number <= BEFORE)
      for (const statement of migration.statements(traits)) await sql.raw(statement).execute(db)
  await sql.raw(`delete from ${traits.quote(SCHEMA)} where number > ${BEFORE}`).execute(db)
}

const CALLS = [
  { id: 'interrupted', checkpoint: 30n },
  { id: 'settled', checkpoint: 25n },
  { id: 'released', checkpoint: 20n },
]

/** A killed process left three calls of 4,000 units each; one call was charged before. */
async function fill({ db }: Store): Promise<void> {
  const amounts = { granted: 100_000n, remaining: 87_923n, reserved: 12_000n, used: 77n, debt: 0n }
  await db
    .insertInto('account')
    .values({
      id: USER,
      kind: 'user',
      owner_id: 1,
      ...amounts,
      followed: 0n,
      unlimited: 0,
      version: 9,
      open_holds: 3,
    })
    .execute()
  const instance = { id: 'before', started_ms: 1, heartbeat_ms: 1, state: 'alive', last_batch: 0 } as const
  await db.insertInto('instance').values(instance).execute()
  for (const { id, checkpoint } of CALLS)
    await db
      .insertInto('hold')
      .values({
        id,
        user_acct: USER,
        token_acct: null,
        token_followed: 0,
        amount: 4_000n,
        ceiling: 4_000n,
        checkpoint,
        price_json: samplePriceJson,
        channel_id: 3,
        instance_id: 'before',
        created_ms: 1,
      })
      .execute()
  const rest = { task_id: null, user_acct: USER, token_acct: null, channel_id: null, waived: 0n, note: null }
  const none = { flags: '', balance_after: null, created_ms: systemClock.nowMs() }
  await db
    .insertInto('entry')
    .values([
      {
        ...rest,
        ...none,
        op_key: 'gift:new:1',
        kind: 'credit',
        request_id: null,
        amount: 100_000n,
        price_json: null,
        usage_json: null,
      },
      {
        ...rest,
        ...none,
        op_key: 'consume:done',
        kind: 'consume',
        request_id: 'done',
        amount: 77n,
        price_json: samplePriceJson,
        usage_json: null,
      },
    ])
    .execute()
}

/** SQLite counts entries later; a server counts them with the entry. */
async function count({ db, traits }: Store): Promise<void> {
  if (traits.engine === 'sqlite') return
  await db.insertInto('totals').values({ subject: 'user:1', used: 77n, calls: 1, last_ms: 1 }).execute()
}

/** What the process wrote to its journal while the database was away. */
function keepEnds(folder: string): void {
  mkdirSync(folder)
  const settle = { holdId: 'settled', amount: sampleCharge, flags: [], usageJson: sampleUsageJson }
  const lines = [
    lineOf({ type: 'settle', input: { ...settle, log: sampleLog('settled') } }),
    lineOf({ type: 'release', input: { holdId: 'released' } }),
  ]
  writeFileSync(join(folder, `${DEAD_PID}-before.jsonl`), lines.join(''))
}

/** The sum of a call's entries. */
async function chargedFor({ db }: Store, id: string) {
  return db
    .selectFrom('entry')
    .select(['request_id', sql<bigint | string>`sum(amount)`.as('amount')])
    .where('request_id', '=', id)
    .groupBy('request_id')
    .executeTakeFirst()
    .then((row) => row && { request_id: row.request_id, amount: BigInt(row.amount) })
}
