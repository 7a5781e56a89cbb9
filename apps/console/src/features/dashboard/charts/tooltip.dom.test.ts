import { expect, it } from 'vitest'
import { barTooltip } from './tooltip.ts'

const parts = [
  { name: 'o1', colour: '#111111', amount: 5 },
  { name: '<b>gpt</b>', colour: '#222222', amount: 30 },
  { name: 'quiet', colour: '#333333', amount: 0 },
  { name: 'refunded', colour: '#444444', amount: -2 },
]
const total = { name: 'Total', amount: 33 }
const tooltip = () => barTooltip({ heading: '11-20', total, parts, value: (amount) => `$${amount}` })

it('lists the total of a bar first, then its parts in descending order', () => {
  expect([...tooltip().children].map(({ textContent }) => textContent)).toEqual([
    '11-20',
    'Total$33',
    '<b>gpt</b>$30',
    'o1$5',
    'refunded$-2',
  ])
})

it('renders names as text, not as markup', () => {
  expect(tooltip().querySelector('b')).toBeNull()
})
