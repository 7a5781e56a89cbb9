import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Column, SortOrder } from './column.ts'
import { PhoneSort } from './phone-sort.tsx'

const columns: readonly Column<object>[] = [
  { key: 'name', title: 'Name', render: () => '' },
  { key: 'used', title: 'Used', canSort: true, render: () => '' },
]

// Reading the library for the first time takes a busy machine longer than a test waits.
beforeAll(() => import('../on-demand/library-select.tsx'), 60_000)

/** The select takes the place of what was pressed, so the press is all of the click that this element gets. */
async function choose(title: string): Promise<void> {
  fireEvent.pointerDown(select(), { pointerType: 'mouse', button: 0 })
  fireEvent.click(await screen.findByTitle(title))
}

const select = () => screen.getByRole('combobox', { name: 'Sort by' })

it('orders a list by what its headings would', async () => {
  const onChange = vi.fn<(order: SortOrder) => void>()
  render(<PhoneSort columns={columns} sorting={{ by: '', isDescending: false, onChange }} />)
  await choose('Used: largest first')
  expect(screen.queryByText(/^Name:/)).toBeNull()
  expect(onChange.mock.calls).toEqual([[{ by: 'used', isDescending: true }]])
})

it('goes back to the usual order', async () => {
  const onChange = vi.fn<(order: SortOrder) => void>()
  render(<PhoneSort columns={columns} sorting={{ by: 'used', isDescending: false, onChange }} />)
  expect(select().textContent).toBe('Used: smallest first')
  await choose('Usual order')
  expect(onChange.mock.calls).toEqual([[{ by: '', isDescending: false }]])
})
