import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuideSample, guideSamples } from '../guide-samples.ts'
import { answerWith, type Responder } from '../relay/upstream.ts'
import { type ClientGateway, openClientGateway } from './gateway.ts'

/** Runs the samples of the quick start and the README as they are, against a gateway at another address. */
const run = promisify(execFile)
const ANSWER = 'hello from the vendor'
const LOCAL = 'http://localhost:3000'

let gateway: ClientGateway

function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  const data = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
  return `data: ${JSON.stringify(data)}\n\n`
}

const respond: Responder = (response, request) => {
  if (request.body['stream'] !== true) return answerWith({ content: ANSWER })(response, request)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${chunk({ role: 'assistant', content: ANSWER }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
}

beforeAll(async () => {
  gateway = await openClientGateway()
  await gateway.addVendor({ type: 1, models: 'gpt-4o-mini', respond })
})
afterAll(() => gateway.close())

async function outputOf({ language, code }: GuideSample): Promise<string> {
  const text = code.replaceAll(LOCAL, gateway.address)
  const env = { ...process.env, TOLLGATE_TOKEN: gateway.key }
  const options = { cwd: import.meta.dirname, env }
  const { stdout } =
    language === 'ts'
      ? await run(process.execPath, ['--input-type=module-typescript', '--eval', text], options)
      : await run('sh', ['-c', text], options)
  return stdout
}

it('the calls of the quick start are answered, and its last sample shows what they used', async () => {
  const samples = guideSamples('docs/guides/quick-start.md', { runs: true })
  expect(samples.map(({ language }) => language)).toEqual(['bash', 'bash', 'ts', 'bash'])
  const usage = samples.at(-1)
  for (const sample of samples.slice(0, -1)) expect(await outputOf(sample), sample.code).toContain(ANSWER)
  const { items } = await gateway.server.root.call(routes.log.listOwn, {
    query: { model_name: 'gpt-4o-mini' },
  })
  expect(items.filter(({ type }) => type === 2)).toHaveLength(3)
  if (usage) expect(JSON.parse(await outputOf(usage))).toMatchObject({ data: { name: 'client' } })
})

it('the first calls of the README and the health check of the deployment guide work', async () => {
  const calls = guideSamples('README.md').filter(({ language }) => /^(?:bash|ts)$/.test(language))
  expect(calls).toHaveLength(2)
  for (const sample of calls) expect(await outputOf(sample), sample.code).toContain(ANSWER)
  const [health] = guideSamples('docs/guides/deploy.md', { runs: true })
  if (health === undefined) throw new Error('the guide has no health check')
  expect(await outputOf(health)).not.toBe('')
})
