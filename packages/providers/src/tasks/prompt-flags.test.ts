import { describe, expect, test } from 'vitest'
import { withoutVideoOrders } from './ark.ts'
import { DRAWING_MODES, withoutPromptFlags } from './prompt-flags.ts'

describe('flags in a prompt', () => {
  test.each([
    ['a cat --fast', 'a cat'],
    ['a cat   --turbo, asleep\n--RELAX', 'a cat, asleep'],
    ['--fast a cat', ' a cat'],
    ['a --faster cat', 'a --faster cat'],
    ['a cat', 'a cat'],
  ])('the Midjourney prompt %j is sent as %j', (prompt, left) => {
    expect(withoutPromptFlags(prompt, DRAWING_MODES)).toBe(left)
  })

  test.each([
    ['a cat --dur 60', 'a cat'],
    ['a  --rs 1080p cat --fps 60 --duration 12 runs', 'a cat runs'],
    ['a cat --camera fixed', 'a cat --camera fixed'],
    ['a cat --dur', 'a cat --dur'],
    ['a --rs 1--dur cat --fps 2', 'a cat'],
  ])('the video prompt %j is sent as %j', (prompt, left) => {
    expect(withoutVideoOrders(prompt)).toBe(left)
  })

  test.each(['a --dur--dur 1 60', 'a --rs--fps--dur 1 60', 'a --rs --rs--rs 1 2 1080p'])(
    'removing flags from %j leaves no other flag',
    (prompt) => {
      const left = withoutVideoOrders(prompt)
      expect(withoutVideoOrders(left)).toBe(left)
    },
  )
})
