import { sha256Hex } from '@tollgate/kit/ids'
import { openCipher } from '@tollgate/kit/cipher'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCode } from '../../src/services/redemption/code.ts'
import { type TargetFolder, makeTarget, cipherKey } from './support/run.ts'
import { type SourceDatabase, sourceServers, sqliteSource } from './support/source-database.ts'
import {
  CODES,
  CODE_QUOTA,
  DRAWINGS,
  HOURS,
  ODD_CODES,
  ODD_ORDERS,
  ORDERS,
  TASKS,
  code,
  codeKey,
  isGift,
  order,
} from './support/source-trade.ts'

const cipher = openCipher(cipherKey())
const sources = [{ label: 'SQLite', make: () => sqliteSource({ isSmall: true }) }].concat(
  (await sourceServers()).map(({ label, make }) => ({ label, make: () => make({ isSmall: true }) })),
)

/** Import of redemption codes, orders, tasks and hourly sums of another installation. */
describe.each(sources)('an import from $label', ({ make }) => {
  let source: SourceDatabase
  let target: TargetFolder
  beforeAll(async () => {
    source = await make()
    target = makeTarget()
    await target.import(source.place)
  })
  afterAll(async () => {
    target.drop()
    await source.drop()
  })

  it('codes keep their ids and state; their keys are hashed and encrypted', async () => {
    const codes = await target.open(({ db }) =>
      db.selectFrom('redemptions').selectAll().orderBy('id').execute(),
    )
    expect(codes).toHaveLength(CODES + 2)
    for (const row of codes.slice(0, CODES)) {
      const original = code(row.id)
      expect(openCode(row, cipher)).toBe(codeKey(row.id))
      expect(row).toMatchObject({
        key_hash: sha256Hex(codeKey(row.id)),
        status: original['status'],
        name: original['name'],
        quota: BigInt(CODE_QUOTA),
        redeemed_time: original['redeemed_time'],
        used_user_id: original['used_user_id'],
        valid_until: original['valid_until'],
        is_gift: isGift(row.id) ? 1 : 0,
        max_uses: original['max_uses'],
        used_count: original['used_count'],
        deleted_ms: original['deleted_at'] === null ? null : Date.parse('2024-05-01T12:34:56Z'),
      })
    }
    const odd = new Map(codes.map((row) => [row.id, row]))
    expect(odd.get(ODD_CODES.strangeStatus)).toMatchObject({ status: 2 })
    expect(odd.get(ODD_CODES.overused)).toMatchObject({ status: 3, max_uses: 4, used_count: 4 })
    expect(odd.has(ODD_CODES.takes)).toBe(false)
  })

  it('each redemption of a gift code is imported once per user', async () => {
    const uses = await target.open(({ db }) => db.selectFrom('redemption_uses').selectAll().execute())
    expect(uses).toHaveLength((source.tables['redemption_logs']?.length ?? 0) - 1)
    expect(new Set(uses.map((use) => `${use.redemption_id} ${use.user_id}`)).size).toBe(uses.length)
  })

  it('orders are imported, and pending ones can still be paid', async () => {
    const orders = await target.open(({ db }) => db.selectFrom('top_ups').selectAll().orderBy('id').execute())
    expect(orders).toHaveLength(ORDERS + 1)
    expect(orders[3]).toMatchObject({
      id: 4,
      trade_no: order(4)['trade_no'],
      status: 'pending',
      quota: 5_000_000n,
      money: '73.00',
      provider_trade_no: null,
    })
    expect(orders.at(-1)).toMatchObject({ id: ODD_ORDERS.strangeStatus, status: 'closed' })
  })

  it('tasks and drawings are imported into one table, with all times in milliseconds', async () => {
    const tasks = await target.open(({ db }) => db.selectFrom('tasks').selectAll().orderBy('id').execute())
    expect(tasks.filter(({ platform }) => platform === 'suno')).toHaveLength(TASKS)
    expect(tasks.filter(({ platform }) => platform === 'mj')).toHaveLength(DRAWINGS)
    const [first] = tasks
    expect(first).toMatchObject({
      task_id: 'f2c1-1',
      status: 'SUCCESS',
      quota: 50_000n,
      submit_ms: 1_718_000_001_000,
      finish_ms: 1_718_000_061_000,
      request_id: null,
    })
    expect(JSON.parse(first?.detail ?? '')).toEqual({ properties: null, data: [{ title: '夜' }] })
    expect(tasks[9]).toMatchObject({ task_id: 'f2c1-10', start_ms: 1_718_000_010_000 })
    const drawing = tasks.find(({ platform }) => platform === 'mj')
    expect(drawing).toMatchObject({ task_id: '1718000000123457', submit_ms: 1_718_000_001_000 })
    expect(JSON.parse(drawing?.detail ?? '')).toMatchObject({ prompt: '一只猫', buttons: [{ label: 'U1' }] })
  })

  it('rows of the same hour become one row, across batches too', async () => {
    const hours = await target.open(({ db }) =>
      db.selectFrom('usage_hours').selectAll().orderBy('hour_at').execute(),
    )
    expect(hours).toHaveLength(HOURS / 3)
    expect(hours[0]).toMatchObject({ hour_at: 3_600, calls: 6, used_tokens: 306, quota: 27n })
    expect(hours.every(({ calls, quota }) => calls === 6 && quota === 27n)).toBe(true)
  })

  it('a second import adds nothing twice and takes new rows', async () => {
    await source.run(
      "insert into top_ups (id, user_id, amount, money, trade_no, create_time, status) values (9000, 3, 1, 7.3, 'late', 1, 'pending')",
    )
    const { report } = await target.import(source.place)
    const written = Object.fromEntries([...report.tables].map(([table, tally]) => [table, tally.written]))
    expect(written).toMatchObject({
      redemptions: 0,
      redemption_logs: 0,
      top_ups: 1,
      tasks: 0,
      midjourneys: 0,
      quota_data: 0,
    })
    const [tasks, hours] = await target.open(({ db }) =>
      Promise.all([
        db.selectFrom('tasks').select('id').execute(),
        db.selectFrom('usage_hours').select('calls').execute(),
      ]),
    )
    expect(tasks).toHaveLength(TASKS + DRAWINGS)
    expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(2 * HOURS)
  })

  it('an import is refused while the target has one of its codes or orders for another user', async () => {
    const other = makeTarget()
    await other.open(({ db }) =>
      db
        .insertInto('top_ups')
        .values({
          user_id: 1,
          trade_no: String(order(9)['trade_no']),
          gateway: 'epay',
          method: '',
          quota: 1n,
          money: '1.00',
          currency: '',
          status: 'pending',
          provider_trade_no: null,
          create_time: 0,
          complete_time: 0,
        })
        .execute(),
    )
    await expect(other.import(source.place)).rejects.toThrow(/order 1 \(.*\) is here already/)
    other.drop()
  })
})
