import { parseObject, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { Ask } from '@tollgate/dialects/dialect'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { readWhole } from '@tollgate/dialects/pair/read-whole'
import { Problem, problem } from '@tollgate/problems/problem'
import type { FetchedMedia } from '@tollgate/providers/define/media'
import type { Route } from '../../outcome.ts'
import { endUnsent, type BreakReason } from '../attempt/break.ts'
import type { AttemptFailure } from '../attempt/failure.ts'
import type { Exchange, Sink } from '../attempt/exchange.ts'
import { verdictOfProblem, verdictOfThrown } from '../attempt/verdict.ts'
import type { Call } from '../../call.ts'
import type { Log } from '../../log.ts'
import { Collected } from './collected.ts'

/** The form in which the caller wants images: base64 bytes or an address. */
export type PictureForm = 'b64_json' | 'url'

export interface PictureSinkInput {
  readonly wanted: PictureForm
  readonly rules: PairRules
  readonly exchange: Exchange
  readonly bytesMax: number
  readonly call: Pick<Call, 'id' | 'isGone'>
  /** Bytes that the upstream announced; not a number if it announced none. */
  readonly length: number
  readonly route: Route
  readonly log: Log
  /** Downloads media from public addresses. Rejects with a Problem. */
  readonly fetch: (addresses: readonly string[]) => Promise<FetchedMedia>
  /** The sink for the converted response. */
  readonly handOn: (rules: PairRules) => Sink
}

/**
 * Converts images in a whole response to the form the caller requested, before it is passed to the next sink:
 * images given by address are downloaded, and bytes become data URLs.
 */
export class PictureSink implements Sink {
  readonly #input: PictureSinkInput
  readonly #body = new Collected()
  #isFetching = false

  constructor(input: PictureSinkInput) {
    this.#input = input
  }

  get heldBytes(): number {
    const { length, bytesMax } = this.#input
    return length > this.#body.size ? Math.min(length, bytesMax) : this.#body.size
  }

  get isGrowing(): boolean {
    return !this.#isFetching && !Number.isSafeInteger(this.#input.length)
  }

  data(chunk: Buffer): void {
    const { bytesMax, exchange } = this.#input
    this.#body.add(chunk)
    if (this.#body.size > bytesMax) exchange.stop({ type: 'too-large', limit: bytesMax })
  }

  end(): void {
    const { rules, wanted } = this.#input
    const bytes = this.#body.bytes()
    const { reading, bytes: reported } = readWhole(bytes, rules)
    const answer = reading.error === undefined ? parseObject(reported) : undefined
    const isReady = answer === undefined || recordsAt(answer, 'data').every((picture) => has(picture, wanted))
    // Nobody waits for another form once the caller has left, and the upstream takes its price for the images.
    if (isReady || this.#input.call.isGone) return this.#handOn(bytes, rules)
    void this.#bring(answer, bytes)
  }

  broke(reason: BreakReason): void {
    const { exchange, route } = this.#input
    if (this.#isFetching) exchange.finish({ type: 'failed', failure: pictureUnavailable(reason.type) })
    else exchange.finish(endUnsent(reason, route))
  }

  /**
   * The time limits of the exchange also apply to downloads. No checkpoint is written: the caller owes
   * nothing until the images have arrived.
   */
  tick(): void {
    // Nothing to record.
  }

  async #bring(answer: JsonObject, bytes: Buffer): Promise<void> {
    const { exchange, rules, log, call } = this.#input
    this.#isFetching = true
    try {
      const body = await this.#inWantedForm(answer)
      const { adjustAnswer: _done, errorInside: _read, ...plain } = rules
      if (!exchange.isOver) this.#handOn(Buffer.from(JSON.stringify(body)), plain)
    } catch (error) {
      if (!(error instanceof Problem))
        log.error({ error, requestId: call.id }, 'a bug of the gateway ended the conversion of images')
      else if (call.isGone && !exchange.isOver) return this.#handOn(bytes, rules)
      const failure = error instanceof Problem ? pictureUnavailable(error.code) : verdictOfThrown(error)
      exchange.finish({ type: 'failed', failure })
    }
  }

  async #inWantedForm(answer: JsonObject): Promise<JsonObject> {
    const { wanted, fetch } = this.#input
    const pictures = recordsAt(answer, 'data')
    if (wanted === 'url') return { ...answer, data: pictures.map(asAddress) }
    const addresses = pictures.flatMap((picture) => addressOf(picture) ?? [])
    const fetched = await fetch([...new Set(addresses)])
    for (const { mediaType: type } of fetched.values())
      if (!type.startsWith('image/')) throw problem('media_no_image', { type })
    return { ...answer, data: pictures.map((picture) => asBytes(picture, fetched)) }
  }

  #handOn(bytes: Buffer, rules: PairRules): void {
    const sink = this.#input.handOn(rules)
    if (bytes.length > 0) sink.data(bytes)
    sink.end()
  }
}

/**
 * Not retryable: the upstream has already charged for the images, and another channel would only generate
 * them again.
 */
function pictureUnavailable(detail: string): AttemptFailure {
  return verdictOfProblem('picture_unavailable', { detail, isRetryable: false })
}

/** Some upstreams include both members and fill in one; some put a data URL into `b64_json`. */
function has(picture: JsonObject, form: PictureForm): boolean {
  const text = textAt(picture, form)
  return text !== undefined && (form === 'url' || !isData(text))
}

function isData(text: string): boolean {
  return text.startsWith('data:')
}

function behindComma(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(',') + 1)
}

/** The address of an image that has to be downloaded; `undefined` when it already has bytes. */
function addressOf(picture: JsonObject): string | undefined {
  const [url, bytes] = [textAt(picture, 'url'), textAt(picture, 'b64_json')]
  return bytes !== undefined || url === undefined || isData(url) ? undefined : url
}

function asBytes(picture: JsonObject, fetched: FetchedMedia): JsonObject {
  const { url, ...others } = picture
  const reported = textAt(picture, 'b64_json') ?? url
  if (has(picture, 'b64_json') || typeof reported !== 'string') return picture
  return { ...others, b64_json: fetched.get(reported)?.base64 ?? behindComma(reported) }
}

function asAddress(picture: JsonObject): JsonObject {
  const { b64_json: bytes, ...others } = picture
  if (has(picture, 'url') || typeof bytes !== 'string') return picture
  const type = mediaTypeOf(Buffer.from(bytes.slice(0, 64), 'base64')) ?? 'image/png'
  return { ...others, url: isData(bytes) ? bytes : `data:${type};base64,${bytes}` }
}

/** `undefined`: the caller accepts any form. A stream can only contain bytes. */
export function wantedPictures({ isStream, body }: Pick<Ask, 'isStream' | 'body'>): PictureForm | undefined {
  if (isStream) return 'b64_json'
  const { response_format: format } = body
  return format === 'b64_json' || format === 'url' ? format : undefined
}
