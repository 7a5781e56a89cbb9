import { openCipher } from '@tollgate/kit/cipher'
import { systemClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { readConfig } from '../src/config/index.ts'
import { openOutbox } from '../src/services/outbox/outbox.ts'
import { ENVIRONMENT, startTestServer } from './harness.ts'
import { openScriptedUpstream, sendJson } from './relay/upstream.ts'

test('an alert that waits during an upgrade reaches the receiver that moved into the list', async () => {
  const receiver = await openScriptedUpstream()
  receiver.respond = (response) => sendJson(response, 200, {})
  const before = await startTestServer()
  const { db } = before.server.store
  const key = 'AlertSlackUrl'
  const cipher = openCipher(readConfig(ENVIRONMENT).keys.cipher)
  const value = cipher.encrypt(`${receiver.url}/slack`, `option:${key}`)
  await db.insertInto('options').values({ key, value, version: 1, updated_ms: 1, updated_by: 1 }).execute()
  const message = {
    id: 'audit:1',
    rule: 'audit',
    subject: '',
    state: 'open',
    site: 'Tollgate',
    text: 'The audit of the ledger found 3 differences',
    timestamp: 1,
  }
  // Nothing wakes the worker of the first server, which looks every 15 seconds.
  const outbox = openOutbox({ store: db, clock: systemClock, cipher, onAdded: () => undefined })
  await outbox.add({ cause: 'alert:1', kind: 'alert', payload: { receiver: 'slack', message } })
  const after = await before.restart()
  await expect
    .poll(() => receiver.received.map(({ path, text }) => ({ path, text })), { timeout: 60_000 })
    .toEqual([{ path: '/slack', text: expect.stringContaining('found 3 differences') }])
  await after.close()
  await receiver.close()
})
