import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Figure, Figures } from './figures.tsx'

it('shows the exact amount on keyboard focus', async () => {
  render(
    <Figures>
      <Figure label="Spent" value="$1.38" hint="$1.376202" />
      <Figure label="RPM" value="2" />
    </Figures>,
  )
  const [spent, rpm] = screen.getAllByRole('definition').map(({ parentElement }) => parentElement)
  expect(rpm?.tabIndex).toBe(-1)
  expect(spent?.tabIndex).toBe(0)
  act(() => spent?.focus())
  fireEvent.focus(spent ?? document.body)
  expect((await screen.findByRole('tooltip')).textContent).toBe('$1.376202')
})
