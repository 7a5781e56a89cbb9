import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { accountId } from '@tollgate/ledger/account'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quotaRecord, recordQuotaChange } from '../../src/services/admin-user/quota-record.ts'
import { openChanges } from '../../src/services/change.ts'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'

/** The ledger commits a change of a quota, and then something prevents its audit row and its log row. */
const databases = [
  { label: 'the embedded database', createMigrated: undefined },
  ...(await answeringServers()),
]

const HOUR_MS = 3_600_000
const NOTE = 'sorry for the outage'

describe.each(databases)('on $label', ({ createMigrated }) => {
  const clock = new ManualClock()
  let database: TestDatabase | undefined
  let gateway: TestServer

  beforeAll(async () => {
    database = await createMigrated?.()
    gateway = await startTestServer({
      clock,
      hasThreads: true,
      ...(database && { environment: { SQL_DSN: database.dsn } }),
    })
  })
  afterAll(async () => {
    await gateway.close()
    await database?.drop()
  })

  const change = (user: Visitor) =>
    gateway.root.call(routes.adminUser.changeQuota, {
      params: { id: user.id },
      body: { delta: 700, note: NOTE, operation_key: `form-${user.id}-once` },
    })

  async function auditRows({ id }: Visitor) {
    const query = { entity: 'user', action: 'quota', entity_id: String(id) }
    return (await gateway.root.call(routes.audit.list, { query })).items
  }

  const logRows = ({ id }: Visitor) =>
    gateway.server.store.db
      .selectFrom('logs')
      .select(['created_at', 'other'])
      .where('user_id', '=', id)
      .where('request_id', 'like', 'adjust:%')
      .execute()

  const balanceOf = async ({ id }: Visitor) =>
    (await gateway.server.ledger.balance(accountId('user', id)))?.remaining

  async function expectRecordedOnce(user: Visitor, changedMs: number): Promise<void> {
    await expect.poll(() => auditRows(user)).not.toEqual([])
    const [row, ...more] = await auditRows(user)
    expect(more).toEqual([])
    expect(row).toMatchObject({ actor_id: gateway.root.id, created_at: Math.floor(changedMs / 1000) })
    expect(row?.address).toMatch(/127\.0\.0\.1|::1/)
    expect(JSON.parse(row?.before ?? '')).toEqual({ quota: '0' })
    expect(JSON.parse(row?.after ?? '')).toEqual({ quota: '700', note: NOTE })
    const logs = await logRows(user)
    expect(logs).toMatchObject([{ created_at: Math.floor(changedMs / 1000) }])
    expect(JSON.parse(logs[0]?.other ?? '')).toEqual({
      event: 'quota_changed',
      before: 0,
      after: 700,
      by: gateway.root.id,
      note: NOTE,
    })
    expect(await balanceOf(user)).toBe(700n)
  }

  test('a change is in the audit log and in the log as soon as it is answered, once', async () => {
    const user = await gateway.user()
    const changedMs = clock.nowMs()
    expect(await change(user)).toEqual({ before: 0, after: 700 })
    expect(await auditRows(user)).toHaveLength(1)
    expect(await change(user)).toEqual({ before: 0, after: 700 })
    gateway = await gateway.restart()
    await expectRecordedOnce(user, changedMs)
  })

  /** Changes the quota; the process dies right after the ledger's commit. */
  async function changeAndDie(user: Visitor): Promise<void> {
    const { ledger } = gateway.server
    const adjust = ledger.adjust.bind(ledger)
    ledger.adjust = async (input) => {
      ledger.adjust = adjust
      await adjust(input)
      throw new Error('the process died here')
    }
    await expect(change(user)).rejects.toThrow()
    expect(await balanceOf(user)).toBe(700n)
  }

  test('a change is recorded after a restart when the process died right after the ledger’s commit', async () => {
    const user = await gateway.user()
    const changedMs = clock.nowMs()
    await changeAndDie(user)
    clock.advance(HOUR_MS)
    gateway = await gateway.restart()
    await expectRecordedOnce(user, changedMs)
    expect(await change(user)).toEqual({ before: 0, after: 700 })
    await expectRecordedOnce(user, changedMs)
  })

  test('a change that several processes record at the same time is recorded once', async () => {
    const user = await gateway.user()
    const changedMs = clock.nowMs()
    await changeAndDie(user)
    const { id } = user
    const key = `user:${id}:form-${id}-once`
    const record = quotaRecord({
      key,
      userId: id,
      actorId: gateway.root.id,
      address: '127.0.0.1',
      note: NOTE,
    })
    const parts = { store: gateway.server.store.db, clock, notices: { publish: async () => undefined } }
    const services = { ...parts, ...openChanges(parts) }
    await Promise.all([1, 2, 3, 4].map(() => recordQuotaChange(services, record)))
    await expectRecordedOnce(user, changedMs)
  })

  test('a change is answered, and recorded later, when the audit log cannot be written', async () => {
    const user = await gateway.user()
    const changedMs = clock.nowMs()
    await sql`alter table audit_log rename to audit_elsewhere`.execute(gateway.server.store.db)
    expect(await change(user)).toEqual({ before: 0, after: 700 })
    await sql`alter table audit_elsewhere rename to audit_log`.execute(gateway.server.store.db)
    clock.advance(HOUR_MS)
    gateway = await gateway.restart()
    await expectRecordedOnce(user, changedMs)
  })
})
