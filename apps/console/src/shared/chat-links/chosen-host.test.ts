import { expect, it } from 'vitest'
import { hostReceivingKey } from './chosen-host.ts'

it.each([
  ['https://chat.example/?settings={"apiKey":"{key}"}', 'chat.example'],
  ['https://chat.example/#/?key={key}', undefined],
  ['https://chat.example/?d={cherryConfig}#x', 'chat.example'],
  ['ama://x?key={key}', undefined],
  ['https://chat.example/', undefined],
])('the host that receives the key from %s: %s', (template, host) => {
  expect(hostReceivingKey(template)).toBe(host)
})
