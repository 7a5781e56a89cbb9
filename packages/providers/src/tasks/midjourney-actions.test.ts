import { expect, test } from 'vitest'
import { midjourneyAction, midjourneyModels } from './midjourney-actions.ts'

test('12.30 the usual models of a drawing channel are names that calls have, mj_upload among them', () => {
  expect(midjourneyModels).toContain('mj_upload')
  expect(midjourneyModels).not.toContain('mj_uploads')
  expect(new Set(midjourneyModels).size).toBe(midjourneyModels.length)
})

test.each([
  ['edits', {}, { action: 'EDITS' }],
  ['video', { prompt: 'a cat runs' }, { action: 'VIDEO' }],
  ['video', { taskId: '7' }, { action: 'VIDEO', origin: { taskId: '7', mustHaveSucceeded: true } }],
])('%s of %j is %j', (verb, body, action) => {
  expect(midjourneyAction({ type: 'submit', verb, path: '' }, body, true)).toEqual(action)
})
