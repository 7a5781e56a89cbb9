import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { LogRow } from '@tollgate/contract/log'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { callRow } from '../table/call-row.ts'
import { RowDetails } from './row-details.tsx'

const row: LogRow = {
  id: 1,
  request_id: '20261121102058993ENERNLM9',
  user_id: 1,
  created_at: 1_795_256_458,
  type: 2,
  content: '模型倍率 0.07，补全倍率 4.00，分组倍率 1.00',
  username: 'admin',
  token_id: 0,
  token_name: 'playground-default',
  model_name: 'gpt-4o-mini',
  quota: 168,
  prompt_tokens: 1204,
  completion_tokens: 388,
  use_time: 1,
  duration_ms: 871,
  first_byte_ms: 322,
  is_stream: true,
  channel: 1,
  channel_name: 'Fake',
  group: 'default',
  ip: '127.0.0.1',
  other: JSON.stringify({
    model_ratio: 0.075,
    completion_ratio: 4,
    cache_ratio: 0.5,
    model_price: -1,
    group_ratio: 1,
    is_model_mapped: true,
    upstream_model_name: 'gpt-4o-mini-2024',
    flags: ['client_gone'],
    receipt: {
      price_version: 1,
      quota_per_unit: '500000',
      usage: { inputText: 180, cacheRead: 1024, outputText: 388 },
      held: '152',
    },
  }),
  cost: null,
  session: '',
  client: '',
  client_version: '',
  cached_tokens: 0,
  cache_saved: 0,
  upstream_request_id: '',
}

function show(change: Partial<LogRow> = {}) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <QueryClientProvider client={queryClient}>
      <RowDetails row={callRow({ ...row, ...change })} />
    </QueryClientProvider>,
  )
}

it('shows the id of the answer, by which its caller asks what it cost', () => {
  show({ other: JSON.stringify({ answer_id: 'chatcmpl-1' }) })
  expect(screen.getByText('Answer ID').closest('div')?.textContent).toContain('chatcmpl-1')
})

it('shows how the price was computed, and that it matches the charge', () => {
  show()
  expect(screen.getByText('Receipt · price book v1')).toBeDefined()
  expect(screen.getByText('Cache read').closest('li')?.textContent).toBe(
    'Cache read1,024×$0.075 / M$0.000077',
  )
  expect(screen.getByText('Charged').closest('li')?.textContent).toBe('Charged168 units$0.000336')
  expect(screen.getByText('Computed again here: the same amount.')).toBeDefined()
})

it('shows an alert when the recomputed price differs from the charge', () => {
  show({ quota: 170 })
  expect(screen.getByRole('alert').textContent).toContain('give 168 units, but 170 were charged')
})

it('explains settlement flags and mapped models in words', () => {
  show()
  expect(screen.getByText('Caller left · settled 168')).toBeDefined()
  expect(screen.getByText(/closed the connection before the answer was complete/)).toBeDefined()
  expect(screen.getByText('gpt-4o-mini was requested, gpt-4o-mini-2024 answered')).toBeDefined()
})

it.each([
  [2, {}, /You left after 700 ms; the vendor answered after 75 s/],
  [8, {}, /You left after 700 ms; the vendor failed or gave no answer within 75 s/],
  [2, { left_end: 'displaced' }, /later calls were left too, so this one was ended after 75 s/],
  [8, { left_end: 'unsent' }, /before the request was sent, so the call costs nothing/],
  [2, { left_ms: undefined }, /closed the connection before the answer was complete/],
])('says what became of a call of type %d whose caller left', (type, change, words) => {
  const other = { flags: ['client_gone'], left_ms: 700, ...change }
  show({ type, duration_ms: 75_000, other: JSON.stringify(other) })
  expect(screen.getByText(words)).toBeDefined()
})

it('shows the text of a row that is not a call', () => {
  show({ type: 1, other: '', content: 'Redeemed code 42', quota: 0 })
  expect(screen.getByText('Redeemed code 42')).toBeDefined()
  expect(screen.queryByText('What happened')).toBeNull()
})

