import { expect, it } from 'vitest'
import { newReceiverValue, receiverValueOf, sentFields } from './form-value.ts'

const telegram = {
  id: 'a',
  name: 'Night shift',
  kind: 'telegram' as const,
  fields: { chat: '-9', url: 'https://api.telegram.org' },
  secrets: ['token'],
  is_ready: true,
}

it('a new receiver begins with the defaults of its kind', () => {
  expect(sentFields(newReceiverValue('telegram'))).toEqual({ chat: '', url: 'https://api.telegram.org' })
})

it('a secret that nobody touched is not sent, and a removed one is sent as nothing', () => {
  const value = receiverValueOf(telegram)
  expect(sentFields(value)).toEqual({ chat: '-9', url: 'https://api.telegram.org' })
  expect(sentFields({ ...value, fields: { ...value.fields, token: { text: '' } } })['token']).toBe('')
  expect(sentFields({ ...value, fields: { ...value.fields, token: { text: ' 1:a ' } } })['token']).toBe('1:a')
})

it('fields of another kind are not sent', () => {
  const value = { ...newReceiverValue('slack'), fields: { url: { text: 'https://s.test' }, chat: '-9' } }
  expect(sentFields(value)).toEqual({ url: 'https://s.test' })
})
