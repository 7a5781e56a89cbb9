import type { LogRow } from '@tollgate/contract/log'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useMoney } from '../../../shared/format/use-money.ts'
import { usageLogMessages } from '../i18n.ts'
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
}

function ModelCell({ flags }: { readonly flags: readonly string[] }) {
  const t = usageLogMessages.use()
  const money = useMoney()
  const column = logColumns({ isAdmin: true, money, t, onUser: () => undefined }).find(
    ({ key }) => key === 'model',
  )
  return <>{column?.render(callRow({ ...row, other: JSON.stringify({ flags }) }))}</>
}

function show(flags: readonly string[]) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <QueryClientProvider client={client}>
      <ModelCell flags={flags} />
    </QueryClientProvider>,
  )
}

it('marks a call that a crash interrupted beside its model', () => {
  show(['recovered'])
  expect(screen.getByText('gpt-4o-mini')).toBeDefined()
  expect(screen.getByText('Interrupted')).toBeDefined()
})

it.each([{ flags: [] }, { flags: ['recovered', 'late'] }])(
  'marks no call that was charged what it cost: %j',
  ({ flags }) => {
    show(flags)
    expect(screen.getByText('gpt-4o-mini')).toBeDefined()
    expect(screen.queryByText('Interrupted')).toBeNull()
  },
)
