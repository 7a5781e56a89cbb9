import { TASK_REASON } from '@tollgate/contract/task-words'
import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { TaskRow } from '@tollgate/store/operations/tasks'
import { insertUser } from '@tollgate/store/accounts/user-changes'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openOutbox, outboxContext } from '../outbox/outbox.ts'
import { openSiteSettings } from '../../snapshots/site-settings.ts'
import { openTaskNotifier } from './task-notifier.ts'

const cipher = openCipher(Buffer.alloc(32, 7))

let store: Store
beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

async function notifier() {
  const clock = new ManualClock()
  const options = await openSiteSettings({ db: store.db, cipher, log: { error: () => undefined } })
  const outbox = openOutbox({ store: store.db, clock, cipher, onAdded: () => undefined })
  return openTaskNotifier({ store: store.db, clock, outbox, options })
}

async function user(setting: object): Promise<number> {
  const name = `user${Object.keys(setting).length}`
  const id = await insertUser(store.db, {
    username: name,
    password_hash: '',
    display_name: name,
    role: 1,
    email: `${name}@mail.example`,
    created_ms: 0,
  })
  await store.db
    .updateTable('users')
    .set({ setting: JSON.stringify(setting) })
    .where('id', '=', id)
    .execute()
  return id
}

// Only the columns that the notifier reads matter.
const task = (id: number, userId: number, parts: Partial<TaskRow> = {}): TaskRow => ({
  id,
  platform: 'mj',
  task_id: `17${id}`,
  user_id: userId,
  token_id: 1,
  channel_id: 1,
  request_id: null,
  action: 'IMAGINE',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  quota: 0n,
  submit_ms: 0,
  start_ms: 0,
  finish_ms: 0,
  deadline_ms: 0,
  secret_hash: '',
  detail: '{}',
  created_ms: 0,
  updated_ms: 0,
  version: 1,
  ...parts,
})

const opened = (notice: NewWork | undefined) =>
  notice && cipher.decrypt(notice.payload, outboxContext(notice.cause))

it('an owner who enabled task notifications is notified of the end of a task, under a cause of its own', async () => {
  const userId = await user({ notify_tasks: true, language: 'en' })
  const { noticeOf } = await notifier()
  const failed = await noticeOf(task(5, userId, { fail_reason: 'the sky fell' }), 'FAILURE')
  expect(failed).toMatchObject({ cause: 'task:5', kind: 'mail' })
  expect(opened(failed)).toContain(
    'Task 175 failed: the sky fell. What was charged for it has been given back.',
  )
  expect(opened(await noticeOf(task(6, userId), 'SUCCESS'))).toContain('Task 176 is done.')
})

it('our own failure reason is written in the owner’s language', async () => {
  const userId = await user({ notify_tasks: true, language: 'zh' })
  const { noticeOf } = await notifier()
  const failed = await noticeOf(task(9, userId, { fail_reason: TASK_REASON.forgotten }), 'FAILURE')
  expect(opened(failed)).toContain('任务 179 失败：上游已没有该任务的记录。已扣除的额度已退还。')
})

it('an owner who did not enable task notifications gets none', async () => {
  const { noticeOf } = await notifier()
  expect(await noticeOf(task(7, await user({})), 'SUCCESS')).toBeUndefined()
  expect(opened(await noticeOf(task(8, await user({ notify_tasks: true })), 'SUCCESS'))).toContain('178')
})
