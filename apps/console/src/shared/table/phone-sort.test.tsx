import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Column, SortOrder } from './column.ts'
import { PhoneSort } from './phone-sort.tsx'

const columns: readonly Column<object>[] = [
  { key: 'name', title: 'Name', render: () => '' },
  { key: 'used', title: 'Used', canSort: true, render: () => '' },
]

// The first import of the library takes longer than a test's timeout on a busy machine.
beforeAll(() => import('../on-demand/library-select.tsx'), 60_000)

/**
 * The select replaces the element that was pressed, so this element receives only the pointer-down event of
 * the click.
 */
async function choose(title: string): Promise<void> {
  fireEvent.pointerDown(select(), { pointerType: 'mouse', button: 0 })
  fireEvent.click(await screen.findByTitle(title))
}

const select = () => screen.getByRole('combobox', { name: 'Sort by' })

it('sorts a list by the columns whose headers can sort', async () => {
  const onChange = vi.fn<(order: SortOrder) => void>()
  render(<PhoneSort columns={columns} sorting={{ by: '', isDescending: false, onChange }} />)
  await choose('Used: largest first')
  expect(screen.queryByText(/^Name:/)).toBeNull()
  expect(onChange.mock.calls).toEqual([[{ by: 'used', isDescending: true }]])
})

it('returns to the default order', async () => {
  const onChange = vi.fn<(order: SortOrder) => void>()
  render(<PhoneSort columns={columns} sorting={{ by: 'used', isDescending: false, onChange }} />)
  expect(select().textContent).toBe('Used: smallest first')
  await choose('Usual order')
  expect(onChange.mock.calls).toEqual([[{ by: '', isDescending: false }]])
})
