import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Share } from '../shares.ts'
import { Rank } from './rank.tsx'

it('draws the longest bar over the full width, and none for a key with a negative amount', () => {
  const shares = [share('o1', 30, 0.75), share('o1-mini', 10, 0.25), share('refunded', -5, 0)]
  render(
    <Rank
      label="Spent by model"
      shares={shares}
      colourOf={() => '#111111'}
      textOf={({ key }) => key.label}
      nameOfShare={({ key }) => key.label}
      value={String}
    />,
  )
  const rows = screen.getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['o130', 'o1-mini10', 'refunded-5'])
  const bars = rows.map((row) => row.querySelector<HTMLElement>('[style]')?.style.width ?? '')
  expect(bars.map((width) => Number(/[\d.]+/.exec(width.replace(/100% - \d+px/, ''))?.[0]))).toEqual([
    1,
    expect.closeTo(1 / 3),
    0,
  ])
})

function share(name: string, amount: number, part: number): Share {
  const sums = { calls: 1, errors: 0, quota: amount, prompt_tokens: 0, completion_tokens: 0 }
  const times = {
    duration_ms: 0,
    first_byte_ms: 0,
    first_bytes: 0,
    cost: 0,
    costed_quota: 0,
    cached_tokens: 0,
    cache_saved: 0,
  }
  return { key: { ...sums, ...times, key: name, label: name, isRest: false }, amount, part }
}
