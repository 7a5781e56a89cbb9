import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SuggestInput } from './suggest-input.tsx'

it('suggests known names and accepts other text', () => {
  const onChange = vi.fn<(text: string) => void>()
  const { container } = render(
    <SuggestInput
      label="Model"
      value=""
      widthPx={150}
      options={[{ value: 'gpt-4o', label: 'gpt-4o' }]}
      onChange={onChange}
    />,
  )
  const field = screen.getByRole('combobox', { name: 'Model' })
  const list = container.querySelector('datalist')
  expect(field.getAttribute('list')).toBe(list?.id)
  expect([...(list?.querySelectorAll('option') ?? [])].map(({ value }) => value)).toEqual(['gpt-4o'])
  fireEvent.change(field, { target: { value: 'g' } })
  expect(onChange).toHaveBeenCalledWith('g')
})
