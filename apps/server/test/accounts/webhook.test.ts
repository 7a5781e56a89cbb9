import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'
import { localhostCertificate, localhostKey, trustLocalhost } from '@tollgate/testkit/localhost-certificate'

interface Posted {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const posted = Promise.withResolvers<Posted>()
const receiver = createServer({ cert: localhostCertificate, key: localhostKey }, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.end('ok')
    posted.resolve({ headers: request.headers, text: Buffer.concat(chunks).toString() })
  })
})

let gateway: TestServer
beforeAll(async () => {
  trustLocalhost()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  gateway = await startTestServer({ isInMemory: true })
})
afterAll(async () => {
  await gateway.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

test('a webhook body says what happened, and both signature headers prove its sender', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port } = receiver.address() as AddressInfo
  const user = await gateway.user()
  const secret = 'webhook-secret-of-a-user'
  await user.call(routes.account.updateSetting, {
    body: {
      notify_type: 'webhook',
      quota_warning_threshold: 1000,
      webhook_url: `https://127.0.0.1:${port}/hook`,
      webhook_secret: secret,
    },
  })
  await user.call(routes.account.testNotification)
  const { headers, text } = await posted.promise
  expect(headers['x-webhook-signature']).toBe(createHmac('sha256', secret).update(text).digest('hex'))
  expect(headers.authorization).toBe(`Bearer ${secret}`)
  const message: unknown = JSON.parse(text)
  expect(message).toMatchObject({ type: 'test', title: expect.any(String), timestamp: expect.any(Number) })
  expect(text).not.toMatch(/%!|\{\{value\}\}/)
})
