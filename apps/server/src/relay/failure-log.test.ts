import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LINES_PER_SECOND, openFailureLog } from './failure-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openLines() {
  const lines: Record<string, unknown>[] = []
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields })
  const failureLog = openFailureLog({ info: write('info'), warn: write('warn'), error: write('error') })
  return { lines, failureLog }
}

const call = { id: 'r1', upstreamRequestId: 'up1', isGone: false, trail: [] }
const attempt = { status: 429, code: 'rate_limited', channelId: 7, keyIndex: 1, durationMs: 12.4 }

test('a failed attempt is written with its ids, channel, status and cause', () => {
  const { lines, failureLog } = openLines()
  failureLog.attemptFailed(call, attempt)
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'an attempt at an upstream failed',
      requestId: 'r1',
      upstreamRequestId: 'up1',
      channelId: 7,
      keyIndex: 1,
      status: 429,
      cause: 'rate_limited',
      durationMs: 12,
    },
  ])
})

test('a refusal is information, and a failure behind an attempt a warning', () => {
  const { lines, failureLog } = openLines()
  failureLog.callFailed(call, { status: 401, code: 'token_exhausted' })
  failureLog.callFailed(call, { status: 503, code: 'no_channel' })
  const note = { channelId: 1, keyIndex: 0, group: 'g', outcome: 'x', status: 400, durationMs: 1 }
  failureLog.callFailed({ ...call, trail: [note] }, { status: 400, code: 'x' })
  expect(lines.map(({ level, cause, attempts }) => [level, cause, attempts])).toEqual([
    ['info', 'token_exhausted', 0],
    ['warn', 'no_channel', 0],
    ['warn', 'x', 1],
  ])
})

test('lines beyond the limit of a second are counted in one', () => {
  const { lines, failureLog } = openLines()
  for (let count = 0; count < LINES_PER_SECOND + 30; count++) failureLog.attemptFailed(call, attempt)
  expect(lines).toHaveLength(LINES_PER_SECOND)
  vi.advanceTimersByTime(1_000)
  expect(lines.at(-1)).toMatchObject({ count: 30, message: 'more attempts failed than are logged' })
  failureLog.attemptFailed(call, attempt)
  expect(lines).toHaveLength(LINES_PER_SECOND + 2)
})

test('refused calls do not use up the lines of failed attempts', () => {
  const { lines, failureLog } = openLines()
  for (let count = 0; count < 1000; count++)
    failureLog.callFailed(call, { status: 401, code: 'token_invalid' })
  failureLog.attemptFailed(call, attempt)
  expect(lines.at(-1)).toMatchObject({ channelId: 7 })
  failureLog.close()
  expect(lines.at(-1)).toMatchObject({ count: 1000 - LINES_PER_SECOND })
})

test('a code that a vendor wrote is cut, and loses what is not plain', () => {
  const { lines, failureLog } = openLines()
  failureLog.attemptFailed(call, { ...attempt, code: `bad\nline ${'x'.repeat(500)}` })
  failureLog.attemptFailed(call, { ...attempt, code: '密' })
  expect(lines.map(({ cause }) => cause)).toEqual([`badline${'x'.repeat(57)}`, 'unknown'])
})

test('an attempt that the caller ended is not a failure', () => {
  const { lines, failureLog } = openLines()
  failureLog.attemptFailed({ ...call, isGone: true }, attempt)
  expect(lines).toEqual([])
})
