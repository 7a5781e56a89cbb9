import type { LogRow } from '@tollgate/contract/log'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useMoney } from '../../../shared/format/use-money.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { useTextReader } from '../row-text/use-text-reader.ts'
import { callRow } from './call-row.ts'
import { logColumns } from './columns.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'

const row: LogRow = {
  id: 1,
  request_id: 'call',
  user_id: 1,
  created_at: 1_795_256_458,
  type: 2,
  content: '',
  username: 'admin',
  token_id: 0,
  token_name: '',
  model_name: 'gpt-4o-mini',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  is_stream: false,
  channel: 0,
  channel_name: '',
  group: 'default',
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

interface CellProps {
  readonly name: string
  readonly change: Partial<LogRow>
}

function Cell({ name, change }: CellProps) {
  const t = usageLogMessages.use()
  const money = useMoney()
  const reader = useTextReader()
  const column = logColumns({ isAdmin: true, money, t, reader, onUser: () => undefined }).find(
    ({ key }) => key === name,
  )
  const shown = callRow({ ...row, ...change })
  return (
    <>
      <output>{column?.runsOver?.(shown).join(' ')}</output>
      {column?.render(shown)}
    </>
  )
}

function showCell(name: string, change: Partial<LogRow>) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  return render(
    <QueryClientProvider client={client}>
      <Cell name={name} change={change} />
    </QueryClientProvider>,
  )
}

function show(flags: readonly string[]) {
  showCell('model', { other: JSON.stringify({ flags }) })
}

it('marks a call that a crash interrupted beside its model', () => {
  show(['recovered'])
  expect(screen.getByText('gpt-4o-mini')).toBeDefined()
  expect(screen.getByText('Interrupted')).toBeDefined()
})

it.each([{ flags: [] }, { flags: ['recovered', 'late'] }])(
  'does not mark a call that was charged its actual cost: %j',
  ({ flags }) => {
    show(flags)
    expect(screen.getByText('gpt-4o-mini')).toBeDefined()
    expect(screen.queryByText('Interrupted')).toBeNull()
  },
)

it('the text of an error extends over the empty columns, that of a refund over all but the amount', () => {
  showCell('model', { type: 8, content: 'Unsupported value' })
  expect(screen.getByRole('status').textContent).toBe('use_time prompt completion cost retry details')
  expect(screen.getByText('Unsupported value')).toBeDefined()
  cleanup()
  showCell('model', { type: 8, ...tried(['3', '7']) })
  expect(screen.getByRole('status').textContent).toBe('use_time prompt completion cost')
  cleanup()
  showCell('model', { type: 6, quota: 500 })
  expect(screen.getByRole('status').textContent).toBe('use_time prompt completion')
  cleanup()
  showCell('model', {})
  expect(screen.getByRole('status').textContent).toBe('')
})

function tried(channels: readonly string[]): Partial<LogRow> {
  return { other: JSON.stringify({ admin_info: { use_channel: channels } }) }
}

it('lists channels under Retry only if there was more than one attempt', () => {
  const once = showCell('retry', tried(['3']))
  expect(once.container.textContent).toBe('')
  cleanup()
  expect(showCell('retry', tried(['3', '7'])).container.textContent).toBe('3 → 7')
})
