import { recordsAt, textAt } from '@tollgate/dialects/json'
import { readImageUsage } from '@tollgate/dialects/media/usage'
import { joinUrl, segment, type UrlWriter } from '../define/url.ts'
import type { Endpoint } from '../provider.ts'
import { onBody, type Body } from '../quirks/body.ts'

const ratios: Readonly<Record<string, string>> = {
  '1536x1024': '3:2',
  '1024x1536': '2:3',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
}
const LARGE: ReadonlySet<unknown> = new Set(['hd', 'high', '2K'])

/** Imagen models behind the OpenAI images API. https://ai.google.dev/gemini-api/docs/imagen */
export const imagen = imagenAt(({ model }, { baseUrl }) =>
  joinUrl(baseUrl, `/v1beta/models/${segment(model)}:predict`),
)

export function imagenAt(url: UrlWriter): Endpoint {
  return {
    dialect: 'gemini',
    models: /^imagen/,
    url,
    quirks: [onBody(asPrediction)],
    readUsage: readImageUsage,
    streamOptions: false,
    adjustAnswer: fromPredictions,
  }
}

function asPrediction(body: Body): Body {
  const size = textAt(body, 'size') ?? ''
  const aspectRatio = size.includes(':') ? size : (ratios[size] ?? '1:1')
  const parameters = {
    sampleCount: body['n'] ?? 1,
    aspectRatio,
    personGeneration: 'allow_adult',
    imageSize: body['quality'] === undefined ? undefined : LARGE.has(body['quality']) ? '2K' : '1K',
  }
  return { instances: [{ prompt: body['prompt'] }], parameters }
}

/** A filtered image has no bytes, only a reason. */
function fromPredictions(answer: Record<string, unknown>): Record<string, unknown> {
  if (!('predictions' in answer)) return answer
  const data = recordsAt(answer, 'predictions').flatMap((each) => {
    const bytes = textAt(each, 'bytesBase64Encoded')
    return bytes === undefined ? [] : [{ b64_json: bytes }]
  })
  return { created: 0, data }
}
