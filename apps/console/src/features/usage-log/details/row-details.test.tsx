import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { LogRow } from '@tollgate/contract/log'
import { render, screen } from '@testing-library/react'
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
}

function show(change: Partial<LogRow> = {}) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <QueryClientProvider client={queryClient}>
      <RowDetails row={callRow({ ...row, ...change })} />
    </QueryClientProvider>,
  )
}

it('shows how the price was made, and that it is right', () => {
  show()
  expect(screen.getByText('Receipt · price book v1')).toBeDefined()
  expect(screen.getByText('Cache read').closest('li')?.textContent).toBe(
    'Cache read1,024×$0.075 / M$0.000077',
  )
  expect(screen.getByText('Charged').closest('li')?.textContent).toBe('Charged168 units$0.000336')
  expect(screen.getByText('Computed again here: the same amount.')).toBeDefined()
})

it('raises an alarm when the numbers do not lead to the charge', () => {
  show({ quota: 170 })
  expect(screen.getByRole('alert').textContent).toContain('give 168 units, but 170 were charged')
})

it('explains flags and mapped models in words', () => {
  show()
  expect(screen.getByText('Caller left · settled 168')).toBeDefined()
  expect(screen.getByText(/closed the connection before the answer had ended/)).toBeDefined()
  expect(screen.getByText('gpt-4o-mini was asked for, gpt-4o-mini-2024 answered')).toBeDefined()
})

it('shows the text of a row that is no call', () => {
  show({ type: 1, other: '', content: 'Redeemed code 42', quota: 0 })
  expect(screen.getByText('Redeemed code 42')).toBeDefined()
  expect(screen.queryByText('What happened')).toBeNull()
})

it('says of a kept conversation why it is there and what is missing', () => {
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

it('links to itself, for another tab or reader', () => {
  show()
  const link = screen.getByRole('link', { name: row.request_id })
  expect(link.getAttribute('href')).toBe(`/log?request_id=${row.request_id}`)
})
