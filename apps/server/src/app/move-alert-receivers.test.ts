import { parseOption } from '@tollgate/contract/options/index'
import { openCipher } from '@tollgate/kit/cipher'
import { openStore } from '@tollgate/store/database/open-store'
import { listOptions } from '@tollgate/store/operations/options'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveAlertReceivers } from './move-alert-receivers.ts'

const cipher = openCipher(Buffer.alloc(32, 7))
const log = { info: () => undefined, warn: () => undefined }

let store: Awaited<ReturnType<typeof openStore>>
beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

async function storeOld(values: Readonly<Record<string, string>>): Promise<void> {
  const rows = Object.entries(values).map(([key, text]) => {
    const isPlain = key === 'AlertMail' || key.startsWith('AlertTelegramC') || key === 'SystemName'
    return { key, value: isPlain ? text : cipher.encrypt(text, `option:${key}`) }
  })
  await store.db
    .insertInto('options')
    .values(rows.map((row) => ({ ...row, version: 1, updated_ms: 1, updated_by: 1 })))
    .execute()
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of the log is used
const move = () => moveAlertReceivers({ db: store.db, cipher, log: log as never })

async function stored() {
  const rows = await listOptions(store.db)
  const row = rows.find(({ key }) => key === 'AlertReceivers')
  const parsed = parseOption(
    'AlertReceivers',
    row?.value ? cipher.decrypt(row.value, 'option:AlertReceivers') : '',
  )
  return {
    keys: rows.map(({ key }) => key),
    receivers: parsed.type === 'accepted' ? parsed.value : undefined,
  }
}

test('every receiver of an earlier version is in the list, with its secrets', async () => {
  await storeOld({
    SystemName: 'Site',
    AlertMail: 'ops@example.com',
    AlertSlackUrl: 'https://hooks.slack.test/x',
    AlertDingTalkUrl: 'https://oapi.dingtalk.com/robot/send?access_token=t',
    AlertDingTalkSecret: 'SECx',
    AlertTelegramToken: '1:a',
    AlertTelegramChat: '-9',
    AlertWebhookSecret: 'without an address',
  })
  await move()
  const { keys, receivers } = await stored()
  expect(keys).toEqual(['AlertReceivers', 'SystemName'])
  expect(receivers).toEqual([
    { id: 'mail', name: 'Email', kind: 'mail', fields: { to: 'ops@example.com' } },
    {
      id: 'dingtalk',
      name: 'DingTalk',
      kind: 'dingtalk',
      fields: { url: 'https://oapi.dingtalk.com/robot/send?access_token=t', secret: 'SECx' },
    },
    { id: 'slack', name: 'Slack', kind: 'slack', fields: { url: 'https://hooks.slack.test/x' } },
    {
      id: 'telegram',
      name: 'Telegram',
      kind: 'telegram',
      fields: { token: '1:a', chat: '-9', url: 'https://api.telegram.org' },
    },
    { id: 'webhook', name: 'Webhook', kind: 'webhook', fields: { url: '', secret: 'without an address' } },
  ])
})

test('a second start changes nothing, and a database without old settings stays as it is', async () => {
  await move()
  expect((await stored()).keys).toEqual([])
  await storeOld({ AlertSlackUrl: 'https://hooks.slack.test/x' })
  await move()
  const once = await listOptions(store.db)
  await move()
  expect(await listOptions(store.db)).toEqual(once)
})

test('old settings of a copy that was imported later do not replace a receiver', async () => {
  await storeOld({ AlertSlackUrl: 'https://hooks.slack.test/x' })
  await move()
  await storeOld({ AlertSlackUrl: 'https://hooks.slack.test/older', AlertBarkUrl: 'https://api.day.app/k' })
  await move()
  expect((await stored()).receivers?.map(({ id, fields }) => [id, fields['url']])).toEqual([
    ['slack', 'https://hooks.slack.test/x'],
    ['bark', 'https://api.day.app/k'],
  ])
})

test('a list that cannot be read is not replaced, and the old settings stay', async () => {
  await storeOld({ AlertReceivers: 'no list', AlertSlackUrl: 'https://hooks.slack.test/x' })
  const before = await listOptions(store.db)
  await move()
  expect(await listOptions(store.db)).toEqual(before)
})
