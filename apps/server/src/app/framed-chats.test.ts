import { expect, it } from 'vitest'
import { framedChatOrigins } from './framed-chats.ts'

const originsOf = (...templates: string[]) =>
  framedChatOrigins(templates.map((template) => ({ Chat: template })))

it('each plain-HTTP site is listed once', () => {
  expect(
    originsOf('http://10.0.0.7:3210/{key}', 'http://10.0.0.7:3210/b', 'https://a.example', 'cherry://x'),
  ).toEqual(['http://10.0.0.7:3210'])
})

it('a site whose name would start another policy directive is left out', () => {
  expect(originsOf('http://chat;script-src', 'http://a,b', 'http://{address}/', 'http://')).toEqual([])
})
