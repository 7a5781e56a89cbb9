import { listJobRuns } from '@tollgate/store/operations/job-runs'
import { openStore } from '@tollgate/store/database/open-store'
import { expect, test } from 'vitest'
import { openJobRunLog } from './job-run-log.ts'

test('a running job reports at once how much there is to do', async () => {
  const store = await openStore({ sqlitePath: ':memory:' })
  const clock = { nowMs: () => 1_000, monotonicMs: () => 0 }
  const log = { info: () => undefined, error: () => undefined }
  const notices = { subscribe: () => () => undefined }
  const run = openJobRunLog({ db: store.db, clock, notices, log }).begin(
    { name: 'long', runs: 'once', run: async () => undefined },
    true,
  )
  run.report({ done: 0, total: 9 })
  await expect.poll(() => listJobRuns(store.db)).toMatchObject([{ name: 'long', done: 0, total: 9 }])
  await run.end('ok', {})
  await store.close()
})
