import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { BatchBar } from './batch-bar.tsx'

const onSelect = vi.fn()
const actions = [
  { key: 'disable', label: 'Disable', isInline: true, onSelect },
  { key: 'remove', label: 'Delete', isDestructive: true, onSelect: vi.fn() },
]

it('offers every action for the selected rows, and a button that clears the selection', async () => {
  const onClear = vi.fn()
  render(<BatchBar count={2} actions={actions} onClear={onClear} />)
  expect(screen.getByRole('group', { name: '2 selected' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }))
  expect(onSelect).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(onClear).toHaveBeenCalledOnce()
})

it('shows nothing while nothing is selected', () => {
  render(<BatchBar count={0} actions={actions} onClear={vi.fn()} />)
  expect(screen.queryByRole('group')).toBeNull()
})
