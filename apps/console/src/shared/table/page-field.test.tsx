import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { PageField } from './page-field.tsx'

function typed(text: string) {
  const onPage = vi.fn()
  render(<PageField page={3} pages={28} onPage={onPage} />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Page' })
  fireEvent.change(field, { target: { value: text } })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  return { onPage, field }
}

it.each([
  ['17', 17],
  ['1', 1],
  ['900', 28],
])('%s goes to page %i', (text, page) => {
  expect(typed(text).onPage).toHaveBeenCalledExactlyOnceWith(page)
})

it.each(['3', '0', '-4', 'x', ''])('%j is ignored, and the field shows the current page again', (text) => {
  const { onPage, field } = typed(text)
  expect(onPage).not.toHaveBeenCalled()
  expect(field.value).toBe('3')
})
