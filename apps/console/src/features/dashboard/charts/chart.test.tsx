import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Chart } from './chart.tsx'
import type { Drawing } from './drawing.ts'

// The test environment has no canvas, so the library never finishes loading.
vi.mock('./chart-library.ts', () => new Promise(() => {}))

const drawing: Drawing = { type: 'bar', data: { datasets: [] }, options: {}, tooltip: () => undefined }
const picks = { onPick: () => {}, onPickColumn: undefined }
const isBusy = () => screen.getByRole('figure', { name: 'Spent by model' }).getAttribute('aria-busy')

it('is marked as busy until there is something to draw', () => {
  const { rerender } = render(<Spent drawing={undefined} />)
  expect(isBusy()).toBe('true')
  rerender(<Spent drawing={drawing} />)
  expect(isBusy()).toBe('false')
})

function Spent({ drawing: shown }: { readonly drawing: Drawing | undefined }) {
  return <Chart label="Spent by model" drawing={shown} heightPx={300} picks={picks} />
}
