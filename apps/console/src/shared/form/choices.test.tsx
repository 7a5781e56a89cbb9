import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { Choices } from './choices.tsx'

afterEach(cleanup)

it('keeps the chosen and typed values on Tab', async () => {
  const onChange = vi.fn()
  const options = ['east', 'west'].map((value) => ({ value, label: value }))
  render(
    <>
      <Choices mode="tags" aria-label="Groups" options={options} onChange={onChange} />
      <button type="button">after</button>
    </>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('combobox', { name: 'Groups' }))
  await user.click(screen.getByTitle('east'))
  // The library reads `keyCode`, which the testing helper does not set.
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Groups' }), { key: 'Tab', keyCode: 9, which: 9 })
  await user.tab()
  expect(onChange.mock.calls.map(([value]) => value)).toEqual([['east']])
  await user.click(screen.getByRole('combobox', { name: 'Groups' }))
  await user.keyboard('north')
  await user.tab()
  expect(onChange.mock.calls.at(-1)?.[0]).toEqual(['east', 'north'])
})
