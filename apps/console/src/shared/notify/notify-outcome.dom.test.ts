import { beforeEach, expect, it } from 'vitest'
import { useNotices } from './notify.ts'
import { notifyOutcome, refusedText } from './notify-outcome.ts'

beforeEach(() => useNotices.setState({ notices: [] }))

const refused = (id: number, name: string, reason: string) => ({ id, name, reason })
const said = () => useNotices.getState().notices.map(({ tone, text }) => `${tone}: ${text}`)

it('reports how many rows were changed, and names the others with the reason', () => {
  const outcome = { changed: 2, refused: [refused(7, 'old', 'Expired'), refused(8, '', 'Not found')] }
  notifyOutcome(outcome, (count) => `${count} done`)
  expect(said()).toEqual(['ok: 2 done', 'act: Not changed: “old” (Expired), #8 (Not found)'])
})

it('does not report a count of zero', () => {
  notifyOutcome({ changed: 0, refused: [refused(7, 'old', 'Expired')] }, (count) => `${count} done`)
  expect(said()).toEqual(['act: Not changed: “old” (Expired)'])
})

it('names at most five rows', () => {
  const many = Array.from({ length: 8 }, (_, index) => refused(index, `t${index}`, 'Expired'))
  expect(refusedText(many)).toBe('Not changed: “t0”, “t1”, “t2”, “t3”, “t4” and 3 more (Expired)')
})
