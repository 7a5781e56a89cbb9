import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { copiedTables } from '@tollgate/store/transfer/copied-tables'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { openView } from '@tollgate/store/database/open-view'
import { insertUser } from '@tollgate/store/accounts/user-changes'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireSameSecret } from '../../src/app/same-secret.ts'
import { runAudit } from '../../src/commands/audit/run-audit.ts'
import type { Progress } from '../../src/commands/progress.ts'
import { runMove } from '../../src/commands/move/run-move.ts'
import { type TargetFolder, makeTarget, runInProcess, cipherKey, silent } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'

/** Copies a whole Tollgate database from one engine to another. */

interface Place {
  readonly sqlDsn: string
  readonly sqlitePath: string
}

/** The short form moves to one server only: other tests write every table to each of them. */
const servers = (await answeringServers()).slice(0, process.env['TOLLGATE_FAULTS'] === 'long' ? undefined : 1)

let family: SourceDatabase
let site: TargetFolder
let folder: string
/** Id of a deleted user; it must never be assigned again. */
let lastUser: number
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-move-'))
  family = await sqliteSource({ isSmall: true })
  site = makeTarget()
  await site.import(family.place, { withLogs: true })
  await site.open(seed)
})
afterAll(async () => {
  site.drop()
  await family.drop()
  rmSync(folder, { recursive: true })
})

const file = (name: string): Place => ({ sqlDsn: '', sqlitePath: join(folder, name) })
const server = ({ dsn }: TestDatabase): Place => ({ sqlDsn: dsn, sqlitePath: '' })

interface Wish {
  readonly isDryRun?: boolean
  readonly progress?: Progress
}

function move(from: string, place: Place, { isDryRun = false, progress = silent }: Wish = {}) {
  return runMove({ from, isDryRun, place: { ...place, cipherKey, inline: {} }, progress })
}

/**
 * Adds calls (one of them interrupted), a deleted user, and an hour with more usage rows than fit in one
 * batch.
 */
async function seed(store: Store): Promise<void> {
  const { db } = store
  const ledger = await openLedger({ store, clock: systemClock })
  await ledger.credit({ key: 'for calls', account: accountId('user', 1), amount: 1_000_000n })
  for (const holdId of ['call-1', 'call-2']) {
    await reserve(ledger, holdId)
    const how = { amount: sampleCharge, flags: [], channelId: 3, usageJson: sampleUsageJson }
    await ledger.settle({ holdId, ...how, log: sampleLog(holdId) })
  }
  await ledger.rollUp()
  await reserve(ledger, 'call-cut-off')
  await ledger.close()
  lastUser = await insertUser(db, {
    username: 'gone',
    password_hash: '',
    display_name: '',
    role: 1,
    created_ms: 0,
  })
  await db.deleteFrom('users').where('id', '=', lastUser).execute()
  const sums = {
    calls: 1,
    quota: 1n,
    prompt_tokens: 1,
    completion_tokens: 1,
    duration_ms: 1,
    first_byte_ms: 1,
  }
  const owner = { user_id: 1, username: 'root', token_id: 1, token_name: 'one', group_name: 'default' }
  const cells = Array.from({ length: 600 }, (_, cell) => {
    const hour = { hour_at: cell < 20 ? 3_600 : 7_200, type: 2, model_name: `model-${cell}`, channel_id: 1 }
    return {
      ...hour,
      ...owner,
      ...sums,
      first_bytes: 1,
      cost: 0n,
      costed_quota: 0n,
      cached_tokens: 1,
      cache_saved: 0n,
    }
  })
  for (let from = 0; from < cells.length; from += 200)
    await db
      .insertInto('usage_cells')
      .values(cells.slice(from, from + 200))
      .execute()
}

async function reserve(ledger: Ledger, holdId: string): Promise<void> {
  const amounts = { amount: sampleCharge, ceiling: sampleCharge, priceJson: samplePriceJson }
  const result = await ledger.reserve({ holdId, userAccount: accountId('user', 1), ...amounts })
  expect(result.type).toBe('reserved')
}

/** Tables that differ on purpose: the copy records itself in them, and interrupted calls are noted there. */
const NOTED = new Set(['watermarks', 'audit_log', 'instance'])

