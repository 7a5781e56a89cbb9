import { randomUUID } from 'node:crypto'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTaskHarness, type TaskHarness } from '../relay/task-harness.ts'

/**
 * Links to drawings saved by users of a previous new-api gateway at this address: they carry no signature.
 */

const PICTURE = Buffer.from('\x89PNG\r\n\x1a\nrest of a picture', 'latin1')

let at: TaskHarness
beforeAll(async () => {
  at = await openTaskHarness({ clock: new ManualClock(), models: 'mj_imagine' })
})
afterAll(() => at.close())

/** Adds a finished drawing whose id was given by another proxy. */
async function drawnAs(id: string): Promise<void> {
  const made = await at.drawn({ bytes: PICTURE })
  await at.harness.db.updateTable('tasks').set({ task_id: id }).where('task_id', '=', made.id).execute()
}

test.each([
  ['written with dashes', randomUUID()],
  ['written without', randomUUID().replaceAll('-', '')],
])('a saved link with a random id, %s, still shows its picture', async (_name, id) => {
  await drawnAs(id)
  expect(await at.get(`/mj/image/${id}`)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/png' },
  })
})

test.each([
  ['a number', '1716886514349123'],
  ['a time-ordered id', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
  ['an id with the time and the machine in it', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
])('a saved link with %s is refused, because other ids could be guessed from it', async (_name, id) => {
  await drawnAs(id)
  expect((await at.get(`/mj/image/${id}`)).status).toBe(400)
})

test('a saved link whose random id belongs to two drawings is refused', async () => {
  const id = randomUUID()
  await drawnAs(id)
  await drawnAs(id)
  expect((await at.get(`/mj/image/${id}`)).status).toBe(400)
})

test('a link with a wrong signature is refused even with a random id', async () => {
  const id = randomUUID()
  await drawnAs(id)
  expect((await at.get(`/mj/image/${id}?key=wrong`)).status).toBe(400)
})
