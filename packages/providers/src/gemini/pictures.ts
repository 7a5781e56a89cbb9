import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { readGeminiUsage } from '@tollgate/dialects/gemini/usage'
import { readImageUsage } from '@tollgate/dialects/media/usage'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import { problem } from '@tollgate/kit/problem'
import { geminiModelUrl } from '../build/conversations.ts'
import type { UrlWriter } from '../build/url.ts'
import { defaultGeminiOptions, safetySettings } from '../gemini-options.ts'
import type { Outgoing, Spoken } from '../provider.ts'
import { onBody, type Body } from '../quirks/body.ts'

const DRAWING = /^(?!imagen).*(?:image|banana)|^gemini-2\.0-flash-exp$/
const LARGE: ReadonlySet<unknown> = new Set(['hd', 'high', '2K'])
/** https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios */
const RATIOS: Readonly<Record<string, string>> = {
  '256x256': '1:1',
  '512x512': '1:1',
  '1024x1024': '1:1',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
}

/** Pictures by models that converse: asked for in one turn, one picture a call. */
export function geminiPictures(url: UrlWriter = geminiModelUrl('generateContent')): Spoken {
  return {
    dialect: 'gemini',
    models: DRAWING,
    url,
    quirks: [onBody(asTurn)],
    readUsage: readImageUsage,
    streamOptions: false,
    adjustAnswer: fromTurn,
  }
}

function asTurn(body: Body, { gemini = defaultGeminiOptions }: Outgoing): Body {
  if ((body['n'] ?? 1) !== 1) throw problem('member_out_of_range', { param: 'n', min: 1, max: 1 })
  const size = textAt(body, 'size') ?? ''
  const aspectRatio = size.includes(':') ? size : RATIOS[size]
  const imageConfig = {
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(LARGE.has(body['quality']) && { imageSize: '2K' }),
  }
  const generationConfig = {
    responseModalities: ['TEXT', 'IMAGE'],
    ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
  }
  const contents = [{ role: 'user', parts: [{ text: body['prompt'] }] }]
  return { contents, generationConfig, safetySettings: safetySettings(gemini) }
}

/** What the model says beside its pictures has no place in the caller's answer; it is paid all the same. */
function fromTurn(answer: Record<string, unknown>): Record<string, unknown> {
  if (!('candidates' in answer)) return answer
  const data = recordsAt(answer, 'candidates')
    .flatMap((candidate) => recordsAt(recordAt(candidate, 'content') ?? {}, 'parts'))
    .flatMap((part) => textAt(recordAt(part, 'inlineData') ?? {}, 'data') ?? [])
    .map((bytes) => ({ b64_json: bytes }))
  const usage = usageOf(answer)
  return { created: 0, data, ...(usage && { usage }) }
}

function usageOf(answer: JsonObject): JsonObject | undefined {
  const told = readGeminiUsage(answer)
  if (told === undefined) return undefined
  const [input, output] = [inputTokens(told), outputTokens(told)]
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    output_tokens_details: { text_tokens: told.outputText, image_tokens: told.outputImage },
  }
}
