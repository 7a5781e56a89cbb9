import { openCipher } from '@tollgate/kit/cipher'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { writeOption } from '@tollgate/store/operations/options'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSiteSettings } from './site-settings.ts'

const cipher = openCipher(Buffer.alloc(32, 7))

let store: Store
let faults: unknown[]
beforeEach(async () => {
  faults = []
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

const write = (key: string, value: string) =>
  writeOption(store.db, { key, value, shownValue: value, shownBefore: (text) => text, nowMs: 1, actorId: 1 })
const open = () =>
  openSiteSettings({ db: store.db, cipher, log: { error: (fields) => void faults.push(fields) } })

it('a reload parses only the settings that changed', async () => {
  await write('ModelRatio', '{"m":2}')
  const settings = await open()
  const before = { ratios: settings.get('ModelRatio'), groups: settings.get('GroupRatio') }
  await write('SystemName', 'Gate')
  await settings.reload()
  expect(settings.get('SystemName')).toBe('Gate')
  expect(settings.get('ModelRatio')).toBe(before.ratios)
  expect(settings.get('GroupRatio')).toBe(before.groups)
})

it('a setting that is written again, reverted and removed is read each time', async () => {
  const settings = await open()
  const normal = settings.text('ModelRatio')
  await write('ModelRatio', '{"m":2}')
  await settings.reload()
  expect([settings.text('ModelRatio'), settings.version('ModelRatio')]).toEqual(['{\n  "m": 2\n}', 1])
  await write('ModelRatio', '{"m":3}')
  await write('ModelRatio', '{"m":2}')
  await settings.reload()
  expect([settings.stored('ModelRatio'), settings.version('ModelRatio')]).toEqual(['{"m":2}', 3])
  await store.db.deleteFrom('options').execute()
  await settings.reload()
  expect([settings.text('ModelRatio'), settings.version('ModelRatio')]).toEqual([normal, 0])
})

it('an invalid stored value is reported by each reload, until it is replaced', async () => {
  await write('ModelRatio', 'no JSON')
  const settings = await open()
  await settings.reload()
  expect(faults).toHaveLength(2)
  expect(settings.stored('ModelRatio')).toBeUndefined()
  await write('ModelRatio', '{"m":2}')
  await settings.reload()
  expect(faults).toHaveLength(2)
  expect(settings.stored('ModelRatio')).toBe('{"m":2}')
})
