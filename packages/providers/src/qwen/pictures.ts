import { recordAt, recordsAt, textAt } from '@tollgate/dialects/json'
import { openaiImages } from '../define/openai.ts'
import type { JobState, Endpoint, Upstream } from '../provider.ts'
import { isTold, omit, onBody, type Body } from '../quirks/body.ts'

/** Models that return the image synchronously. */
const AT_ONCE = /^(?:z-image|qwen-image|wan-?2\.[67])/

/** https://help.aliyun.com/zh/model-studio/qwen-image-api */
export const qwenPictures: Endpoint = openaiImages({
  path: '/api/v1/services/aigc/multimodal-generation/generation',
  models: AT_ONCE,
  quirks: [onBody((body) => turnWith(body, []))],
  adjustAnswer: fromTurn,
})

/**
 * The other models create an asynchronous job.
 * https://help.aliyun.com/zh/model-studio/text-to-image-v2-api-reference
 */
export const qwenOrders: Endpoint = openaiImages({
  path: '/api/v1/services/aigc/text2image/image-synthesis',
  models: /^(?:wan|flux|stable-diffusion)/,
  authHeaders: orderHeaders,
  quirks: [onBody((body) => orderWith(body, {}))],
  asyncJob: orderState,
  adjustAnswer: fromOrder,
})

export function orderHeaders({ key }: Pick<Upstream, 'key'>): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}`, 'x-dashscope-async': 'enable' }
}

/** The vendor's own parameters that clients may set at the top of the request. */
const PARAMETERS = ['seed', 'watermark', 'prompt_extend']

/** Writes one user message with the input images, if any, in order, and the prompt. */
export function turnWith(body: Body, images: readonly string[]): Body {
  const { model, prompt } = body
  const content = [...images.map((image) => ({ image })), { text: prompt }]
  const input = recordAt(body, 'input') ?? { messages: [{ role: 'user', content }] }
  return { model, input, parameters: parametersOf(body, [...PARAMETERS, 'negative_prompt']) }
}

/** Writes the prompt beside the members that name the input images, if any. */
export function orderWith(body: Body, pictures: Body): Body {
  const { model, prompt, negative_prompt: unwanted } = body
  const words = { prompt, ...(unwanted !== undefined && { negative_prompt: unwanted }) }
  return {
    model,
    input: { ...words, ...pictures, ...recordAt(body, 'input') },
    parameters: parametersOf(body, PARAMETERS),
  }
}

/** These parameters would produce additional images that the hold does not cover. */
const MORE_PICTURES = ['enable_interleave', 'max_images']

function parametersOf(body: Body, names: readonly string[]): Body {
  const reported = names.filter((name) => isTold(body, name)).map((name) => [name, body[name]] as const)
  const wanted = textAt(body, 'size')?.replace('x', '*')
  const size = wanted === 'auto' ? undefined : wanted
  return {
    ...Object.fromEntries(reported),
    ...(size !== undefined && { size }),
    ...omit(recordAt(body, 'parameters') ?? {}, ...MORE_PICTURES),
    // The number of images determines the price, so it is set last and cannot be overridden by `parameters`.
    n: body['n'] ?? 1,
  }
}

const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'RUNNING'])

export function orderState(answer: Readonly<Record<string, unknown>>, orderPath: string): JobState {
  const output = recordAt(answer, 'output') ?? {}
  const status = textAt(output, 'task_status')
  const id = textAt(output, 'task_id')
  if (status !== undefined && UNDER_WAY.has(status) && id !== undefined)
    return { type: 'pending', path: orderPath.replace(/\/services\/.*$/, `/tasks/${encodeURIComponent(id)}`) }
  if (status === 'SUCCEEDED' || status === undefined) return { type: 'done' }
  const [failed = output] = recordsAt(output, 'results')
  const code = textAt(output, 'code') ?? textAt(failed, 'code') ?? status
  const message = textAt(output, 'message') ?? textAt(failed, 'message') ?? `the order is ${status}`
  const isCallers = /^(?:InvalidParameter|DataInspectionFailed)/.test(code)
  return { type: 'failed', status: isCallers ? 400 : 502, body: { error: { code, message } } }
}

export function fromOrder(answer: Record<string, unknown>): Record<string, unknown> {
  const output = recordAt(answer, 'output')
  if (output === undefined) return answer
  const urls = recordsAt(output, 'results').flatMap((each) => textAt(each, 'url') ?? [])
  return { created: 0, data: urls.map((url) => ({ url })) }
}

export function fromTurn(answer: Record<string, unknown>): Record<string, unknown> {
  const output = recordAt(answer, 'output')
  if (output === undefined) return answer
  const data = recordsAt(output, 'choices')
    .flatMap((choice) => recordsAt(recordAt(choice, 'message') ?? {}, 'content'))
    .flatMap((part) => textAt(part, 'image') ?? [])
    .map((url) => ({ url }))
  return { created: 0, data }
}
