import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Chart } from './chart.tsx'

const isBusy = () => screen.getByRole('figure', { name: 'Spent by model' }).getAttribute('aria-busy')

it('is busy until there is something to draw', () => {
  const { rerender } = render(<Chart label="Spent by model" option={undefined} />)
  expect(isBusy()).toBe('true')
  rerender(<Chart label="Spent by model" option={{ series: [] }} />)
  expect(isBusy()).toBe('false')
})