it('explains why a conversation was stored and what is missing from it', () => {
  const other = JSON.stringify({
    input_content: { role: 'user', content: 'My key is [key]' },
    output_content: 'Change it.',
    text_kept: { redacted: 1, is_cut: true },
  })
  show({ other })
  expect(screen.getByText('My key is [key]')).toBeDefined()
  const mark = screen.getByText(/This conversation was kept/)
  expect(mark.textContent).toMatch(/in 1 places.*More was said/)
})

it('shows the text of an event instead of a stored sentence', () => {
  const other = JSON.stringify({ event: 'check_in', quota: 5000 })
  show({ type: 5, other, content: '签到奖励 ＄0.010000 额度', quota: 0 })
  expect(screen.getByText('Check-in reward of $0.010000')).toBeDefined()
})

it('shows the facts of a charge event that the receipt leaves out, and links to its drawing', () => {
  const members = {
    event: 'call_charged',
    model_price: 0.04,
    model_ratio: 0,
    completion_ratio: 0,
    group_ratio: 1,
  }
  const picture = { size: '1024x1024', quality: 'standard' }
  show({ content: '', other: JSON.stringify({ ...members, picture }) })
  expect(screen.getByText('Size 1024x1024, quality standard')).toBeDefined()
  cleanup()
  const drawing = { event: 'task_charged', task_id: '17180', platform: 'mj', action: 'IMAGINE' }
  show({ content: '', other: JSON.stringify({ ...drawing, model_price: 0.1, group_ratio: 1 }) })
  expect(screen.getByText('Imagine')).toBeDefined()
  const link = screen.getByRole('link', { name: '17180' })
  expect(link.getAttribute('href')).toBe('/midjourney?task_id=17180')
  expect(screen.queryByText('Details')).toBeNull()
})

it('links to its own address, for another tab or reader', () => {
  show()
  const link = screen.getByRole('link', { name: row.request_id })
  expect(link.getAttribute('href')).toBe(`/log?request_id=${row.request_id}`)
})

function failed(detail: string): Partial<LogRow> {
  const other = JSON.stringify({ error_code: 'overloaded', admin_info: { detail } })
  return { type: 8, quota: 0, content: 'The provider is overloaded', other }
}

it("shows the failure of a call once, and the provider's further detail to operators", () => {
  show(failed('overloaded The provider is overloaded'))
  expect(screen.getAllByText(/provider is overloaded/)).toHaveLength(1)
  expect(screen.queryByText('Cause')).toBeNull()
  cleanup()
  show(failed('Engine busy, queue of 812'))
  expect(screen.getByText('Engine busy, queue of 812')).toBeDefined()
  expect(screen.getByText('Cause')).toBeDefined()
})

it('shows the drawing of a charge or a refund and links to it', () => {
  const drawing = {
    content: '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 17180',
    other: JSON.stringify({ task_id: '17180', model_price: 0.1, group_ratio: 1 }),
  }
  show(drawing)
  expect(screen.getByText('Imagine')).toBeDefined()
  const link = screen.getByRole('link', { name: '17180' })
  expect(link.getAttribute('href')).toBe('/midjourney?task_id=17180')
  expect(screen.queryByText('Details')).toBeNull()
  cleanup()
  const refund = { task_id: 'task_a', action: 'MUSIC', platform: 'suno', reason: 'the upstream failed' }
  show({ type: 6, content: '异步任务执行失败 task_a，补偿 5 点额度', other: JSON.stringify(refund) })
  expect(screen.getByRole('link', { name: 'task_a' }).getAttribute('href')).toBe('/task?task_id=task_a')
  expect(screen.getByText('The upstream reported a failure without a reason')).toBeDefined()
})

it('shows the image size beside a receipt, without repeating the ratios', () => {
  show({ content: '模型价格 0.04，分组倍率 1.00，大小 1024x1024, 品质 standard' })
  expect(screen.getByText('Size 1024x1024, quality standard')).toBeDefined()
})
