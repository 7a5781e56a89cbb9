import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { clientSetups } from '@tollgate/contract/client-setup/index'
import type { ClientId, SetupBlock, SetupValues } from '@tollgate/contract/client-setup/setup'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerWith, type Responder, sendJson } from '../relay/upstream.ts'
import { type ClientGateway, openClientGateway } from './gateway.ts'

/**
 * Runs the blocks of the Connect page that run without installing anything: the libraries that the tests have
 * anyway, `curl`, and the addresses that people type into windows. `npm run test:agents` runs the agents.
 */
const run = promisify(execFile)
const MODEL = 'vendor/gpt-5.2'

let gateway: ClientGateway
let values: SetupValues

const respond: Responder = (response, request) => {
  if (!request.path.endsWith('/responses'))
    return answerWith({ content: 'hello from the vendor' })(response, request)
  return sendJson(response, 200, {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: MODEL,
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'hello from the vendor' }] }],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  })
}

beforeAll(async () => {
  gateway = await openClientGateway()
  await gateway.addVendor({ type: 1, models: MODEL, respond })
  const ratios = JSON.stringify({ [MODEL]: 1 })
  await gateway.server.root.call(routes.option.update, { body: { key: 'ModelRatio', value: ratios } })
  values = { address: gateway.address, key: gateway.key, model: MODEL }
})
afterAll(() => gateway.close())

const variantsOf = (kept: (id: ClientId, variant: string) => boolean) =>
  clientSetups.flatMap((setup) =>
    setup.variants
      .filter(({ id }) => kept(setup.id, id))
      .map((variant) => ({ name: `${setup.label} ${variant.label}`, variant })),
  )

function codeOf(blocks: readonly SetupBlock[]): string {
  const block = blocks.find(({ type }) => type === 'code')
  if (block?.type !== 'code') throw new Error('the client has no code')
  return block.text
}

const INSTALLED = ['openai-sdk', 'anthropic-sdk', 'google-sdk']

it.each(variantsOf((id, variant) => INSTALLED.includes(id) && variant === 'typescript'))(
  'the program of $name runs as it is',
  async ({ variant }) => {
    const program = codeOf(variant.blocks(values))
    const args = ['--input-type=module-typescript', '--eval', program]
    const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname })
    expect(stdout.trim()).toBe('hello from the vendor')
  },
)

it.each(variantsOf((id) => id === 'curl'))('the command of $name runs as it is', async ({ variant }) => {
  const { stdout } = await run('sh', ['-c', codeOf(variant.blocks(values))])
  expect(stdout).toContain('hello from the vendor')
})

it.each([
  ['cursor', 'Override OpenAI Base URL', '/chat/completions'],
  ['cline', 'Base URL', '/chat/completions'],
  // It adds the version itself.
  ['cherry-studio', 'API Host', '/v1/chat/completions'],
])('the fields of %s lead to an answer', async (client, addressField, path) => {
  const [variant] = variantsOf((id) => id === client)
  const [block] = variant?.variant.blocks(values) ?? []
  if (block?.type !== 'fields') throw new Error('the client has no fields')
  const fieldOf = (pattern: RegExp) => block.fields.find(({ name }) => pattern.test(name))?.value ?? ''
  const answer = await fetch(fieldOf(new RegExp(`^${addressField}$`)) + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${fieldOf(/API Key/)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: fieldOf(/model/i), messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(await answer.text()).toContain('hello from the vendor')
})

it('every Python program is valid Python', async ({ skip }) => {
  const python = await run('python3', ['--version']).catch(() => undefined)
  skip(python === undefined, 'python3 is not installed')
  const programs = variantsOf((_id, variant) => variant === 'python').map(({ variant }) =>
    codeOf(variant.blocks({ ...values, model: `it's "quoted" \\ é` })),
  )
  expect(programs.length).toBeGreaterThanOrEqual(4)
  const compile = 'import json, sys\nfor text in json.load(sys.stdin): compile(text, "block", "exec")'
  const compiled = run('python3', ['-c', compile])
  compiled.child.stdin?.end(JSON.stringify(programs))
  await compiled
})
