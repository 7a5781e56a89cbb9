import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { amountColumn } from './amount-column.tsx'
import type { Column } from './column.ts'
import { DataTable } from './data-table.tsx'

interface Account {
  readonly id: number
  readonly units: number | undefined
}

const columns: readonly Column<Account>[] = [
  amountColumn({
    key: 'left',
    title: 'Left',
    amount: ({ units }) => units,
    instead: () => 'Unlimited',
  }),
]

function cellsOf(...units: readonly Account['units'][]): readonly HTMLElement[] {
  const rows = units.map((one, index) => ({ id: index + 1, units: one }))
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <QueryClientProvider client={client}>
      <DataTable
        label="Accounts"
        source={{
          data: { rows, total: rows.length },
          error: null,
          isFetching: false,
          refetch: () => undefined,
        }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{ title: 'None' }}
      />
    </QueryClientProvider>,
  )
  return screen.getAllByRole('cell')
}

it('shows the visible rows with the same number of decimals, and every digit in the title', () => {
  const cells = cellsOf(14_270_820, 26_000, undefined, 0)
  expect(cells.map(({ textContent }) => textContent)).toEqual(['$28.54', '$0.05', 'Unlimited', '$0.00'])
  expect(screen.getByTitle('$28.541640').textContent).toBe('$28.54')
})

it('shows more decimals if an amount is below one cent', () => {
  expect(cellsOf(2_000, 26_000).map(({ textContent }) => textContent)).toEqual(['$0.0040', '$0.0520'])
})
