import type { ServerResponse } from 'node:http'
import { multiply, parseDecimal, roundHalfAway, scaledOf } from '@tollgate/billing/decimal'
import { invariant } from '@tollgate/kit/invariant'
import type { RelayHarness } from './relay-harness.ts'
import type { Random } from './random.ts'
import type { RelayAnswer, SendInput } from './send.ts'
import { conversationCases, type ConversationCase } from './settled-first-cases.ts'
import { failWith, sendJson, type ReceivedRequest, type Responder } from './upstream.ts'

/** Calls of every kind in random order, and the costs reported to their callers. */

const MODELS = { images: 'dall-e-2', tokenImages: 'gpt-image-1', vectors: 'text-embedding-3-small' } as const
/** Words in a prompt that make the vendor fail. */
const FAIL = 'please fail'
const BREAK = 'please break'
const SILENT = 'please send no usage'

export const mixPrices = { 'dall-e-2': 0.02 }

export async function addMixChannels(harness: RelayHarness, url: string): Promise<void> {
  const added = new Set<string>()
  for (const { channel } of conversationCases) {
    const name = `${channel.type} ${channel.models}`
    if (!added.has(name)) await harness.addChannel(url, channel)
    added.add(name)
  }
  await harness.addChannel(url, { models: Object.values(MODELS).join(',') })
}

/** A vendor of every dialect with random usage, which sometimes reports costs of its own. */
export function mixVendor(random: Random): Responder {
  return (response, request) => {
    const { path, text } = request
    if (text.includes(FAIL)) return failWith(random.below(2) === 0 ? 400 : 500)(response, request)
    if (path.endsWith('/images/generations')) return sendJson(response, 200, picturesFor(request, random))
    if (path.endsWith('/embeddings')) return sendJson(response, 200, vectorsWith(random))
    const spoken = dialectOf(path)
    const usage = {
      input: 1 + random.below(200),
      output: 1 + random.below(90),
      hasCost: random.below(2) === 0,
    }
    const shown = (part: string) => withUsage(text.includes(SILENT) ? withoutUsage(part) : part, usage)
    const isStream = request.body['stream'] === true || path.includes('streamGenerateContent')
    if (!isStream) return sendJson(response, 200, JSON.parse(shown(JSON.stringify(spoken.whole))))
    stream(
      response,
      [...spoken.text, ...spoken.end].map(shown),
      text.includes(BREAK) ? spoken.text.length : 0,
    )
  }
}

function stream(response: ServerResponse, frames: readonly string[], breakAfter: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (breakAfter === 0) return void response.end(frames.join(''))
  response.write(frames.slice(0, breakAfter).join(''), () => setImmediate(() => response.destroy()))
}

function dialectOf(path: string): ConversationCase {
  const names: readonly (readonly [string, string])[] = [
    ['/messages', 'messages'],
    ['/responses', 'responses'],
    ['/chat/completions', 'chat'],
  ]
  const name = names.find(([end]) => path.endsWith(end))?.[1] ?? 'gemini'
  const found = conversationCases.find((each) => each.name === name)
  invariant(found !== undefined, `the vendor answers ${path}`)
  return found
}

interface MixUsage {
  readonly input: number
  readonly output: number
  readonly hasCost: boolean
}

/** The cases report 10 tokens of input and 5 of output. */
function withUsage(text: string, { input, output, hasCost }: MixUsage): string {
  const counted = text
    .replaceAll(/("(?:prompt_tokens|input_tokens|promptTokenCount)"):10/g, `$1:${input}`)
    .replaceAll(/("(?:completion_tokens|output_tokens|candidatesTokenCount)"):5/g, `$1:${output}`)
    .replaceAll(/("total_tokens"|"totalTokenCount"):15/g, `$1:${input + output}`)
  return hasCost ? counted.replaceAll('"usage":{', '"usage":{"cost":0.5,"is_byok":false,') : counted
}

function withoutUsage(text: string): string {
  return text.replaceAll(/,"(?:usage|usageMetadata)":\{[^{}]*\}/g, '')
}

function picturesFor({ body }: ReceivedRequest, random: Random) {
  const data = [{ b64_json: 'aGk=' }]
  if (body['model'] === MODELS.images) return { created: 1, data }
  const [input, output] = [1 + random.below(100), 1 + random.below(1000)]
  return {
    created: 1,
    data,
    usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  }
}

function vectorsWith(random: Random) {
  const count = 1 + random.below(200)
  const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
  return { object: 'list', data, model: MODELS.vectors, usage: { prompt_tokens: count, total_tokens: count } }
}

/** One call of a random kind. */
export function drawCall(random: Random, bearer: string): SendInput {
  const kind = random.below(24)
  if (kind === 0)
    return { bearer, path: '/v1/images/generations', body: { model: MODELS.images, prompt: 'x' } }
  if (kind === 1)
    return { bearer, path: '/v1/images/generations', body: { model: MODELS.tokenImages, prompt: 'x' } }
  if (kind === 2) return { bearer, path: '/v1/embeddings', body: { model: MODELS.vectors, input: 'hi' } }
  const each = conversationCases[random.below(conversationCases.length)]
  invariant(each !== undefined, 'there are cases')
  const isStream = random.below(2) === 0
  const input = each.send(isStream, bearer)
  if (kind === 3) return { ...input, body: { ...JSON.parse(JSON.stringify(input.body)), model: 'unknown' } }
  const words = [FAIL, BREAK, SILENT][kind - 4]
  const body = JSON.parse(JSON.stringify(input.body).replace('"hi"', JSON.stringify(words ?? 'hi')))
  if (kind === 7) delete body.stream_options
  // Leaves once the head is there; the gateway reads on, and charges.
  return kind === 8 && isStream ? { ...input, body, leaveWhen: () => true } : { ...input, body }
}

const UNITS = scaledOf('500000')

/**
 * The cost of the call as reported to the caller, in quota units: in the answer, or else by `GET /v1/generation`. Throws if
 * two places differ. 0 for a call that nobody knows, because it was refused.
 */
export async function reportedUnits(
  harness: RelayHarness,
  { headers, text }: RelayAnswer,
  bearer: string,
): Promise<{ readonly units: bigint; readonly where: 'answer' | 'generation' | 'nowhere' }> {
  const inHead = headers['x-tollgate-cost']
  const inUsage = /"cost":([\d.]+)/.exec(text)?.[1]
  if (typeof inHead === 'string' && inUsage !== undefined)
    invariant(Number(inHead) === Number(inUsage), `the head has ${inHead}, the usage has ${inUsage}`)
  const told = inUsage ?? (typeof inHead === 'string' ? inHead : undefined)
  if (told !== undefined) return { units: unitsOf(told), where: 'answer' }
  const id = String(headers['x-request-id'])
  const answer = await harness.send({ method: 'GET', path: `/v1/generation?id=${id}`, bearer })
  const found = /"total_cost":([\d.]+)/.exec(answer.text)?.[1]
  return found === undefined
    ? { units: 0n, where: 'nowhere' }
    : { units: unitsOf(found), where: 'generation' }
}

function unitsOf(text: string): bigint {
  const amount = parseDecimal(text)
  invariant(amount !== undefined, `${text} is a decimal`)
  return roundHalfAway(multiply(amount, UNITS))
}
