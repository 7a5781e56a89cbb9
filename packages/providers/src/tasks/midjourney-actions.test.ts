import { expect, test } from 'vitest'
import { midjourneyModels } from './midjourney-actions.ts'

test('12.30 the usual models of a drawing channel are names that calls have, mj_upload among them', () => {
  expect(midjourneyModels).toContain('mj_upload')
  expect(midjourneyModels).not.toContain('mj_uploads')
  expect(new Set(midjourneyModels).size).toBe(midjourneyModels.length)
})
