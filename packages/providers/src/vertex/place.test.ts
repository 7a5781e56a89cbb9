import { expect, it } from 'vitest'
import { regionFor } from './place.ts'

const byModel = '{"default":"us-central1","fast":"us-east5","claude-opus-4":"europe-west1"}'

it.each([
  [['fast', 'claude-opus-4'], byModel, 'us-east5'],
  [['slow', 'claude-opus-4'], byModel, 'europe-west1'],
  [['slow', 'claude-3'], byModel, 'us-central1'],
  [['slow'], '{"fast":"us-east5"}', 'global'],
  [['fast'], ' us-west1 ', 'us-west1'],
  [['fast'], '', 'global'],
])(
  "for models %j and setting %j the region is %s, and the client's name of a model comes first",
  (names, other, region) => {
    expect(regionFor(names, other)).toBe(region)
  },
)
