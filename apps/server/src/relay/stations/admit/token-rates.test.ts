import { memoryCoordination } from '@tollgate/coordination/memory-coordination'
import { ManualClock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/problems/problem'
import { expect, test } from 'vitest'
import { tokenWith } from '../../../../test/relay/parts.ts'
import type { TokenRules } from '../../../snapshots/snapshots.ts'
import { openTokenRates } from './token-rates.ts'

function opened() {
  const clock = new ManualClock()
  const coordination = memoryCoordination({ clock, onFailure: () => undefined })
  return { clock, rates: openTokenRates(coordination, () => undefined) }
}

function limited(rules: Partial<TokenRules>, id = 1) {
  const none = {
    callsPerMinute: undefined,
    tokensPerMinute: undefined,
    parallelCalls: undefined,
    budget: undefined,
  }
  return tokenWith({ id, limits: { ...none, ...rules } })
}

const codeOf = (error: unknown) => (error instanceof Problem ? error.code : error)

test('the limit of calls per minute allows that many simultaneous calls, and more after the minute', async () => {
  const { clock, rates } = opened()
  const token = limited({ callsPerMinute: 3 })
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => rates.countCall(token)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const refusal: unknown = await rates.countCall(token).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'token_rpm_reached', parameters: { count: 3, seconds: 60 } })
  await rates.countCall(limited({ callsPerMinute: 3 }, 2))
  clock.advance(61_000)
  await rates.countCall(token)
})

test('counts are kept when a limit is raised or lowered', async () => {
  const { rates } = opened()
  for (let calls = 0; calls < 3; calls++) await rates.countCall(limited({ callsPerMinute: 3 }))
  await rates.countCall(limited({ callsPerMinute: 4 }))
  expect(await rates.countCall(limited({ callsPerMinute: 2 })).catch(codeOf)).toBe('token_rpm_reached')
})

test('the limit of tokens per minute counts an estimate first and corrects it once when the call ends', async () => {
  const { rates } = opened()
  const token = limited({ tokensPerMinute: 100 })
  const first = await rates.countTokens(token, 80)
  expect(await rates.countTokens(token, 21).catch(codeOf)).toBe('token_tpm_reached')
  first?.used(30)
  first?.used(0)
  const second = await rates.countTokens(token, 70)
  second?.used(500)
  expect(await rates.countTokens(token, 1).catch(codeOf)).toBe('token_tpm_reached')
})

test('a call larger than the limit per minute is refused without a time to retry', async () => {
  const { rates } = opened()
  const refusal: unknown = await rates
    .countTokens(limited({ tokensPerMinute: 100 }), 101)
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'token_tpm_too_small', parameters: { count: 100, needed: 101 } })
  expect(refusal).not.toHaveProperty('parameters.seconds')
})

test('nothing is counted for a token without limits', async () => {
  const { rates } = opened()
  await rates.countCall(tokenWith())
  expect(await rates.countTokens(tokenWith(), 1_000_000)).toBeUndefined()
})
