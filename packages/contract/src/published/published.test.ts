import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { openClient, readWebhook, routes } from './index.ts'

const secret = 'a secret of the user'
const message = {
  id: 'n-1',
  type: 'quota_low',
  title: 'Low',
  content: 'Low balance',
  timestamp: 1_795_000_000,
}
const body = JSON.stringify(message)
const signature = createHmac('sha256', secret).update(body).digest('hex')

it('a webhook with its signature is read', async () => {
  expect(await readWebhook({ body, signature, secret })).toEqual(message)
})

it.each([
  ['another secret', { body, signature, secret: 'other' }],
  ['no secret', { body, signature, secret: '' }],
  ['another body', { body: body.replace('Low', 'Hi'), signature, secret }],
  ['no signature', { body, signature: null, secret }],
  ['a signature that is not hexadecimal', { body, signature: 'z'.repeat(64), secret }],
  ['half a signature', { body, signature: signature.slice(0, 32), secret }],
])('a webhook with %s is not read', async (_name, request) => {
  expect(await readWebhook(request)).toBeUndefined()
})

it('a signed body that is no message is not read', async () => {
  for (const odd of ['', '[]', '{"id":1}', 'text']) {
    const signed = createHmac('sha256', secret).update(odd).digest('hex')
    expect(await readWebhook({ body: odd, signature: signed, secret })).toBeUndefined()
  }
})

it('a client sends the access token to the address', async () => {
  const sent: Parameters<typeof fetch>[] = []
  const client = openClient({
    address: 'https://gateway.example.com/',
    accessToken: 'abc',
    language: 'zh',
    fetch: (url, init) => {
      sent.push([url, init])
      return Promise.resolve(Response.json({ success: true, message: '', data: [] }))
    },
  })
  expect(await client.call(routes.token.list, { query: { p: 0 } })).toEqual([])
  expect(sent[0]?.[0]).toBe('https://gateway.example.com/api/token?p=0')
  expect(sent[0]?.[1]?.headers).toMatchObject({ authorization: 'Bearer abc', 'accept-language': 'zh' })
})
