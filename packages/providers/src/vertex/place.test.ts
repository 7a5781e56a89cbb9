import { expect, it } from 'vitest'
import { regionFor } from './place.ts'

const byModel = '{"default":"us-central1","fast":"us-east5","claude-opus-4":"europe-west1"}'

/** Source: spec providers 6.6. */
it.each([
  [['fast', 'claude-opus-4'], byModel, 'us-east5'],
  [['slow', 'claude-opus-4'], byModel, 'europe-west1'],
  [['slow', 'claude-3'], byModel, 'us-central1'],
  [['slow'], '{"fast":"us-east5"}', 'global'],
  [['fast'], ' us-west1 ', 'us-west1'],
  [['fast'], '', 'global'],
])('%j in %j is served in %s: the caller’s name of a model comes first', (names, other, region) => {
  expect(regionFor(names, other)).toBe(region)
})
