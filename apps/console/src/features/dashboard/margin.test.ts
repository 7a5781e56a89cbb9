import { expect, it } from 'vitest'
import { costText, marginShare, marginText } from './margin.ts'

it.each([
  [{ cost: 80, costed_quota: 100 }, ['80', '20', '20.0 %']],
  [{ cost: 0, costed_quota: 0 }, ['–', '–', '–']],
  // A refund of a call that was made before the range.
  [{ cost: -80, costed_quota: -100 }, ['-80', '-20', '–']],
  [{ cost: 80, costed_quota: 0 }, ['80', '-80', '–']],
])('%o is shown as %o', (sums, texts) => {
  expect([costText(sums, String), marginText(sums, String), marginShare(sums)]).toEqual(texts)
})
