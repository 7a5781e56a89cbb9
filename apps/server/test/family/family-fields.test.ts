import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'

/** What consoles of new-api send is honoured, or refused in words. */

let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  await gateway.root.call(routes.option.update, {
    body: { key: 'UserUsableGroups', value: '{"default":"a","vip":"b"}' },
  })
})
afterAll(() => gateway.close())

const channel = { type: 1, name: 'one', key: 'sk-a-key-of-the-channel-1', models: 'gpt-4o', group: 'default' }

async function readChannel(name: string) {
  const list = await gateway.root.call(routes.channel.search, { query: { keyword: name } })
  const [row] = list
  if (!row) throw new Error(`no channel ${name}`)
  return row
}

describe('the second settings of a channel', () => {
  it('are honoured when it is made and when it is changed', async () => {
    const body = { ...channel, setting: '{"force_format":true}', settings: '{"disable_store":true}' }
    await gateway.root.call(routes.channel.create, { body })
    const row = await readChannel('one')
    expect(JSON.parse(row.setting)).toEqual({ force_format: true, disable_store: true })
    await gateway.root.call(routes.channel.update, {
      body: {
        id: row.id,
        settings: '{"disable_store":false,"allow_service_tier":true,"openrouter_enterprise":true}',
      },
    })
    expect(JSON.parse((await readChannel('one')).setting)).toEqual({
      force_format: true,
      disable_store: false,
      allow_service_tier: true,
    })
    await gateway.root.call(routes.channel.update, { body: { id: row.id, settings: '{}', remark: 'mine' } })
    expect(JSON.parse((await readChannel('one')).setting)).toMatchObject({ allow_service_tier: true })
    expect((await readChannel('one')).remark).toBe('mine')
  })
})

describe('the groups that a token tries', () => {
  it('are honoured and shown under the name of new-api', async () => {
    const person = await gateway.user()
    const { id } = await person.call(routes.token.create, {
      body: { name: 'x'.repeat(50), group: 'auto', auto_groups: ['vip', 'default'] },
    })
    const read = () => person.call(routes.token.get, { params: { id } })
    expect(await read()).toMatchObject({ group_order: 'vip,default', auto_groups: ['vip', 'default'] })
    await person.call(routes.token.update, {
      body: { ...(await read()), auto_groups: ['default'] },
      query: {},
    })
    expect(await read()).toMatchObject({ group_order: 'default' })
    await person.call(routes.token.update, { body: { ...(await read()), group_order: 'vip' }, query: {} })
    expect(await read()).toMatchObject({ auto_groups: ['vip'] })
    const both = { ...(await read()), group_order: 'default', auto_groups: ['default', 'vip'] }
    await expect(person.call(routes.token.update, { body: both, query: {} })).rejects.toThrow(
      /different groups/,
    )
    await expect(
      person.call(routes.token.update, { body: { id, auto_groups: ['not-there'] }, query: {} }),
    ).rejects.toThrow(/not-there/)
  })
})

describe('a field that this version does not have', () => {
  it('is refused in words when it limits an administrator', async () => {
    const user = await gateway.user({ username: 'limited', role: 10 })
    const { id } = await user.call(routes.user.readSelf)
    const body = { id, display_name: 'L', admin_permissions: { channel: { read: true } } }
    await expect(gateway.root.call(routes.adminUser.update, { body })).rejects.toThrow(/admin_permissions/)
    await gateway.root.call(routes.adminUser.update, { body: { ...body, admin_permissions: {} } })
    await gateway.root.call(routes.adminUser.update, { body: { id, remark: 'pays late' } })
    const row = await gateway.root.call(routes.adminUser.get, { params: { id } })
    expect(row).toMatchObject({ display_name: 'L', remark: 'pays late' })
    expect(await user.call(routes.user.readSelf)).not.toHaveProperty('remark')
  })

  it.each(['param_override', 'header_override'])('%s of a whole tag is refused in words', async (field) => {
    const body = { tag: 'east', [field]: '{"temperature":0}' }
    await expect(gateway.root.call(routes.channel.updateTag, { body })).rejects.toThrow(field)
  })
})
