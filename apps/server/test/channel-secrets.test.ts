import { routes } from '@tollgate/contract/routes'
import { isEncryptedText } from '@tollgate/store/channels/secrets'
import { expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'

const header_override = '{"X-Team":"a value of the version before"}'
const setting = '{"proxy":"http://name:password@127.0.0.1:1"}'

async function storedTexts({ server }: TestServer, id: number) {
  return server.store.db
    .selectFrom('channels')
    .select(['header_override', 'param_override', 'setting'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

test('at its start a gateway encrypts channel secrets stored in clear text, and keeps using them', async () => {
  let gateway = await startTestServer()
  try {
    const body = { type: 1, name: 'old', key: 'sk-0123456789abcdef', models: 'gpt-4o' }
    const { id } = await gateway.root.call(routes.channel.create, { body })
    const { db } = gateway.server.store
    await db.updateTable('channels').set({ header_override, setting }).where('id', '=', id).execute()
    gateway = await gateway.restart()
    const stored = await storedTexts(gateway, id)
    expect(isEncryptedText(stored.header_override)).toBe(true)
    expect(isEncryptedText(stored.setting)).toBe(true)
    expect(stored.param_override).toBe('')
    expect(gateway.server.snapshots.roster().channel(id)).toMatchObject({
      headerRules: [{ type: 'set', name: 'x-team', template: 'a value of the version before' }],
      settings: { proxy: 'http://name:password@127.0.0.1:1' },
    })
    expect(await gateway.root.call(routes.channel.get, { params: { id } })).toMatchObject({
      header_override: '{"X-Team":"***"}',
      setting: '{"proxy":"http://***@127.0.0.1:1"}',
    })
    gateway = await gateway.restart()
    expect(await storedTexts(gateway, id)).toEqual(stored)
  } finally {
    await gateway.close()
  }
})

test('the audit log names the headers that changed but none of their values', async () => {
  const gateway = await startTestServer({ isInMemory: true })
  try {
    const body = { type: 1, name: 'audited', key: 'sk-0123456789abcdef', models: 'gpt-4o', header_override }
    const { id } = await gateway.root.call(routes.channel.create, { body })
    const masked = '{"X-Team":"***","X-Second":"another value"}'
    await gateway.root.call(routes.channel.update, { body: { id, header_override: masked, setting: '' } })
    const rows = await gateway.server.store.db
      .selectFrom('audit_log')
      .select(['action', 'before_json', 'after_json'])
      .where('entity', '=', 'channel')
      .orderBy('id')
      .execute()
    expect(rows.map(({ before_json: before }) => JSON.parse(before ?? 'null'))).toEqual([
      null,
      { header_override: '{"X-Team":"***"}' },
    ])
    expect(JSON.parse(rows[1]?.after_json ?? '')).toEqual({
      header_override: '{"X-Team":"***","X-Second":"***"}',
    })
  } finally {
    await gateway.close()
  }
})
