import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { FilterInput } from './filter-input.tsx'

it('filters the list while the reader is typing, without Enter', async () => {
  const onChange = vi.fn<(text: string) => void>()
  render(<FilterInput label="Model" value="" onChange={onChange} />)
  const field = screen.getByRole('textbox', { name: 'Model' })
  fireEvent.change(field, { target: { value: 'gp' } })
  fireEvent.change(field, { target: { value: 'gpt ' } })
  expect(onChange).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(onChange.mock.calls).toEqual([['gpt']]))
})

it('filters at once on Enter', () => {
  const onChange = vi.fn<(text: string) => void>()
  render(<FilterInput label="Model" value="" onChange={onChange} />)
  const field = screen.getByRole('textbox', { name: 'Model' })
  fireEvent.change(field, { target: { value: 'o1' } })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect(onChange.mock.calls).toEqual([['o1']])
})
