import { ownValue } from '@tollgate/kit/own-value'
import { recordAt, textAt, type JsonObject } from '../json.ts'
import { sizeOfDataUrl, type PixelSize } from './image-size.ts'

/**
 * Tokens of one image, recording or file: by a likely size, and by the largest possible size. No URL is
 * fetched.
 */
export interface MediaCount {
  readonly likely: number
  readonly max: number
}

/** Returns `undefined` if a message part is not media. */
export function countMedia(part: JsonObject, model: string): MediaCount | undefined {
  const inline = recordAt(part, 'inlineData') ?? recordAt(part, 'inline_data')
  if (inline !== undefined) return countInline(inline)
  const file = recordAt(part, 'fileData') ?? recordAt(part, 'file_data')
  if (file !== undefined) return { likely: 520, max: 65_536 }
  const type = textAt(part, 'type')
  if (type === undefined) return countUntyped(part, model)
  return ownValue(counters, type)?.(part, model)
}

/** Counts a part in the format of embedding and rerank vendors: `{"image": "https://…"}`. */
function countUntyped(part: JsonObject, model: string): MediaCount | undefined {
  if (textAt(part, 'video') !== undefined) return { likely: 8192, max: 65_536 }
  return textAt(part, 'image') === undefined ? undefined : countImage(part, model)
}

/** Counts a part in Gemini's format, by its media type. */
function countInline(inline: JsonObject): MediaCount {
  const type = textAt(inline, 'mimeType') ?? textAt(inline, 'mime_type') ?? ''
  const bytes = base64Bytes(textAt(inline, 'data'))
  if (type.startsWith('image/')) return { likely: 520, max: 4096 }
  if (type.startsWith('audio/'))
    return { likely: Math.max(100, perSecond(bytes, 16_000)), max: Math.max(256, perSecond(bytes, 4000)) }
  if (type.startsWith('video/')) return { likely: 8192, max: 65_536 }
  return { likely: 5000, max: Math.min(1_000_000, Math.max(5000, Math.ceil(bytes / 4))) }
}

const counters: Readonly<Record<string, (part: JsonObject, model: string) => MediaCount>> = {
  image_url: countImage,
  input_image: countImage,
  image: countImage,
  input_audio: countAudio,
  audio_url: () => ({ likely: 256, max: 8192 }),
  video_url: () => ({ likely: 8192, max: 65_536 }),
  video: () => ({ likely: 8192, max: 65_536 }),
  file: countFile,
  input_file: countFile,
  document: countDocument,
}

function countImage(part: JsonObject, model: string): MediaCount {
  const image = recordAt(part, 'image_url')
  const url = image === undefined ? (textAt(part, 'image_url') ?? '') : (textAt(image, 'url') ?? '')
  const detail = textAt(image ?? part, 'detail')
  const rule = imageRules.find((each) => each.models.test(model))
  const size = url.startsWith('data:') ? sizeOfDataUrl(url) : undefined
  if (rule === undefined) return { likely: 520, max: largestPicture(model, size) }
  if (detail === 'low') return both(rule.low)
  return size === undefined ? { likely: rule.count(USUAL), max: rule.count(LARGEST) } : both(rule.count(size))
}

/**
 * Maximum tokens of an image for models without a published rule; for models of other vendors, by patches of
 * 28 pixels.
 */
const LARGEST_OF_CLAUDE = 4_784
const LARGEST_OF_GEMINI = 4_128
const LARGEST_OF_OTHERS = 16_384
const USUAL_MAX = 4_096

function largestPicture(model: string, size: PixelSize | undefined): number {
  if (/claude/.test(model)) return LARGEST_OF_CLAUDE
  if (/gemini/.test(model)) return LARGEST_OF_GEMINI
  if (size === undefined) return LARGEST_OF_OTHERS
  const patchCount = Math.ceil(size.width / 28) * Math.ceil(size.height / 28)
  return Math.min(LARGEST_OF_OTHERS, Math.max(USUAL_MAX, patchCount))
}

const USUAL: PixelSize = { width: 1024, height: 1024 }
/** No image needs more tiles than this strip. */
const LARGEST: PixelSize = { width: 2048, height: 768 }

function both(tokens: number): MediaCount {
  return { likely: tokens, max: tokens }
}

interface ImageRule {
  readonly models: RegExp
  readonly low: number
  readonly count: (size: PixelSize) => number
}

/** OpenAI's published rules; the first that matches applies. Other vendors' models have none here. */
const imageRules: readonly ImageRule[] = [
  patches(/^(?:gpt-4\.1|gpt-5)-mini/, 1.62),
  patches(/^(?:gpt-4\.1|gpt-5)-nano/, 2.46),
  patches(/^o4-mini/, 1.72),
  tiles(/^gpt-4o-mini/, 2833, 5667),
  tiles(/^gpt-5/, 70, 140),
  tiles(/^o[13]/, 75, 150),
  tiles(/^computer-use/, 65, 129),
  tiles(/^(?:gpt-|chatgpt-)/, 85, 170),
]

function tiles(models: RegExp, base: number, tile: number): ImageRule {
  return {
    models,
    low: base,
    count: (size) => {
      const fitted = shrink(
        shrink(size, 2048 / Math.max(size.width, size.height)),
        768 / Math.min(size.width, size.height),
      )
      return base + tile * Math.ceil(fitted.width / 512) * Math.ceil(fitted.height / 512)
    },
  }
}

function patches(models: RegExp, factor: number): ImageRule {
  const count = ({ width, height }: PixelSize): number =>
    Math.ceil(Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32)) * factor)
  return { models, low: count({ width: 512, height: 512 }), count }
}

function shrink(size: PixelSize, factor: number): PixelSize {
  return factor >= 1 ? size : { width: size.width * factor, height: size.height * factor }
}

/**
 * 28 tokens per second, as in OpenAI's realtime pricing. The bytes per second are those of usual recordings,
 * and of the lowest bit rates.
 */
function countAudio(part: JsonObject): MediaCount {
  const audio = recordAt(part, 'input_audio') ?? {}
  const bytes = base64Bytes(textAt(audio, 'data'))
  const [usual, thinnest] = textAt(audio, 'format') === 'wav' ? [48_000, 8000] : [16_000, 4000]
  return { likely: Math.max(100, perSecond(bytes, usual)), max: Math.max(256, perSecond(bytes, thinnest)) }
}

function perSecond(bytes: number, bytesPerSecond: number): number {
  return Math.ceil((bytes / bytesPerSecond) * 28)
}

function countFile(part: JsonObject): MediaCount {
  const bytes = base64Bytes(textAt(recordAt(part, 'file') ?? part, 'file_data'))
  return { likely: 5000, max: Math.min(1_000_000, Math.max(5000, Math.ceil(bytes / 4))) }
}

/** Counts a document in the format of Messages; a text document counts by its length. */
function countDocument(part: JsonObject): MediaCount {
  const source = recordAt(part, 'source') ?? {}
  const bytes = base64Bytes(textAt(source, 'data'))
  if (source['type'] === 'text') return both(Math.ceil(bytes / 3))
  return { likely: 5000, max: Math.min(1_000_000, Math.max(5000, Math.ceil(bytes / 4))) }
}

function base64Bytes(text: string | undefined): number {
  return Math.ceil(((text?.length ?? 0) * 3) / 4)
}
