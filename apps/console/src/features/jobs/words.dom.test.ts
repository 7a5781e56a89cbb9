import type { Job } from '@tollgate/contract/job'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { jobMessages } from './i18n.ts'
import { everyText, outcomeOf, resultText } from './words.ts'

const t = renderHook(() => jobMessages.use()).result.current

const backup: Job = {
  name: 'backup',
  title: { en: 'Back up the database', zh: '备份数据库' },
  every_seconds: 0,
  times: '30 3 * * *',
  runs: 'once',
  state: 'idle',
  started_time: 1,
  ended_time: 2,
  duration_ms: 1_000,
  next_time: 3,
  outcome: 'failed',
  reason: { en: 'The folder is full.', zh: '文件夹已满。' },
  figures: {},
  done: 0,
  total: 0,
}

it('a job with times shows its pattern, and one without them how often it runs', () => {
  expect(everyText(t, backup)).toBe('At 30 3 * * *')
  expect(everyText(t, { ...backup, times: '' })).toBe('On demand')
  expect(everyText(t, { ...backup, times: '', every_seconds: 300 })).toBe('Every 5 min')
})

it('a failure points at the log only when no reason stands below it', () => {
  expect(outcomeOf(t, backup)).toEqual({ tone: 'act', label: 'Failed' })
  expect(outcomeOf(t, { ...backup, reason: null })?.label).toBe('Failed, see the log')
})

it('the figures of a backup and of a receiver of the log have words', () => {
  expect(resultText(t, { ...backup, figures: { bytes: 7, removed: 1 } })).toBe('bytes 7 · removed 1')
  expect(resultText(t, { ...backup, figures: { sent: 3 } })).toBe('sent 3')
})