async function everything({ sqlDsn, sqlitePath }: Place): Promise<ReadonlyMap<string, readonly string[]>> {
  const view = await openView({ dsn: sqlDsn, sqlitePath })
  const content = new Map<string, readonly string[]>()
  for (const { name } of [...copiedTables, { name: 'totals' } as const]) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(view.db)
    if (!NOTED.has(name)) content.set(name, rows.map(shown).sort())
  }
  await view.close()
  return content
}

function shown(row: object): string {
  const cells = Object.entries(row).sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify(cells, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

async function expectSame(left: Place, right: Place): Promise<void> {
  const [expected, found] = [await everything(left), await everything(right)]
  for (const [table, rows] of expected) expect(found.get(table), table).toEqual(rows)
}

describe.each(servers)('a site that moves to $label', ({ createDatabase, createMigrated }) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  it('an interrupted move resumes and copies every row and balance, and so does the move back', async () => {
    const [home, away, back] = [file('home.db'), server(database), file(`back-${database.name}.db`)]
    await move(site.sqlitePath, home)
    await expect(move(home.sqlitePath, away, { progress: breaking('entry') })).rejects.toThrow('cut off')
    await expect(openStore({ dsn: database.dsn })).rejects.toMatchObject({ reason: 'half_imported' })
    const { type, totals } = await move(home.sqlitePath, away)
    expect(type).toBe('moved')
    expect(totals).toMatchObject({ findings: [], holds: 1 })
    await expectSame(home, away)
    expect((await move(home.sqlitePath, away)).type).toBe('known')

    const store = await openStore({ dsn: database.dsn })
    await requireSameSecret(store.db, openCipher(cipherKey()))
    const ledger = await openLedger({ store, clock: systemClock })
    const look = async () => (await store.db.selectFrom('hold').select('id').execute()).length
    await expect.poll(look).toBe(0)
    await expect(move(database.dsn, back)).rejects.toThrow(/is in use by 1 of its gateways/)
    await ledger.credit({ key: 'over there', account: accountId('user', 1), amount: 5n })
    await reserve(ledger, 'call-3')
    const how = { amount: sampleCharge, flags: [], channelId: 3, usageJson: sampleUsageJson }
    await ledger.settle({ holdId: 'call-3', ...how, log: sampleLog('call-3') })
    await ledger.close()
    const nextUser = { username: 'next', password_hash: '', display_name: '', role: 1, created_ms: 0 }
    expect(await insertUser(store.db, nextUser)).toBeGreaterThan(lastUser)
    await store.close()

    await move(database.dsn, back)
    const [there, here] = [await runAudit(away), await runAudit(back)]
    expect(here.report.findings).toEqual([])
    expect(here.totals).toEqual(there.totals)
    rmSync(home.sqlitePath)
  })

  it('a move to a database in use is refused and changes nothing', async () => {
    const taken = await createMigrated()
    const store = await openStore({ dsn: taken.dsn })
    const ledger = await openLedger({ store, clock: systemClock })
    await expect(move(site.sqlitePath, server(taken))).rejects.toThrow(
      /not empty \(it has rows in instance\)/,
    )
    await ledger.close()
    await store.close()
    await openStore({ dsn: taken.dsn }).then((again) => again.close())
    await taken.drop()
  })
})

describe('a move', () => {
  it('a dry run prints what it would copy and writes nothing', async () => {
    const place = file('tried.db')
    const { type, counts } = await move(site.sqlitePath, place, { isDryRun: true })
    expect(type).toBe('tried')
    expect(counts.get('usage_cells')).toBe(600)
    await expect(openView({ sqlitePath: place.sqlitePath })).rejects.toMatchObject({ reason: 'no_database' })
  })

  it.each(['account', 'usage_cells', 'logs'])(
    'a move interrupted in %s resumes, even in the middle of an hour',
    async (step) => {
      const place = file(`cut-${step}.db`)
      await expect(move(site.sqlitePath, place, { progress: breaking(step) })).rejects.toThrow('cut off')
      expect((await move(site.sqlitePath, place)).type).toBe('moved')
      await expectSame({ sqlDsn: '', sqlitePath: site.sqlitePath }, place)
    },
  )

  it('a move refuses a source that was used after the move began, and one that is in use', async () => {
    const [first, place] = [file('first.db'), file('part.db')]
    await move(site.sqlitePath, first)
    await expect(move(first.sqlitePath, place, { progress: breaking('entry') })).rejects.toThrow('cut off')
    const store = await openStore({ sqlitePath: first.sqlitePath, inline: {} })
    await expect(move(first.sqlitePath, place)).rejects.toMatchObject({ reason: 'in_use' })
    const ledger = await openLedger({ store, clock: systemClock })
    await ledger.close()
    await store.close()
    await expect(move(first.sqlitePath, place)).rejects.toThrow(
      /part of another database, or the source was used/,
    )
  })

  it('a move refuses a database whose journal has calls that are not in it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-move-journal-'))
    const from = join(directory, 'killed.db')
    const userAccount = accountId('user', 1)
    const open = async () => {
      const store = await openStore({ sqlitePath: from, inline: {} })
      const journal = { folder: join(directory, 'journal') }
      return { store, ledger: await openLedger({ store, clock: systemClock, journal }) }
    }
    const killed = await open()
    await killed.ledger.credit({ key: 'gift:new:1', account: userAccount, amount: 1_000n })
    await killed.ledger.reserve({ holdId: 'a', userAccount, amount: 10n, ceiling: 10n, priceJson: '{}' })
    await killed.ledger.settle({ holdId: 'a', amount: 7n, flags: [], usageJson: '' })
    await killed.store.close()
    await expect(move(from, file('of-killed.db'))).rejects.toThrow(
      /^The journal .*\.journal has calls that are not in .*: start its gateway once, stop it, and try again\.$/,
    )
    const next = await open()
    await next.ledger.close()
    await next.store.close()
    await move(from, file('of-stopped.db'))
    await killed.ledger.close().catch(() => undefined)
    rmSync(directory, { recursive: true })
  })

  it('a move refuses a target in use, the source itself, another secret, another schema, and a ledger that does not balance', async () => {
    const own = file('own.db')
    const store = await openStore({ sqlitePath: own.sqlitePath, inline: {} })
    await expect(move(site.sqlitePath, own)).rejects.toMatchObject({ reason: 'in_use' })
    await store.close()
    await expect(move(own.sqlitePath, own)).rejects.toThrow(
      '--from names the database of this gateway itself',
    )
    const otherKey = { ...file('sealed.db'), cipherKey: () => Buffer.alloc(32, 7) }
    const from = site.sqlitePath
    await expect(runMove({ from, isDryRun: false, progress: silent, place: otherKey })).rejects.toThrow(
      'CRYPTO_SECRET is not the one',
    )
    change(
      own,
      'update schema_migration set number = 900 where number = (select max(number) from schema_migration)',
    )
    await expect(move(own.sqlitePath, file('older.db'))).rejects.toThrow(
      /has schema 900, this version knows \d+: use the newer version/,
    )
    const wrong = file('wrong.db')
    await move(site.sqlitePath, wrong)
    change(wrong, 'update account set granted = granted + 7, remaining = remaining + 7 where id = 8')
    await expect(move(wrong.sqlitePath, file('never.db'))).rejects.toThrow(/do not balance: 1 findings/)
  })

  it('a move also sums the entries that the totals of the source do not include yet', async () => {
    const [behind, place] = [file('behind.db'), file('caught-up.db')]
    await move(site.sqlitePath, behind)
    change(
      behind,
      `update totals set used = used - ${2n * sampleCharge}, calls = calls - 2 where subject in ('user:1', 'channel:3');
       delete from totals where subject = 'user:1' and used = 0 and calls = 0;
       update watermarks set position = (select id - 1 from entry where op_key = 'consume:call-1') where name = 'totals'`,
    )
    await move(behind.sqlitePath, place)
    await expectSame({ sqlDsn: '', sqlitePath: site.sqlitePath }, place)
  })

  it('an import from a Tollgate database is a move', async () => {
    const environment = { SQLITE_PATH: join(folder, 'command.db') }
    const { code, output } = await runInProcess('import', {
      args: ['--from', site.sqlitePath],
      folder,
      environment,
    })
    expect(output).toContain('The books balance, and are those of the source')
    expect(output).toContain('The next start ends 1 holds of calls that were cut off.')
    expect(code).toBe(0)
  })
})

function change({ sqlitePath }: Place, statement: string): void {
  const database = new DatabaseSync(sqlitePath)
  database.exec(statement)
  database.close()
}

/** Fails after the first batch of a step, or after the second one for `usage_cells`. */
function breaking(step: string): Progress {
  let current = ''
  let batches = 0
  return {
    ...silent,
    start: (what) => {
      current = what
    },
    advance: () => {
      if (current === step && ++batches === (step === 'usage_cells' ? 2 : 1)) throw new Error('cut off')
    },
  }
}
