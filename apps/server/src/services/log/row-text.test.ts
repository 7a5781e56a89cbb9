import type { LogRow } from '@tollgate/contract/log'
import { problem } from '@tollgate/problems/problem'
import { describe, expect, it } from 'vitest'
import type { Options } from '../services.ts'
import { type LogReader, withContent, withExportedContent } from './row-text.ts'

const values: Readonly<Record<string, unknown>> = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these two are read
const options = { get: (key: string) => values[key] } as Options
const en: LogReader = { options, language: 'en', userHeader: 'own' }
const zh: LogReader = { ...en, language: 'zh' }
/** Clients of the old API get Chinese text whatever their language. */
const old: LogReader = { ...en, userHeader: 'family' }

const row: LogRow = {
  id: 1,
  request_id: 'call',
  user_id: 1,
  created_at: 1_795_256_458,
  type: 2,
  content: '',
  username: 'alice',
  token_id: 0,
  token_name: '',
  model_name: 'gpt-4o',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  is_stream: false,
  channel: 0,
  channel_name: '',
  group: 'vip',
  ip: '',
  other: '',
  cost: null,
  session: '',
  client: '',
  client_version: '',
  cached_tokens: 0,
  cache_saved: 0,
  upstream_request_id: '',
}

describe('a row with an event', () => {
  const checkIn = { ...row, type: 5, other: '{"event":"check_in","quota":5000}' }

  it('has a text in the reader’s language, and new-api’s sentence for clients of the old API', () => {
    expect(withContent(checkIn, en).content).toBe('Check-in reward of $0.010000')
    expect(withContent(checkIn, zh).content).toBe('签到奖励 $0.010000')
    expect(withContent(checkIn, old).content).toBe('签到奖励 ＄0.010000 额度')
    expect(withContent(checkIn, { ...old, userHeader: undefined }).content).toBe('签到奖励 ＄0.010000 额度')
  })

  it('of an earlier version keeps its stored sentence for clients of the old API', () => {
    const earlier = { ...checkIn, content: '签到奖励 ＄0.020000 额度' }
    expect(withContent(earlier, old)).toBe(earlier)
    expect(withContent(earlier, en).content).toBe('Check-in reward of $0.010000')
  })

  it('of a partial refund repeats its text as `reason` for clients of the old API', () => {
    const event = { event: 'task_settled_for_less', task_id: 'task_a', tokens: 120, quota: 15_000 }
    const shown = withContent(
      { ...row, type: 6, other: JSON.stringify({ ...event, platform: 'video' }) },
      old,
    )
    const content = '异步任务 task_a 按实际 120 tokens 结算，退还 ＄0.030000 额度'
    expect(shown.content).toBe(content)
    expect(JSON.parse(shown.other)).toEqual({ ...event, platform: 'video', reason: content })
  })
})

describe('a row without an event', () => {
  const imported = {
    ...row,
    content: '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00',
    other: '{"model_ratio":1.25}',
  }

  it('keeps its sentence, which is translated only in exported files', () => {
    for (const reader of [en, zh, old]) expect(withContent(imported, reader)).toBe(imported)
    expect(withExportedContent(imported, old)).toBe(imported)
    expect(withExportedContent(imported, en).content).toBe(
      'Model ratio 1.25, completion ratio 4.00, group ratio 1.00',
    )
  })
})

describe('a failed call', () => {
  const refusal = problem('no_channel', { model: 'gpt-4o', group: 'vip' })
  const other = JSON.stringify({ problem: { code: refusal.code, parameters: refusal.parameters } })
  const failed = { ...row, type: 8, content: refusal.textIn('en'), other }

  it('shows our own error text with its values in the reader’s language', () => {
    expect(withContent(failed, zh).content).toBe(refusal.textIn('zh'))
    expect(refusal.textIn('zh')).toContain('gpt-4o')
    expect(withContent(failed, en)).toBe(failed)
  })

  it('shows the stored text to clients of the old API', () => {
    expect(withContent(failed, { ...old, language: 'zh' })).toBe(failed)
  })

  it('of an earlier version is translated by its error code; other texts stay unchanged', () => {
    const missing = problem('model_required')
    const older = { ...failed, content: missing.textIn('en'), other: '{"error_code":"model_required"}' }
    expect(withContent(older, zh).content).toBe(missing.textIn('zh'))
    const unknown = ['{"error_code":"model_required"}', '{"error_code":"overloaded"}', '', '{"problem":1}']
    for (const each of unknown)
      expect(withContent({ ...failed, other: each }, zh).content).toBe(failed.content)
  })
})
