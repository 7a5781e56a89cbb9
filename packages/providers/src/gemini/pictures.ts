import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { blocked } from '@tollgate/dialects/gemini/read-reply'
import { readGeminiUsage } from '@tollgate/dialects/gemini/usage'
import { readImageUsage } from '@tollgate/dialects/media/usage'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import { addressesAmong, inlineImages } from '../define/inline-images.ts'
import { geminiModelUrl } from '../define/conversations.ts'
import { editImages, refuseMask } from '../define/edit-images.ts'
import { requireSingleImage } from '../define/single-image.ts'
import { nearestRatio, sidesOf } from '../define/ratio.ts'
import type { UrlWriter } from '../define/url.ts'
import { defaultGeminiOptions, safetySettings } from '../gemini-options.ts'
import type { Outgoing, Endpoint } from '../provider.ts'
import { onBody, type Body } from '../quirks/body.ts'

const DRAWING = /^(?!imagen).*(?:image|banana)|^gemini-2\.0-flash-exp$/
/** https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios */
const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']
/** The side length doubles from each size to the next. The first is the default. */
const SIZES = ['1K', '2K', '4K']
/** These models have a single size and refuse the parameter. */
const ONE_SIZE = /^gemini-2\./
const LARGE: ReadonlySet<unknown> = new Set(['hd', 'high', '2K'])

/** Image generation and editing with Gemini chat models, as one `generateContent` call per image. */
export function geminiPictures(url: UrlWriter = geminiModelUrl('generateContent')): Endpoint {
  return {
    dialect: 'gemini',
    models: DRAWING,
    url,
    quirks: [onBody(asTurn)],
    addressesIn: ({ operation, body }) => addressesAmong(picturesIn(body, operation)),
    takesForms: false,
    readUsage: readImageUsage,
    streamOptions: false,
    adjustAnswer: fromTurn,
  }
}

function asTurn(body: Body, { operation, model, media, gemini = defaultGeminiOptions }: Outgoing): Body {
  const pictures = inlineImages(picturesIn(body, operation), media)
  const imageConfig = imageConfigOf(body, model)
  const generationConfig = { responseModalities: ['TEXT', 'IMAGE'], imageConfig }
  const inline = pictures.map(({ mediaType, base64 }) => ({
    inlineData: { mimeType: mediaType, data: base64 },
  }))
  const contents = [{ role: 'user', parts: [...inline, { text: body['prompt'] }] }]
  return { contents, generationConfig, safetySettings: safetySettings(gemini) }
}

/** The images to edit, as addresses and data URLs. */
function picturesIn(body: Body, operation: Outgoing['operation']): readonly string[] {
  requireSingleImage(body)
  refuseMask(body)
  return operation === 'image-edits' ? editImages(body) : []
}

function imageConfigOf(body: Body, model: string): JsonObject | undefined {
  const size = textAt(body, 'size')
  // A ratio such as `8:1` is passed through, because the vendor accepts ratios and some models support more
  // of them than others.
  const aspectRatio = size?.includes(':') === true ? size : nearestRatio(size, RATIOS)
  const step = ONE_SIZE.test(model) ? 0 : Math.max(stepOf(size), LARGE.has(body['quality']) ? 1 : 0)
  if (aspectRatio === undefined && step === 0) return undefined
  return {
    aspectRatio,
    imageSize: step > 0 ? SIZES[step] : undefined,
  }
}

/** Returns the index in `SIZES` that is nearest to a size; each step doubles the side length. */
function stepOf(size = ''): number {
  if (SIZES.includes(size)) return SIZES.indexOf(size)
  const [width, height] = size.includes('x') ? (sidesOf(size) ?? []) : []
  if (width === undefined || height === undefined) return 0
  const doublings = Math.round(Math.log2(Math.sqrt(width * height) / 1024))
  return Math.min(Math.max(doublings, 0), SIZES.length - 1)
}

/**
 * The images API has no place for text that the model returns beside its images; its tokens are charged
 * nevertheless.
 */
function fromTurn(answer: Record<string, unknown>): Record<string, unknown> {
  if (!('candidates' in answer || 'promptFeedback' in answer)) return answer
  // Images in thought parts are drafts and not part of the response.
  const parts = partsOf(answer).filter((part) => part['thought'] !== true)
  const data = parts
    .flatMap((part) => textAt(recordAt(part, 'inlineData') ?? {}, 'data') ?? [])
    .map((bytes) => ({ b64_json: bytes }))
  const error = data.length === 0 ? refusalIn(answer, parts) : undefined
  if (error !== undefined) return { error: { ...error, type: 'invalid_request_error' } }
  const usage = usageOf(answer)
  return { created: 0, data, usage }
}

function partsOf(answer: JsonObject): readonly JsonObject[] {
  return recordsAt(answer, 'candidates').flatMap((candidate) =>
    recordsAt(recordAt(candidate, 'content') ?? {}, 'parts'),
  )
}

/**
 * Finish reasons that are failures of the model and not caused by the request.
 * https://ai.google.dev/api/generate-content#FinishReason
 */
const MISHAPS = /OTHER|MALFORMED|UNEXPECTED|MISSING|^FINISH_REASON_UNSPECIFIED$/

/**
 * Returns the reason of a refusal that a retry would only repeat; `undefined` when no image came for a reason
 * that is not caused by the request, so that the call may be retried.
 */
function refusalIn(
  answer: JsonObject,
  parts: readonly JsonObject[],
): { readonly code: string; readonly message: string } | undefined {
  const refused = blocked(answer)
  if (refused !== undefined) return { code: refused.code, message: refused.message }
  const [candidate = {}] = recordsAt(answer, 'candidates')
  const finish = textAt(candidate, 'finishReason') ?? ''
  const said = parts.map((part) => textAt(part, 'text') ?? '').join('')
  const reason = textAt(candidate, 'finishMessage') ?? (said || finish)
  const isMishap = reason === '' || MISHAPS.test(finish) || (finish === 'STOP' && reason === finish)
  return isMishap ? undefined : { code: 'no_image', message: `No picture was made: ${reason}` }
}

function usageOf(answer: JsonObject): JsonObject | undefined {
  const reported = readGeminiUsage(answer)
  if (reported === undefined) return undefined
  const [input, output] = [inputTokens(reported), outputTokens(reported)]
  const { inputImage, cacheRead } = reported
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: {
      text_tokens: input - inputImage,
      image_tokens: inputImage,
      cached_tokens: cacheRead,
    },
    output_tokens_details: { text_tokens: reported.outputText, image_tokens: reported.outputImage },
  }
}
