import { operationsRoutes } from '@tollgate/contract/operations'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'

/** The operations page over several lives of one gateway. */

let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ hasThreads: true })
})
afterAll(() => gateway.close())

const nodes = async () => (await gateway.root.call(operationsRoutes.read)).nodes

it('a process that was stopped is not listed any more', async () => {
  await expect.poll(nodes).toMatchObject([{ is_alive: true }])
  const [first] = await nodes()
  gateway = await gateway.restart()
  await expect.poll(nodes).toMatchObject([{ is_alive: true }])
  expect((await nodes())[0]?.id).not.toBe(first?.id)
})
