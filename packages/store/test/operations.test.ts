import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTraffic, removeTraffic, sumTraffic } from '../src/channels/traffic.ts'
import {
  countSentAlerts,
  insertOpenAlert,
  listOpenAlerts,
  listTokenBudgets,
  oldestDueWorkMs,
  removeOpenAlert,
} from '../src/operations/alerts.ts'
import { addChargeNote, listChargeNotes, pruneChargeNotes } from '../src/operations/charge-notes.ts'
import {
  addMemberSighting,
  listMemberSightings,
  pruneMemberSightings,
  type MemberSighting,
} from '../src/operations/member-sightings.ts'
import { addModelDay, busiestModels, listModelDays, removeModelDays } from '../src/operations/model-days.ts'
import {
  listNodeFigures,
  removeNode,
  removeNodeFigures,
  writeNodeFigures,
} from '../src/operations/node-figures.ts'
import { insertWork } from '../src/operations/outbox.ts'
import { addTokenRefusals, removeOldTokenRefusals, sumTokenRefusals } from '../src/accounts/token-refusals.ts'
import { insertToken } from '../src/accounts/tokens.ts'
import { insertUser } from '../src/accounts/user-changes.ts'
import type { Db } from '../src/tables/schema.ts'
import { accountRow, someToken, someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

/** Queries of alerts, of the operations page and of the status page, on every engine. */
describe.each(engines)('operations on $name', ({ place: newPlace }) => {
  let place: Place
  let db: Db

  beforeAll(async () => {
    place = await newPlace()
    ;({ db } = await place.open())
  })
  afterAll(() => place.remove())

  it('an alert opens once and closes once', async () => {
    const alert = { name: 'debt:1', rule: 'debt', subject: '1', words: '{}', since_ms: 5, is_sent: 1 }
    expect(await insertOpenAlert(db, alert)).toBe(true)
    expect(await insertOpenAlert(db, { ...alert, since_ms: 6 })).toBe(false)
    expect(await listOpenAlerts(db)).toMatchObject([alert])
    expect(await removeOpenAlert(db, 'debt:1')).toBe(true)
    expect(await removeOpenAlert(db, 'debt:1')).toBe(false)
    expect(await listOpenAlerts(db)).toEqual([])
  })

  it('refused calls of a token are added up by reason and time, and pruned by age', async () => {
    const [token, other] = [7, 8]
    await addTokenRefusals(db, { tokenId: token, code: 'token_exhausted', refused: 3 }, 900)
    await addTokenRefusals(db, { tokenId: token, code: 'token_exhausted', refused: 4 }, 1799)
    await addTokenRefusals(db, { tokenId: token, code: 'token_exhausted', refused: 5 }, 1800)
    await addTokenRefusals(db, { tokenId: token, code: 'token_expired', refused: 20 }, 1800)
    await addTokenRefusals(db, { tokenId: other, code: 'token_expired', refused: 1 }, 1800)
    const sum = (since: number) => sumTokenRefusals(db, { tokenIds: [token, other], since })
    expect(await sum(0)).toEqual([
      { tokenId: token, code: 'token_expired', refused: 20 },
      { tokenId: token, code: 'token_exhausted', refused: 12 },
      { tokenId: other, code: 'token_expired', refused: 1 },
    ])
    expect((await sum(1800)).map(({ refused }) => refused)).toEqual([20, 5, 1])
    expect(await sumTokenRefusals(db, { tokenIds: [], since: 0 })).toEqual([])
    await Promise.all(
      [1, 2, 3].map(() => addTokenRefusals(db, { tokenId: 9, code: 'token_disabled', refused: 2 }, 2700)),
    )
    expect(await sumTokenRefusals(db, { tokenIds: [9], since: 0 })).toMatchObject([{ refused: 6 }])
    await removeOldTokenRefusals(db, 1800)
    expect((await sum(0)).map(({ refused }) => refused)).toEqual([20, 5, 1])
  })

  it('sightings of members are added up by place, listed by time, and pruned by age and number', async () => {
    const seen: MemberSighting = {
      kind: 'unknown',
      wire: 'chat',
      member: 'reasoning.depth',
      channel_id: 1,
      client: 'sdk',
      client_version: '1',
      passed: 2,
      taken: 1,
    }
    await addMemberSighting(db, seen, 10)
    await addMemberSighting(db, { ...seen, client_version: '2', passed: 3 }, 20)
    await addMemberSighting(db, { ...seen, member: 'other' }, 30)
    await addMemberSighting(db, { ...seen, kind: 'taken' }, 5)
    expect(await listMemberSightings(db, 'unknown', 10)).toMatchObject([
      { member: 'other', passed: 2, taken: 1, first_ms: 30 },
      { member: 'reasoning.depth', passed: 5, taken: 2, client_version: '2', first_ms: 10, last_ms: 20 },
    ])
    expect(await listMemberSightings(db, 'unknown', 1)).toHaveLength(1)
    await pruneMemberSightings(db, { sinceMs: 10, keptMax: 1 })
    expect(await listMemberSightings(db, 'unknown', 10)).toMatchObject([{ member: 'other' }])
    expect(await listMemberSightings(db, 'taken', 10)).toEqual([])
  })

  it('notes about charges are added up by day, and listed as sums of the days', async () => {
    const day = 86_400_000
    const note = { kind: 'waived', channel_id: 1, model: 'm', detail: 'a', calls: 2, quota: 70n }
    await Promise.all([addChargeNote(db, note, day * 3), addChargeNote(db, note, day * 3 + 5)])
    await addChargeNote(db, { ...note, detail: 'b' }, day * 4)
    await addChargeNote(db, { ...note, model: 'other' }, day * 4 + 1)
    await addChargeNote(db, { ...note, quota: 2n ** 60n }, day)
    const all = await listChargeNotes(db, { sinceDay: 2, limit: 10 })
    expect(all).toEqual([
      { ...note, model: 'other', first_ms: day * 4 + 1, last_ms: day * 4 + 1 },
      { ...note, detail: 'b', calls: 6, quota: 210n, first_ms: expect.any(Number), last_ms: day * 4 },
    ])
    expect(await listChargeNotes(db, { sinceDay: 0, limit: 1 })).toHaveLength(1)
    await pruneChargeNotes(db, 4)
    const [, rest] = await listChargeNotes(db, { sinceDay: 0, limit: 10 })
    expect(rest).toMatchObject({ calls: 2, quota: 70n, first_ms: day * 4 })
  })

  it('queued alerts are counted, and the oldest waiting work is found', async () => {
    expect(await oldestDueWorkMs(db)).toBeUndefined()
    const work = { kind: 'mail', payload: '', nowMs: 10 }
    await insertWork(db, { ...work, cause: 'alert:debt:1', dueMs: 30 })
    await insertWork(db, { ...work, cause: 'gift:1', dueMs: 20 })
    expect(await countSentAlerts(db, 10)).toBe(1)
    expect(await countSentAlerts(db, 11)).toBe(0)
    expect(await oldestDueWorkMs(db)).toBe(20)
  })

  it('budgets of tokens of administrators are listed with what was spent', async () => {
    const admin = await insertUser(db, { ...someUser, username: 'admin', role: 10 })
    const user = await insertUser(db, { ...someUser, username: 'user' })
    const budget = { budget_quota: 50n, budget_period: 'day' }
    const ids: number[] = []
    for (const [index, owner] of [admin, user].entries()) {
      const id = await insertToken(db, {
        ...someToken,
        ...budget,
        user_id: owner,
        key_hash: `budget ${index}`,
      })
      const account = accountRow(id, { kind: 'token', id: id * 4 + 1 })
      await db
        .insertInto('account')
        .values({ ...account, budget_base: 3n, budget_since_ms: 7 })
        .execute()
      ids.push(id)
    }
    expect(await listTokenBudgets(db, 10)).toMatchObject([
      { id: ids[0], budget_quota: 50n, budget_period: 'day', budget_base: 3n, budget_since_ms: 7 },
    ])
  })

  it('calls of a model add up by day', async () => {
    const few = { day: 2, model: 'few', succeeded: 1, failed: 2 }
    const many = { day: 2, model: 'many', succeeded: 4, failed: 0 }
    await Promise.all([few, many, many].map((counted) => addModelDay(db, counted)))
    await addModelDay(db, { ...few, day: 1 })
    expect(await busiestModels(db, 2, 10)).toEqual(['many', 'few'])
    expect(await busiestModels(db, 2, 1)).toEqual(['many'])
    expect(await listModelDays(db, { models: ['many'], sinceDay: 2 })).toEqual([{ ...many, succeeded: 8 }])
    await removeModelDays(db, 2)
    expect(await listModelDays(db, { models: ['few'], sinceDay: 0 })).toEqual([few])
  })

  it('a process replaces its figures, and old ones are removed', async () => {
    await writeNodeFigures(db, { id: 'a', at_ms: 1, figures: '{}' })
    await writeNodeFigures(db, { id: 'a', at_ms: 9, figures: '{"calls":1}' })
    await writeNodeFigures(db, { id: 'b', at_ms: 2, figures: '{}' })
    expect(await listNodeFigures(db, 3)).toMatchObject([{ id: 'a', at_ms: 9, figures: '{"calls":1}' }])
    await removeNodeFigures(db, 9)
    expect(await listNodeFigures(db, 0)).toHaveLength(1)
    await removeNode(db, 'a')
    expect(await listNodeFigures(db, 0)).toEqual([])
  })

  it('attempts on all channels are summed', async () => {
    expect(await sumTraffic(db, 0)).toEqual({ succeeded: 0, failed: 0 })
    const row = { channel_id: 1, succeeded: 2, failed: 1, first_bytes: '', errors: '' }
    await insertTraffic(
      db,
      [10, 20, 30].map((at_ms) => ({ ...row, at_ms })),
    )
    expect(await sumTraffic(db, 20)).toEqual({ succeeded: 4, failed: 2 })
    expect(await removeTraffic(db, 40)).toBe(3)
  })
})
