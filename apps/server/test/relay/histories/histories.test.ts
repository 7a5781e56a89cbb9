import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay-harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from '../upstream.ts'
import { type AgentHistory, buildHistories, historyVariants, type HistoryVariant } from './agent-histories.ts'
import { answers } from './fake-answers.ts'
import { type StrictVendor, strictVendors } from './strict-vendors.ts'

/**
 * Histories of coding agents, as they send them in the middle of a task and when they compact it, before twenty
 * vendors that refuse what their documents say. A call may be refused in words; nothing that was answered is lost or
 * unpaid.
 */

const CELLS_MIN = 500
const REFUSED_MAX = 0.05
const AT_ONCE = 8
/** Channels of this type have the whole address of their endpoint. */
const OWN_ADDRESS = 8

interface Cell {
  readonly vendor: StrictVendor
  readonly history: AgentHistory
  readonly variant: HistoryVariant
}

interface CellResult extends Cell {
  readonly status: number
  readonly words: string
  readonly isAnswered: boolean
}

let harness: RelayHarness
let bearer: string
const upstreams: ScriptedUpstream[] = []

beforeAll(async () => {
  harness = await openRelayHarness()
  await harness.setOption(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(strictVendors.map(({ model }) => [model, 1]))),
  )
  ;({ bearer } = await harness.addCaller({ quota: 10_000_000_000n }))
  for (const vendor of strictVendors) {
    const upstream = await openVendor(vendor)
    upstreams.push(upstream)
    const address = vendor.type === OWN_ADDRESS ? `${upstream.url}/v1/chat/completions` : upstream.url
    await harness.addChannel(address, {
      type: vendor.type,
      key: vendor.key,
      models: vendor.model,
      name: vendor.name,
    })
  }
})
afterAll(async () => {
  await harness.close()
  for (const upstream of upstreams) await upstream.close()
})

/** Which vendors answered, in the order of the answers. */
const answered: string[] = []

function openVendor({ name, formats }: StrictVendor): Promise<ScriptedUpstream> {
  return openScriptedUpstream((response, { path, body }) => {
    const format = formats.find((one) => one.path.test(path))
    if (format === undefined) return sendJson(response, 404, { error: { message: `no path ${path}` } })
    const message = format.rules.map(({ refuses }) => refuses(body)).find((words) => words !== undefined)
    if (message !== undefined) {
      const error = { type: 'invalid_request_error', code: sealCode(message), message }
      return sendJson(response, 400, { type: 'error', message, error })
    }
    answered.push(name)
    const isStream = body['stream'] === true || path.includes('streamGenerateContent')
    answers[format.wire]?.(response, { text: ANSWER, isStream })
    return undefined
  })
}

function sealCode(message: string): string | null {
  return message.startsWith('The encrypted content') ? 'invalid_encrypted_content' : null
}

const ANSWER = 'The work goes on.'

async function ask({ vendor, history, variant }: Cell): Promise<CellResult> {
  const { model, isWhole = false } = vendor
  const path = history.path
    .replace(/\/models\/[^:]+:/, `/models/${model}:`)
    .replace(isWhole ? /streamGenerateContent.*$/ : /^$/, 'generateContent')
  const whole = history.variants[variant]
  const body = {
    ...whole,
    ...('model' in whole && { model }),
    ...(isWhole && 'stream' in whole && { stream: false, stream_options: undefined }),
  }
  const response = await fetch(harness.url + path, {
    method: 'POST',
    headers: { ...history.headers, authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  })
  const words = await response.text()
  return { vendor, history, variant, status: response.status, words, isAnswered: words.includes(ANSWER) }
}

function readSentence({ words }: CellResult): string {
  const sentence = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(words)?.[1] ?? words.slice(0, 200)
  return sentence.replaceAll(/\(request id: [^)]*\)/g, '').trim()
}

test(
  'histories of coding agents go on before every vendor, or one sentence says why not',
  { timeout: 120_000 },
  async () => {
    const histories = buildHistories()
    const cells = strictVendors.flatMap((vendor) =>
      histories.flatMap((history) => historyVariants.map((variant) => ({ vendor, history, variant }))),
    )
    expect(cells.length).toBeGreaterThanOrEqual(CELLS_MIN)
    const results: CellResult[] = []
    for (let at = 0; at < cells.length; at += AT_ONCE)
      results.push(...(await Promise.all(cells.slice(at, at + AT_ONCE).map(ask))))
    const refused = results.filter(({ status }) => status !== 200)
    const sentences = Map.groupBy(refused, readSentence)
    const share = (100 * refused.length) / results.length
    process.stdout.write(
      `${histories.length} histories x ${historyVariants.length} x ${strictVendors.length} vendors: ${results.length} cells, ${refused.length} refused (${share.toFixed(1)} %)\n`,
    )
    for (const [sentence, ones] of sentences)
      process.stdout.write(
        `  ${ones.length} x ${sentence.slice(0, 300)} [${[...new Set(ones.map(({ vendor }) => vendor.name))].join(', ')}; ${[...new Set(ones.map(({ history }) => history.agent))].slice(0, 4).join(', ')}]\n`,
      )
    expect(results.filter(({ status, isAnswered }) => status === 200 && !isAnswered)).toEqual([])
    expect(share).toBeLessThanOrEqual(100 * REFUSED_MAX)
    await harness.settled()
    const paid = (await harness.entries()).filter(({ amount }) => amount !== 0n)
    expect(paid).toHaveLength(results.length - refused.length)
    expect(answered).toHaveLength(results.length - refused.length)
  },
)

test('every rule of the fakes has its document and date', () => {
  for (const { source, date } of strictVendors.flatMap(({ formats }) =>
    formats.flatMap(({ rules }) => rules),
  )) {
    expect(source).toMatch(/^https:/)
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
  }
})

test('the fakes import nothing of the gateway', () => {
  const fakes = readdirSync(import.meta.dirname).filter((name) => /^(?:strict|fake)-/.test(name))
  expect(fakes.length).toBeGreaterThan(4)
  for (const name of fakes) {
    const imports = [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g)]
    for (const [, from = ''] of imports) expect(from, name).toMatch(/^(?:node:|\.\/strict-)/)
  }
})
