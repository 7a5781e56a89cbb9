import { describe, expect, it } from 'vitest'
import { optionReader } from './read-options.ts'

const read = (key: string, text: string) => optionReader(new Map([[key, text]]))(key, text)

describe('a map of the source with wrong entries', () => {
  it.each([
    ['ModelRatio', '{"gpt-4o":1.25,"x":"bad"}', { 'gpt-4o': 1.25 }, ['x']],
    ['ModelPrice', '{"a":0.1,"b":-1,"c":null}', { a: 0.1 }, ['b', 'c']],
    ['GroupRatio', '{"default":1,"vip":"0.8"}', { default: 1 }, ['vip']],
    ['GroupGroupRatio', '{"vip":{"default":0.5},"svip":7}', { vip: { default: 0.5 } }, ['svip']],
    ['UserUsableGroups', '{"default":"all","vip":3}', { default: 'all' }, ['vip']],
  ])('%s keeps the right ones and names the others', (key, text, kept, refused) => {
    const reading = read(key, text)
    if (reading.type !== 'accepted') throw new Error(`${key} was not accepted`)
    expect(JSON.parse(reading.value)).toEqual(kept)
    expect(reading.notes.map(({ detail }) => detail.split(':')[0])).toEqual(refused)
  })

  it.each(['ModelRatio', 'TopupGroupRatio', 'Chats'])('%s counts as not set when it is empty', (key) => {
    expect(read(key, '').type).toBe('unset')
  })

  it.each(['not JSON', '{"x":"bad"}', '7'])('%s is refused as a whole', (text) => {
    expect(read('ModelRatio', text)).toMatchObject({ type: 'refused', code: 'option-refused' })
  })
})
