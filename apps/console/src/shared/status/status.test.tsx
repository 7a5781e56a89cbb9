import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { groupTone, ratioTone } from './label-tones.ts'
import { GroupLabel } from './status.tsx'

it.each([
  ['default', 'plain'],
  ['vip', 'look'],
  ['pro', 'look'],
  ['svip', 'act'],
  ['premium', 'act'],
  ['constructor', 'plain'],
])('the label of the group %s has the tone %s', (name, tone) => {
  expect(groupTone(name)).toBe(tone)
  render(<GroupLabel name={name} />)
  expect(screen.getByText(name)).toBeTruthy()
})

it.each([
  [0, 'plain'],
  [1, 'plain'],
  [1.01, 'accent'],
  [3, 'accent'],
  [3.5, 'look'],
  [5, 'look'],
  [5.1, 'act'],
])('the label of the ratio %d has the tone %s', (ratio, tone) => {
  expect(ratioTone(ratio)).toBe(tone)
})
