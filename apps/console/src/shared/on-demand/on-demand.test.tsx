import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import { MenuOnDemand } from './menu-on-demand.tsx'
import { SelectOnDemand } from './select-on-demand.tsx'

const options = [
  { value: 'day', label: 'By day' },
  { value: 'hour', label: 'By hour' },
] as const

// The first import of the library takes longer than a test's timeout on a busy machine.
beforeAll(() => Promise.all([import('./library-select.tsx'), import('./library-menu.tsx')]), 60_000)

const mouse = { pointerType: 'mouse', button: 0 }

it('a select shows its value before its code is loaded, and opens with the press that loaded it', async () => {
  const onChange = vi.fn<(value: 'day' | 'hour') => void>()
  render(<SelectOnDemand label="Step" value="day" options={options} onChange={onChange} />)
  const atRest = screen.getByRole('combobox', { name: 'Step' })
  expect(atRest.textContent).toBe('By day')
  fireEvent.pointerDown(atRest, mouse)
  fireEvent.click(await screen.findByTitle('By hour'))
  expect(onChange).toHaveBeenCalledWith('hour')
})

it('a select keeps the focus that the keyboard gave it', async () => {
  render(<SelectOnDemand label="Step" value="day" options={options} onChange={() => undefined} />)
  screen.getByRole('combobox', { name: 'Step' }).focus()
  await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  expect(screen.queryByTitle('By hour')).toBeNull()
})

it('a touched select waits for the click, because the touch may be the start of a scroll', async () => {
  render(<SelectOnDemand label="Step" value="day" options={options} onChange={() => undefined} />)
  const atRest = screen.getByRole('combobox', { name: 'Step' })
  fireEvent.pointerDown(atRest, { pointerType: 'touch' })
  expect(screen.getByRole('combobox', { name: 'Step' })).toBe(atRest)
  fireEvent.click(atRest)
  expect(await screen.findByTitle('By hour')).toBeDefined()
})

it('a menu opens with the press that loaded it', async () => {
  const onClick = vi.fn<() => void>()
  render(
    <MenuOnDemand items={[{ key: 'csv', label: 'As CSV', onClick }]}>
      <button type="button">Export</button>
    </MenuOnDemand>,
  )
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Export' }), mouse)
  fireEvent.click(await screen.findByText('As CSV'))
  expect(onClick).toHaveBeenCalledOnce()
})
