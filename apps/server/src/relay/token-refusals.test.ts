import { LOG_TYPE } from '@tollgate/kit/codes'
import { invariant } from '@tollgate/kit/invariant'
import type { TokenRefusals as RefusedCount } from '@tollgate/store/accounts/token-refusals'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { heldWith } from '../../test/relay/parts.ts'
import { ENTRIES_MAX, openTokenRefusals, ROWS_PER_TOKEN_MAX } from './token-refusals.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000
function readToken() {
  const { token } = heldWith().caller
  invariant(token !== undefined, 'a held call of the tests has a token')
  return token
}
const someToken = readToken()

function openCounts() {
  const rows: UsageLogRow[] = []
  const sums = new Map<string, number>()
  const state = { isDown: false }
  const refusals = openTokenRefusals({
    clock: { nowMs: () => Date.now(), monotonicMs: () => Date.now() },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    writeLogRows: async (written) => {
      if (state.isDown) throw new Error('down')
      rows.push(...written)
    },
    writeTokenRefusals: async (counts: readonly RefusedCount[]) => {
      if (state.isDown) throw new Error('down')
      for (const { tokenId, code, refused } of counts)
        sums.set(`${tokenId} ${code}`, (sums.get(`${tokenId} ${code}`) ?? 0) + refused)
    },
  })
  const note = (parts: { id?: number; code?: string; address?: string; hasRow?: boolean } = {}) => {
    const { id = 1, code = 'token_exhausted', address = '192.0.2.1', hasRow = false } = parts
    refusals.note({ token: { ...someToken, id }, code, address, hasRow })
  }
  const count = () => rows.reduce((sum, { other }) => sum + JSON.parse(other).refused, 0)
  return { rows, sums, state, refusals, note, count }
}

test('the refused calls of a minute are one row for each token and reason', async () => {
  const { rows, sums, note } = openCounts()
  for (let call = 1; call <= 212; call++) note({ address: `192.0.2.${call}` })
  note({ code: 'token_expired' })
  note({ id: 2 })
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(rows.map(({ token_id: id, type, ip, other }) => [id, type, ip, JSON.parse(other)])).toEqual([
    [
      1,
      LOG_TYPE.refusal,
      '192.0.2.212',
      {
        event: 'calls_refused',
        refused: 212,
        reason: 'token_exhausted',
        first_address: '192.0.2.1',
        last_address: '192.0.2.212',
      },
    ],
    [1, LOG_TYPE.refusal, '192.0.2.1', expect.objectContaining({ refused: 1, reason: 'token_expired' })],
    [2, LOG_TYPE.refusal, '192.0.2.1', expect.objectContaining({ refused: 1 })],
  ])
  expect([...sums]).toEqual([
    ['1 token_exhausted', 212],
    ['1 token_expired', 1],
    ['2 token_exhausted', 1],
  ])
})

test('a call with a row of its own counts for its token and gets no second row', async () => {
  const { rows, sums, note, refusals } = openCounts()
  note({ hasRow: true })
  note({ hasRow: true })
  note()
  await refusals.close()
  expect(rows.map(({ other }) => JSON.parse(other).refused)).toEqual([1])
  expect([...sums.values()]).toEqual([3])
})

test('a token has a limited number of rows in an hour, and none of its calls is lost', async () => {
  const { rows, sums, note, count } = openCounts()
  const minutes = ROWS_PER_TOKEN_MAX + 15
  for (let minute = 0; minute < minutes; minute++) {
    note()
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
  }
  expect(rows.filter(({ token_id: id }) => id === 1)).toHaveLength(ROWS_PER_TOKEN_MAX)
  expect(rows.filter(({ token_id: id }) => id === 0)).toHaveLength(15)
  expect(count()).toBe(minutes)
  expect(sums.get('1 token_exhausted')).toBe(minutes)
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  note()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(rows.at(-1)?.token_id).toBe(1)
})

test('tokens beyond the limit of a minute share one row', async () => {
  const { rows, note, count, refusals } = openCounts()
  for (let id = 1; id <= ENTRIES_MAX + 500; id++) note({ id })
  await refusals.close()
  expect(rows).toHaveLength(ENTRIES_MAX + 1)
  expect(rows.at(-1)).toMatchObject({ token_id: 0, user_id: 0, username: '' })
  expect(JSON.parse(rows.at(-1)?.other ?? '')).toMatchObject({ refused: 500, reason: 'several' })
  expect(count()).toBe(ENTRIES_MAX + 500)
})

test('what the database refuses is written in the next minute, once', async () => {
  const { rows, sums, state, note, count } = openCounts()
  state.isDown = true
  note()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(rows).toEqual([])
  note()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  state.isDown = false
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect([count(), sums.get('1 token_exhausted')]).toEqual([2, 2])
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  expect(count()).toBe(2)
})
