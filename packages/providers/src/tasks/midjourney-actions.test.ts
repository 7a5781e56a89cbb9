import { expect, test } from 'vitest'
import { midjourneyAction, midjourneyModels } from './midjourney-actions.ts'

test('the default models of a Midjourney channel are names that calls use, mj_upload among them', () => {
  expect(midjourneyModels).toContain('mj_upload')
  expect(midjourneyModels).not.toContain('mj_uploads')
  expect(new Set(midjourneyModels).size).toBe(midjourneyModels.length)
})

test.each([
  ['edits', {}, { action: 'EDITS' }],
  ['video', { prompt: 'a cat runs' }, { action: 'VIDEO' }],
  ['video', { taskId: '7' }, { action: 'VIDEO', origin: { taskId: '7', mustHaveSucceeded: true } }],
])('verb %s with body %j becomes %j', (verb, body, action) => {
  expect(midjourneyAction(verb, body, true)).toEqual(action)
})
