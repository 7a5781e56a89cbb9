import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ModelNames } from './model-names.tsx'

const names = Array.from({ length: 159 }, (_, place) => `model-${place}`)

it('a long list of models is folded, and is shown in full on a click', () => {
  render(<ModelNames names={names} />)
  expect(screen.getAllByText(/^model-/)).toHaveLength(12)
  fireEvent.click(screen.getByRole('button', { name: 'Show all 159 models' }))
  expect(screen.getAllByText(/^model-/)).toHaveLength(159)
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.getAllByText(/^model-/)).toHaveLength(12)
})

it('a short list of models has nothing to unfold', () => {
  render(<ModelNames names={names.slice(0, 12)} />)
  expect(screen.queryByRole('button')).toBeNull()
})
