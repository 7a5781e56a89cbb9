import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import { names } from '../define/define-provider.ts'
import { omit, type Body } from '../quirks/body.ts'

/** Members of an images request that a prediction has under other names, or not at all. */
const SAID_OTHERWISE = names('model prompt n size quality response_format stream user style')

/**
 * https://replicate.com/docs/reference/http#models.predictions.create. Unknown members are passed through.
 */
export function writePrediction(body: Body): Body {
  const size = typeof body['size'] === 'string' ? body['size'] : undefined
  const { output_format: format } = body
  return {
    input: {
      ...omit(body, ...SAID_OTHERWISE),
      prompt: body['prompt'],
      ...(size !== undefined && frameOf(size)),
      ...omitUndefined({
        num_outputs: body['n'] ?? undefined,
        prompt_upsampling: /^(?:hd|high)$/.test(textAt(body, 'quality') ?? '') ? true : undefined,
        output_format: format === 'jpeg' ? 'jpg' : (format ?? undefined),
      }),
    },
  }
}

const RATIOS = new Set(['1:1', '16:9', '9:16', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '21:9', '9:21'])
const EDGE = { min: 256, max: 1440, step: 32 }

/** Uses an aspect ratio that the models support, otherwise the exact size within their limits. */
function frameOf(size: string): JsonObject {
  if (RATIOS.has(size)) return { aspect_ratio: size }
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(size) ?? []
  if (width === undefined || height === undefined) return {}
  const ratio = ratioOf(Number(width), Number(height))
  if (RATIOS.has(ratio)) return { aspect_ratio: ratio }
  return { aspect_ratio: 'custom', width: edge(Number(width)), height: edge(Number(height)) }
}

function ratioOf(width: number, height: number): string {
  const divisor = commonDivisor(width, height)
  return `${width / divisor}:${height / divisor}`
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

function edge(pixels: number): number {
  return Math.round(Math.min(EDGE.max, Math.max(EDGE.min, pixels)) / EDGE.step) * EDGE.step
}

/** A prediction that failed or is not done also comes with a success status. */
export function predictionError(answer: JsonObject): string | undefined {
  const status = textAt(answer, 'status')
  if (status === undefined || status === 'succeeded') return undefined
  return (
    textAt(answer, 'error') ?? textAt(recordAt(answer, 'error') ?? {}, 'message') ?? `prediction ${status}`
  )
}

export function readPrediction(answer: Record<string, unknown>): Record<string, unknown> {
  const { output } = answer
  const urls: unknown[] = Array.isArray(output) ? output : [output]
  const created = Date.parse(textAt(answer, 'completed_at') ?? textAt(answer, 'created_at') ?? '')
  return {
    created: Number.isNaN(created) ? 0 : Math.floor(created / 1000),
    data: urls.filter((url) => typeof url === 'string').map((url) => ({ url })),
  }
}
